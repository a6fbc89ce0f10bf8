// Known faults in decoding, element rounding and packing: F5, F7 to F10, F14.
#include <algorithm>
#include <bit>
#include <cmath>

#include "adahop/formats/mx_block.h"
#include "catch.h"
#include "known_faults_support.h"

using namespace adahop_test;

namespace {

/// One row for each byte, codes 0..15 twice.
independent::mx_tensor every_code_under(const std::vector<uint8_t>& bytes) {
  independent::mx_tensor x;
  x.outer = static_cast<int>(bytes.size());
  x.inner = 32;
  x.scales = bytes;
  for (size_t i = 0; i < 32 * bytes.size(); ++i) x.codes.push_back(static_cast<uint8_t>(i % 16));
  return x;
}

/// FP32 pattern to which `code` under `byte` dequantizes.
uint32_t decoded(const adahop_backend& backend, uint8_t code, uint8_t byte) {
  const matrix_call call =
      dequantize(backend, adahop::default_policy(), packed(every_code_under({byte})), ADAHOP_F32);
  REQUIRE(call.status == ADAHOP_OK);
  return call.out.at(0, code);
}

}  // namespace

TEST_CASE("F5: bytes 0, 134, 254 and 255 decode by their own rules on every path",
          "[known_fault][spec:2.3][spec:2.4][spec:2.5][spec:2.6][spec:5.10][spec:10.3]") {
  for_each_backend([](const adahop_backend& backend) {
    CHECK(decoded(backend, 1, 0) == 0x00200000u);
    CHECK(decoded(backend, 2, 0) == 0x00400000u);
    CHECK(decoded(backend, 7, 0) == 0x01400000u);
    CHECK(decoded(backend, 2, 254) == 0x7F000000u);
    CHECK(decoded(backend, 7, 254) == 0x7F800000u);
    CHECK(decoded(backend, 15, 254) == 0xFF800000u);
    CHECK(decoded(backend, 2, 134) == std::bit_cast<uint32_t>(128.0f));
    for (uint8_t code = 0; code < 16; ++code) CHECK(decoded(backend, code, 255) == 0x7FC00000u);
    std::vector<uint8_t> bytes;
    for (int byte = 0; byte < 256; ++byte) bytes.push_back(static_cast<uint8_t>(byte));
    check_decoded(backend, every_code_under(bytes));
  });
}

TEST_CASE("F7: exact midpoints go to the even code", "[known_fault][spec:5.11]") {
  for_each_backend([](const adahop_backend& backend) {
    const independent::fp32_matrix block = block_of({.25f, .75f, 1.25f, 1.75f, 2.5f, 3.5f, 5.0f});
    check_block(backend, ADAHOP_SCALE_FLOOR, block, {127, {0, 2, 2, 4, 4, 6, 6}});
    check_block(backend, ADAHOP_SCALE_FLOOR, block_of({-.25f, -.75f, -1.25f, -1.75f, -2.5f, -3.5f, -5.0f}),
                {127, {8, 0xA, 0xA, 0xC, 0xC, 0xE, 0xE}});
    check_quantized(backend, at_every_exponent(block));
  });
}

TEST_CASE("F8: one bit beside every midpoint decides, and all codes come back", "[known_fault][spec:5.11][spec:5.16]") {
  struct element_case { uint32_t bits; uint8_t code; };
  constexpr element_case kCases[] = {{0x3E800000u, 0}, {0x3E800001u, 1}, {0x3E7FFFFFu, 0}, {0x3F3FFFFFu, 1},
                                     {0x3F400000u, 2}, {0x3FA00001u, 3}, {0x40A00000u, 6}, {0x40A00001u, 7}};
  for_each_backend([&](const adahop_backend& backend) {
    for (const element_case& c : kCases) {
      CAPTURE(c.bits);
      check_block(backend, ADAHOP_SCALE_FLOOR, block_of({4.0f, std::bit_cast<float>(c.bits)}), {127, {6, c.code}});
      check_block(backend, ADAHOP_SCALE_FLOOR, block_of({4.0f, std::bit_cast<float>(c.bits | 0x80000000u)}),
                  {127, {6, static_cast<uint8_t>(c.code | 8)}});
    }
    independent::fp32_matrix around = block_of({.25f, .75f, 1.25f, 1.75f, 2.5f, 3.5f, 5.0f, 6.0f, 4.0f, 0.5f});
    for (size_t i = 0; i < 10; ++i) {
      around.bits[i + 10] = around.bits[i] - 1;
      around.bits[i + 20] = around.bits[i] + 1;
    }
    check_quantized(backend, at_every_exponent(around));

    // All 16 codes under every byte: each block holds the largest codes, so it must come back whole.
    for (const adahop_scale_rule rule : {ADAHOP_SCALE_FLOOR, ADAHOP_SCALE_EVEN, ADAHOP_SCALE_RCEIL})
      for (const int32_t dtype : {ADAHOP_F32, ADAHOP_BF16}) {
        std::vector<uint8_t> bytes;
        for (int byte = 0; byte <= 252; ++byte) bytes.push_back(static_cast<uint8_t>(byte));
        const adahop::mx_matrix x = packed(every_code_under(bytes));
        adahop_policy policy = adahop::default_policy();
        policy.scale_rule = rule;
        const matrix_call values = dequantize(backend, policy, x, dtype);
        REQUIRE(values.status == ADAHOP_OK);
        const adahop::matrix<float> floats = to_floats(values.out);
        const quantize_call again = quantize(backend, policy, adahop::view_of(floats));
        CAPTURE(rule, dtype);
        REQUIRE(again.status == ADAHOP_OK);
        CHECK(difference(again.mx.codes, x.codes) == "");
        CHECK(difference(again.mx.scales, x.scales) == "");
      }
  });
}

