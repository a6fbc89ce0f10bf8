// The order of every sum of the pattern statistics, for the kernels and for the host. Implements SPEC 7.1.
#pragma once
#include <stdint.h>

namespace adahop::hip {

/// Sum of term(e), e in 0..length-1, in FP64: chunks of 64 in order, then the chunk sums in order, each from +0.
template <class Term>
constexpr double two_level_sum(int64_t length, Term term) {
  constexpr int64_t kChunk = 64;
  double total = 0;
  for (int64_t first = 0; first < length; first += kChunk) {
    const int64_t end = first + kChunk < length ? first + kChunk : length;
    double chunk = 0;
    for (int64_t e = first; e < end; ++e) chunk += term(e);
    total += chunk;
  }
  return total;
}

}  // namespace adahop::hip
