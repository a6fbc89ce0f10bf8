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

// Panels of the products: a few rows of an operand, interleaved as the register tile reads them. Absent rows, those past
// the operand's last, hold zeros. Panels are aligned to 64 bytes where their size is a multiple of it.

/// The register tile of the MX product: outputs [kMxTileRows x kMxTileColumns].
constexpr int64_t kMxTileRows = 6;
constexpr int64_t kMxTileColumns = 32;
/// A block of a panel of A: int8 [8][6][4], 2 * value of elements 4s .. 4s + 3 of each row; int32 [6][2], the scale byte
/// << 23 less 12 times the sum of the row's 32 numbers, and the scale byte << 23.
constexpr int64_t kMxRowsBlockBytes = kMxTileRows * (32 + 8);
/// A block of a panel of B: uint8 [8][32][4], 2 * value + 12; int32 [32], kMxMagic + ((scale byte - 256) << 23).
constexpr int64_t kMxColumnsBlockBytes = kMxTileColumns * (32 + 4);
/// The bits of 3 * 2^22: with e << 23 added they are 3 * 2^22 * 2^e, with a small integer s added (3 * 2^22 + s) * 2^e.
constexpr int32_t kMxMagic = 0x4B400000;

/// The register tile of the BF16 product; a panel is float [depth][rows of the tile], one of B [depth][columns].
constexpr int64_t kBf16TileRows = 12;
constexpr int64_t kBf16TileColumns = 32;

/// Rows of an MX operand in the linear layout: `count` of them, at most a panel's.
struct mx_lines {
  const uint8_t* codes;
  int64_t codes_stride;
  const uint8_t* scales;
  int64_t scales_stride;
  int64_t count;
  int64_t blocks;
};

/// The least and the greatest of 127 and the scale bytes that a panel stores. NaN is stored as 127; so may be the byte
/// of a block that adds nothing whatever its scale, and outside 54 .. 180 it is.
struct scale_range {
  int32_t least;
  int32_t greatest;
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
