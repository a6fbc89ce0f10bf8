// The transform and the fused transform-and-quantize against butterflies in exact-then-rounded arithmetic.
#include <algorithm>
#include <bit>

#include "catch.h"
#include "independent_support.h"
#include "reference/backend.h"
#include "reference/hadamard.h"

using namespace adahop_test;

namespace {

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

adahop_policy policy_for(int32_t hadamard_output) {
  adahop_policy policy = adahop::default_policy();
  policy.hadamard_output = hadamard_output;
  return policy;
}

}  // namespace

TEST_CASE("Hadamard of every kind of block equals exact butterflies rounded step by step",
          "[independent][spec:6.1][spec:6.2][spec:6.3][spec:6.4][spec:6.5][spec:1.3][spec:1.4]") {
  source random(10);
  for (const content kind : kAllContents)
    for (const bool bf16_input : {false, true})
      for (const int32_t output : {ADAHOP_F32, ADAHOP_BF16}) {
        const independent::fp32_matrix x = make(random, 24, 96, kind, bf16_input);
        const adahop::matrix<float> floats = to_floats(x);
        const adahop::matrix<adahop::bf16> bf16s = to_bf16s(x);
        const adahop_view view = bf16_input ? adahop::view_of(bf16s) : adahop::view_of(floats);
        const matrix_call call = hadamard(reference(), policy_for(output), view);
        CAPTURE(name(kind), bf16_input, output);
        REQUIRE(call.status == ADAHOP_OK);
        CHECK(difference(call.out.bits, independent::hadamard(x, output == ADAHOP_BF16).bits) == "");
      }
}

TEST_CASE("a lone NaN, Inf, zero or subnormal at every place of a block", "[independent][spec:6.5]") {
  source random(11);
  constexpr uint32_t kValues[] = {0x7FC00000u, 0xFFC12345u, 0x7F800001u, 0x7F800000u, 0xFF800000u, 0x80000000u,
                                  0x00000001u, 0x807FFFFFu, 0x7F7FFFFFu, 0xFF7FFFFFu};
  independent::fp32_matrix x(32 * 10 * 3, 32);
  int row = 0;
  for (const uint32_t value : kValues)
    for (int place = 0; place < 32; ++place)
      for (const uint32_t background : {0u, 0x80000000u, 0x3F800001u}) {
        for (int i = 0; i < 32; ++i) x.at(row, i) = background;
        x.at(row++, place) = value;
      }
  const adahop::matrix<float> floats = to_floats(x);
  const matrix_call call = hadamard(reference(), policy_for(ADAHOP_F32), adahop::view_of(floats));
  REQUIRE(call.status == ADAHOP_OK);
  CHECK(difference(call.out.bits, independent::hadamard(x, false).bits) == "");

  for (int r = 0; r < x.rows; ++r) {
    std::vector<float> block(floats.data.begin() + 32 * r, floats.data.begin() + 32 * (r + 1));
    adahop::reference::hadamard_transform(block.data(), 32);
    independent::hadamard_block(&x.bits[static_cast<size_t>(32 * r)]);
    for (int i = 0; i < 32; ++i) {
      CAPTURE(r, i);
      REQUIRE(std::bit_cast<uint32_t>(block[static_cast<size_t>(i)]) == x.at(r, i));
    }
  }
}

TEST_CASE("H H x is 32 x without the multiplications while the sums are exact", "[independent][spec:6.6]") {
  source random(12);
  for (int round = 0; round < 200; ++round) {
    // Multiples of 2^q with a sum of magnitudes of at most 2^(q + 24).
    const int q = random.between(-149, 80);
    std::vector<float> block;
    for (int i = 0; i < 32; ++i)
      block.push_back(std::bit_cast<float>(
          independent::round_to_fp32(independent::rational(random.between(-524288, 524288)).scaled(q))));
    const std::vector<float> before = block;
    adahop::reference::hadamard_butterflies(block.data(), 32);
    adahop::reference::hadamard_butterflies(block.data(), 32);
    for (size_t i = 0; i < 32; ++i) {
      CAPTURE(round, q, i);
      REQUIRE(independent::value_of(std::bit_cast<uint32_t>(block[i])) ==
              independent::value_of(std::bit_cast<uint32_t>(before[i])).scaled(5));
    }
  }
}

TEST_CASE("fused Hadamard and quantize equals the two steps, with rows taken as zero",
          "[independent][spec:6.7][spec:6.8][spec:6.9]") {
  source random(13);
  for (const content kind : kAllContents)
    for (const adahop_scale_rule rule : kScaleRules)
      for (const int32_t output : {ADAHOP_F32, ADAHOP_BF16})
        for (const std::vector<int32_t>& zeroed : {std::vector<int32_t>{}, std::vector<int32_t>{0, 3, 8}}) {
          adahop_policy policy = policy_for(output);
          policy.scale_rule = rule;
          const independent::fp32_matrix x = make(random, 9, 64, kind, true);
          const std::vector<int> rows(zeroed.begin(), zeroed.end());
          const independent::mx_tensor expected = independent::hadamard_quantize(x, rows, product_policy_of(policy));
          const adahop::matrix<adahop::bf16> bf16s = to_bf16s(x);
          const quantize_call call = hadamard_quantize(reference(), policy, adahop::view_of(bf16s), zeroed);
          CAPTURE(name(kind), rule, output, zeroed.size());
          REQUIRE(call.status == ADAHOP_OK);
          CHECK(difference(call.mx.codes, packed(expected).codes) == "");
          CHECK(difference(call.mx.scales, expected.scales) == "");
          CHECK(call.result.clipped == expected.clipped);

          independent::fp32_matrix residual = x;
          for (const int32_t row : zeroed) std::fill_n(residual.bits.begin() + row * 64, 64, 0u);
          CHECK(call.result.first_nonfinite ==
                independent::first_nonfinite(independent::hadamard(residual, output == ADAHOP_BF16)));
        }
}
