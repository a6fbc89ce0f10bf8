// Stochastic roundings. Implements SPEC 5.17-5.21.
#include "reference/stochastic.h"

#include <algorithm>

#include "adahop/formats/philox.h"
#include "reference/quotient.h"

namespace adahop::reference {
namespace {

constexpr uint32_t kLargestX4 = 24;  // 6

// log2 of the gap above the value of each code below 7: .5 up to 2, then 1 up to 4, then 2.
constexpr int32_t kGapLog2[7] = {-1, -1, -1, -1, 0, 0, 1};

uint32_t sign_bit_of_code(float v) { return bits_of(v) >> 31 << 3; }

uint32_t low_word(uint64_t v) { return static_cast<uint32_t>(v); }
uint32_t high_word(uint64_t v) { return static_cast<uint32_t>(v >> 32); }

// The step of gfx950's V_PRNG_B32.
uint32_t next_word(uint32_t r) { return r << 1 ^ (r >> 31 != 0 ? 197u : 0u); }

}  // namespace

e2m1 encode_e2m1_stochastic(float v, e8m0 scale, uint32_t u, int32_t bits) {
  const quotient q = magnitude_over(v, scale);
  if (compare(q, kLargestX4) >= 0) return e2m1_of(sign_bit_of_code(v) | 7u);
  uint32_t low = 0;  // the largest code whose value is at most q
  while (compare(q, 2 * static_cast<uint32_t>(value_x2(e2m1_of(low + 1)))) >= 0) ++low;
  // floor((q - lo) * 2^power), power = bits - log2(gap). lo * 2^power is an integer even for bits = 1: every value is
  // a multiple of its gap. q < 6, so all is below 6 * 2^33.
  const int32_t power = bits - kGapLog2[low];
  const uint64_t low_scaled = static_cast<uint64_t>(value_x2(e2m1_of(low))) << power >> 1;
  const uint64_t fraction = floor_times_power(q, power) - low_scaled;
  return e2m1_of(sign_bit_of_code(v) | (u < fraction ? low + 1 : low));
}

e2m1 encode_e2m1_gfx950_sr(float v, e8m0 scale, uint32_t word) {
  constexpr int32_t kMantissaBits = 23;
  constexpr int32_t kDroppedBits = kMantissaBits - 1;  // one mantissa bit is kept
  const quotient q = magnitude_over(v, scale);
  if (compare(q, kLargestX4) >= 0) return e2m1_of(sign_bit_of_code(v) | 7u);
  // q as an E2M1 pattern with 22 more mantissa bits: below 1 a fixed-point number in units of 2^-23, which drops bits;
  // from 2^k on the field k + 1 above the 23 mantissa bits, exactly. A carry then runs into the exponent field.
  uint64_t pattern = floor_times_power(q, kMantissaBits);
  for (int32_t k = 2; k >= 0; --k) {
    if (compare(q, 4u << k) < 0) continue;
    const uint64_t significand = floor_times_power(q, kMantissaBits - k);  // 2^23 and above: the field's 1 is included
    pattern = (static_cast<uint64_t>(k) << kMantissaBits) + significand;
    break;
  }
  const uint64_t code = (pattern + (word >> (32 - kDroppedBits))) >> kDroppedBits;
  return e2m1_of(sign_bit_of_code(v) | static_cast<uint32_t>(std::min<uint64_t>(code, 7)));
}

uint32_t stochastic_bits(uint64_t seed, uint64_t position, int32_t bits) {
  return philox4x32_10(seed, {{low_word(position), high_word(position), 0, 0}}).word[0] >> (32 - bits);
}

gfx950_words gfx950_sr_words(uint64_t seed, uint64_t pair) {
  const uint32_t r = philox4x32_10(seed, {{low_word(pair), high_word(pair), 0, 2}}).word[0];
  return {r, next_word(r)};
}

}  // namespace adahop::reference
