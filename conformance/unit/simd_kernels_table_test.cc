// Every line of kernels.def against the scalar oracle, on every instruction set of this CPU.
#include "simd_kernels_support.h"

using namespace adahop::reference::simd;

TEST_CASE("the instruction sets whose kernels are tested here") {
  CHECK(kernels_of(isa::scalar) == nullptr);
  int run = 0;
  for (const isa level : {isa::avx2, isa::avx512}) {
    CHECK((kernels_of(level) != nullptr) == supported(level));
    if (supported(level))
      ++run;
    else
      WARN(name(level) << ": this CPU or build does not have it, none of its kernels was run");
  }
  CHECK(tested_levels().size() == static_cast<size_t>(run));
}

#define ADAHOP_SIMD_KERNEL(kernel, result, parameters) \
  TEST_CASE("simd kernel " #kernel) {                  \
    for (const isa level : tested_levels()) {          \
      INFO("instruction set " << name(level));         \
      check_##kernel(kernels_of(level)->kernel);       \
    }                                                  \
  }
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL
