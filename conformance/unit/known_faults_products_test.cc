// Known faults in outlier selection and in narrowing to BF16: F18 and F19.
#include <algorithm>
#include <bit>
#include <string>

#include "catch.h"
#include "known_faults_support.h"

using namespace adahop_test;

namespace {

/// Row r has the score of scores[r] exactly: 4 x score entries of alternating +-0.5, the rest 0, so that the mean is 0.
independent::fp32_matrix rows_with_scores(const std::vector<int>& scores) {
  independent::fp32_matrix x(static_cast<int>(scores.size()), 64);
  for (int r = 0; r < x.rows; ++r)
    for (int c = 0; c < 4 * scores[static_cast<size_t>(r)]; ++c) x.at(r, c) = c % 2 == 0 ? 0x3F000000u : 0xBF000000u;
  return x;
}

outliers_call select(const adahop_backend& backend, const independent::fp32_matrix& x, int k) {
  adahop_policy policy = adahop::default_policy();
  policy.oe_k = k;
  const adahop::matrix<adahop::bf16> values = to_bf16s(x);
  outliers_call call = select_outliers(backend, policy, adahop::view_of(values));
  REQUIRE(call.status == ADAHOP_OK);
  return call;
}

/// FP32 patterns narrowed to BF16 by a scatter-add of no outliers (SPEC 10.10), as patterns of the BF16 values.
std::vector<uint32_t> narrowed(const adahop_backend& backend, const std::vector<uint32_t>& patterns) {
  independent::fp32_matrix c(1, static_cast<int>(patterns.size()));
  c.bits = patterns;
  adahop::matrix<float> values = to_floats(c), nothing(0, c.cols);
  adahop::matrix<adahop::bf16> out(1, c.cols);
  const adahop_policy policy = adahop::default_policy();
  const int32_t no_index = 0;
  const adahop_exec exec = host_exec();
  const adahop_scatter_add_args args{&policy,   adahop::view_of(values), adahop::view_of(nothing), &no_index, 0,
                                     ADAHOP_SIDE_LEFT, 0, adahop::view_of(out)};
  REQUIRE(backend.scatter_add(&exec, &args) == ADAHOP_OK);
  return patterns_of(out).bits;
}

}  // namespace

TEST_CASE("F18: equal scores go to the lower index, exactly k of them", "[known_fault][spec:9.4][spec:9.5]") {
  for_each_backend([](const adahop_backend& backend) {
    const independent::fp32_matrix tied = rows_with_scores({3, 2, 3, 2, 1, 1});
    const outliers_call two = select(backend, tied, 2);
    for (size_t i = 0; i < 6; ++i)
      CHECK(two.scores[i] == std::bit_cast<uint32_t>(std::vector<float>{3, 2, 3, 2, 1, 1}[i]));
    CHECK(two.indices == std::vector<int32_t>{0, 2});
    CHECK(select(backend, tied, 3).indices == std::vector<int32_t>{0, 1, 2});
    CHECK(select(backend, tied, 5).indices == std::vector<int32_t>{0, 1, 2, 3, 4});
    CHECK(select(backend, tied, 64).indices == std::vector<int32_t>{0, 1, 2, 3, 4, 5});
    CHECK(select(backend, rows_with_scores(std::vector<int>(64, 2)), 4).indices == std::vector<int32_t>{0, 1, 2, 3});

    // Constant rows all score 0, NaN rows come before every number: still exactly k, lower index first.
    independent::fp32_matrix nan_rows(300, 64);
    for (const int r : {299, 41, 7, 128}) nan_rows.at(r, r % 64) = 0x7FC00000u;
    CHECK(select(backend, nan_rows, 3).indices == std::vector<int32_t>{7, 41, 128});
    CHECK(select(backend, nan_rows, 6).indices == std::vector<int32_t>{0, 1, 7, 41, 128, 299});
  });
}

