// Transforms of 16, 64 and 128 with and without random signs, padding by zeros and shuffled scales: the transform
// alone, fused with quantize, and read back by dequantize and the MX product.
#include <algorithm>

#include "catch.h"
#include "independent/random_words.h"
#include "independent/scale_shuffle.h"
#include "independent_models_support.h"
#include "reference/backend.h"
#include "repetitions.h"

using namespace adahop_test;

namespace {

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

/// The transform of x through the C ABI, [rows x extended cols] as FP32 patterns.
matrix_call transformed(const adahop_policy& policy, const adahop_view& x) {
  const adahop_exec exec = host_exec();
  const int64_t cols = extended(x.cols, policy.hadamard_size);
  if (policy.hadamard_output == ADAHOP_BF16) {
    adahop::matrix<adahop::bf16> out(x.rows, cols);
    const adahop_hadamard_args args{&policy, x, adahop::view_of(out)};
    const int32_t status = reference().hadamard(&exec, &args);
    return {status, patterns_of(out)};
  }
  adahop::matrix<float> out(x.rows, cols);
  const adahop_hadamard_args args{&policy, x, adahop::view_of(out)};
  const int32_t status = reference().hadamard(&exec, &args);
  return {status, patterns_of(out)};
}

/// x quantized by the fused operation against the independent one; `zeroed` rows count as +0.
void check_fused(const adahop_policy& policy, const independent::fp32_matrix& x, const std::vector<int32_t>& zeroed) {
  const adahop::matrix<adahop::bf16> bf16s = to_bf16s(x);
  const independent::mx_tensor expected = independent::hadamard_quantize(
      x, std::vector<int>(zeroed.begin(), zeroed.end()), product_policy_of(policy));
  const laid_out_call call = hadamard_quantize_laid_out(reference(), policy, adahop::view_of(bf16s), zeroed);
  REQUIRE(call.status == ADAHOP_OK);
  CHECK(difference(call.mx.codes, packed_codes(expected)) == "");
  CHECK(difference(call.mx.scales, laid_out_scales(policy, expected)) == "");
  CHECK(call.result.clipped == expected.clipped);
  independent::fp32_matrix residual = x;
  for (const int32_t row : zeroed)
    for (int col = 0; col < x.cols; ++col) residual.at(row, col) = 0;
  CHECK(call.result.first_nonfinite ==
        independent::first_nonfinite(independent::hadamard(residual, transform_of(policy))));
}

}  // namespace

TEST_CASE("transforms of every size, with signs and padding, equal the independent ones",
          "[independent][spec:6.2][spec:6.4][spec:6.10][spec:6.11][spec:3.7]") {
  source random(80);
  adahop::test::case_picker picked;
  for (const char* const settings : {"hadamard_size=16", "hadamard_size=64", "hadamard_size=128",
                                     "hadamard_signs=random(0)", "hadamard_size=16,hadamard_signs=random(3)",
                                     "hadamard_size=64,hadamard_signs=random(18446744073709551615)",
                                     "hadamard_size=128,hadamard_signs=random(4294967296),hadamard_output=f32",
                                     "hadamard_size=128,hadamard_output=f32", "hadamard_output=f32"})
    for (const content kind : kAllContents)
      for (const int cols : {128, 256, 1, 31, 48, 100, 129}) {
        if (!picked.runs()) continue;
        const adahop_policy policy = policy_with(std::string("pad=zero,") + settings);
        const independent::fp32_matrix x = make(random, 5, cols, kind, true);
        const adahop::matrix<adahop::bf16> bf16s = to_bf16s(x);
        const matrix_call call = transformed(policy, adahop::view_of(bf16s));
        CAPTURE(settings, name(kind), cols);
        REQUIRE(call.status == ADAHOP_OK);
        CHECK(difference(call.out.bits, independent::hadamard(x, transform_of(policy)).bits) == "");
      }
}

