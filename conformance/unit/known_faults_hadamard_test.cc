// Known faults in the Hadamard transform: F15 and F16.
#include <bit>
#include <cmath>
#include <string>

#include "catch.h"
#include "known_faults_support.h"

using namespace adahop_test;

namespace {

constexpr uint32_t kInverseSqrt32 = 0x3E3504F3u;

adahop_policy fp32_policy(adahop_scale_rule rule) {
  adahop_policy policy = adahop::default_policy();
  policy.hadamard_output = ADAHOP_F32;
  policy.scale_rule = rule;
  return policy;
}

/// Row i is value x e_i.
independent::fp32_matrix unit_vectors(uint32_t value) {
  independent::fp32_matrix x(32, 32);
  for (int i = 0; i < 32; ++i) x.at(i, i) = value;
  return x;
}

std::vector<uint32_t> transformed(const adahop_backend& backend, const independent::fp32_matrix& x) {
  const adahop::matrix<float> floats = to_floats(x);
  const matrix_call call = hadamard(backend, fp32_policy(ADAHOP_SCALE_EVEN), adahop::view_of(floats));
  REQUIRE(call.status == ADAHOP_OK);
  return call.out.bits;
}

/// Whether entry (i, j) of the Sylvester matrix is -1.
bool is_minus(int i, int j) { return std::popcount(static_cast<unsigned>(i & j)) % 2 != 0; }

}  // namespace

TEST_CASE("F15: the transform is symmetric, in Sylvester order, and its own inverse",
          "[known_fault][spec:6.1][spec:6.3]") {
  for_each_backend([](const adahop_backend& backend) {
    independent::fp32_matrix once(32, 32);
    once.bits = transformed(backend, unit_vectors(0x3F800000u));
    for (int i = 0; i < 32; ++i)
      for (int j = 0; j < 32; ++j) {
        CAPTURE(i, j);
        CHECK(once.at(i, j) == (kInverseSqrt32 | (is_minus(i, j) ? 0x80000000u : 0u)));
      }
    // Twice: all sums are of equal magnitudes, so 32 c exactly at place i and +0 elsewhere, then one multiplication.
    const uint32_t at_i = independent::multiply(kInverseSqrt32 + (5u << 23), kInverseSqrt32);
    CHECK(difference(transformed(backend, once), unit_vectors(at_i).bits) == "");
  });
}

TEST_CASE("F15: the ramp 0..31 gives its six known coefficients", "[known_fault][spec:6.1][spec:6.2]") {
  for_each_backend([](const adahop_backend& backend) {
    independent::fp32_matrix ramp(1, 32), expected(1, 32);
    for (int i = 0; i < 32; ++i) ramp.at(0, i) = std::bit_cast<uint32_t>(static_cast<float>(i));
    for (const auto& [place, sum] :
         {std::pair{0, 496.0f}, {1, -16.0f}, {2, -32.0f}, {4, -64.0f}, {8, -128.0f}, {16, -256.0f}})
      expected.at(0, place) = independent::multiply(std::bit_cast<uint32_t>(sum), kInverseSqrt32);
    CHECK(difference(transformed(backend, ramp), expected.bits) == "");
  });
}

TEST_CASE("F15: an inner dimension of 48 is an error, never cut or padded", "[known_fault][spec:3.4][spec:1.7]") {
  const adahop::matrix<adahop::bf16> x(2, 48);
  for_each_backend([&](const adahop_backend& backend) {
    const matrix_call alone = hadamard(backend, adahop::default_policy(), adahop::view_of(x));
    CHECK(alone.status == ADAHOP_INVALID_ARGUMENT);
    CHECK(std::string(backend.last_error()).find("48") != std::string::npos);
    const quantize_call fused = hadamard_quantize(backend, adahop::default_policy(), adahop::view_of(x), {});
    CHECK(fused.status == ADAHOP_INVALID_ARGUMENT);
    CHECK(matmul(backend, adahop::default_policy(), 1, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE, ADAHOP_PATH_FORWARD,
                 adahop::view_of(x), adahop::view_of(x)).status == ADAHOP_INVALID_ARGUMENT);
  });
}