TEST_CASE("F18: a product of ones counts extracted rows and columns once",
          "[known_fault][spec:11.2][spec:11.3][spec:11.5]") {
  independent::fp32_matrix ones(40, 64);
  for (uint32_t& bits : ones.bits) bits = 0x3F800000u;
  const adahop::matrix<adahop::bf16> values = to_bf16s(ones);
  const uint32_t sixty_four = std::bit_cast<uint32_t>(64.0f);
  for_each_backend([&](const adahop_backend& backend) {
    for (const int k : {4, 64})
      for (const bool left : {true, false}) {
        const adahop_policy policy = policy_with("output=f32,oe_k=" + std::to_string(k));
        const matrix_call call = matmul(backend, policy, 1, left ? ADAHOP_PATTERN_ROW : ADAHOP_PATTERN_NONE,
                                        left ? ADAHOP_PATTERN_NONE : ADAHOP_PATTERN_COLUMN, ADAHOP_PATH_FORWARD,
                                        adahop::view_of(values), adahop::view_of(values));
        REQUIRE(call.status == ADAHOP_OK);
        const independent::strategy how = left ? independent::strategy::oe_left : independent::strategy::oe_right;
        CAPTURE(k, left);
        CHECK(difference(call.out.bits, independent::matmul(ones, ones, how, product_policy_of(policy)).bits) == "");
        int wrong = 0;
        for (int i = 0; i < std::min(k, 40); ++i)
          for (int j = 0; j < 40; ++j)
            if ((left ? call.out.at(i, j) : call.out.at(j, i)) != sixty_four) ++wrong;
        CHECK(wrong == 0);
      }
  });
}

TEST_CASE("F19: narrowing to BF16 rounds to nearest even, and a NaN stays a NaN",
          "[known_fault][spec:2.8][spec:10.8][spec:1.4]") {
  const std::vector<uint32_t> reported = {0x7F800001u, 0xFFFFFFFFu, 0x7F7FFFFFu, 0x3F808000u,
                                          0x3F818000u, 0x3F808001u, 0x00008000u, 0x00018000u};
  const std::vector<uint32_t> right = {0x7FC00000u, 0x7FC00000u, 0x7F800000u, 0x3F800000u,
                                       0x3F820000u, 0x3F810000u, 0x00000000u, 0x00020000u};
  std::vector<uint32_t> patterns, expected;
  for (uint32_t upper = 0; upper < 0x10000; ++upper)
    for (const uint32_t lower : {0x0000u, 0x0001u, 0x7FFFu, 0x8000u, 0x8001u, 0xFFFFu}) {
      patterns.push_back(upper << 16 | lower);
      expected.push_back(independent::widen_bf16(independent::bf16_of(patterns.back())));
    }
  for_each_backend([&](const adahop_backend& backend) {
    CHECK(difference(narrowed(backend, reported), right) == "");
    CHECK(difference(narrowed(backend, patterns), expected) == "");
  });
}

TEST_CASE("F19: every operation that outputs BF16 narrows alike", "[known_fault][spec:6.4][spec:10.8]") {
  source random(35);
  for_each_backend([&](const adahop_backend& backend) {
    for (const content kind : kAllContents) {
      const independent::fp32_matrix a = make(random, 7, 64, kind, true), b = make(random, 9, 64, content::unit, true);
      const adahop::matrix<adahop::bf16> a16 = to_bf16s(a), b16 = to_bf16s(b);
      const adahop_policy policy = adahop::default_policy();
      CAPTURE(name(kind));
      const matrix_call transform = hadamard(backend, policy, adahop::view_of(a16));
      REQUIRE(transform.status == ADAHOP_OK);
      CHECK(difference(transform.out.bits, independent::hadamard(a, true).bits) == "");
      const matrix_call bf16 = bf16_gemm(backend, policy, adahop::view_of(a16), adahop::view_of(b16), ADAHOP_BF16);
      REQUIRE(bf16.status == ADAHOP_OK);
      CHECK(difference(bf16.out.bits, independent::to_bf16(independent::bf16_gemm(a, b)).bits) == "");
      const independent::mx_tensor qa = independent::quantize(a, independent::scale_rule::even, 0);
      const independent::mx_tensor qb = independent::quantize(b, independent::scale_rule::even, 0);
      const matrix_call mx = mx_gemm(backend, policy, packed(qa), packed(qb), ADAHOP_BF16);
      REQUIRE(mx.status == ADAHOP_OK);
      CHECK(difference(mx.out.bits, independent::to_bf16(independent::mx_gemm(qa, qb)).bits) == "");
    }
  });
}
