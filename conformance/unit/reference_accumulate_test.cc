// Block dots and the two accumulations, against formulas that compute the same in another way.
#include "reference/accumulate/block_rne.h"

#include <algorithm>

#include "reference/accumulate/seq_fma.h"
#include "reference/block_dot.h"
#include "reference_support.h"

using namespace adahop;
using reference::accumulate_block_rne;

namespace {

// Accumulators at every edge: zeros, subnormals, powers of two, odd significands, the largest numbers.
constexpr uint32_t kEdges[] = {0x00000000u, 0x00000001u, 0x00000002u, 0x003FFFFFu, 0x00400000u, 0x007FFFFFu, 0x00800000u,
                               0x00800001u, 0x00FFFFFFu, 0x01000000u, 0x3F7FFFFFu, 0x3F800000u, 0x3F800001u, 0x4B7FFFFFu,
                               0x4B800000u, 0x4B800001u, 0x7EFFFFFFu, 0x7F000000u, 0x7F7FFFFEu, 0x7F7FFFFFu};
constexpr int32_t kDots[] = {0, 1, 2, 3, 4, 5, 7, 36, 144, 1023, 1024, 4095, 4096, 4097, 4607, 4608};

// Both sides of NUMERICS' equality: one addition in double whose result is then narrowed, and one fma in float.
float by_double(float acc, int32_t dot_x4, int exponent) {
  return static_cast<float>(static_cast<double>(acc) + std::ldexp(static_cast<double>(dot_x4), exponent));
}
float by_fma(float acc, int32_t dot_x4, uint32_t sa, uint32_t sb) {
  const uint32_t low = std::min(sa, sb), high = std::max(sa, sb);
  const float term = std::ldexp(static_cast<float>(dot_x4), static_cast<int>(std::min(low, 244u)) - 127 - 2);
  return std::fma(term, decode_e8m0(e8m0_of(high)), acc);
}

// RNE of sum * 2^exponent for a 128-bit sum, by long division of the magnitude into kept and lost bits.
float round_wide(__int128 sum, int exponent) {
  if (sum == 0) return 0.0f;
  const bool negative = sum < 0;
  unsigned __int128 magnitude = negative ? -static_cast<unsigned __int128>(sum) : static_cast<unsigned __int128>(sum);
  int lost_bits = 0;
  while ((magnitude >> lost_bits) >= 1u << 24 || exponent + lost_bits < -149) ++lost_bits;
  unsigned __int128 kept = magnitude >> lost_bits;
  const unsigned __int128 lost = magnitude - (kept << lost_bits);
  const unsigned __int128 half = lost_bits == 0 ? 1 : static_cast<unsigned __int128>(1) << (lost_bits - 1);
  if (lost > half || (lost == half && lost_bits > 0 && kept % 2 == 1)) ++kept;
  const double value = std::ldexp(static_cast<double>(static_cast<uint64_t>(kept)), exponent + lost_bits);
  const float narrowed = value >= 0x1p128 ? test::kInf : static_cast<float>(value);
  return negative ? -narrowed : narrowed;
}

void check_one(float acc, int32_t dot_x4, uint32_t sa, uint32_t sb) {
  const uint32_t got = bits_of(accumulate_block_rne(acc, dot_x4, e8m0_of(sa), e8m0_of(sb)));
  const int exponent = static_cast<int>(sa + sb) - 256;
  const uint32_t expected = bits_of(by_double(acc, dot_x4, exponent));
  if (got == expected && got == bits_of(by_fma(acc, dot_x4, sa, sb))) return;
  INFO(std::hex << "acc " << bits_of(acc) << std::dec << " dot_x4 " << dot_x4 << " bytes " << sa << ", " << sb);
  REQUIRE(got == expected);
  REQUIRE(got == bits_of(by_fma(acc, dot_x4, sa, sb)));
}

}  // namespace

