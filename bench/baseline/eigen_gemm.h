// Eigen's product of FP32 matrices, one build for each instruction set. C linkage: the only names that its libraries show.
#pragma once
#include <stdint.h>

#define ADAHOP_BENCH_EIGEN_GEMM(isa)                                                                                   \
  extern "C" __attribute__((visibility("default"))) void adahop_bench_eigen_gemm_##isa(                                \
      const float* a, const float* b, float* c, int64_t m, int64_t n, int64_t k, int threads)

/// c [m x n] = a [m x k] times the transpose of b [n x k], row-major.
ADAHOP_BENCH_EIGEN_GEMM(avx512);
ADAHOP_BENCH_EIGEN_GEMM(avx2);