TEST_CASE("fused transform and quantize with sizes, signs, padding, shuffling and random rounding",
          "[independent][spec:3.5][spec:3.6][spec:3.7][spec:3.8][spec:5.18][spec:5.20][spec:6.7][spec:6.8][spec:6.9]"
          "[spec:6.10][spec:6.11]") {
  source random(81);
  adahop::test::case_picker picked;
  for (const char* const settings :
       {"hadamard_size=16", "hadamard_size=64,hadamard_signs=random(5)",
        "hadamard_size=128,scale_layout=gfx950_shuffle",
        "hadamard_size=128,hadamard_signs=random(9),element_rounding=stochastic(9,2,77)",
        "element_rounding=gfx950_sr(3),scale_layout=gfx950_shuffle",
        "hadamard_size=16,hadamard_output=f32,element_rounding=gfx950_sr(1)",
        "hadamard_output=f32,element_rounding=stochastic(16,1,1),scale_rule=floor,min_scale_byte=1"})
    for (const content kind : kAllContents)
      for (const int cols : {128, 40, 288}) {
        if (!picked.runs()) continue;
        const adahop_policy policy = policy_with(std::string("pad=zero,") + settings);
        CAPTURE(settings, name(kind), cols);
        check_fused(policy, make(random, 6, cols, kind, true), {});
        check_fused(policy, make(random, 6, cols, kind, true), {1, 4});
      }
}

TEST_CASE("a row taken as +0 still meets the signs: a group whose signs are a negated Hadamard row gives a -0",
          "[independent][spec:6.8][spec:6.11][spec:6.5]") {
  // The output -0 needs sixteen terms -0 in one sum: signs that are the negative of a row of the matrix. Such a group
  // comes about once in 4096.
  constexpr int kGroups = 16384;
  constexpr uint64_t kSeed = 1;
  const adahop_policy policy = policy_with("hadamard_size=16,hadamard_signs=random(1)");
  const int wanted = adahop::test::repetitions(2);
  int found = 0;
  for (int group = 0; group < kGroups && found < wanted; ++group) {
    uint32_t minus = 0;
    for (int i = 0; i < 16; ++i)
      if (independent::sign_is_minus(kSeed, static_cast<uint64_t>(16 * group + i))) minus |= 1u << i;
    bool negated_row = false;
    for (uint32_t row = 0; row < 16; ++row) {
      uint32_t negative = 0;
      for (uint32_t i = 0; i < 16; ++i)
        if (__builtin_popcount(row & i) % 2 == 0) negative |= 1u << i;
      negated_row = negated_row || negative == minus;
    }
    if (!negated_row) continue;
    ++found;
    const int cols = (16 * group + 32) / 32 * 32;
    const independent::fp32_matrix zeros(1, cols);
    const independent::fp32_matrix out = independent::hadamard(zeros, transform_of(policy));
    CHECK(std::count(out.bits.begin() + 16 * group, out.bits.begin() + 16 * group + 16, 0x80000000u) == 1);
    CAPTURE(group);
    check_fused(policy, zeros, {});
    check_fused(policy, zeros, {0});
  }
  CHECK(found == wanted);
}

TEST_CASE("shuffled scales are the permuted view, and pad bytes are 0", "[independent][spec:3.5][spec:3.6]") {
  source random(82);
  const adahop_policy policy = policy_with("scale_layout=gfx950_shuffle,min_scale_byte=1");
  adahop::test::case_picker picked;
  for (const int rows : {1, 15, 16, 17, 31, 32, 33, 64, 70})
    for (int blocks = 1; blocks <= 17; ++blocks) {
      if ((blocks > 9 && blocks != 16 && blocks != 17) || !picked.runs()) continue;
      const independent::fp32_matrix x = make(random, rows, 32 * blocks, content::wide, true);
      const adahop::matrix<adahop::bf16> bf16s = to_bf16s(x);
      const independent::mx_tensor expected = independent::quantize(x, independent::scale_rule::even, 1);
      const laid_out_call call = quantize_laid_out(reference(), policy, adahop::view_of(bf16s));
      CAPTURE(rows, blocks);
      REQUIRE(call.status == ADAHOP_OK);
      CHECK(difference(call.mx.codes, packed_codes(expected)) == "");
      CHECK(difference(call.mx.scales, laid_out_scales(policy, expected)) == "");
    }
}