TEST_CASE("the block dot is an exact integer", "[spec:10.1]") {
  test::generator random(50);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    uint8_t a[kBlockBytes], b[kBlockBytes];
    double sum = 0;
    for (int i = 0; i < kBlockBytes; ++i) {
      a[i] = static_cast<uint8_t>(random.bits());
      b[i] = static_cast<uint8_t>(random.bits());
      for (uint32_t half = 0; half < 2; ++half)
        sum += static_cast<double>(decode_e2m1(unpack_e2m1(a[i], half))) * static_cast<double>(decode_e2m1(unpack_e2m1(b[i], half)));
    }
    REQUIRE(reference::block_dot_x4(a, b) == static_cast<int32_t>(4 * sum));
  }
  uint8_t six[kBlockBytes], minus_six[kBlockBytes], minus_zero[kBlockBytes];
  std::fill_n(six, kBlockBytes, uint8_t{0x77});
  std::fill_n(minus_six, kBlockBytes, uint8_t{0xFF});
  std::fill_n(minus_zero, kBlockBytes, uint8_t{0x88});
  CHECK(reference::block_dot_x4(six, six) == 4608);
  CHECK(reference::block_dot_x4(six, minus_six) == -4608);
  CHECK(reference::block_dot_x4(six, minus_zero) == 0);
}

TEST_CASE("block_rne for every byte pair", "[spec:10.2][spec:10.4][spec:10.5]") {
  // All 255 x 255 pairs with a few cases each; every byte sum with all edges.
  test::generator random(51);
  for (uint32_t sa = 0; sa < 255; ++sa)
    for (uint32_t sb = 0; sb < 255; ++sb)
      for (int i = 0; i < 24; ++i) {
        const int field = std::min(254, std::max(0, static_cast<int>(sa + sb) - 129 + random.integer(-30, 30)));
        const float acc = i % 4 == 0 ? float_of(kEdges[random.bits() % std::size(kEdges)] | (random.bits() & 0x80000000u))
                                     : random.with_exponent(field, field);
        check_one(acc, random.integer(-4608, 4608), sa, sb);
      }
  for (uint32_t sum = 0; sum <= 508; ++sum) {
    const uint32_t sa = sum / 2, sb = sum - sa;
    for (const uint32_t edge : kEdges)
      for (const uint32_t sign : {0u, 0x80000000u})
        for (const int32_t dot : kDots)
          for (const int32_t s : {dot, -dot}) check_one(float_of(edge | sign), s, sa, sb);
  }
}

TEST_CASE("block_rne against 128-bit sums, ties and near ties", "[spec:10.4]") {
  test::generator random(52);
  int ties = 0;
  for (int repeat = 0; repeat < 400000; ++repeat) {
    const int field = random.integer(1, 254), gap = random.integer(-40, 40);
    const int term_exponent = field - 150 + gap;  // that of the accumulator's last place, and gap more
    if (term_exponent < -256 || term_exponent > 252) continue;
    const uint32_t byte_sum = static_cast<uint32_t>(term_exponent + 256);
    const uint32_t sa = byte_sum / 2, sb = byte_sum - sa;
    // Long runs of ones and zeros make carries and ties.
    uint32_t mantissa = random.bits() & 0x7FFFFFu;
    if (repeat % 3 == 1) mantissa |= 0x7FFFFFu >> random.integer(0, 22);
    if (repeat % 3 == 2) mantissa &= ~(0x7FFFFFu >> random.integer(0, 22));
    const float acc = float_of((random.bits() & 0x80000000u) | static_cast<uint32_t>(field) << 23 | (mantissa & 0x7FFFFFu));
    const int32_t dot = repeat % 2 == 0 ? random.integer(-4608, 4608) : 1 << random.integer(0, 12);
    const __int128 significand = (bits_of(acc) & 0x7FFFFFu) | 0x800000u;
    const __int128 signed_significand = acc < 0 ? -significand : significand;
    const int low = std::min(gap, 0);
    const __int128 sum = signed_significand * (__int128{1} << -low) + __int128{dot} * (__int128{1} << (gap - low));
    const float expected = round_wide(sum, field - 150 + low);
    const float got = accumulate_block_rne(acc, dot, e8m0_of(sa), e8m0_of(sb));
    INFO(std::hex << bits_of(acc) << std::dec << " dot_x4 " << dot << " gap " << gap);
    REQUIRE(bits_of(got) == bits_of(expected));
    ties += gap < 0 && gap > -12 && dot == 1 << (-gap - 1) ? 1 : 0;
  }
  CHECK(ties > 1000);
}

