// The accumulation models on integers: a sum is significand * 2^exponent, shifted to a common last place and rounded once.
#include "sim/numerics/mfma_models.h"

#include <algorithm>
#include <climits>

namespace adahop::hip::sim {
namespace {

constexpr int kFraction = 24;        // F of the CDNA3 models: fraction bits of an aligned product and of C
constexpr int kSumFraction = 32;     // F2 + 1: of the aligned sum of products
constexpr int kFinalFraction = 31;   // F2: of the normalized result before it is rounded to FP32

// C as the CDNA3 models see it: significand * 2^(exponent - 23), exponent -126 for zero and subnormals.
struct c_operand {
  int64_t significand;
  int exponent;
};

c_operand unpack_c(uint32_t c) {
  const unpacked v = unpack(kF32, c);
  const auto magnitude = static_cast<int64_t>(v.significand);
  return {v.negative ? -magnitude : magnitude, v.exponent + kF32.fraction_bits};
}

uint64_t magnitude_of(int64_t v) { return v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v); }

// value * 2^exponent to FP32; an exact zero is +0.
uint32_t round_f32(int64_t value, int exponent) {
  return static_cast<uint32_t>(round_to(kF32, value < 0, magnitude_of(value), exponent));
}

// floor(value * 2^shift); a left shift must fit.
int64_t shift_floor(int64_t value, int shift) { return shift >= 0 ? value << shift : value >> std::min(-shift, 63); }

// value * 2^shift, truncated toward zero.
int64_t shift_truncate(int64_t value, int shift) {
  if (shift >= 0) return value << shift;
  if (shift < -63) return 0;
  const auto magnitude = static_cast<int64_t>(magnitude_of(value) >> -shift);
  return value < 0 ? -magnitude : magnitude;
}

// significand * 2^exponent, |significand| < 2^24.
struct scaled_integer {
  int64_t significand;
  int exponent;
};

constexpr size_t kMostTerms = 4;  // blocks of an instruction

scaled_integer addend_of(uint32_t f32) {
  const c_operand c = unpack_c(f32);
  return {c.significand, c.exponent - kF32.fraction_bits};
}

// The exact sum of up to five numbers, one rounding; +0 where it is zero.
uint32_t sum_f32(std::span<const scaled_integer> addends) {
  int lowest = INT_MAX, highest = INT_MIN;
  for (const scaled_integer& x : addends) {
    if (x.significand == 0) continue;
    lowest = std::min(lowest, x.exponent);
    highest = std::max(highest, x.exponent);
  }
  if (lowest == INT_MAX) return 0;
  if (highest - lowest <= 36) {  // each is below 2^60 in units of 2^lowest
    int64_t sum = 0;
    for (const scaled_integer& x : addends)
      if (x.significand != 0) sum += x.significand << (x.exponent - lowest);
    return round_f32(sum, lowest);
  }
  exact_sum sum;
  for (const scaled_integer& x : addends) sum.add(x.significand, x.exponent);
  return sum.round_f32();
}

// S * 2^(exponent - 24) and C by the last lines of SPEC 10.15; `drop_small_c` is the rule that 10.16 adds.
uint32_t add_c(const aligned_sum& s, uint32_t c, bool drop_small_c) {
  const c_operand operand = unpack_c(c);
  const int e = s.any ? std::max(s.exponent, operand.exponent) : operand.exponent;
  // In units of 2^(e - 32): |sum| < 2^44, |c| < 2^34.
  const int64_t sum = s.any ? shift_floor(s.sum, s.exponent - e + kSumFraction - kFraction) : 0;
  const int to_fraction = operand.exponent - e + kFraction - kF32.fraction_bits;
  int64_t aligned_c = shift_floor(operand.significand, to_fraction);
  if (drop_small_c && operand.exponent < e - (kFraction + 1)) aligned_c = 0;
  int64_t total = sum + aligned_c * (1 << (kSumFraction - kFraction));
  int last = e - kSumFraction;
  if (total != 0) {
    const int excess = top_bit(magnitude_of(total)) - kFinalFraction;
    if (excess > 0) {
      total >>= excess;
      last += excess;
    }
  }
  return round_f32(total, last);
}

}  // namespace

