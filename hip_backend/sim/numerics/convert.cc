// Elements to and from FP4 (E2M1: sign, 2 exponent bits, 1 fraction bit; magnitudes 0 .5 1 1.5 2 3 4 6), and FP32 to
// BF16 and FP16, in integers.
#include "sim/numerics/convert.h"

#include "sim/numerics/round.h"

namespace adahop::hip::sim {
namespace {

constexpr uint32_t kFp4Sign = 8;
constexpr uint32_t kFp4Six = 7;
constexpr int kE8m0Bias = 127;
constexpr uint32_t kE8m0Nan = 255;

uint32_t exponent_field(uint32_t f32) { return f32 >> 23 & 0xFF; }

// The codes of elements that are no finite non-zero number, or -1.
int special_code(const unpacked& v, uint32_t scale, const conversion_options& options) {
  const int sign = v.negative ? static_cast<int>(kFp4Sign) : 0;
  const int six = sign | static_cast<int>(kFp4Six);
  if (scale == kE8m0Nan) return six;  // the destination is kept elsewhere, where an option says so
  switch (v.kind) {
    case float_class::nan: return options.nan == nan_to_fp4::sign_7 ? six : 0;
    case float_class::infinite: return six;
    case float_class::zero: return sign;
    case float_class::finite: break;
  }
  return -1;
}

// f32_to_fp4_scale, bf16_to_fp4_scale, f16_to_fp4_scale: nearest even of |v| / 2^(scale - 127).
uint32_t to_fp4(float_format from, uint32_t bits, uint32_t scale, const conversion_options& options) {
  const unpacked v = unpack(from, bits);
  if (const int code = special_code(v, scale, options); code >= 0) return static_cast<uint32_t>(code);
  const uint32_t sign = v.negative ? kFp4Sign : 0;

  // Four times the quotient is significand * 2^shift; the boundaries between codes are integers there.
  const int shift = v.exponent - (static_cast<int>(scale) - kE8m0Bias) + 2;
  if (top_bit(v.significand) + shift >= 6) return sign | kFp4Six;  // 64 / 4 and more
  uint64_t whole = 0;
  bool more = false;  // the quotient lies above `whole`
  if (shift >= 0) {
    whole = v.significand << shift;
  } else if (shift > -64) {
    whole = v.significand >> -shift;
    more = (whole << -shift) != v.significand;
  } else {
    more = true;
  }
  const auto above = [&](uint64_t tie) { return whole > tie || (whole == tie && more) ? 1u : 0u; };
  const auto at_least = [&](uint64_t tie) { return whole >= tie ? 1u : 0u; };
  // Midpoints 0.25 0.75 1.25 1.75 2.5 3.5 5: a tie goes to the code whose fraction bit is 0.
  return sign | (above(1) + at_least(3) + above(5) + at_least(7) + above(10) + at_least(14) + above(20));
}

// The same with stochastic rounding by `random`, as AMD's host library does it.
uint32_t to_fp4_stochastic(float_format from, uint32_t bits, uint32_t random, uint32_t scale,
                           const conversion_options& options) {
  if (options.sr == sr_model::widened && from.fraction_bits != kF32.fraction_bits) {
    const uint32_t widened = from.fraction_bits == kF16.fraction_bits ? cvt_f32_f16(bits) : bits << 16;
    return to_fp4_stochastic(kF32, widened, random, scale, options);
  }
  const unpacked v = unpack(from, bits);
  if (const int code = special_code(v, scale, options); code >= 0) return static_cast<uint32_t>(code);
  const uint32_t sign = v.negative ? kFp4Sign : 0;

  // |v| / 2^(scale - 127) = significand * 2^(exponent - width), significand in [2^width, 2^(width+1)).
  const int width = from.fraction_bits;
  const int top = top_bit(v.significand);
  const uint64_t significand = v.significand << (width - top);
  const int exponent = v.exponent + top - (static_cast<int>(scale) - kE8m0Bias);
  if (exponent > 2) return sign | kFp4Six;

  const uint64_t kept_bit = uint64_t{1} << (width - 1);  // the fraction bit of E2M1
  const uint64_t one = uint64_t{1} << width;
  const uint64_t noise = random >> (33 - width);  // width - 1 bits, right below kept_bit
  if (exponent < 0) {  // below 1: fixed point with `width` fraction bits, what does not fit is dropped
    const uint64_t sum = (exponent > -32 ? significand >> -exponent : 0) + noise;
    return sign | static_cast<uint32_t>(sum / kept_bit);  // steps of 0.5: codes 0, 1, 2
  }
  const uint64_t sum = significand + noise;
  const bool carry = sum >= 2 * one;  // to the next power of two, whose fraction bit is 0
  if (carry && exponent == 2) return sign | kFp4Six;
  const uint32_t field = static_cast<uint32_t>(exponent) + 1 + (carry ? 1 : 0);
  return sign | field << 1 | (!carry && (sum & kept_bit) != 0 ? 1u : 0u);
}

// fp4_to_f32_scale and its siblings.
uint32_t from_fp4(float_format to, uint32_t code, uint32_t scale, const conversion_options& options) {
  const bool negative = (code & kFp4Sign) != 0;
  if (scale == kE8m0Nan) {
    if (options.widening == widened_nan::canonical) return static_cast<uint32_t>(to.quiet_nan());
    const uint64_t nan = to.fraction_bits == kF32.fraction_bits ? to.quiet_nan() : to.infinity() | to.fraction_mask();
    return static_cast<uint32_t>((negative ? to.sign() : 0) | nan);
  }
  const uint32_t field = code >> 1 & 3;
  const uint32_t fraction = code & 1;
  const uint32_t value_x2 = field == 0 ? fraction : (2 + fraction) << (field - 1);
  return static_cast<uint32_t>(round_to(to, negative, uint64_t{value_x2}, static_cast<int>(scale) - kE8m0Bias - 1));
}

bool keeps_destination(uint32_t scale, const conversion_options& options) {
  return exponent_field(scale) == kE8m0Nan && options.nan_scale == nan_scale_to_fp4::keep_destination;
}

uint32_t put_byte(uint32_t old, uint32_t byte, uint32_t low_code, uint32_t high_code) {
  const uint32_t at = 8 * (byte & 3);
  return (old & ~(0xFFu << at)) | (low_code | high_code << 4) << at;
}

uint32_t pack(float_format from, uint32_t old, uint32_t first, uint32_t second, uint32_t scale, uint32_t byte,
              const conversion_options& options) {
  if (keeps_destination(scale, options)) return old;
  const uint32_t e = exponent_field(scale);
  return put_byte(old, byte, to_fp4(from, first, e, options), to_fp4(from, second, e, options));
}

uint32_t pack_stochastic(float_format from, uint32_t old, uint32_t first, uint32_t second, uint32_t random, uint32_t scale,
                         uint32_t byte, const conversion_options& options) {
  if (keeps_destination(scale, options)) return old;
  const uint32_t e = exponent_field(scale);
  return put_byte(old, byte, to_fp4_stochastic(from, first, random, e, options),
                  to_fp4_stochastic(from, second, prng_b32(random), e, options));
}

uint32_t low_half(uint32_t pair) { return pair & 0xFFFF; }
uint32_t high_half(uint32_t pair) { return pair >> 16; }

result_pair unpack_byte(float_format to, uint32_t source, uint32_t scale, uint32_t byte, const conversion_options& options) {
  const uint32_t codes = source >> (8 * (byte & 3));
  const uint32_t e = exponent_field(scale);
  return {from_fp4(to, codes & 15, e, options), from_fp4(to, codes >> 4 & 15, e, options)};
}

bool is_nan_f32(uint32_t bits) { return (bits & 0x7FFFFFFF) > 0x7F800000; }

uint32_t nan_to_bf16(uint32_t bits, const conversion_options& options) {
  if (options.bf16 == bf16_nan::canonical) return 0x7FC0;
  return bits >> 16 | ((bits & 0xFFFF) != 0 ? 1u : 0u);
}

uint32_t to_bf16(uint32_t bits, const conversion_options& options) {
  if (is_nan_f32(bits)) return nan_to_bf16(bits, options);
  const unpacked v = unpack(kF32, bits);
  if (v.kind == float_class::infinite) return bits >> 16;
  return static_cast<uint32_t>(round_to(kBf16, v.negative, v.significand, v.exponent));
}

}  // namespace

uint32_t prng_b32(uint32_t word) { return word << 1 ^ (word >> 31 != 0 ? 197u : 0u); }

uint32_t cvt_scalef32_pk_fp4_f32(uint32_t old, uint32_t s0, uint32_t s1, uint32_t scale, uint32_t byte,
                                 const conversion_options& options) {
  return pack(kF32, old, s0, s1, scale, byte, options);
}

uint32_t cvt_scalef32_pk_fp4_bf16(uint32_t old, uint32_t pair, uint32_t scale, uint32_t byte,
                                  const conversion_options& options) {
  return pack(kBf16, old, low_half(pair), high_half(pair), scale, byte, options);
}

uint32_t cvt_scalef32_pk_fp4_f16(uint32_t old, uint32_t pair, uint32_t scale, uint32_t byte,
                                 const conversion_options& options) {
  return pack(kF16, old, low_half(pair), high_half(pair), scale, byte, options);
}

uint32_t cvt_scalef32_sr_pk_fp4_f32(uint32_t old, uint32_t first, uint32_t second, uint32_t random, uint32_t scale,
                                    uint32_t byte, const conversion_options& options) {
  return pack_stochastic(kF32, old, first, second, random, scale, byte, options);
}

uint32_t cvt_scalef32_sr_pk_fp4_bf16(uint32_t old, uint32_t pair, uint32_t random, uint32_t scale, uint32_t byte,
                                     const conversion_options& options) {
  return pack_stochastic(kBf16, old, low_half(pair), high_half(pair), random, scale, byte, options);
}

uint32_t cvt_scalef32_sr_pk_fp4_f16(uint32_t old, uint32_t pair, uint32_t random, uint32_t scale, uint32_t byte,
                                    const conversion_options& options) {
  return pack_stochastic(kF16, old, low_half(pair), high_half(pair), random, scale, byte, options);
}

result_pair cvt_scalef32_pk_f32_fp4(uint32_t source, uint32_t scale, uint32_t byte, const conversion_options& options) {
  return unpack_byte(kF32, source, scale, byte, options);
}

uint32_t cvt_scalef32_pk_bf16_fp4(uint32_t source, uint32_t scale, uint32_t byte, const conversion_options& options) {
  const result_pair halves = unpack_byte(kBf16, source, scale, byte, options);
  return halves.first | halves.second << 16;
}

uint32_t cvt_scalef32_pk_f16_fp4(uint32_t source, uint32_t scale, uint32_t byte, const conversion_options& options) {
  const result_pair halves = unpack_byte(kF16, source, scale, byte, options);
  return halves.first | halves.second << 16;
}

uint32_t cvt_pk_bf16_f32(uint32_t s0, uint32_t s1, const conversion_options& options) {
  return to_bf16(s0, options) | to_bf16(s1, options) << 16;
}

uint32_t cvt_sr_bf16_f32(uint32_t old, uint32_t s0, uint32_t random, bool high, const conversion_options& options) {
  uint32_t half = s0 >> 16;
  if (is_nan_f32(s0)) {
    half = nan_to_bf16(s0, options);
  } else if (exponent_field(s0) != 0xFF) {
    half = (s0 + (random >> 16)) >> 16;  // a carry runs into the exponent and, from the largest, to Inf
  }
  return high ? (old & 0xFFFF) | half << 16 : (old & 0xFFFF0000) | half;
}

uint32_t cvt_f16_f32(uint32_t s0) {
  const unpacked v = unpack(kF32, s0);
  const auto sign = static_cast<uint32_t>(v.negative ? kF16.sign() : 0);
  if (v.kind == float_class::nan) return sign | static_cast<uint32_t>(kF16.quiet_nan() | v.significand >> 13);
  if (v.kind == float_class::infinite) return sign | static_cast<uint32_t>(kF16.infinity());
  return static_cast<uint32_t>(round_to(kF16, v.negative, v.significand, v.exponent));
}

uint32_t cvt_f32_f16(uint32_t s0) {
  const unpacked v = unpack(kF16, s0 & 0xFFFF);
  const auto sign = static_cast<uint32_t>(v.negative ? kF32.sign() : 0);
  if (v.kind == float_class::nan) return sign | static_cast<uint32_t>(kF32.quiet_nan() | v.significand << 13);
  if (v.kind == float_class::infinite) return sign | static_cast<uint32_t>(kF32.infinity());
  return static_cast<uint32_t>(round_to(kF32, v.negative, v.significand, v.exponent));
}

}  // namespace adahop::hip::sim