TEST_CASE("zeros, signs, NaN and Inf in block_rne", "[spec:10.3][spec:10.5][spec:10.6][spec:1.4]") {
  const e8m0 zero = e8m0_of(0), one = e8m0_of(127), top = e8m0_of(254), nan = e8m0_of(255);
  const auto bits = [](float acc, int32_t dot, e8m0 a, e8m0 b) { return bits_of(accumulate_block_rne(acc, dot, a, b)); };
  CHECK(bits(0.0f, 0, one, one) == 0u);
  CHECK(bits(-0.0f, 0, one, one) == 0u);
  CHECK(bits(1.0f, -4, one, one) == 0u);  // exact cancellation, S/4 = -1
  CHECK(bits(-1.0f, 4, one, one) == 0u);
  CHECK(bits(0.0f, -1, zero, zero) == 0x80000000u);  // -2^-256 rounds to zero and keeps its sign
  CHECK(bits(0.0f, 1, zero, zero) == 0u);
  CHECK(bits(-0.0f, 1, zero, zero) == 0u);
  CHECK(bits(float_of(1u), -1, zero, zero) == 1u);
  CHECK(bits(0.0f, 4608, top, top) == 0x7F800000u);
  CHECK(bits(0.0f, -1, top, top) == 0xFF800000u);
  for (const float acc : {test::kInf, -test::kInf})
    for (const int32_t dot : {-4608, 0, 4608}) CHECK(bits(acc, dot, top, top) == bits_of(acc));
  for (const uint32_t acc : {0u, 0x3F800000u, 0x7F800000u, 0xFF800000u})
    for (const int32_t dot : {-1, 0, 7}) {
      CHECK(bits(float_of(acc), dot, nan, one) == kCanonicalNan);
      CHECK(bits(float_of(acc), dot, zero, nan) == kCanonicalNan);
    }
  CHECK(bits(float_of(0xFF800001u), 1, one, one) == kCanonicalNan);
  // The largest finite number stays below half a unit and overflows at it: 2^104 is one unit.
  const auto power = [](int exponent) { return std::pair{e8m0_of(127), e8m0_of(static_cast<uint32_t>(exponent + 129))}; };
  const auto [sa, sb] = power(102);
  CHECK(bits(float_of(0x7F7FFFFFu), 1, sa, sb) == 0x7F7FFFFFu);
  CHECK(bits(float_of(0x7F7FFFFFu), 2, sa, sb) == 0x7F800000u);
  CHECK(bits(float_of(0xFF7FFFFFu), -2, sa, sb) == 0xFF800000u);
}

TEST_CASE("seq_fma rounds once a step", "[spec:10.9]") {
  test::generator random(53);
  for (int repeat = 0; repeat < 200000; ++repeat) {
    const bf16 a = random.bf16_with_exponent(70, 185), b = random.bf16_with_exponent(70, 185);
    const int product_field = static_cast<int>((bits_of(decode_bf16(a)) >> 23 & 255) + (bits_of(decode_bf16(b)) >> 23 & 255)) - 127;
    const int field = std::min(254, std::max(0, product_field + random.integer(-20, 20)));
    const float acc = random.with_exponent(field, field);
    // The product of two BF16 has 16 bits, so within 2^20 of acc the double sum is exact and narrowing is one rounding.
    const double exact = static_cast<double>(decode_bf16(a)) * static_cast<double>(decode_bf16(b)) + static_cast<double>(acc);
    const float got = reference::accumulate_seq_fma(acc, a, b);
    REQUIRE(bits_of(got) == bits_of(static_cast<float>(exact)));
  }
  // Products of two BF16 are exact in FP32 but where they are subnormal or overflow, so fma shows there.
  const auto bits = [](float acc, float a, float b) {
    return bits_of(reference::accumulate_seq_fma(acc, test::exact_bf16(a), test::exact_bf16(b)));
  };
  // The product is 1.016 * 2^-149; rounded first it would be the tie 2^-149 and vanish.
  CHECK(bits(float_of(0x01000000u), 0x1.02p-75f, 0x1.02p-74f) == 0x01000001u);
  CHECK(bits(-std::numeric_limits<float>::max(), 0x1p64f, 0x1p64f) == bits_of(0x1p104f));
  CHECK(std::isnan(float_of(bits(0.0f, test::kInf, 0.0f))));
  CHECK(std::isnan(float_of(bits(-test::kInf, test::kInf, 1.0f))));
  CHECK(bits(-0.0f, 0.0f, 1.0f) == 0u);
}
