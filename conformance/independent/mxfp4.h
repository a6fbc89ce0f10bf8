// E2M1, E8M0 and the quantization of a block, from what the rules mean rather than from their integer formulas.
// Implements SPEC chapters 2 and 5.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "float32.h"

namespace independent {

inline constexpr int kBlock = 32;
inline constexpr uint8_t kNanScale = 0xFF;

enum class scale_rule { floor, ceil, even, rceil };

/// Value of a code 0..15; 8 gives 0, its sign is in the code alone.
rational value_of_code(uint8_t code);
/// Value of a byte 0..254.
rational value_of_scale(uint8_t byte);

/// code x scale as FP32 bits (SPEC 2.5, 2.6), and the same as BF16 bits (SPEC 5.10).
uint32_t decode_fp32(uint8_t code, uint8_t byte);
uint16_t decode_bf16(uint8_t code, uint8_t byte);

/// The scale byte for a block whose largest absolute value has the finite pattern `amax_bits`.
uint8_t scale_for(uint32_t amax_bits, scale_rule rule, int min_scale_byte);

/// The code nearest to the finite `bits` / scale, ties to the even code; `byte` 0..254.
uint8_t nearest_code(uint32_t bits, uint8_t byte);

/// For one scale byte: threshold[c] is the smallest FP32 magnitude pattern whose nearest code is c + 1 or above,
/// or 0x7F800000 where there is none. Found by bisection over nearest_code, so it is a table of that function.
std::array<uint32_t, 7> code_thresholds(uint8_t byte);

struct quantized_block {
  std::array<uint8_t, kBlock> codes;
  uint8_t scale;
  int clipped;  ///< elements with |v| / scale > 6
};

/// Quantizes 32 FP32 patterns; a block with a NaN or an Inf becomes byte 0xFF and codes 0.
quantized_block quantize_block(const uint32_t* bits, scale_rule rule, int min_scale_byte);

/// An FP32 matrix as bit patterns, row-major.
struct fp32_matrix {
  int rows = 0, cols = 0;
  std::vector<uint32_t> bits;

  fp32_matrix() = default;
  fp32_matrix(int r, int c) : rows(r), cols(c), bits(static_cast<size_t>(r) * static_cast<size_t>(c)) {}
  size_t index(int r, int c) const {
    return static_cast<size_t>(r) * static_cast<size_t>(cols) + static_cast<size_t>(c);
  }
  uint32_t& at(int r, int c) { return bits[index(r, c)]; }
  uint32_t at(int r, int c) const { return bits[index(r, c)]; }
};

/// An MXFP4 matrix with one byte for each code, unpacked.
struct mx_tensor {
  int outer = 0, inner = 0;
  std::vector<uint8_t> codes;   ///< [outer][inner]
  std::vector<uint8_t> scales;  ///< [outer][inner / 32]
  long clipped = 0;
};

/// Quantizes along the columns; x.cols is a multiple of 32.
mx_tensor quantize(const fp32_matrix& x, scale_rule rule, int min_scale_byte);

/// Index of the first NaN or Inf in stored order, -1 if there is none.
long first_nonfinite(const fp32_matrix& x);

}  // namespace independent
