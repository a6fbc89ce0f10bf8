// How an emulated scaled FP4 matrix instruction combines its K blocks with C for one output, by choice: nobody has
// published how gfx950 does. Implements SPEC 10.12-10.17 on what one instruction multiplies.
#pragma once
#include "adahop/formats/e2m1.h"
#include "adahop/formats/e8m0.h"
#include "arch/ops.h"
#include "arch/portable/wide_sum.h"

namespace adahop::hip {

/// A lane's block as E2M1 fields: element = significand_x2 / 2 * 2^exponent; 0.5 has exponent 0 and significand_x2 1.
struct block_fields {
  int8_t significand_x2[32];
  int8_t exponent[32];
  int32_t scale_byte;
};

ADAHOP_DEVICE_FN void split_block(const scaled_block& block, block_fields& out) {
  for (uint32_t i = 0; i < 32; ++i) {
    const uint32_t code = (block.codes.words[i / 8] >> (4 * (i % 8))) & 15u;
    const uint32_t field = (code >> 1) & 3u;
    const int32_t significand = static_cast<int32_t>((field != 0 ? 2u : 0u) + (code & 1u));
    out.significand_x2[i] = static_cast<int8_t>((code & 8u) != 0 ? -significand : significand);
    out.exponent[i] = static_cast<int8_t>(field != 0 ? field - 1 : 0);
  }
  out.scale_byte = static_cast<int32_t>(block.scale_byte);
}

/// A block of A and one of B that meet in an output.
struct block_pair {
  const block_fields* a;
  const block_fields* b;

  ADAHOP_DEVICE_FN bool is_nan() const { return a->scale_byte == kE8m0Nan || b->scale_byte == kE8m0Nan; }
  /// Exponent of the product of the scales.
  ADAHOP_DEVICE_FN int32_t exponent() const { return a->scale_byte + b->scale_byte - 2 * kE8m0Bias; }
  /// Product i is significand_x4 / 4 * 2^exponent.
  ADAHOP_DEVICE_FN int32_t significand_x4(uint32_t i) const { return a->significand_x2[i] * b->significand_x2[i]; }
  ADAHOP_DEVICE_FN int32_t exponent(uint32_t i) const { return a->exponent[i] + b->exponent[i] + exponent(); }
  /// S of SPEC 10.1.
  ADAHOP_DEVICE_FN int32_t dot_x4() const {
    int32_t sum = 0;
    for (uint32_t i = 0; i < 32; ++i) sum += significand_x4(i) * (1 << (a->exponent[i] + b->exponent[i]));
    return sum;
  }
};

/// An FP32 as significand * 2^(exponent - 23), exponent -126 for zero and subnormals.
struct float_fields {
  int64_t significand;
  int32_t exponent;
};

ADAHOP_DEVICE_FN float_fields split_float(float v) {
  const uint32_t bits = bits_of(v);
  const int32_t field = static_cast<int32_t>((bits >> 23) & 0xFFu);
  const int64_t magnitude = static_cast<int64_t>(bits & 0x007FFFFFu) + (field != 0 ? 0x00800000 : 0);
  return {(bits >> 31) != 0 ? -magnitude : magnitude, field != 0 ? field - 127 : -126};
}

ADAHOP_DEVICE_FN bool is_finite_float(float v) { return (bits_of(v) & 0x7F800000u) != 0x7F800000u; }

/// v * 2^-places, rounded down.
ADAHOP_DEVICE_FN int64_t floor_shift(int64_t v, int32_t places) {
  return places < 0 ? v * (int64_t{1} << -places) : v >> (places < 63 ? places : 63);
}

/// v * 2^-places, rounded toward zero; places >= 0.
ADAHOP_DEVICE_FN int64_t truncate_shift(int64_t v, int32_t places) {
  return v < 0 ? -floor_shift(-v, places) : floor_shift(v, places);
}

// ---- Whole blocks ----

/// SPEC 10.12 with the blocks of one instruction for the group.
ADAHOP_DEVICE_FN float combine_fused(float acc, const block_pair* blocks, uint32_t count) {
  if (!is_finite_float(acc)) return acc;
  wide_sum sum;
  const float_fields c = split_float(acc);
  sum.add(c.significand, c.exponent - 23);
  for (uint32_t i = 0; i < count; ++i) sum.add(blocks[i].dot_x4(), blocks[i].exponent() - 2);
  return sum.round();
}

/// SPEC 10.13.
ADAHOP_DEVICE_FN float combine_seq(float acc, const block_pair* blocks, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    wide_sum term;
    term.add(blocks[i].dot_x4(), blocks[i].exponent() - 2);
    acc = acc + term.round();
  }
  return acc;
}

/// SPEC 10.17 on one group.
ADAHOP_DEVICE_FN float combine_block_first(float acc, const block_pair* blocks, uint32_t count) {
  if (!is_finite_float(acc)) return acc;
  const float_fields c = split_float(acc);
  int32_t top = c.exponent;
  for (uint32_t i = 0; i < count; ++i)
    if (blocks[i].dot_x4() != 0 && blocks[i].exponent() > top) top = blocks[i].exponent();
  int64_t total = truncate_shift(2 * c.significand, top - c.exponent);  // units of 2^(top - 24)
  for (uint32_t i = 0; i < count; ++i) {
    const int64_t dot = blocks[i].dot_x4();
    if (dot != 0) total += truncate_shift(dot * (1 << 22), top - blocks[i].exponent());
  }
  wide_sum sum;
  sum.add(total, top - 24);
  return sum.round();
}

// ---- Products one by one ----

inline constexpr int32_t kNoExponent = -0x10000;

/// Sum of products, in units of 2^(exponent - 24); no exponent where every product is zero.
struct aligned_sum {
  int64_t sum;
  int32_t exponent;
};