TEST_CASE("F9: the sign bit is kept, for -0 and for what rounds to zero",
          "[known_fault][spec:2.2][spec:5.7][spec:5.13]") {
  for_each_backend([](const adahop_backend& backend) {
    const independent::fp32_matrix block = block_of({-0.0f, -0.2f, 0.2f, 4.0f});
    check_block(backend, ADAHOP_SCALE_FLOOR, block, {127, {8, 8, 0, 6}});
    adahop_policy policy = adahop::default_policy();
    policy.scale_rule = ADAHOP_SCALE_FLOOR;
    const adahop::matrix<float> floats = to_floats(block);
    const quantize_call call = quantize(backend, policy, adahop::view_of(floats));
    REQUIRE(call.status == ADAHOP_OK);
    CHECK(int{call.mx.codes[0]} == 0x88);
    CHECK(int{call.mx.codes[1]} == 0x60);
    const matrix_call back = dequantize(backend, policy, call.mx, ADAHOP_F32);
    REQUIRE(back.status == ADAHOP_OK);
    CHECK(back.out.bits[0] == 0x80000000u);
    CHECK(back.out.bits[1] == 0x80000000u);
    CHECK(back.out.bits[2] == 0u);
    check_quantized(backend, at_every_exponent(block));

    // Blocks of zeros alone keep each sign too, whatever the rule.
    independent::fp32_matrix zeros(3, 32);
    for (size_t i = 0; i < 32; ++i) {
      zeros.bits[32 + i] = 0x80000000u;
      zeros.bits[64 + i] = i % 3 == 0 ? 0x80000000u : 0u;
    }
    check_quantized(backend, zeros);
  });
}

TEST_CASE("F10: element 2i is the low nibble of byte i", "[known_fault][spec:3.2]") {
  const std::vector<uint8_t> linear = {0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE, 0, 0, 0, 0, 0, 0, 0, 0};
  for_each_backend([&](const adahop_backend& backend) {
    const independent::fp32_matrix block =
        block_of({0.f, .5f, 1.f, 1.5f, 2.f, 3.f, 4.f, 6.f, -0.f, -.5f, -1.f, -1.5f, -2.f, -3.f, -4.f, -6.f});
    adahop_policy policy = adahop::default_policy();
    const adahop::matrix<float> floats = to_floats(block);
    const quantize_call call = quantize(backend, policy, adahop::view_of(floats));
    REQUIRE(call.status == ADAHOP_OK);
    CHECK(difference(call.mx.codes, linear) == "");
    const matrix_call back = dequantize(backend, policy, call.mx, ADAHOP_F32);
    REQUIRE(back.status == ADAHOP_OK);
    CHECK(difference(back.out.bits, block.bits) == "");

    adahop::mx_matrix one(1, 32);
    one.codes[0] = 0x72;
    one.scales[0] = 127;
    const matrix_call pair = dequantize(backend, policy, one, ADAHOP_F32);
    REQUIRE(pair.status == ADAHOP_OK);
    CHECK(pair.out.bits[0] == std::bit_cast<uint32_t>(1.0f));
    CHECK(pair.out.bits[1] == std::bit_cast<uint32_t>(6.0f));

    policy.nibble_order = ADAHOP_NIBBLES_GGML_SPLIT;
    CHECK(quantize(backend, policy, adahop::view_of(floats)).status == ADAHOP_UNSUPPORTED);
    CHECK(dequantize(backend, policy, one, ADAHOP_F32).status == ADAHOP_UNSUPPORTED);
    CHECK(mx_gemm(backend, policy, one, one, ADAHOP_F32).status == ADAHOP_UNSUPPORTED);
  });
}

TEST_CASE("F10: pack and unpack of the formats are linear and inverse for every byte", "[known_fault][spec:3.2]") {
  for (uint32_t byte = 0; byte < 256; ++byte) {
    const adahop::e2m1 even = adahop::unpack_e2m1(static_cast<uint8_t>(byte), 0);
    const adahop::e2m1 odd = adahop::unpack_e2m1(static_cast<uint8_t>(byte), 1);
    CHECK(adahop::code_of(even) == byte % 16);
    CHECK(adahop::code_of(odd) == byte / 16);
    CHECK(adahop::pack_e2m1(even, odd) == byte);
  }
}

TEST_CASE("F14: a scale byte is a power of two, never a number to multiply by", "[known_fault][spec:2.3][spec:2.5]") {
  for_each_backend([](const adahop_backend& backend) {
    CHECK(decoded(backend, 2, 120) == std::bit_cast<uint32_t>(0.0078125f));
    for (int byte = 0; byte < 255; ++byte) {
      CAPTURE(byte);
      CHECK(decoded(backend, 2, static_cast<uint8_t>(byte)) == std::bit_cast<uint32_t>(std::ldexp(1.0f, byte - 127)));
    }
  });
}
