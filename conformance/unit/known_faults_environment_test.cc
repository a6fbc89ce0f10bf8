// Known faults that depend on the caller's floating-point environment: flush to zero (F4, F20) and rounding modes.
#include <cfenv>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "catch.h"
#include "known_faults_support.h"

using namespace adahop_test;

namespace {

/// Sets a rounding mode and, where the processor has it, flush-to-zero and denormals-are-zero, while it lives.
class hostile_environment {
 public:
  explicit hostile_environment(int rounding) {
    std::fegetenv(&saved_);
    std::fesetround(rounding);
#if defined(__SSE2__)
    _mm_setcsr(_mm_getcsr() | 0x8040u);
#endif
  }
  ~hostile_environment() { std::fesetenv(&saved_); }
  hostile_environment(const hostile_environment&) = delete;
  hostile_environment& operator=(const hostile_environment&) = delete;

 private:
  std::fenv_t saved_;
};

/// Runs one call in a hostile environment and everything around it in the usual one.
template <class Call>
auto in_environment(int rounding, Call call) {
  const hostile_environment environment(rounding);
  return call();
}

void check_matrix(const char* operation, const matrix_call& call, const independent::fp32_matrix& expected) {
  CAPTURE(operation);
  REQUIRE(call.status == ADAHOP_OK);
  CHECK(difference(call.out.bits, expected.bits) == "");
}

}  // namespace

TEST_CASE("F4, F20: flush-to-zero and rounding modes of the caller change no bit",
          "[known_fault][spec:1.3][spec:1.1]") {
  source random(36);
  for_each_backend([&](const adahop_backend& backend) {
    for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO})
      for (const content kind : {content::tiny, content::unit, content::wide}) {
        const independent::fp32_matrix a = make(random, 9, 64, kind, true);
        const independent::fp32_matrix b = make(random, 7, 64, content::tiny, true);
        const adahop::matrix<adahop::bf16> a16 = to_bf16s(a), b16 = to_bf16s(b);
        const adahop_view av = adahop::view_of(a16), bv = adahop::view_of(b16);
        const adahop_policy policy = policy_with("output=f32,oe_k=3,hadamard_output=f32");
        const auto run = [rounding](auto call) { return in_environment(rounding, call); };
        CAPTURE(rounding, name(kind));

        const independent::mx_tensor qa = independent::quantize(a, independent::scale_rule::even, 0);
        const independent::mx_tensor qb = independent::quantize(b, independent::scale_rule::even, 0);
        const quantize_call quantized = run([&] { return quantize(backend, policy, av); });
        REQUIRE(quantized.status == ADAHOP_OK);
        CHECK(difference(quantized.mx.codes, packed(qa).codes) == "");
        CHECK(difference(quantized.mx.scales, qa.scales) == "");
        CHECK(quantized.result.clipped == qa.clipped);

        independent::fp32_matrix decoded(9, 64);
        for (size_t i = 0; i < decoded.bits.size(); ++i)
          decoded.bits[i] = independent::decode_fp32(qa.codes[i], qa.scales[i / 32]);
        check_matrix("dequantize", run([&] { return dequantize(backend, policy, packed(qa), ADAHOP_F32); }), decoded);
        check_matrix("hadamard", run([&] { return hadamard(backend, policy, av); }), independent::hadamard(a, false));
        check_matrix("mx_gemm", run([&] { return mx_gemm(backend, policy, packed(qa), packed(qb), ADAHOP_F32); }),
                     independent::mx_gemm(qa, qb));
        check_matrix("bf16_gemm", run([&] { return bf16_gemm(backend, policy, av, bv, ADAHOP_F32); }),
                     independent::bf16_gemm(a, b));
        const matrix_call whole = run([&] {
          return matmul(backend, policy, 1, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE, ADAHOP_PATH_FORWARD, av, bv);
        });
        check_matrix("matmul", whole,
                     independent::matmul(a, b, independent::strategy::oe_left, product_policy_of(policy)));
        const outliers_call chosen = run([&] { return select_outliers(backend, policy, bv); });
        REQUIRE(chosen.status == ADAHOP_OK);
        CHECK(difference(chosen.scores, independent::outlier_scores(b, 64)) == "");
      }
  });
}

TEST_CASE("F20: a BF16 subnormal in a product counts, and a NaN scale counts over zero codes",
          "[known_fault][spec:1.3][spec:10.3][spec:10.9]") {
  for_each_backend([](const adahop_backend& backend) {
    independent::fp32_matrix a(1, 32), b(1, 32);
    a.at(0, 0) = 0x00080000u;
    b.at(0, 0) = 0x44800000u;  // 1024
    const adahop::matrix<adahop::bf16> a16 = to_bf16s(a), b16 = to_bf16s(b);
    const matrix_call product =
        bf16_gemm(backend, adahop::default_policy(), adahop::view_of(a16), adahop::view_of(b16), ADAHOP_F32);
    REQUIRE(product.status == ADAHOP_OK);
    CHECK(product.out.at(0, 0) == 0x03800000u);

    adahop::mx_matrix zeros(2, 64), with_nan(2, 64);
    with_nan.scales = {0, 0xFF, 0, 0};
    for (const bool nan_left : {true, false}) {
      const matrix_call mx = nan_left ? mx_gemm(backend, adahop::default_policy(), with_nan, zeros, ADAHOP_F32)
                                      : mx_gemm(backend, adahop::default_policy(), zeros, with_nan, ADAHOP_F32);
      REQUIRE(mx.status == ADAHOP_OK);
      const std::vector<uint32_t> by_row = {0x7FC00000u, 0x7FC00000u, 0u, 0u};
      const std::vector<uint32_t> by_column = {0x7FC00000u, 0u, 0x7FC00000u, 0u};
      CHECK(difference(mx.out.bits, nan_left ? by_row : by_column) == "");
    }
  });
}
