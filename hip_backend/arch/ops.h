// What kernels ask of a target beyond the language: the FP4 conversions, the matrix tile operation, loop unrolling.
// Each target defines the same names with the same bits:
//   encode_fp4_block(v[32], scale_byte, words[4])   RNE of v / scale to E2M1, packed linearly (SPEC 5.8, 5.11-5.13)
//   encode_fp4_block_sr(v[32], scale_byte, word_of, words[4])   random rounding of SPEC 5.20, 5.21
//   decode_fp4_pair(byte, scale_byte, even, odd)    SPEC 2.5, 2.6
//   mma_16x16x128, mma_32x32x64                     the matrix instruction on a tile: multiply() gives block dots,
//                                                   exact, S / 4 of SPEC 10.1; accumulate() is the target's own chain, 10.24
#pragma once
#include "arch/lang.h"
#include "kernels/args.h"

#if defined(__clang__) || defined(__CUDACC__)
#define ADAHOP_UNROLL _Pragma("unroll")
#else
#define ADAHOP_UNROLL _Pragma("GCC unroll 64")
#endif

namespace adahop::hip {

/// 32 E2M1 codes, packed linearly: element i is bits 4*(i%8) of word i/8, on a little-endian target the bytes of SPEC 3.2.
struct fp4_block {
  uint32_t words[4];
};

/// What one lane gives a scaled matrix instruction for one operand.
struct scaled_block {
  fp4_block codes;
  uint32_t scale_byte;
};

}  // namespace adahop::hip

#if defined(ADAHOP_TARGET_CPU)
#include "arch/portable/fp4.h"
#include "arch/portable/mma.h"
#elif defined(__AMDGCN__)
#include "arch/gfx950/fp4.h"
#include "arch/gfx950/mma.h"
#else
#error "no target: define ADAHOP_TARGET_CPU or compile for gfx950"
#endif
