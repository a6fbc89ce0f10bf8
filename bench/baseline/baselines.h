// The baselines as sides of a comparison, each with the bytes that it must give.
#pragma once
#include <memory>
#include <string>

#include "bench/session.h"

namespace adahop::bench {

/// The instruction set of baselines: that of the backend `simd`; where it is scalar, the best that the CPU has.
/// Throws failure where that is neither avx2 nor avx512.
std::string baseline_isa();

/// Reads `input` once, in 64-byte or 32-byte loads.
side streaming_read(bytes input, int threads);

/// Copies `input` to memory of its own by the C library's memcpy; work counts the bytes read and those written.
side memory_copy(bytes input, int threads);

/// c [m x n] = a [m x k] times the transpose of b [n x k] by loops that a person can check. The operands are integers whose
/// sums stay below 2^24, so that any order gives the same bits.
void plain_gemm(const float* a, const float* b, float* c, int64_t m, int64_t n, int64_t k);

/// Operands [m x k] and [n x k] for Eigen: small integers, whose product is exact in any order.
struct eigen_operands {
  int64_t m, n, k;
  std::shared_ptr<array<float>> a, b, c;
  std::string expected;  ///< SHA-256 of their product by plain loops

  eigen_operands(int64_t m, int64_t n, int64_t k);
};

/// Eigen's FP32 product in its build for `isa`. The sides of one eigen_operands share their output.
side eigen_gemm(const std::string& isa, const eigen_operands& operands, int threads);

}  // namespace adahop::bench
