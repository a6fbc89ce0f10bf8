// MX operands whose every row and K block has a scale of its own, so that a scale taken from another lane shows.
#pragma once
#include "adahop/tensor.h"

namespace adahop_test {

/// All elements 1. The scales differ between neighbouring rows, K blocks and operands; sums are exact in any order.
struct scaled_ones {
  adahop::mx_matrix a, b;

  scaled_ones(int64_t m, int64_t n, int64_t k) : a(m, k), b(n, k) {
    for (adahop::mx_matrix* q : {&a, &b}) {
      for (uint8_t& pair : q->codes) pair = 0x22;
      for (int64_t r = 0; r < q->outer; ++r)
        for (int64_t block = 0; block < k / 32; ++block)
          q->scales[static_cast<size_t>(r * k / 32 + block)] = static_cast<uint8_t>(127 + exponent(q == &a, r, block));
    }
  }
  static int64_t exponent(bool left, int64_t row, int64_t block) {
    return left ? (row + 3 * (row / 16) + 2 * block) % 7 : (3 * row + row / 16 + 5 * block) % 8;
  }
  float expected(int64_t row, int64_t column) const {
    int64_t sum = 0;  // at most 32 * 2^13 a block
    for (int64_t block = 0; block < a.inner / 32; ++block)
      sum += int64_t{32} << (exponent(true, row, block) + exponent(false, column, block));
    return static_cast<float>(sum);
  }
};

}  // namespace adahop_test