/// Products first, first + step, ... below `end` of the instruction, each truncated toward zero to 24 fraction bits at
/// the largest exponent among them.
ADAHOP_DEVICE_FN aligned_sum sum_products(const block_pair* blocks, uint32_t first, uint32_t end, uint32_t step) {
  aligned_sum out = {0, kNoExponent};
  for (uint32_t k = first; k < end; k += step) {
    const block_pair& pair = blocks[k / 32];
    if (pair.significand_x4(k % 32) != 0 && pair.exponent(k % 32) > out.exponent) out.exponent = pair.exponent(k % 32);
  }
  for (uint32_t k = first; k < end; k += step) {
    const block_pair& pair = blocks[k / 32];
    const int64_t significand_x4 = pair.significand_x4(k % 32);
    if (significand_x4 == 0) continue;
    out.sum += truncate_shift(significand_x4 * (1 << 22), out.exponent - pair.exponent(k % 32));
  }
  return out;
}

/// The special cases of SPEC 10.15: sets `out` and returns true where acc or a product of 2^128 or more decides.
ADAHOP_DEVICE_FN bool decided_by_infinity(float acc, const block_pair* blocks, uint32_t first, uint32_t end,
                                          float& out) {
  const uint32_t acc_bits = bits_of(acc);
  out = acc;
  if ((acc_bits & 0x7FFFFFFFu) > 0x7F800000u) return true;
  bool positive = acc_bits == 0x7F800000u;
  bool negative = acc_bits == 0xFF800000u;
  for (uint32_t k = first; k < end; ++k) {
    const int32_t significand_x4 = blocks[k / 32].significand_x4(k % 32);
    const uint32_t magnitude = static_cast<uint32_t>(significand_x4 < 0 ? -significand_x4 : significand_x4);
    if (magnitude == 0) continue;
    const int32_t leading = 31 - __builtin_clz(magnitude) - 2 + blocks[k / 32].exponent(k % 32);
    positive = positive || (leading >= 128 && significand_x4 > 0);
    negative = negative || (leading >= 128 && significand_x4 < 0);
  }
  if (!positive && !negative) return false;
  out = float_of(positive && negative ? kCanonicalNan : positive ? 0x7F800000u : 0xFF800000u);
  return true;
}

/// The end of SPEC 10.15: the products' sum, floored to 32 fraction bits, and C, floored to 24, at the larger exponent;
/// their sum floored to 31 fraction bits of its own and rounded to FP32. C counts as 0 where its exponent is more than
/// `lost_below` smaller.
ADAHOP_DEVICE_FN float add_to_c(aligned_sum products, float acc, int32_t lost_below) {
  const float_fields c = split_float(acc);
  const int32_t top = products.exponent > c.exponent ? products.exponent : c.exponent;
  int64_t total = products.exponent == kNoExponent ? 0 : floor_shift(products.sum, top - products.exponent - 8);
  if (c.exponent >= top - lost_below) total += floor_shift(2 * c.significand, top - c.exponent) * (1 << 8);
  const uint64_t magnitude = static_cast<uint64_t>(total < 0 ? -total : total);
  const int32_t excess = magnitude >> 32 == 0 ? 0 : 32 - __builtin_clz(static_cast<uint32_t>(magnitude >> 32));
  wide_sum sum;
  sum.add(floor_shift(total, excess), top - 32 + excess);
  return sum.round();
}

/// SPEC 10.14, 10.15 on the products first to end - 1 of the instruction.
ADAHOP_DEVICE_FN float combine_trfdpa(float acc, const block_pair* blocks, uint32_t first, uint32_t end) {
  float special;
  if (decided_by_infinity(acc, blocks, first, end, special)) return special;
  return add_to_c(sum_products(blocks, first, end, 1), acc, 0x10000);
}

/// SPEC 10.16 likewise.
ADAHOP_DEVICE_FN float combine_gtrfdpa(float acc, const block_pair* blocks, uint32_t first, uint32_t end) {
  float special;
  if (decided_by_infinity(acc, blocks, first, end, special)) return special;
  const aligned_sum even = sum_products(blocks, first, end, 2);
  const aligned_sum odd = sum_products(blocks, first + 1, end, 2);
  aligned_sum both = {0, even.exponent > odd.exponent ? even.exponent : odd.exponent};
  if (even.exponent != kNoExponent) both.sum += floor_shift(even.sum, both.exponent - even.exponent);
  if (odd.exponent != kNoExponent) both.sum += floor_shift(odd.sum, both.exponent - odd.exponent);
  return add_to_c(both, acc, 25);
}

/// C and the `count` blocks of one instruction, in ascending k.
ADAHOP_DEVICE_FN float combine(const mfma_model& model, float acc, const block_pair* blocks, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (blocks[i].is_nan()) return float_of(kCanonicalNan);
  const uint32_t products = 32 * count;
  const auto group = static_cast<uint32_t>(model.group);
  switch (model.combine) {
    case mfma_combine::fused: return combine_fused(acc, blocks, count);
    case mfma_combine::seq: return combine_seq(acc, blocks, count);
    case mfma_combine::trfdpa:
      for (uint32_t k = 0; k < products; k += group) acc = combine_trfdpa(acc, blocks, k, k + group);
      return acc;
    case mfma_combine::gtrfdpa:
      for (uint32_t k = 0; k < products; k += group) acc = combine_gtrfdpa(acc, blocks, k, k + group);
      return acc;
    case mfma_combine::block_first:
      for (uint32_t i = 0; i < count; i += group) acc = combine_block_first(acc, blocks + i, group);
      return acc;
  }
  return acc;
}

}  // namespace adahop::hip
