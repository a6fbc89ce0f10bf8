// The Walsh-Hadamard transform. Implements SPEC 3.7, 6.1 to 6.5, 6.10, 6.11.
#include "hadamard.h"

#include <mpfr.h>

#include <algorithm>
#include <bit>

#include "random_words.h"

namespace independent {
namespace {

constexpr uint32_t kMinusOne = 0xBF800000u;

/// 1 / sqrt(n) rounded once to FP32.
uint32_t inverse_sqrt(int n) {
  mpfr_t x;
  mpfr_init2(x, 24);
  mpfr_set_si(x, n, MPFR_RNDN);  // exact: n is a power of two
  mpfr_rec_sqrt(x, x, MPFR_RNDN);
  const float rounded = mpfr_get_flt(x, MPFR_RNDN);
  mpfr_clear(x);
  return std::bit_cast<uint32_t>(rounded);
}

}  // namespace

void hadamard_block(uint32_t* bits, int size) {
  for (int stride = 1; stride < size; stride *= 2)
    for (int i = 0; i < size; ++i) {
      if ((i / stride) % 2 != 0) continue;  // the upper partner of a pair already done
      const uint32_t a = bits[i], b = bits[i + stride];
      bits[i] = add(a, b);
      bits[i + stride] = subtract(a, b);
    }
  const uint32_t factor = inverse_sqrt(size);
  for (int i = 0; i < size; ++i) bits[i] = multiply(bits[i], factor);
}

fp32_matrix zero_padded(const fp32_matrix& x, int size) {
  const int multiple = std::max(kBlock, size);
  fp32_matrix out(x.rows, (x.cols + multiple - 1) / multiple * multiple);
  for (int row = 0; row < x.rows; ++row)
    for (int col = 0; col < x.cols; ++col) out.at(row, col) = x.at(row, col);
  return out;
}

fp32_matrix hadamard(const fp32_matrix& x, const transform& how) {
  fp32_matrix out = zero_padded(x, how.size);
  if (how.random_signs)
    for (int row = 0; row < out.rows; ++row)
      for (int col = 0; col < out.cols; ++col)
        if (sign_is_minus(how.sign_seed, static_cast<uint64_t>(col)))
          out.at(row, col) = multiply(out.at(row, col), kMinusOne);
  for (size_t start = 0; start < out.bits.size(); start += static_cast<size_t>(how.size))
    hadamard_block(&out.bits[start], how.size);
  if (how.to_bf16)
    for (uint32_t& v : out.bits) v = widen_bf16(bf16_of(v));
  return out;
}

fp32_matrix hadamard(const fp32_matrix& x, bool to_bf16) {
  transform how;
  how.to_bf16 = to_bf16;
  return hadamard(x, how);
}

}  // namespace independent
