// Lessons about testing from the same survey: operands of mixed orientation, numeric options outside the hash, a
// reciprocal where a division is meant, and generators that make NaN by accident.
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string>

#include "catch.h"
#include "conformance/suites/generate.h"
#include "known_faults_capabilities.h"

using namespace adahop_test;

namespace {

/// x as BF16, row-major or column-major: the same view of other strides.
struct oriented {
  adahop::matrix<adahop::bf16> storage;
  bool turned;

  oriented(const independent::fp32_matrix& x, bool column_major) : turned(column_major) {
    if (!column_major) {
      storage = to_bf16s(x);
      return;
    }
    independent::fp32_matrix transposed(x.cols, x.rows);
    for (int r = 0; r < x.rows; ++r)
      for (int c = 0; c < x.cols; ++c) transposed.at(c, r) = x.at(r, c);
    storage = to_bf16s(transposed);
  }
  adahop_view view() const {
    const adahop_view as_stored = adahop::view_of(storage);
    return turned ? adahop::transposed(as_stored) : as_stored;
  }
};

}  // namespace

TEST_CASE("operands of all four orientations give the same bytes, scales of each side by its own orientation",
          "[known_fault][spec:1.2][spec:3.3][spec:3.5]") {
  source random(130);
  const independent::fp32_matrix a = make(random, 33, 96, content::mixed_blocks, true);
  const independent::fp32_matrix b = make(random, 47, 96, content::mixed_blocks, true);
  // Neither layout nor orientation changes a value.
  const independent::product_policy plain = product_policy_of(policy_with("output=f32,oe_k=3"));
  const independent::fp32_matrix iht = independent::matmul(a, b, independent::strategy::iht, plain);
  const independent::fp32_matrix oe_right = independent::matmul(a, b, independent::strategy::oe_right, plain);
  const independent::mx_tensor quantized_a = independent::quantize(a, independent::scale_rule::even, 0);
  for_each_backend([&](const adahop_backend& backend) {
    for (const char* const settings : {"output=f32,oe_k=3", "output=f32,oe_k=3,scale_layout=gfx950_shuffle"}) {
      const adahop_policy policy = policy_with(settings);
      if (!claims(backend, policy)) continue;
      for (const bool a_turned : {false, true})
        for (const bool b_turned : {false, true}) {
          const oriented left(a, a_turned), right(b, b_turned);
          CAPTURE(settings, a_turned, b_turned);
          for (const adahop_pattern pattern : {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_COLUMN}) {
            const matrix_call call = matmul(backend, policy, 1, ADAHOP_PATTERN_NONE, pattern, ADAHOP_PATH_FORWARD,
                                            left.view(), right.view());
            REQUIRE(call.status == ADAHOP_OK);
            CHECK(difference(call.out.bits, (pattern == ADAHOP_PATTERN_NONE ? iht : oe_right).bits) == "");
          }
          const laid_out_call quantized = quantize_laid_out(backend, policy, left.view());
          REQUIRE(quantized.status == ADAHOP_OK);
          CHECK(difference(quantized.mx.codes, packed_codes(quantized_a)) == "");
          CHECK(difference(quantized.mx.scales, laid_out_scales(policy, quantized_a)) == "");
        }
    }
  });
}

