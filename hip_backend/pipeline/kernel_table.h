// The kernels of kernels.def by enumerator, with what a launch must respect. Decides nothing numeric.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernels/args.h"

namespace adahop::hip {

enum class kernel : uint32_t {
#define ADAHOP_KERNEL_ENTRY(name, args, threads) name,
#include "kernels/kernels.def"
#undef ADAHOP_KERNEL_ENTRY
};

struct kernel_entry {
  std::string_view name;
  uint32_t threads;
  size_t args_bytes;
};

inline constexpr auto kKernels = std::to_array<kernel_entry>({
#define ADAHOP_KERNEL_ENTRY(name, args, threads) {#name, threads, sizeof(args)},
#include "kernels/kernels.def"
#undef ADAHOP_KERNEL_ENTRY
});

}  // namespace adahop::hip
