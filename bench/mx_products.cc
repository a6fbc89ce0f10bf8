// Products of MXFP4 operands: operands and expectations.
#include "bench/mx_products.h"

#include <algorithm>

#include "adahop/formats/e2m1.h"
#include "bench/baseline/baselines.h"
#include "reference/simd/gemm_int8.h"
#include "reference/simd/mx_gemm.h"

namespace adahop::bench {
namespace {

const reference::simd::kernel_table& baseline_kernels() {
  return *reference::simd::kernels_of(baseline_isa() == "avx512" ? reference::simd::isa::avx512 : reference::simd::isa::avx2);
}

// 2 * value + bias of each element, [outer x inner].
array<float> doubled(const mx_tensor& x, float bias) {
  array<float> out(x.outer * x.inner);
  float* to = out.data();
  for (const uint8_t codes : x.codes.all())
    for (const uint32_t i : {0u, 1u}) *to++ = static_cast<float>(value_x2(unpack_e2m1(codes, i))) + bias;
  return out;
}

}  // namespace

mx_product::mx_product(const session& s, int64_t rows, int64_t cols, int64_t inner)
    : m(rows), n(cols), k(inner), a(m, k), b(n, k), out(m, n), by_oracle(m, n) {
  fill(a, 1);
  fill(b, 2);
  expected = s.expect(of("", s.oracle, by_oracle).run, by_oracle.bytes());
}

side mx_product::of(const char* name, target on, const tensor<float>& to) const {
  const auto run = [this, on, &to] { on(adahop_mx_gemm_args{&rules, a.view(), b.view(), to.view()}); };
  return {name, run, work(), to.bytes(), expected};
}

int8_product::int8_product(const mx_product& p) : mx_(p), out_(p.m, p.n) {
  const array<float> a = doubled(p.a, 0), b = doubled(p.b, 12), c(p.m * p.n);
  plain_gemm(a.data(), b.data(), c.data(), p.m, p.n, p.k);  // below 24 * 12 * k < 2^24
  std::transform(c.all().begin(), c.all().end(), out_.data.begin(), [](float sum) { return static_cast<int32_t>(sum); });
  expected_ = hash_of({output()});
}

side int8_product::as_side() const {
  const auto run = [this] { reference::simd::int8_gemm(baseline_kernels(), mx_.a.view(), mx_.b.view(), out_); };
  return {"int8 GEMM, " + baseline_isa(), run, mx_.work(), {output()}, expected_};
}

mixed_product::mixed_product(const session& s, const mx_product& p, int64_t count)
    : mx_(p), simd_(s.simd), a_(count, p.k), b_(p.n, p.k), outliers_(count, p.n), out_(p.m, p.n) {
  for (int64_t i = 0; i < count; ++i) rows_.push_back(static_cast<int32_t>(i * p.m / count));
  fill(a_, 3);
  fill(b_, 4);
  expected_ = s.expect(
      [&] {
        s.oracle(adahop_bf16_gemm_args{&p.rules, a_.view(), b_.view(), view_of(outliers_)});
        s.oracle(adahop_scatter_add_args{&p.rules, p.by_oracle.view(), view_of(outliers_), rows_.data(), count,
                                         ADAHOP_SIDE_LEFT, 0, out_.view()});
      },
      out_.bytes());
}

void mixed_product::run() const {
  simd_(adahop_bf16_gemm_args{&mx_.rules, a_.view(), b_.view(), view_of(outliers_)});
  reference::simd::mixed_gemm(mx_.rules, mx_.a.view(), mx_.b.view(), {ADAHOP_SIDE_LEFT, rows_, &outliers_}, out_.view());
}

side mixed_product::as_side() const {
  return {"mixed GEMM", [this] { run(); }, 0, out_.bytes(), expected_};
}

}  // namespace adahop::bench