TEST_CASE("every numeric option is part of the policy's line and hash",
          "[known_fault][spec:4.1][spec:4.3][spec:4.4][spec:4.5]") {
  constexpr const char* kSettings[] = {
      "scale_rule=even", "scale_rule=floor", "scale_rule=ceil", "scale_rule=rceil", "min_scale_byte=1",
      "element_rounding=stochastic(8,1,0)", "element_rounding=stochastic(9,1,0)", "element_rounding=stochastic(8,2,0)",
      "element_rounding=stochastic(8,1,1)", "element_rounding=stochastic(8,4294967297,0)",
      "element_rounding=stochastic(8,1,4294967296)", "element_rounding=gfx950_sr(1)", "element_rounding=gfx950_sr(2)",
      "nonfinite=reject", "hadamard_size=16", "hadamard_size=64", "hadamard_size=128", "hadamard_signs=random(1)",
      "hadamard_signs=random(2)", "hadamard_signs=random(18446744073709551615)", "hadamard_output=f32",
      "gemm_model=exact_sum", "gemm_model=mfma_fused(2)", "gemm_model=mfma_fused(4)", "gemm_model=mfma_seq",
      "gemm_model=cdna3_trfdpa(16)", "gemm_model=cdna3_trfdpa(32)", "gemm_model=cdna3_trfdpa(64)",
      "gemm_model=cdna3_trfdpa(128)", "gemm_model=cdna3_gtrfdpa(16)", "gemm_model=cdna3_gtrfdpa(128)",
      "gemm_model=block_first_fdpa(1)", "gemm_model=block_first_fdpa(2)", "gemm_model=block_first_fdpa(4)",
      "bf16_gemm_model=exact_sum", "bf16_gemm_model=cdna3_trfdpa(8)", "output=f32", "pattern_ratio=3",
      "pattern_ratio=2.0000000000000004", "pattern_eps=1e-07", "oe_k=63", "foid_window=32", "left_oe_on_dw=port",
      "pad=zero", "nibble_order=ggml_split", "scale_layout=gfx950_shuffle"};
  std::set<std::string> hashes;
  for (const char* const settings : kSettings) {
    const adahop_policy policy = policy_with(settings);
    const std::string line = adahop::canonical_line(policy);
    CAPTURE(settings, line);
    CHECK(hashes.insert(adahop::policy_hash(policy)).second);
    constexpr size_t kPrefix = std::string_view("adahop-policy/1 ").size();
    CHECK(adahop::policy_hash(policy_with(line.substr(kPrefix))) == adahop::policy_hash(policy));
  }
}

TEST_CASE("means are divisions: constant rows of any length have variance 0, where a reciprocal leaves some",
          "[known_fault][spec:7.2][spec:7.3]") {
  source random(131);
  for_each_backend([&](const adahop_backend& backend) {
    int reciprocal_errs = 0;
    for (const int cols : {49, 98, 103, 107, 161, 187, 197}) {
      independent::fp32_matrix x(40, cols);
      for (int r = 0; r < x.rows; ++r) {
        const uint32_t value = random.fp32(120, 130) & 0xFFFF0000u;
        for (int c = 0; c < cols; ++c) x.at(r, c) = value;
        const double exact = std::bit_cast<float>(value);
        if (exact * cols * (1.0 / cols) != exact) ++reciprocal_errs;
      }
      const adahop::matrix<adahop::bf16> values = to_bf16s(x);
      std::vector<double> rows(40), columns(static_cast<size_t>(cols));
      adahop_pattern_result result{};
      const adahop_policy policy = adahop::default_policy();
      const adahop_exec exec = host_exec();
      const adahop_pattern_args args{&policy, adahop::view_of(values), rows.data(), columns.data(), &result};
      CAPTURE(cols);
      REQUIRE(backend.pattern(&exec, &args) == ADAHOP_OK);
      CHECK(std::count(rows.begin(), rows.end(), 0.0) == 40);
      const independent::pattern_report expected = independent::detect_pattern(x, 2.0, 1e-8);
      CHECK(columns == expected.col_variance);
      CHECK(pattern_of(result.pattern) == expected.verdict);
    }
    CHECK(reciprocal_errs > 0);  // the inputs can tell the two apart
  });
}

