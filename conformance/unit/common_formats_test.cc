// E2M1, E8M0, BF16 and block decoding, exhaustively, against values written out and against double arithmetic.
#include "adahop/formats/mx_block.h"
#include "reference_support.h"

using namespace adahop;

namespace {

constexpr double kValues[16] = {0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6};

}  // namespace

TEST_CASE("the sixteen E2M1 values", "[spec:2.1][spec:2.2]") {
  for (uint32_t code = 0; code < 16; ++code) {
    INFO("code " << code);
    CHECK(bits_of(decode_e2m1(e2m1_of(code))) == bits_of(static_cast<float>(kValues[code])));
    CHECK(value_x2(e2m1_of(code)) == static_cast<int>(2 * kValues[code]));
  }
  CHECK(bits_of(decode_e2m1(e2m1_of(8))) == 0x80000000u);
  CHECK(code_of(e2m1_of(8)) != code_of(e2m1_of(0)));
}

TEST_CASE("the E8M0 scales", "[spec:2.3][spec:2.4]") {
  for (uint32_t byte = 0; byte < 255; ++byte) {
    INFO("byte " << byte);
    CHECK(decode_e8m0(e8m0_of(byte)) == static_cast<float>(std::ldexp(1.0, static_cast<int>(byte) - 127)));
    CHECK_FALSE(is_nan(e8m0_of(byte)));
  }
  CHECK(bits_of(decode_e8m0(e8m0_of(0))) == 0x00400000u);
  CHECK(is_nan(e8m0_of(255)));
  CHECK(bits_of(decode_e8m0(e8m0_of(255))) == kCanonicalNan);
}

TEST_CASE("a code under a scale, all 16 x 256", "[spec:2.5][spec:2.6]") {
  for (uint32_t byte = 0; byte < 255; ++byte)
    for (uint32_t code = 0; code < 16; ++code) {
      INFO("code " << code << " byte " << byte);
      // Exact in double; the conversion to float is exact too, subnormals included, or overflows to Inf.
      const double value = std::ldexp(kValues[code], static_cast<int>(byte) - 127);
      const float expected = std::fabs(value) >= std::ldexp(1.0, 128) ? std::copysign(test::kInf, static_cast<float>(kValues[code]))
                                                                      : static_cast<float>(value);
      CHECK(bits_of(decode_element(e2m1_of(code), e8m0_of(byte))) == bits_of(expected));
    }
  for (uint32_t code = 0; code < 16; ++code) CHECK(decode_element_bits(e2m1_of(code), e8m0_of(255)) == kCanonicalNan);
}

TEST_CASE("F5: special scale bytes in a decoder", "[spec:2.3][spec:2.4][spec:2.5][spec:2.6]") {
  const auto bits = [](uint32_t code, uint32_t byte) { return decode_element_bits(e2m1_of(code), e8m0_of(byte)); };
  CHECK(bits(1, 0) == 0x00200000u);
  CHECK(bits(2, 0) == 0x00400000u);
  CHECK(bits(7, 0) == 0x01400000u);
  CHECK(bits(2, 254) == 0x7F000000u);
  CHECK(bits(7, 254) == 0x7F800000u);
  CHECK(bits(15, 254) == 0xFF800000u);
  CHECK(bits(2, 134) == bits_of(128.0f));
  CHECK(bits(0, 255) == kCanonicalNan);
  CHECK(bits(8, 255) == kCanonicalNan);
}

TEST_CASE("BF16 is the upper half of an FP32", "[spec:2.7]") {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const bf16 v{static_cast<uint16_t>(bits)};
    REQUIRE(bits_of(decode_bf16(v)) == bits << 16);
    REQUIRE(is_nan(v) == std::isnan(float_of(bits << 16)));
    REQUIRE(is_finite(v) == std::isfinite(float_of(bits << 16)));
  }
}

TEST_CASE("packing: even element in the low nibble", "[spec:3.2]") {
  for (uint32_t even = 0; even < 16; ++even)
    for (uint32_t odd = 0; odd < 16; ++odd) {
      const uint8_t byte = pack_e2m1(e2m1_of(even), e2m1_of(odd));
      REQUIRE(byte == even + 16 * odd);
      REQUIRE(code_of(unpack_e2m1(byte, 0)) == even);
      REQUIRE(code_of(unpack_e2m1(byte, 1)) == odd);
    }
  CHECK(decode_e2m1(unpack_e2m1(0x72, 0)) == 1.0f);
  CHECK(decode_e2m1(unpack_e2m1(0x72, 1)) == 6.0f);
}
