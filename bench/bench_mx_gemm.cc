// The MX product: R7 against its own loops in plain int8, R8 against Eigen's FP32 GEMM, R9 what 64 outlier rows cost, R10
// against the scalar oracle, R12 two threads against one.
#include "bench/baseline/baselines.h"
#include "bench/mx_products.h"
#include "bench/session.h"

namespace adahop::bench {
namespace {

// Everything that is asked of one shape.
void run_shape(session& s, const mx_product& p, bool large) {
  const std::string shape = shape_text(p.m, p.n, p.k);
  const side ours = p.of("MX GEMM", s.simd, p.out);
  const tensor<float> other(p.m, p.n);
  if (s.wants("R7")) {
    const int8_product plain(p);
    for (const int threads : s.thread_counts()) s.compare({"R7", "", shape, threads, "GMAC/s"}, ours, plain.as_side());
  }
  if (s.wants("R8") || s.wants("R8y")) {
    const eigen_operands eigen(p.m, p.n, p.k);
    for (const int threads : s.thread_counts()) {
      if (s.wants("R8"))
        s.compare({"R8", "", shape, threads, "GMAC/s"}, ours, eigen_gemm(baseline_isa(), eigen, threads));
      if (s.wants("R8y")) s.compare({"R8y", "", shape, threads, "GMAC/s"}, ours, eigen_gemm("avx2", eigen, threads));
    }
  }
  if (large && s.wants("R9")) {
    const mixed_product mixed(s, p, s.quick() ? 5 : 64);
    for (const int threads : s.thread_counts()) s.compare({"R9", "", shape, threads}, mixed.as_side(), ours);
  }
  if (!large && s.wants("R10"))
    for (const int threads : s.thread_counts())
      s.compare({"R10", "GEMM", shape, threads, "GMAC/s"}, ours, p.of("scalar oracle", s.oracle, other));
  if (s.wants("R12") && s.thread_counts().size() > 1)
    s.compare_threads({"R12", "GEMM", shape, 2, "GMAC/s"}, ours, p.of("one thread", s.simd, other));
}

void body(session& s) {
  bool wanted = false;
  for (const char* id : {"R7", "R8", "R8y", "R9", "R10", "R12"}) wanted = wanted || s.wants(id);
  if (!wanted) return;
  run_shape(s, s.quick() ? mx_product(s, 70, 90, 128) : mx_product(s, 1024, 1024, 1024), false);
  run_shape(s, s.quick() ? mx_product(s, 100, 60, 96) : mx_product(s, 4096, 4096, 1024), true);
}

}  // namespace
}  // namespace adahop::bench

int main(int argc, char** argv) { return adahop::bench::run(argc, argv, adahop::bench::body); }