void exact_sum::add(int64_t significand, int exponent) {
  const int at = exponent - kLowest;
  const int word = at / 64;
  const int shift = at % 64;
  // The 128-bit number significand << shift, then its sign in every word above.
  const uint64_t fill = significand < 0 ? ~uint64_t{0} : 0;
  const auto low = static_cast<uint64_t>(significand) << shift;
  const auto high = shift != 0 ? static_cast<uint64_t>(significand >> (64 - shift)) : fill;
  uint64_t carry = 0;
  for (int i = word; i < kWords; ++i) {
    const uint64_t part = i == word ? low : i == word + 1 ? high : fill;
    const wide_uint sum = wide_uint{words_[i]} + part + carry;
    words_[i] = static_cast<uint64_t>(sum);
    carry = static_cast<uint64_t>(sum >> 64);
  }
}

uint32_t exact_sum::round_f32() const {
  uint64_t magnitude[kWords];
  const bool negative = words_[kWords - 1] >> 63 != 0;
  uint64_t carry = negative ? 1 : 0;
  for (int i = 0; i < kWords; ++i) {
    magnitude[i] = (negative ? ~words_[i] : words_[i]) + carry;
    carry = carry != 0 && magnitude[i] == 0 ? 1 : 0;
  }
  int top = kWords - 1;
  while (top > 1 && magnitude[top] == 0) --top;
  const wide_uint leading = wide_uint{magnitude[top]} << 64 | magnitude[top - 1];
  const bool sticky = std::any_of(magnitude, magnitude + top - 1, [](uint64_t w) { return w != 0; });
  return static_cast<uint32_t>(round_to(kF32, negative, leading, kLowest + 64 * (top - 1), sticky));
}

uint32_t fused_f32(std::span<const block_term> terms, uint32_t c) {
  scaled_integer addends[kMostTerms + 1];
  size_t count = 0;
  addends[count++] = addend_of(c);
  for (const block_term& t : terms) addends[count++] = {t.sum_x4, t.exponent - 2};
  return sum_f32({addends, count});
}

uint32_t seq_f32(std::span<const block_term> terms, uint32_t c, uint32_t nan) {
  constexpr uint32_t kInf = 0x7F800000, kMagnitude = 0x7FFFFFFF;
  for (const block_term& t : terms) {
    const uint32_t term = round_f32(t.sum_x4, t.exponent - 2);
    const bool c_infinite = (c & kMagnitude) == kInf, term_infinite = (term & kMagnitude) == kInf;
    if (c_infinite && term_infinite && c != term) return nan;
    if (c_infinite) continue;
    if (term_infinite) {
      c = term;
      continue;
    }
    const scaled_integer addends[] = {addend_of(c), addend_of(term)};
    c = sum_f32(addends);
  }
  return c;
}

uint32_t block_first_f32(std::span<const block_term> terms, uint32_t c) {
  const c_operand operand = unpack_c(c);
  int e = operand.exponent;
  for (const block_term& t : terms)
    if (t.sum_x4 != 0) e = std::max(e, t.exponent);
  // In units of 2^(e - 24): each number is below 2^35.
  int64_t sum = shift_truncate(operand.significand, operand.exponent - kF32.fraction_bits - (e - kFraction));
  for (const block_term& t : terms)
    if (t.sum_x4 != 0) sum += shift_truncate(t.sum_x4, t.exponent - 2 - (e - kFraction));
  return round_f32(sum, e - kFraction);
}

uint32_t trfdpa_f32(const aligned_sum& products, uint32_t c) { return add_c(products, c, false); }

uint32_t gtrfdpa_f32(const aligned_sum& even, const aligned_sum& odd, uint32_t c) {
  aligned_sum both;
  both.any = even.any || odd.any;
  both.exponent = even.any && odd.any ? std::max(even.exponent, odd.exponent) : even.any ? even.exponent : odd.exponent;
  for (const aligned_sum* part : {&even, &odd})
    if (part->any) both.sum += shift_floor(part->sum, part->exponent - both.exponent);
  return add_c(both, c, true);
}

}  // namespace adahop::hip::sim
