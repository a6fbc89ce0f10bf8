// E2M1, E8M0 and the quantization of a block by exact comparison. Implements SPEC chapters 2 and 5.
#include "mxfp4.h"

namespace independent {
namespace {

constexpr long kScaleBias = 127;

/// The exponent x of the scale 2^x that the rule means for a block with largest absolute value amax > 0.
long scale_exponent(const rational& amax, scale_rule rule) {
  const long k = amax.floor_log2();  // 2^k <= amax < 2^(k+1)
  switch (rule) {
    case scale_rule::floor:
      return k - 2;
    case scale_rule::ceil:
      return (amax == power_of_two(k) ? k : k + 1) - 2;
    case scale_rule::even:
      return (amax >= rational(7).scaled(k - 2) ? k + 1 : k) - 2;  // 7/4 * 2^k
    case scale_rule::rceil: {
      long x = k - 3;  // 6 * 2^(k-3) < 2^k <= amax: too small
      while (rational(6).scaled(x) < amax) ++x;
      return x;
    }
  }
  return 0;
}

}  // namespace

rational value_of_code(uint8_t code) {
  static const std::array<rational, 8> magnitudes = {
      rational(0), rational(1).scaled(-1), rational(1), rational(3).scaled(-1),
      rational(2), rational(3),            rational(4), rational(6)};
  const rational& magnitude = magnitudes[code & 7u];
  return (code & 8u) != 0 ? rational(0) - magnitude : magnitude;
}

rational value_of_scale(uint8_t byte) { return power_of_two(long{byte} - kScaleBias); }

uint32_t decode_fp32(uint8_t code, uint8_t byte) {
  if (byte == kNanScale) return kNanBits;
  if ((code & 7u) == 0) return (code & 8u) != 0 ? kSignBit : 0u;
  return round_to_fp32(value_of_code(code) * value_of_scale(byte));
}

uint16_t decode_bf16(uint8_t code, uint8_t byte) {
  if (byte == kNanScale) return static_cast<uint16_t>(kNanBits >> 16);
  if ((code & 7u) == 0) return static_cast<uint16_t>((code & 8u) != 0 ? kSignBit >> 16 : 0u);
  return round_to_bf16(value_of_code(code) * value_of_scale(byte));
}

uint8_t scale_for(uint32_t amax_bits, scale_rule rule, int min_scale_byte) {
  long byte = 0;
  if (!is_zero(amax_bits)) byte = scale_exponent(value_of(amax_bits).magnitude(), rule) + kScaleBias;
  if (byte < 0) byte = 0;
  if (byte < min_scale_byte) byte = min_scale_byte;
  return static_cast<uint8_t>(byte);
}

uint8_t nearest_code(uint32_t bits, uint8_t byte) {
  const rational quotient = value_of(bits).magnitude().scaled(kScaleBias - long{byte});
  uint8_t best = 0;
  rational best_distance = quotient;
  for (uint8_t code = 1; code < 8; ++code) {
    const rational distance = (quotient - value_of_code(code)).magnitude();
    if (distance < best_distance || (distance == best_distance && code % 2 == 0)) {
      best = code;
      best_distance = distance;
    }
  }
  return static_cast<uint8_t>(is_negative(bits) ? best | 8u : best);
}

std::array<uint32_t, 7> code_thresholds(uint8_t byte) {
  std::array<uint32_t, 7> thresholds{};
  for (uint8_t code = 0; code < 7; ++code) {
    uint32_t low = 0, high = kInfBits;  // nearest_code(low) <= code; high is above it or Inf
    while (high - low > 1) {
      const uint32_t middle = low + (high - low) / 2;
      (nearest_code(middle, byte) <= code ? low : high) = middle;
    }
    thresholds[code] = high;
  }
  return thresholds;
}

quantized_block quantize_block(const uint32_t* bits, scale_rule rule, int min_scale_byte) {
  quantized_block out{};
  uint32_t amax = 0;
  for (int i = 0; i < kBlock; ++i) {
    if (!is_finite(bits[i])) {
      out.codes.fill(0);
      out.scale = kNanScale;
      return out;
    }
    const uint32_t magnitude = bits[i] & ~kSignBit;
    if (value_of(magnitude) > value_of(amax)) amax = magnitude;
  }
  out.scale = scale_for(amax, rule, min_scale_byte);
  const rational limit = rational(6) * value_of_scale(out.scale);
  for (int i = 0; i < kBlock; ++i) {
    out.codes[static_cast<size_t>(i)] = nearest_code(bits[i], out.scale);
    if (value_of(bits[i]).magnitude() > limit) ++out.clipped;
  }
  return out;
}

mx_tensor quantize(const fp32_matrix& x, scale_rule rule, int min_scale_byte) {
  mx_tensor out;
  out.outer = x.rows;
  out.inner = x.cols;
  for (int row = 0; row < x.rows; ++row)
    for (int start = 0; start < x.cols; start += kBlock) {
      const quantized_block block = quantize_block(&x.bits[x.index(row, start)], rule, min_scale_byte);
      out.codes.insert(out.codes.end(), block.codes.begin(), block.codes.end());
      out.scales.push_back(block.scale);
      out.clipped += block.clipped;
    }
  return out;
}

long first_nonfinite(const fp32_matrix& x) {
  for (size_t i = 0; i < x.bits.size(); ++i)
    if (!is_finite(x.bits[i])) return static_cast<long>(i);
  return -1;
}

}  // namespace independent
