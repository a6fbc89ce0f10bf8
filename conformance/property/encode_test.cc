// Laws of one element and of one scale byte: order, symmetry, the nearest grid value, the rules against each other.
#include <fmt/format.h>

#include <cmath>

#include "catch.h"
#include "conformance/independent/mxfp4.h"
#include "pick.h"
#include "reference/encode.h"
#include "reference/round_bf16.h"
#include "reference/scale.h"

namespace adahop::property {
namespace {

constexpr uint32_t kSign = 0x80000000u;
constexpr int32_t kRules[] = {ADAHOP_SCALE_FLOOR, ADAHOP_SCALE_CEIL, ADAHOP_SCALE_EVEN, ADAHOP_SCALE_RCEIL};

adahop_scale_rule pick_rule() {
  return static_cast<adahop_scale_rule>(
      pick_of("scale rule", {ADAHOP_SCALE_EVEN, ADAHOP_SCALE_FLOOR, ADAHOP_SCALE_CEIL, ADAHOP_SCALE_RCEIL}));
}

// A byte near the value's own exponent, where codes differ, or any.
e8m0 pick_scale(uint32_t bits) {
  const int64_t field = bits >> 23 & 0xFFu;
  const int64_t near = std::clamp<int64_t>(field + pick_integer("byte - exponent", -4, 5), 0, 254);
  return e8m0_of(static_cast<uint32_t>(pick_integer("any byte", 0, 7) == 7 ? pick_integer("byte", 0, 254) : near));
}

double exact(uint32_t bits) { return static_cast<double>(float_of(bits)); }
double exact_scale(e8m0 scale) { return std::ldexp(1.0, static_cast<int>(byte_of(scale)) - 127); }
uint32_t code(uint32_t bits, e8m0 scale) { return code_of(reference::encode_e2m1(float_of(bits), scale)); }
uint32_t byte(uint32_t amax, int32_t rule, int least) {
  return reference::scale_byte(amax, static_cast<adahop_scale_rule>(rule), least);
}

TEST_CASE("encode keeps the order of values", "[property][spec:5.11][spec:5.12]") {
  check_property("a <= b gives code value of a <= code value of b", 8000, [] {
    uint32_t a = pick_value("a");
    // Mostly a neighbour of a, where a step of the encoder may lie between the two.
    uint32_t b = pick_integer("b near a", 0, 1) == 0 ? a + 1 : pick_value("b");
    if ((b & ~kSign) >= 0x7F800000u) b = a;
    if (float_of(a) > float_of(b)) std::swap(a, b);
    const e8m0 scale = pick_scale(a);
    require(value_x2(e2m1_of(code(a, scale))) <= value_x2(e2m1_of(code(b, scale))), fmt::format("{:08X} {:08X}", a, b));
  });
}

TEST_CASE("encode is odd", "[property][spec:5.13]") {
  check_property("the code of -v is the code of v with the other sign", 4000, [] {
    const uint32_t v = pick_value("v");
    const e8m0 scale = pick_scale(v);
    require_equal(code(v ^ kSign, scale), code(v, scale) ^ 8u, "code of -v");
    require_equal(code(v, scale) >> 3, v >> 31, "sign of the code");
  });
}

TEST_CASE("no code is nearer", "[property][spec:5.8][spec:5.11][spec:5.12]") {
  check_property("none of the 8 magnitudes is nearer to |v| / scale, nor as near and even", 8000, [] {
    const uint32_t v = pick_value("v");
    const e8m0 scale = pick_scale(v);
    // |v| / 2^n has the 24 bits of v: exact in FP64, and so is its distance from a grid value within a factor of 2^28.
    const double a = std::fabs(exact(v)) / exact_scale(scale);
    const uint32_t got = code(v, scale) & 7u;
    if (a > 1000 || a < 0x1p-20) return require_equal(got, a > 1 ? 7u : 0u, "code far from the grid");
    const auto distance = [&](uint32_t c) { return std::fabs(a - 0.5 * value_x2(e2m1_of(c))); };
    for (uint32_t c = 0; c < 8; ++c) {
      require(distance(c) >= distance(got), fmt::format("code {} is nearer to {} than {}", c, a, got));
      if (c != got && distance(c) == distance(got)) require(got % 2 == 0, fmt::format("tie of {} to {}", a, got));
    }
  });
}

TEST_CASE("every code at every byte survives decoding and encoding", "[property][spec:2.1][spec:2.5][spec:5.8]") {
  for (uint32_t s = 0; s < 255; ++s) {
    for (uint32_t c = 0; c < 16; ++c) {
      const uint32_t bits = decode_element_bits(e2m1_of(c), e8m0_of(s));
      if ((bits & ~kSign) == 0x7F800000u) continue;  // 2^128 and above
      CHECK(code(bits, e8m0_of(s)) == c);
      CHECK(exact(bits) == decode_e2m1(e2m1_of(c)) * exact_scale(e8m0_of(s)));
    }
  }
}

TEST_CASE("clipping is |v| > 6 * scale", "[property][spec:5.9]") {
  check_property("clips(v) iff |v| > 6 * 2^(byte-127)", 4000, [] {
    const uint32_t v = pick_value("v");
    const e8m0 scale = pick_scale(v);
    const bool above = std::fabs(exact(v)) > 6 * exact_scale(scale);
    require(reference::clips(float_of(v), scale) == above, above ? "not counted" : "counted");
    if (above) require_equal(code(v, scale) & 7u, 7, "code of a clipped value");
  });
}

TEST_CASE("a larger amax has no smaller byte", "[property][spec:5.2][spec:5.3][spec:5.4][spec:5.5]") {
  check_property("a <= b gives byte(a) <= byte(b) <= byte(a) + exponents between + 1", 4000, [] {
    const adahop_scale_rule rule = pick_rule();
    uint32_t a = pick_value("a") & ~kSign;
    uint32_t b = pick_integer("b near a", 0, 1) == 0 ? std::min(a + 1, 0x7F7FFFFFu) : pick_value("b") & ~kSign;
    if (a > b) std::swap(a, b);
    const int least = static_cast<int>(pick_integer("min_scale_byte", 0, 1));
    require(byte(a, rule, least) <= byte(b, rule, least), fmt::format("{:08X} {:08X}", a, b));
    require(byte(b, rule, least) <= byte(a, rule, least) + ((b >> 23) - (a >> 23)) + 1,
            fmt::format("{:08X} {:08X}", a, b));
  });
}

TEST_CASE("the rules order their bytes", "[property][spec:5.2][spec:5.3][spec:5.4][spec:5.5][spec:5.6]") {
  check_property("floor <= even <= rceil <= ceil <= floor + 1", 4000, [] {
    const uint32_t amax = pick_value("amax") & ~kSign;
    const int least = static_cast<int>(pick_integer("min_scale_byte", 0, 1));
    const uint32_t floor = byte(amax, ADAHOP_SCALE_FLOOR, least), even = byte(amax, ADAHOP_SCALE_EVEN, least);
    const uint32_t rceil = byte(amax, ADAHOP_SCALE_RCEIL, least), ceil = byte(amax, ADAHOP_SCALE_CEIL, least);
    require(floor <= even && even <= rceil && rceil <= ceil && ceil <= floor + 1,
            fmt::format("{} {} {} {}", floor, even, rceil, ceil));
    require(ceil <= 253, "a byte above 253");
    for (const int32_t rule : kRules)
      require_equal(byte(amax, rule, 1), std::max(byte(amax, rule, 0), 1u), "min_scale_byte = 1");
  });
}

TEST_CASE("each rule is what its real number says", "[property][spec:5.2][spec:5.3][spec:5.4][spec:5.5][spec:5.6]") {
  check_property("the byte is that of the rule in real numbers", 4000, [] {
    const uint32_t amax = pick_value("amax") & ~kSign;
    const int least = static_cast<int>(pick_integer("min_scale_byte", 0, 1));
    using independent::scale_rule;
    require_equal(byte(amax, ADAHOP_SCALE_FLOOR, least), independent::scale_for(amax, scale_rule::floor, least),
                  "floor");
    require_equal(byte(amax, ADAHOP_SCALE_CEIL, least), independent::scale_for(amax, scale_rule::ceil, least), "ceil");
    require_equal(byte(amax, ADAHOP_SCALE_EVEN, least), independent::scale_for(amax, scale_rule::even, least), "even");
    require_equal(byte(amax, ADAHOP_SCALE_RCEIL, least), independent::scale_for(amax, scale_rule::rceil, least),
                  "rceil");
  });
}

TEST_CASE("rceil never clips and is never twice too large", "[property][spec:5.5][spec:5.9]") {
  check_property("rceil: 6 * scale >= amax > 3 * scale, but for byte 0", 4000, [] {
    const uint32_t amax = pick_value("amax") & ~kSign;
    const e8m0 scale = e8m0_of(byte(amax, ADAHOP_SCALE_RCEIL, 0));
    require(6 * exact_scale(scale) >= exact(amax), "clipped");
    require(byte_of(scale) == 0 || 3 * exact_scale(scale) < exact(amax), "twice too large");
    require(!reference::clips(float_of(amax), scale), "counted as clipped");
  });
}

TEST_CASE("a power of two moves the scale and leaves the code", "[property][spec:5.2][spec:5.6][spec:5.8]") {
  check_property("byte(2^n amax) = byte(amax) + n and equal codes", 4000, [] {
    const adahop_scale_rule rule = pick_rule();
    const uint32_t small = pick_value("amax", {.min_exponent = 10, .max_exponent = 200}) & ~kSign;
    discard_unless(small != 0);
    const auto n = static_cast<uint32_t>(pick_integer("n", 0, 54));
    const uint32_t large = small + (n << 23);
    const uint32_t at = byte(small, rule, 0);
    require_equal(byte(large, rule, 0), at + n, "byte");
    require_equal(code(large, e8m0_of(at + n)), code(small, e8m0_of(at)), "code");
  });
}

TEST_CASE("BF16 is the nearest, ties to even", "[property][spec:2.7][spec:2.8]") {
  check_property("no BF16 is nearer to v, nor as near and even", 8000, [] {
    const uint32_t v = pick_value("v");
    const uint32_t got = uint32_t{reference::round_bf16(float_of(v)).bits} << 16;
    // The neighbours of v; Inf stands for 2^128, which it would be with a larger exponent range.
    const uint32_t down = v & 0xFFFF0000u, up = down + 0x10000u;
    const auto value = [](uint32_t bits) {
      return (bits & ~kSign) == 0x7F800000u ? std::copysign(0x1p128, exact(bits)) : exact(bits);
    };
    // Neighbours are within a factor of 2 of v or multiples of one unit: differences are exact in FP64.
    const double to_down = std::fabs(exact(v) - value(down)), to_up = std::fabs(value(up) - exact(v));
    const bool even_is_down = (down >> 16) % 2 == 0;
    require_equal(got, to_down < to_up || (to_down == to_up && even_is_down) ? down : up, "BF16");
  });
}

TEST_CASE("BF16 of every NaN is one NaN, of Inf itself", "[property][spec:1.4][spec:2.8]") {
  check_property("NaN with any payload gives 0x7FC0", 1200, [] {
    const uint32_t payload = static_cast<uint32_t>(pick_integer("payload", 1, 0x7FFFFF));
    const uint32_t sign = pick_integer("sign", 0, 1) != 0 ? kSign : 0u;
    require_equal(reference::round_bf16(float_of(sign | 0x7F800000u | payload)).bits, kCanonicalNanBf16, "NaN");
    require_equal(reference::round_bf16(float_of(sign | 0x7F800000u)).bits, (sign | 0x7F800000u) >> 16, "Inf");
  });
}

}  // namespace
}  // namespace adahop::property
