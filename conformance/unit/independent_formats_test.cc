// Decoding, rounding to BF16 and the round trip of every code under every byte, against exact rationals.
#include <algorithm>
#include <bit>

#include "adahop/formats/mx_block.h"
#include "catch.h"
#include "independent_support.h"
#include "reference/backend.h"
#include "reference/encode.h"
#include "reference/round_bf16.h"

using namespace adahop_test;

namespace {

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

/// Every code under every byte: row `byte`, codes 0..15 twice.
independent::mx_tensor all_codes_and_bytes() {
  independent::mx_tensor x;
  x.outer = 256;
  x.inner = 32;
  for (int byte = 0; byte < 256; ++byte) {
    for (int i = 0; i < 32; ++i) x.codes.push_back(static_cast<uint8_t>(i % 16));
    x.scales.push_back(static_cast<uint8_t>(byte));
  }
  return x;
}

}  // namespace

TEST_CASE("every code under every byte decodes to the exact product",
          "[independent][spec:2.1][spec:2.2][spec:2.3][spec:2.4][spec:2.5][spec:2.6][spec:5.10]") {
  const independent::mx_tensor x = all_codes_and_bytes();
  independent::fp32_matrix fp32(256, 32), bf16(256, 32);
  std::vector<uint32_t> inline_decode;
  for (int byte = 0; byte < 256; ++byte)
    for (int i = 0; i < 32; ++i) {
      const uint8_t code = static_cast<uint8_t>(i % 16);
      fp32.at(byte, i) = independent::decode_fp32(code, static_cast<uint8_t>(byte));
      bf16.at(byte, i) = independent::widen_bf16(independent::decode_bf16(code, static_cast<uint8_t>(byte)));
      inline_decode.push_back(
          adahop::decode_element_bits(adahop::e2m1_of(code), adahop::e8m0_of(static_cast<uint32_t>(byte))));
    }
  CHECK(difference(inline_decode, fp32.bits) == "");
  const adahop_policy policy = adahop::default_policy();
  const matrix_call to_fp32 = dequantize(reference(), policy, packed(x), ADAHOP_F32);
  REQUIRE(to_fp32.status == ADAHOP_OK);
  CHECK(difference(to_fp32.out.bits, fp32.bits) == "");
  const matrix_call to_bf16 = dequantize(reference(), policy, packed(x), ADAHOP_BF16);
  REQUIRE(to_bf16.status == ADAHOP_OK);
  CHECK(difference(to_bf16.out.bits, bf16.bits) == "");
}

TEST_CASE("scalar decoding of formats equals the exact values", "[independent][spec:2.1][spec:2.3][spec:2.4]") {
  for (uint32_t code = 0; code < 16; ++code) {
    const uint32_t expected = independent::decode_fp32(static_cast<uint8_t>(code), 127);
    CHECK(std::bit_cast<uint32_t>(adahop::decode_e2m1(adahop::e2m1_of(code))) == expected);
    CHECK(independent::rational(adahop::value_x2(adahop::e2m1_of(code))) ==
          independent::value_of_code(static_cast<uint8_t>(code)).scaled(1));
  }
  for (uint32_t byte = 0; byte < 256; ++byte)
    CHECK(std::bit_cast<uint32_t>(adahop::decode_e8m0(adahop::e8m0_of(byte))) ==
          independent::decode_fp32(2, static_cast<uint8_t>(byte)));
}

TEST_CASE("every code under every byte encodes back to itself", "[independent][spec:5.11][spec:5.12][spec:5.13]") {
  for (uint32_t byte = 0; byte < 255; ++byte)
    for (uint32_t code = 0; code < 16; ++code) {
      const uint32_t value = independent::decode_fp32(static_cast<uint8_t>(code), static_cast<uint8_t>(byte));
      if (!independent::is_finite(value)) continue;  // 2^128 and above has no FP32 to come back from
      CAPTURE(byte, code);
      const float v = std::bit_cast<float>(value);
      CHECK(adahop::code_of(adahop::reference::encode_e2m1(v, adahop::e8m0_of(byte))) == code);
      CHECK(uint32_t{independent::nearest_code(value, static_cast<uint8_t>(byte))} == code);
    }
}

TEST_CASE("blocks with a large code quantize back to the same bytes", "[independent][spec:5.16]") {
  for (const adahop_scale_rule rule : {ADAHOP_SCALE_FLOOR, ADAHOP_SCALE_EVEN, ADAHOP_SCALE_RCEIL}) {
    adahop_policy policy = adahop::default_policy();
    policy.scale_rule = rule;
    const adahop::mx_matrix all = packed(all_codes_and_bytes());
    adahop::mx_matrix x(253, 32);
    std::copy_n(all.codes.begin(), x.codes.size(), x.codes.begin());
    std::copy_n(all.scales.begin(), x.scales.size(), x.scales.begin());
    const matrix_call decoded = dequantize(reference(), policy, x, ADAHOP_F32);
    REQUIRE(decoded.status == ADAHOP_OK);
    const adahop::matrix<float> values = to_floats(decoded.out);
    const quantize_call again = quantize(reference(), policy, adahop::view_of(values));
    REQUIRE(again.status == ADAHOP_OK);
    CAPTURE(rule);
    CHECK(difference(again.mx.codes, x.codes) == "");
    CHECK(difference(again.mx.scales, x.scales) == "");
  }
}

TEST_CASE("FP32 to BF16 is RNE for every upper half and every kind of lower half",
          "[independent][spec:2.7][spec:2.8]") {
  constexpr uint32_t kLower[] = {0x0000, 0x0001, 0x7FFF, 0x8000, 0x8001, 0xFFFF};
  std::vector<uint32_t> got, expected;
  for (uint32_t upper = 0; upper < 0x10000; ++upper)
    for (const uint32_t lower : kLower) {
      const uint32_t bits = (upper << 16) | lower;
      got.push_back(adahop::reference::round_bf16(std::bit_cast<float>(bits)).bits);
      expected.push_back(independent::bf16_of(bits));
    }
  source random(3);
  for (int i = 0; i < 100000; ++i) {
    const uint32_t bits = random.bits();
    got.push_back(adahop::reference::round_bf16(std::bit_cast<float>(bits)).bits);
    expected.push_back(independent::bf16_of(bits));
  }
  CHECK(difference(got, expected) == "");
}
