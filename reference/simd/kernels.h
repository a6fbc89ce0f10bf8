// What the SIMD kernels take, and the table of one instruction set's. Files that are compiled for an instruction set include
// this, <immintrin.h> and the C headers alone: an inline function of ours or of the C++ library that such a file emits
// could be the copy that the linker keeps for the whole program.
#pragma once
#include <stdint.h>

namespace adahop::reference::simd {

/// Scale rule of a block (an adahop_scale_rule, SPEC 5.2-5.5) and min_scale_byte, 0 or 1.
struct scale_choice {
  int32_t rule;
  int32_t min_scale_byte;
};

/// The random words of a run: of element i position + i (stochastic, modulo 2^64, offset included; SPEC 5.18), of pair i
/// position + i (gfx950_sr; SPEC 5.20). bits is 1..32, stochastic only.
struct random_words {
  uint64_t seed;
  uint64_t position;
  int32_t bits;
};

/// Clipped elements (SPEC 5.9), and the first NaN or Inf of the run that is quantized, counted from its begin; -1 if none.
struct run_report {
  int64_t clipped;
  int64_t first_nonfinite;
};

/// A Hadamard transform: size 16, 32, 64 or 128; `signs`, null or one word for each value of the run, 0x80000000 where it
/// is multiplied by -1 first; and, for FP32 output, whether it is rounded to BF16 values (SPEC 6.4).
struct transform {
  int32_t size;
  bool round_bf16;
  const uint32_t* signs;
};

// `stream` asks for stores that go past the caches; it is a hint, and out may have any alignment. Inputs have the alignment
// of their elements. Kernels run in the default floating-point environment (reference/fp_environment.h), read nothing past
// their inputs and write nothing past their outputs. BF16 values are their bits.

#define ADAHOP_SIMD_KERNEL(name, result, parameters) \
  result name##__avx512 parameters;                  \
  result name##__avx2 parameters;
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL

struct kernel_table {
#define ADAHOP_SIMD_KERNEL(name, result, parameters) result(*name) parameters;
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL
};

}  // namespace adahop::reference::simd
