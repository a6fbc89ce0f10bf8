// A product as matrix hardware sees it: the sum of the operands' field exponents beside the product of their
// significands, which is not renormalised. Implements the exponents and significands of SPEC 10.15.
#pragma once
#include <array>
#include <cstdint>

#include "adahop/formats/bf16.h"
#include "adahop/formats/e2m1.h"

namespace adahop::reference {

inline constexpr int kProductFractionBits = 14;

/// significand * 2^(exponent - 14) with |significand| < 4 * 2^14; a zero product has significand 0 and its exponent
/// means nothing.
struct product {
  int32_t significand;
  int32_t exponent;
};

/// Of two E2M1 elements, without their scales. The exponent is 0 to 4, the significand a multiple of 2^12: the
/// subnormal 0.5 is 0.5 * 2^0, the others are 1 or 1.5 times 2^0, 2^1, 2^2.
constexpr product product_of(e2m1 a, e2m1 b) {
  struct parts {
    int32_t significand_x2, exponent;
  };
  const auto split = [](e2m1 c) {
    const int32_t field = static_cast<int32_t>((code_of(c) >> 1) & 3u);
    const int32_t half = static_cast<int32_t>(code_of(c) & 1u);
    return field == 0 ? parts{half, 0} : parts{2 + half, field - 1};
  };
  const parts x = split(a), y = split(b);
  const bool negative = ((code_of(a) ^ code_of(b)) & 8u) != 0;
  const int32_t magnitude = x.significand_x2 * y.significand_x2 * (1 << (kProductFractionBits - 2));
  return {negative ? -magnitude : magnitude, x.exponent + y.exponent};
}

/// The same from a table, at [a * 16 + b].
inline constexpr std::array<product, 256> kE2m1Products = [] {
  std::array<product, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) table[i] = product_of(e2m1_of(i >> 4), e2m1_of(i));
  return table;
}();

/// Of two finite BF16: significands of 7 fraction bits, below 1 and with exponent -126 for a subnormal.
constexpr product product_of(bf16 a, bf16 b) {
  struct parts {
    int32_t significand_x128, exponent;
  };
  const auto split = [](bf16 v) {
    const int32_t field = (v.bits >> 7) & 0xFF, mantissa = v.bits & 0x7F;
    return field == 0 ? parts{mantissa, -126} : parts{mantissa | 0x80, field - 127};
  };
  const parts x = split(a), y = split(b);
  const bool negative = ((a.bits ^ b.bits) & 0x8000u) != 0;
  const int32_t magnitude = x.significand_x128 * y.significand_x128;
  return {negative ? -magnitude : magnitude, x.exponent + y.exponent};
}

}  // namespace adahop::reference
