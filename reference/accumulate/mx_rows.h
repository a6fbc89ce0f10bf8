// The two rows of MX operands whose dot product an accumulation model forms, block by block. Implements
// SPEC 10.1, 10.2.
#pragma once

#include "adahop/tensor.h"
#include "reference/accumulate/product.h"
#include "reference/block_dot.h"

namespace adahop::reference {

/// Linear codes and scales of both rows. Every model but block_rne expects scale bytes other than 0xFF.
struct mx_rows {
  const uint8_t* a_codes;
  const uint8_t* a_scales;
  const uint8_t* b_codes;
  const uint8_t* b_scales;
  int64_t blocks;

  mx_rows(const adahop_mx& a, int64_t m, const adahop_mx& b, int64_t n)
      : a_codes(row(a, a.codes, m, a.codes_stride)),
        a_scales(row(a, a.scales, m, a.scales_stride)),
        b_codes(row(b, b.codes, n, b.codes_stride)),
        b_scales(row(b, b.scales, n, b.scales_stride)),
        blocks(a.inner / kBlockSize) {}

  /// The integer S; the term of the block pair is S * 2^term_exponent.
  int32_t dot_x4(int64_t block) const {
    return block_dot_x4(a_codes + block * kBlockBytes, b_codes + block * kBlockBytes);
  }
  /// sa + sb - 256, in [-256, 252].
  int term_exponent(int64_t block) const { return a_scales[block] + b_scales[block] - 256; }
  /// Element k of each row, as codes.
  e2m1 a_at(int64_t k) const { return unpack_e2m1(a_codes[k / 2], static_cast<uint32_t>(k % 2)); }
  e2m1 b_at(int64_t k) const { return unpack_e2m1(b_codes[k / 2], static_cast<uint32_t>(k % 2)); }

  /// The scaled product of elements k. Its exponent lies in [-254, 258].
  product product_at(int64_t k) const {
    const int64_t block = k / kBlockSize;
    product p = kE2m1Products[code_of(a_at(k)) * 16 + code_of(b_at(k))];
    p.exponent += term_exponent(block) + 2;
    return p;
  }

  /// Whether any scale byte is NaN (SPEC 10.3).
  bool has_nan_scale() const {
    for (int64_t i = 0; i < blocks; ++i)
      if (a_scales[i] == kE8m0Nan || b_scales[i] == kE8m0Nan) return true;
    return false;
  }

 private:
  // Rows without blocks are nowhere: their pointer may be null and their stride any number.
  static const uint8_t* row(const adahop_mx& x, const uint8_t* first, int64_t i, int64_t stride) {
    return x.inner == 0 ? nullptr : first + i * stride;
  }
};

}  // namespace adahop::reference