TEST_CASE("what reads shuffled scales ignores the pad bytes", "[independent][spec:3.5][spec:3.6][spec:10.3]") {
  source random(83);
  for (const int rows : {3, 33})
    for (const int blocks : {1, 3, 8, 9}) {
      const independent::mx_tensor a = random_mx(random, rows, 32 * blocks, 127, 9);
      const independent::mx_tensor b = random_mx(random, rows + 2, 32 * blocks, 127, 9);
      const adahop::mx_matrix codes_a = packed(a), codes_b = packed(b);
      const adahop_policy policy = policy_with("scale_layout=gfx950_shuffle,output=f32");
      std::vector<uint32_t> values;
      for (size_t i = 0; i < a.codes.size(); ++i)
        values.push_back(independent::decode_fp32(a.codes[i], a.scales[i / 32]));
      const std::vector<uint32_t> product = independent::mx_gemm(a, b).bits;
      for (const uint8_t pad : {uint8_t{0}, uint8_t{127}, uint8_t{254}, uint8_t{255}}) {
        std::vector<uint8_t> scales_a = independent::shuffled_scales(a.scales, rows, blocks, pad);
        std::vector<uint8_t> scales_b = independent::shuffled_scales(b.scales, rows + 2, blocks, pad);
        adahop_mx view_a = adahop::view_of(codes_a), view_b = adahop::view_of(codes_b);
        view_a.scales = scales_a.data(), view_b.scales = scales_b.data();
        view_a.scales_stride = view_b.scales_stride = 0;
        const adahop_exec exec = host_exec();
        adahop::matrix<float> decoded(rows, 32 * blocks), out(rows, rows + 2);
        const adahop_dequantize_args dequantize_args{&policy, view_a, adahop::view_of(decoded)};
        const adahop_mx_gemm_args gemm_args{&policy, view_a, view_b, adahop::view_of(out)};
        CAPTURE(rows, blocks, pad);
        REQUIRE(reference().dequantize(&exec, &dequantize_args) == ADAHOP_OK);
        CHECK(difference(patterns_of(decoded).bits, values) == "");
        REQUIRE(reference().mx_gemm(&exec, &gemm_args) == ADAHOP_OK);
        CHECK(difference(patterns_of(out).bits, product) == "");
      }
    }
}

TEST_CASE("padded tensors decode to their logical length", "[independent][spec:3.7]") {
  source random(84);
  for (const int cols : {1, 31, 33, 63, 100})
    for (const char* const settings : {"pad=zero", "pad=zero,hadamard_size=128",
                                       "pad=zero,scale_layout=gfx950_shuffle"}) {
      const adahop_policy policy = policy_with(settings);
      const independent::fp32_matrix x = make(random, 5, cols, content::mixed_blocks, true);
      const independent::mx_tensor expected = independent::quantize(
          independent::zero_padded(x, policy.hadamard_size), independent::scale_rule::even, 0);
      const adahop::matrix<adahop::bf16> bf16s = to_bf16s(x);
      laid_out_call call = quantize_laid_out(reference(), policy, adahop::view_of(bf16s));
      CAPTURE(cols, settings);
      REQUIRE(call.status == ADAHOP_OK);
      CHECK(difference(call.mx.codes, packed_codes(expected)) == "");
      CHECK(difference(call.mx.scales, laid_out_scales(policy, expected)) == "");
      adahop::matrix<float> out(5, cols);
      const adahop_exec exec = host_exec();
      const adahop_dequantize_args args{&policy, call.mx.view(), adahop::view_of(out)};
      REQUIRE(reference().dequantize(&exec, &args) == ADAHOP_OK);
      for (int row = 0; row < 5; ++row)
        for (int col = 0; col < cols; ++col) {
          const size_t at = static_cast<size_t>(row) * static_cast<size_t>(expected.inner) + static_cast<size_t>(col);
          const uint32_t right = independent::decode_fp32(expected.codes[at], expected.scales[at / 32]);
          CHECK(patterns_of(out).at(row, col) == right);
        }
    }
}
