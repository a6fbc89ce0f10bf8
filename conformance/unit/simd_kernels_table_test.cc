// Every line of kernels.def against the scalar oracle, on every instruction set of this CPU.
#include "simd_kernels_support.h"

using namespace adahop::reference::simd;

namespace {

template <class Check, class Kernel>
void on_every_level(const Check& check, Kernel* const kernel_table::*member) {
  for (const isa level : tested_levels()) {
    INFO("instruction set " << name(level));
    check(kernels_of(level)->*member);
  }
}

}  // namespace

#define ADAHOP_SIMD_KERNEL(kernel, result, parameters)                                                   \
  TEST_CASE("simd kernel " #kernel) {                                                                    \
    for (const isa level : tested_levels()) {                                                            \
      INFO("instruction set " << name(level));                                                           \
      check_##kernel(kernels_of(level)->kernel);                                                         \
    }                                                                                                    \
  }
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL
