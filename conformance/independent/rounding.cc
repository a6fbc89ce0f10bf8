// Rounding by a random word, from the definitions in real numbers. Implements SPEC 5.17 to 5.22.
#include "rounding.h"

#include <algorithm>

#include "random_words.h"

namespace independent {
namespace {

constexpr int kSourceFractionBits = 23;
constexpr int kGfx950RandomBits = 22;

rational scaled_magnitude(uint32_t bits, uint8_t byte) { return value_of(bits).magnitude() / value_of_scale(byte); }

uint8_t with_sign(uint8_t magnitude, uint32_t bits) {
  return static_cast<uint8_t>(is_negative(bits) ? magnitude | 8u : magnitude);
}

uint8_t code_at(uint32_t bits, uint8_t byte, const rounding& how, uint64_t row, uint64_t col, uint64_t index_cols) {
  switch (how.how) {
    case element_rounding::nearest: return nearest_code(bits, byte);
    case element_rounding::stochastic:
      return stochastic_code(bits, byte, stochastic_word(how.bits, how.seed, how.offset, row * index_cols + col),
                             how.bits);
    case element_rounding::gfx950: return gfx950_code(bits, byte, gfx950_word(how.seed, row, col, index_cols));
  }
  return 0;
}

}  // namespace

uint8_t stochastic_code(uint32_t bits, uint8_t byte, uint32_t u, int random_bits) {
  const rational a = scaled_magnitude(bits, byte);
  if (a >= rational(6)) return with_sign(7, bits);
  uint8_t code = 0;
  while (value_of_code(static_cast<uint8_t>(code + 1)) <= a) ++code;
  const rational below = value_of_code(code), above = value_of_code(static_cast<uint8_t>(code + 1));
  const long limit = ((a - below) / (above - below)).scaled(random_bits).floor_integer();
  return with_sign(static_cast<uint8_t>(static_cast<long>(u) < limit ? code + 1 : code), bits);
}

uint8_t gfx950_code(uint32_t bits, uint8_t byte, uint32_t word) {
  rational a = scaled_magnitude(bits, byte);
  if (a > rational(6)) return with_sign(7, bits);
  // The unit of the mantissa bit that is kept; below 1 that of the subnormal 0.5, and the source's significand loses
  // what lies below its 23 fraction bits at 1.
  long unit = -1;
  if (a < rational(1))
    a = a.floor_to(-kSourceFractionBits);
  else
    unit = a.floor_log2() - 1;
  const rational random = rational(word >> (32 - kGfx950RandomBits)).scaled(unit - kGfx950RandomBits);
  const rational rounded = (a + random).floor_to(unit);
  for (uint8_t code = 0; code < 7; ++code)
    if (value_of_code(code) == rounded) return with_sign(code, bits);
  return with_sign(7, bits);  // 6, or above it
}

mx_tensor quantize(const fp32_matrix& x, scale_rule rule, int min_scale_byte, const rounding& how, int index_cols) {
  mx_tensor out = quantize(x, rule, min_scale_byte);
  if (how.how == element_rounding::nearest) return out;
  for (int row = 0; row < x.rows; ++row)
    for (int col = 0; col < x.cols; ++col) {
      const size_t at = x.index(row, col);
      const uint8_t byte = out.scales[at / kBlock];
      if (byte == kNanScale) continue;
      out.codes[at] = code_at(x.at(row, col), byte, how, static_cast<uint64_t>(row), static_cast<uint64_t>(col),
                              static_cast<uint64_t>(index_cols));
    }
  return out;
}

rounding right_operand(const rounding& left, int m, int k) {
  rounding right = left;
  right.offset += static_cast<uint64_t>(m) * static_cast<uint64_t>(k);
  if (left.how == element_rounding::gfx950) right.seed += 1;
  return right;
}

}  // namespace independent
