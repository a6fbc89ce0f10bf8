// Eigen's product of FP32 matrices as Eigen compiles it for the instruction set ADAHOP_BENCH_ISA.
#include "bench/baseline/eigen_gemm.h"

#include <Eigen/Core>

#define ADAHOP_BENCH_EIGEN_GEMM_OF(isa) ADAHOP_BENCH_EIGEN_GEMM(isa)

ADAHOP_BENCH_EIGEN_GEMM_OF(ADAHOP_BENCH_ISA) {
  using row_major = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::setNbThreads(threads);
  const Eigen::Map<const row_major> left(a, m, k), right(b, n, k);
  Eigen::Map<row_major>(c, m, n).noalias() = left * right.transpose();
}
