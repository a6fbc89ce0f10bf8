// The whole product from BF16 to BF16: R11 and R11o against Eigen's FP32 GEMM of the shape, R12 two threads against one.
#include "adahop/policy.h"
#include "bench/baseline/baselines.h"
#include "bench/session.h"

namespace adahop::bench {
namespace {

struct product {
  policy rules = default_policy();
  int64_t m, n, k;
  tensor<bf16> a, b, out;

  explicit product(bool quick)
      : m(quick ? 96 : 4096), n(quick ? 80 : 4096), k(quick ? 128 : 1024), a(m, k), b(n, k), out(m, n) {
    rules.output = ADAHOP_BF16;
    fill(a, 1);
    fill(b, 2);
  }

  std::function<void()> call(target on, adahop_pattern left, const tensor<bf16>& to) const {
    return [this, on, left, &to] {
      on(adahop_matmul_args{&rules, 1, left, ADAHOP_PATTERN_NONE, ADAHOP_PATH_FORWARD, a.view(), b.view(), to.view()});
    };
  }
};

void run_pair(session& s, const product& p, const eigen_operands& eigen, const char* id, adahop_pattern left) {
  const std::string name = left == ADAHOP_PATTERN_ROW ? "matmul RN, level 1" : "matmul CN, level 1";
  const std::string expected = s.expect(p.call(s.oracle, left, p.out), p.out.bytes());
  const std::string shape = shape_text(p.m, p.n, p.k);
  const double work = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
  const side ours{name, p.call(s.simd, left, p.out), work, p.out.bytes(), expected};
  if (s.wants(id))
    for (const int threads : s.thread_counts())
      s.compare({id, "", shape, threads}, ours, eigen_gemm(baseline_isa(), eigen, threads));
  if (left == ADAHOP_PATTERN_ROW || !s.wants("R12") || s.thread_counts().size() < 2) return;
  const tensor<bf16> other(p.m, p.n);
  s.compare_threads({"R12", "matmul", shape, 2, "GMAC/s"}, ours,
                    {"one thread", p.call(s.simd, left, other), work, other.bytes(), expected});
}

}  // namespace
}  // namespace adahop::bench

int main(int argc, char** argv) {
  using namespace adahop::bench;
  return run(argc, argv, [](session& s) {
    if (!s.wants("R11") && !s.wants("R11o") && !s.wants("R12")) return;
    const product p(s.quick());
    const eigen_operands eigen(p.m, p.n, p.k);
    if (s.wants("R11") || s.wants("R12")) run_pair(s, p, eigen, "R11", ADAHOP_PATTERN_COLUMN);
    if (s.wants("R11o")) run_pair(s, p, eigen, "R11o", ADAHOP_PATTERN_ROW);
  });
}
