// Scale bytes and element codes against their real-number definitions in double, where every step is exact.
#include "adahop/formats/mx_block.h"
#include "reference/encode.h"
#include "reference/scale.h"
#include "reference_support.h"

using namespace adahop;
using reference::clips;
using reference::encode_e2m1;
using reference::scale_byte;

namespace {

constexpr uint32_t kMantissas[] = {0,        1,        2,        0x100000, 0x1FFFFF, 0x200000, 0x200001, 0x3FFFFF,
                                   0x400000, 0x400001, 0x5FFFFF, 0x600000, 0x600001, 0x7FFFFE, 0x7FFFFF};
constexpr adahop_scale_rule kRules[] = {ADAHOP_SCALE_FLOOR, ADAHOP_SCALE_CEIL, ADAHOP_SCALE_EVEN, ADAHOP_SCALE_RCEIL};
constexpr double kGrid[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

// The rules as statements about real numbers: the exponent of the scale of amax > 0.
int scale_exponent(double amax, adahop_scale_rule rule) {
  int e = 0;
  const double fraction = 2 * std::frexp(amax, &e);  // amax = fraction * 2^(e - 1), fraction in [1, 2)
  const int floor_log2 = e - 1;
  switch (rule) {
    case ADAHOP_SCALE_FLOOR: return floor_log2 - 2;
    case ADAHOP_SCALE_CEIL: return (fraction > 1 ? floor_log2 + 1 : floor_log2) - 2;
    case ADAHOP_SCALE_EVEN: return (fraction >= 1.75 ? floor_log2 + 1 : floor_log2) - 2;
    case ADAHOP_SCALE_RCEIL: {
      int k = floor_log2 - 4;
      while (6 * std::ldexp(1.0, k) < amax) ++k;
      return k;
    }
  }
  return 0;
}

double quotient(float v, uint32_t byte) {
  return std::ldexp(std::fabs(static_cast<double>(v)), 127 - static_cast<int>(byte));
}

// Nearest grid value, ties to the even code, saturating.
uint32_t nearest_code(float v, uint32_t byte) {
  const double a = std::min(quotient(v, byte), 8.0);  // so that the distances below stay exact
  uint32_t best = 0;
  for (uint32_t code = 1; code < 8; ++code) {
    const double d = std::fabs(a - kGrid[code]), d_best = std::fabs(a - kGrid[best]);
    if (d < d_best || (d == d_best && code % 2 == 0)) best = code;
  }
  return best | (std::signbit(v) ? 8u : 0u);
}

void check_element(float v, uint32_t byte) {
  const uint32_t code = code_of(encode_e2m1(v, e8m0_of(byte)));
  const bool clipped = clips(v, e8m0_of(byte));
  if (code == nearest_code(v, byte) && clipped == (quotient(v, byte) > 6)) return;
  INFO(std::hex << "v " << bits_of(v) << " byte " << byte);
  REQUIRE(code == nearest_code(v, byte));
  REQUIRE(clipped == (quotient(v, byte) > 6));
}

}  // namespace

TEST_CASE("scale bytes over every exponent field", "[spec:5.2][spec:5.3][spec:5.4][spec:5.5][spec:5.6]") {
  test::generator random(3);
  for (uint32_t field = 0; field < 255; ++field)
    for (size_t i = 0; i < std::size(kMantissas) + 50; ++i) {
      const uint32_t mantissa = i < std::size(kMantissas) ? kMantissas[i] : random.bits() & 0x7FFFFFu;
      const uint32_t bits = field << 23 | mantissa;
      for (const adahop_scale_rule rule : kRules)
        for (const int minimum : {0, 1}) {
          const int exponent = bits == 0 ? -1000 : scale_exponent(static_cast<double>(float_of(bits)), rule);
          const int expected = std::max(exponent + 127, minimum);
          INFO(std::hex << "amax " << bits << " rule " << rule);
          REQUIRE(scale_byte(bits, rule, minimum) == expected);
          REQUIRE(scale_byte(bits, rule, minimum) <= 253);
        }
    }
}

TEST_CASE("F2: scale bytes around 1.75 and 1.5", "[spec:5.2][spec:5.3][spec:5.4][spec:5.5]") {
  const auto bytes = [](uint32_t bits) {
    std::vector<int> all;
    for (const adahop_scale_rule rule : kRules) all.push_back(scale_byte(bits, rule, 0));
    return all;
  };
  CHECK(bytes(0x40DFFFFFu) == std::vector<int>{127, 128, 127, 128});
  CHECK(bytes(0x40E00000u) == std::vector<int>{127, 128, 128, 128});
  CHECK(bytes(0x3FDFFFFFu)[2] == 125);
  CHECK(bytes(0x3FE00000u)[2] == 126);
  CHECK(bytes(0x40C00000u) == std::vector<int>{127, 128, 127, 127});  // 6: rceil still fits
  CHECK(bytes(0x40C00001u) == std::vector<int>{127, 128, 127, 128});
  CHECK(bytes(0x40800000u) == std::vector<int>{127, 127, 127, 127});
}

TEST_CASE("amax is an integer maximum without signs", "[spec:5.1]") {
  test::generator random(4);
  for (int i = 0; i < 2000; ++i) {
    float block[kBlockSize];
    for (float& v : block) v = random.with_exponent(0, 254);
    double largest = 0;
    for (const float v : block) largest = std::max(largest, std::fabs(static_cast<double>(v)));
    REQUIRE(float_of(reference::amax_bits(block)) == static_cast<float>(largest));
    // A single element dominates wherever it stands.
    const float nan = float_of(0xFFC12345u);
    block[i % kBlockSize] = nan;
    REQUIRE(reference::amax_bits(block) == 0x7FC12345u);
  }
}

TEST_CASE("elements over all exponents and bytes", "[spec:5.8][spec:5.9][spec:5.11][spec:5.12][spec:5.13]") {
  // Every mantissa that stands on or next to a midpoint or a grid value, in every pair of exponents.
  for (uint32_t byte = 0; byte < 255; ++byte)
    for (uint32_t field = 0; field < 255; ++field)
      for (const uint32_t mantissa : kMantissas)
        for (const uint32_t sign : {0u, 0x80000000u}) check_element(float_of(sign | field << 23 | mantissa), byte);
}

TEST_CASE("elements near the grid, random", "[spec:5.8][spec:5.11][spec:5.12]") {
  test::generator random(5);
  for (int i = 0; i < 1000000; ++i) {
    const int byte = random.integer(0, 254);
    const int field = std::min(254, std::max(0, byte + random.integer(-4, 4)));
    check_element(random.with_exponent(field, field), static_cast<uint32_t>(byte));
  }
}

TEST_CASE("F7: exact midpoints go to the even code", "[spec:5.11][spec:5.13]") {
  const float midpoints[] = {0.25f, 0.75f, 1.25f, 1.75f, 2.5f, 3.5f, 5.0f};
  const uint32_t codes[] = {0, 2, 2, 4, 4, 6, 6};
  // Every scale under which the midpoint is an FP32 value, subnormal ones included.
  for (uint32_t byte = 0; byte < 255; ++byte)
    for (int i = 0; i < 7; ++i) {
      const double v = std::ldexp(static_cast<double>(midpoints[i]), static_cast<int>(byte) - 127);
      if (v >= std::ldexp(1.0, 128)) continue;
      INFO("midpoint " << midpoints[i] << " byte " << byte);
      const float at = static_cast<float>(v);
      REQUIRE(code_of(encode_e2m1(at, e8m0_of(byte))) == codes[i]);
      REQUIRE(code_of(encode_e2m1(-at, e8m0_of(byte))) == (codes[i] | 8));
      // One unit in the last place to either side decides.
      REQUIRE(code_of(encode_e2m1(float_of(bits_of(at) + 1), e8m0_of(byte))) == static_cast<uint32_t>(i) + 1);
      REQUIRE(code_of(encode_e2m1(float_of(bits_of(at) - 1), e8m0_of(byte))) == static_cast<uint32_t>(i));
    }
}

TEST_CASE("F8: neighbours of midpoints at scale 1", "[spec:5.11]") {
  const auto code = [](uint32_t bits) { return code_of(encode_e2m1(float_of(bits), e8m0_of(127))); };
  CHECK(code(0x3E800000u) == 0);
  CHECK(code(0x3E800001u) == 1);
  CHECK(code(0x3E7FFFFFu) == 0);
  CHECK(code(0x3F3FFFFFu) == 1);
  CHECK(code(0x3F400000u) == 2);
  CHECK(code(0x3FA00001u) == 3);
  CHECK(code(0x40A00000u) == 6);
  CHECK(code(0x40A00001u) == 7);
}

TEST_CASE("every code under every scale encodes back", "[spec:5.16][spec:2.5]") {
  for (uint32_t byte = 0; byte < 255; ++byte)
    for (uint32_t code = 0; code < 16; ++code) {
      const float v = decode_element(e2m1_of(code), e8m0_of(byte));
      if (std::isinf(v)) continue;
      INFO("code " << code << " byte " << byte);
      REQUIRE(code_of(encode_e2m1(v, e8m0_of(byte))) == code);
      REQUIRE_FALSE(clips(v, e8m0_of(byte)));
    }
}
