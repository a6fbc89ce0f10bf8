// One line of kernels.def, chosen by the input, on each instruction set of this CPU against the scalar oracle, bit for
// bit. The list expands here, so that a new kernel is fuzzed or does not link. Implements the fuzzers' side of
// SPEC 13.13.
#include <array>
#include <cstdio>

#include "fuzz/simd_kernel_trial.h"
#include "reference/parallel.h"
#include "reference/simd/isa.h"

namespace {

using namespace adahop;

struct line {
  const char* name;
  void (*fuzz)(fuzz::trial& t);
};

constexpr std::array kLines{
#define ADAHOP_SIMD_KERNEL(kernel, result, parameters) \
  line{#kernel, [](fuzz::trial& t) { fuzz::fuzz_##kernel(t, &reference::simd::kernel_table::kernel); }},
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL
};

// Starting threads for the oracle's few lines would take most of the time.
bool prepare() {
  reference::set_threads(1);
  bool any = false;
  for (const auto level : {reference::simd::isa::avx2, reference::simd::isa::avx512}) {
    any = any || reference::simd::supported(level);
    if (!reference::simd::supported(level))
      std::fprintf(stderr, "simd_kernels: %s is not there, its kernels are not run\n", reference::simd::name(level));
  }
  return any;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const bool any = prepare();
  if (!any) return 0;
  fuzz::input in(std::span(data, size));
  const line& chosen = in.pick(kLines);
  fuzz::trial t(chosen.name, in);
  chosen.fuzz(t);
  return 0;
}