TEST_CASE("the transform multiplies by FP32(1/sqrt(32)), which no division by sqrt(32) equals",
          "[known_fault][spec:6.3]") {
  source random(132);
  for_each_backend([&](const adahop_backend& backend) {
    // A lone element comes out of the butterflies as itself, 32 times.
    independent::fp32_matrix x(64, 32);
    int divisions_differ = 0;
    for (int r = 0; r < x.rows; ++r) {
      x.at(r, 0) = random.fp32(100, 150);
      const float v = std::bit_cast<float>(x.at(r, 0));
      const float divided = v / 5.65685424949238f;
      if (std::bit_cast<uint32_t>(divided) != independent::multiply(x.at(r, 0), 0x3E3504F3u)) ++divisions_differ;
    }
    const adahop::matrix<float> floats = to_floats(x);
    const matrix_call call = hadamard(backend, policy_with("hadamard_output=f32"), adahop::view_of(floats));
    REQUIRE(call.status == ADAHOP_OK);
    CHECK(difference(call.out.bits, independent::hadamard(x, false).bits) == "");
    CHECK(divisions_differ > 5);
  });
}

TEST_CASE("scale boundaries of amax / 6 and amax / 1.75 at every exponent, where random inputs are blind",
          "[known_fault][spec:5.2][spec:5.3][spec:5.4][spec:5.5]") {
  // The boundaries 4, 6 and 7 times a power of two, and the patterns beside them.
  source random(134);
  independent::fp32_matrix x;
  x.cols = 32;
  for (const float boundary : {4.0f, 6.0f, 7.0f})
    for (int beside = -1; beside <= 1; ++beside)
      for (int exponent = -128; exponent <= 125; exponent += random.between(1, 5)) {
        const uint32_t at = independent::round_to_fp32(
            independent::value_of(std::bit_cast<uint32_t>(boundary)).scaled(exponent));
        x.bits.resize(x.bits.size() + 32, 0u);
        x.bits[x.bits.size() - 32] = at + static_cast<uint32_t>(beside);
        ++x.rows;
      }
  const adahop::matrix<float> floats = to_floats(x);
  for (const adahop_scale_rule rule : kScaleRules) {
    const independent::mx_tensor expected = independent::quantize(x, rule_of(rule), 0);
    adahop_policy policy = adahop::default_policy();
    policy.scale_rule = rule;
    for_each_backend([&](const adahop_backend& backend) {
      const quantize_call call = quantize(backend, policy, adahop::view_of(floats));
      CAPTURE(rule);
      REQUIRE(call.status == ADAHOP_OK);
      CHECK(difference(call.mx.scales, expected.scales) == "");
      CHECK(difference(call.mx.codes, packed_codes(expected)) == "");
      CHECK(call.result.clipped == expected.clipped);
    });
  }
}

TEST_CASE("generators make no NaN by accident", "[known_fault][spec:1.4]") {
  using adahop::conformance::source;
  const auto nonfinite_in = [](source what, adahop_dtype dtype, adahop_pattern pattern, uint64_t seed) {
    const auto x = adahop::conformance::generate({what, 96, 96, pattern, dtype, false}, seed, "x");
    const adahop_view view = x->view();
    int64_t count = 0;
    for (int64_t r = 0; r < view.rows; ++r)
      for (int64_t c = 0; c < view.cols; ++c) count += std::isfinite(adahop::load(view, r, c)) ? 0 : 1;
    return count;
  };
  for (const adahop_dtype dtype : {ADAHOP_F32, ADAHOP_BF16})
    for (const adahop_pattern pattern : {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN})
      for (uint64_t seed = 0; seed < 6; ++seed) {
        for (const source what :
             {source::uniform, source::spread, source::grid, source::subnormal, source::zeros, source::huge}) {
          CAPTURE(adahop::conformance::source_name(what), dtype, pattern, seed);
          CHECK(nonfinite_in(what, dtype, pattern, seed) == 0);
        }
        CHECK(nonfinite_in(source::nonfinite, dtype, pattern, seed) > 0);
      }
  // This folder's own generator, and products of what it makes.
  adahop_test::source random(133);
  for (const content kind : kFiniteContents)
    for (const bool bf16_values : {false, true}) {
      const independent::fp32_matrix x = make(random, 40, 96, kind, bf16_values);
      CAPTURE(name(kind), bf16_values);
      CHECK(std::all_of(x.bits.begin(), x.bits.end(), independent::is_finite));
    }
}
