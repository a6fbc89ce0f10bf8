// The independent implementation's own arithmetic, held to the processor's IEEE 754 unit, so that a fault in the judge
// is not taken for one in the judged.
#include <algorithm>
#include <bit>
#include <cmath>

#include "catch.h"
#include "independent/binary64.h"
#include "independent_support.h"

using namespace adahop_test;

namespace {

uint32_t canonical(float v) { return std::isnan(v) ? independent::kNanBits : std::bit_cast<uint32_t>(v); }
float to_float(uint32_t bits) { return std::bit_cast<float>(bits); }

constexpr uint32_t kSpecial[] = {0x00000000u, 0x80000000u, 0x00000001u, 0x80000001u, 0x007FFFFFu, 0x00800000u,
                                 0x80800000u, 0x3F800000u, 0xBF800000u, 0x3F800001u, 0x33800000u, 0x34000000u,
                                 0x4B800000u, 0x7F7FFFFFu, 0xFF7FFFFFu, 0x73000000u, 0x72FFFFFFu, 0x7F800000u,
                                 0xFF800000u, 0x7FC00001u, 0xFFFFFFFFu};

void check_operations(uint32_t a, uint32_t b, uint32_t c, int& wrong) {
  const float x = to_float(a), y = to_float(b), z = to_float(c);
  if (independent::add(a, b) != canonical(x + y)) ++wrong;
  if (independent::subtract(a, b) != canonical(x - y)) ++wrong;
  if (independent::multiply(a, b) != canonical(x * y)) ++wrong;
  if (independent::fused_multiply_add(a, b, c) != canonical(std::fma(x, y, z))) ++wrong;
}

}  // namespace

TEST_CASE("independent FP32 arithmetic equals the processor's", "[independent][spec:1.3][spec:1.4][spec:1.5]") {
  int wrong = 0;
  for (const uint32_t a : kSpecial)
    for (const uint32_t b : kSpecial)
      for (const uint32_t c : kSpecial) check_operations(a, b, c, wrong);
  source random(1);
  for (int i = 0; i < 20000; ++i) {
    const int centre = random.between(0, 254);
    const uint32_t a = random.fp32(centre, std::min(centre + 3, 254));
    const uint32_t b = random.fp32(std::max(centre - 26, 0), centre);
    check_operations(a, b, random.fp32(0, 254), wrong);
    // fma with a product near the addend: cancellation and double-rounding traps.
    const uint32_t one_ish = random.fp32(126, 128);
    check_operations(a, one_ish, a ^ (random.bits() & 0x80000003u), wrong);
  }
  CHECK(wrong == 0);
}

TEST_CASE("independent FP64 arithmetic equals the processor's, subnormals and overflow included", "[independent]") {
  std::mt19937_64 engine(2);
  int wrong = 0;
  const auto same = [](double got, double expected) {
    return std::isnan(expected) ? std::bit_cast<uint64_t>(got) == 0x7FF8000000000000u
                                : std::bit_cast<uint64_t>(got) == std::bit_cast<uint64_t>(expected);
  };
  for (int i = 0; i < 20000; ++i) {
    const uint64_t draw = engine();
    const double a = std::bit_cast<double>(engine());
    // Half of the pairs share their exponents, so that sums round and cancel; others meet at random or underflow.
    const uint64_t exponent_of_a = std::bit_cast<uint64_t>(a) & 0x7FF0000000000000u;
    const double b = std::bit_cast<double>(i % 2 == 0 ? exponent_of_a | (draw & 0x800FFFFFFFFFFFFFu) : draw);
    const double tiny = std::bit_cast<double>(draw & 0x803FFFFFFFFFFFFFu);
    const independent::binary64 x(a), y(b);
    if (!same((x + y).value(), a + b) || !same((x - y).value(), a - b)) ++wrong;
    if (!same((x * y).value(), a * b) || !same((x / y).value(), a / b)) ++wrong;
    if (!same((independent::binary64(tiny) / independent::binary64(3.0)).value(), tiny / 3.0)) ++wrong;
    if (!same(sqrt(x).value(), std::sqrt(a))) ++wrong;
    if ((x > y) != (a > b)) ++wrong;
  }
  CHECK(wrong == 0);
}
