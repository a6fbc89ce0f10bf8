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

/// By enumerator.
inline constexpr auto kEveryKernel = std::to_array<kernel_entry>({
#define ADAHOP_KERNEL_ENTRY(name, args, threads) {#name, threads, sizeof(args)},
#include "kernels/kernels.def"
#undef ADAHOP_KERNEL_ENTRY
});

/// Those that every device has; the others, of gfx950 alone, follow in kEveryKernel.
inline constexpr auto kKernels = std::to_array<kernel_entry>({
#define ADAHOP_WITHOUT_GFX950_KERNELS
#define ADAHOP_KERNEL_ENTRY(name, args, threads) {#name, threads, sizeof(args)},
#include "kernels/kernels.def"
#undef ADAHOP_KERNEL_ENTRY
#undef ADAHOP_WITHOUT_GFX950_KERNELS
});

}  // namespace adahop::hip