TEST_CASE("F16: the transform is the normalized one, and quantizes as such",
          "[known_fault][spec:6.3][spec:6.4][spec:6.7]") {
  for_each_backend([](const adahop_backend& backend) {
    const adahop::matrix<float> e0 = to_floats(block_of({1.0f}));
    for (const int32_t output : {ADAHOP_F32, ADAHOP_BF16}) {
      adahop_policy policy = fp32_policy(ADAHOP_SCALE_FLOOR);
      policy.hadamard_output = output;
      const quantize_call call = hadamard_quantize(backend, policy, adahop::view_of(e0), {});
      REQUIRE(call.status == ADAHOP_OK);
      CHECK(int{call.mx.scales[0]} == 122);
      CHECK(difference(call.mx.codes, std::vector<uint8_t>(16, 0x77)) == "");  // 0.17678 / 2^-5 = 5.657 is 6
    }
    independent::fp32_matrix ones(1, 32);
    for (uint32_t& bits : ones.bits) bits = 0x3F800000u;
    check_block(backend, ADAHOP_SCALE_FLOOR, ones, {125, std::vector<uint8_t>(32, 6)});

    // Unit vectors of every exponent and sign at all places in turn, through the transform and the fused operation.
    independent::fp32_matrix x(2 * 277, 32);
    for (int row = 0; row < x.rows; ++row)
      x.at(row, row / 2 % 32) =
          independent::round_to_fp32(independent::power_of_two(row / 2 - 149)) | (row % 2 != 0 ? 0x80000000u : 0u);
    CHECK(difference(transformed(backend, x), independent::hadamard(x, false).bits) == "");
    for (const adahop_scale_rule rule : kScaleRules) {
      const adahop_policy policy = fp32_policy(rule);
      const adahop::matrix<float> floats = to_floats(x);
      const quantize_call call = hadamard_quantize(backend, policy, adahop::view_of(floats), {});
      const independent::mx_tensor expected = independent::hadamard_quantize(x, {}, product_policy_of(policy));
      CAPTURE(rule);
      REQUIRE(call.status == ADAHOP_OK);
      CHECK(difference(call.mx.codes, packed(expected).codes) == "");
      CHECK(difference(call.mx.scales, expected.scales) == "");
      CHECK(call.result.clipped == expected.clipped);
    }
  });
}

TEST_CASE("F16: one NaN makes the block NaN, one Inf gives Inf by the sign pattern of its column",
          "[known_fault][spec:6.5][spec:1.4][spec:5.14]") {
  for_each_backend([](const adahop_backend& backend) {
    for (const uint32_t nan : {0x7FC00000u, 0xFFC00000u, 0x7F800001u, 0xFFFFFFFFu})
      CHECK(difference(transformed(backend, unit_vectors(nan)), std::vector<uint32_t>(32 * 32, 0x7FC00000u)) == "");
    for (const uint32_t sign : {0u, 0x80000000u}) {
      independent::fp32_matrix expected(32, 32);
      for (int i = 0; i < 32; ++i)
        for (int j = 0; j < 32; ++j) expected.at(i, j) = 0x7F800000u | (is_minus(i, j) ? sign ^ 0x80000000u : sign);
      CHECK(difference(transformed(backend, unit_vectors(0x7F800000u | sign)), expected.bits) == "");
    }
    const adahop::matrix<float> inf = to_floats(unit_vectors(0x7F800000u));
    const quantize_call call = hadamard_quantize(backend, fp32_policy(ADAHOP_SCALE_EVEN), adahop::view_of(inf), {});
    REQUIRE(call.status == ADAHOP_OK);
    CHECK(difference(call.mx.scales, std::vector<uint8_t>(32, 0xFF)) == "");
    CHECK(difference(call.mx.codes, std::vector<uint8_t>(32 * 16, 0)) == "");
    CHECK(call.result.first_nonfinite == 0);
  });
}
