// The BF16 product under seq_fma: R13 against Eigen's FP32 GEMM.
#include "adahop/policy.h"
#include "bench/baseline/baselines.h"
#include "bench/session.h"

int main(int argc, char** argv) {
  using namespace adahop;
  using namespace adahop::bench;
  return run(argc, argv, [](session& s) {
    if (!s.wants("R13") && !s.wants("R13y")) return;
    const int64_t m = s.quick() ? 96 : 1024, n = s.quick() ? 80 : 1024, k = s.quick() ? 128 : 1024;
    const policy rules = default_policy();
    tensor<bf16> a(m, k), b(n, k);
    fill(a, 1);
    fill(b, 2);
    const tensor<float> out(m, n);
    const auto call = [&](target on) {
      return [&, on] { on(adahop_bf16_gemm_args{&rules, a.view(), b.view(), out.view()}); };
    };
    const side ours{"BF16 GEMM, seq_fma", call(s.simd), static_cast<double>(m * n * k), out.bytes(),
                    s.expect(call(s.oracle), out.bytes())};
    const eigen_operands eigen(m, n, k);
    for (const int threads : s.thread_counts()) {
      const std::string shape = shape_text(m, n, k);
      if (s.wants("R13"))
        s.compare({"R13", "", shape, threads, "GMAC/s"}, ours, eigen_gemm(baseline_isa(), eigen, threads));
      if (s.wants("R13y"))
        s.compare({"R13y", "", shape, threads, "GMAC/s"}, ours, eigen_gemm("avx2", eigen, threads));
    }
  });
}
