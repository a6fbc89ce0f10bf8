// The BF16 matrix instructions: which products belong to which output, and how each model sums them. A product of two BF16
// numbers is exact in FP32 but for its exponent.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "sim/numerics/mfma.h"
#include "sim/numerics/mfma_models.h"

namespace adahop::hip::sim {
namespace {

constexpr unsigned kMostPerLane = 8;
constexpr unsigned kTrfdpaGroup = 8;

// One element: its value, and significand * 2^exponent of the finite ones with an 8-bit significand that is not
// normalized.
struct bf16_element {
  float value;
  float_class kind;
  bool negative;
  int32_t significand;  // with the sign
  int32_t exponent;
};

using bf16_operand = std::array<std::array<bf16_element, kMostPerLane>, kWaveLanes>;

void decode(std::span<const uint32_t> registers, unsigned per_lane, bf16_operand& out) {
  for (unsigned lane = 0; lane < kWaveLanes; ++lane)
    for (unsigned j = 0; j < per_lane; ++j) {
      const uint32_t bits = registers[j / 2 * kWaveLanes + lane] >> (16 * (j % 2)) & 0xFFFF;
      const unpacked v = unpack(kBf16, bits);
      const auto significand = static_cast<int32_t>(v.significand);
      out[lane][j] = {std::bit_cast<float>(bits << 16), v.kind, v.negative, v.negative ? -significand : significand, v.exponent};
    }
}

// A product of which one operand is not finite.
void add_special(const bf16_element& x, const bf16_element& y, special_sum& into) {
  const bool infinite = x.kind == float_class::infinite || y.kind == float_class::infinite;
  const bool zero = x.kind == float_class::zero || y.kind == float_class::zero;
  if (x.kind == float_class::nan || y.kind == float_class::nan || (infinite && zero))
    into.nan = true;
  else if (infinite)
    into.infinite(x.negative != y.negative);
}

// One output: element k of the row of A and of the column of B, k ascending.
struct product_row {
  const bf16_operand& a;
  const bf16_operand& b;
  unsigned row, column, rows, per_lane;

  unsigned size() const { return kWaveLanes / rows * per_lane; }
  const bf16_element& left(unsigned k) const { return a[row + k / per_lane * rows][k % per_lane]; }
  const bf16_element& right(unsigned k) const { return b[column + k / per_lane * rows][k % per_lane]; }
};

uint32_t fma_chain(const product_row& of, uint32_t c) {
  auto acc = std::bit_cast<float>(c);
  for (unsigned lane = 0; lane < kWaveLanes / of.rows; ++lane) {
    const bf16_element* const a = of.a[of.row + lane * of.rows].data();
    const bf16_element* const b = of.b[of.column + lane * of.rows].data();
    for (unsigned j = 0; j < of.per_lane; ++j) acc = std::fma(a[j].value, b[j].value, acc);
  }
  return std::bit_cast<uint32_t>(acc);
}

void add_c(uint32_t c, special_sum& into) {
  const unpacked v = unpack(kF32, c);
  if (v.kind == float_class::nan) into.nan = true;
  if (v.kind == float_class::infinite) into.infinite(v.negative);
}

uint32_t sum_exactly(const product_row& of, uint32_t c, uint32_t nan) {
  special_sum special;
  add_c(c, special);
  for (unsigned k = 0; k < of.size(); ++k) add_special(of.left(k), of.right(k), special);
  if (special.any()) return special.result(nan);

  exact_sum sum;
  const unpacked start = unpack(kF32, c);
  const auto significand = static_cast<int64_t>(start.significand);
  sum.add(start.negative ? -significand : significand, start.exponent);
  for (unsigned k = 0; k < of.size(); ++k) {
    const bf16_element &x = of.left(k), &y = of.right(k);
    const int64_t product = x.significand * y.significand;
    if (product != 0) sum.add(product, x.exponent + y.exponent);
  }
  return sum.round_f32();
}

// SPEC 10.15 over products `first` to first + 7: in exponents of significands in [1, 2), which are 7 above those of
// bf16_element, a product has 14 fraction bits.
uint32_t trfdpa_group(const product_row& of, unsigned first, uint32_t c, uint32_t nan) {
  special_sum special;
  add_c(c, special);
  aligned_sum out;
  for (unsigned k = first; k < first + kTrfdpaGroup; ++k) {
    const bf16_element &x = of.left(k), &y = of.right(k);
    add_special(x, y, special);
    const int32_t product = x.significand * y.significand;
    if (x.kind != float_class::finite || y.kind != float_class::finite) continue;
    const auto magnitude = static_cast<uint64_t>(product < 0 ? -product : product);
    if (top_bit(magnitude) + x.exponent + y.exponent >= 128) special.infinite(product < 0);
    const int exponent = x.exponent + y.exponent + 14;
    out.exponent = out.any ? std::max(out.exponent, exponent) : exponent;
    out.any = true;
  }
  if (special.any()) return special.result(nan);
  for (unsigned k = first; k < first + kTrfdpaGroup; ++k) {
    const bf16_element &x = of.left(k), &y = of.right(k);
    const int64_t product = x.significand * y.significand;
    const int shift = x.exponent + y.exponent - (out.exponent - 24);  // at most 10
    if (product == 0 || shift < -63) continue;
    const int64_t magnitude = product < 0 ? -product : product;
    const int64_t aligned = shift >= 0 ? magnitude << shift : magnitude >> -shift;
    out.sum += product < 0 ? -aligned : aligned;
  }
  return trfdpa_f32(out, c);
}

uint32_t output(const product_row& of, uint32_t c, const mfma_options& options) {
  switch (options.bf16) {
    case bf16_combine::fma_chain: c = fma_chain(of, c); break;
    case bf16_combine::exact_sum: c = sum_exactly(of, c, options.nan); break;
    case bf16_combine::trfdpa_8:
      for (unsigned k = 0; k < of.size(); k += kTrfdpaGroup) c = trfdpa_group(of, k, c, options.nan);
      break;
  }
  return (c & 0x7FFFFFFF) > 0x7F800000 ? options.nan : c;
}

template <unsigned Rows>
void multiply(std::span<const uint32_t> a_registers, std::span<const uint32_t> b_registers, unsigned per_lane,
              source_registers<Rows * Rows / 64> c, result_registers<Rows * Rows / 64> d, const mfma_options& options) {
  bf16_operand a, b;
  decode(a_registers, per_lane, a);
  decode(b_registers, per_lane, b);
  uint32_t out[Rows * Rows];
  for (unsigned index = 0; index < Rows * Rows; ++index) {
    const unsigned r = index / kWaveLanes, lane = index % kWaveLanes;
    const unsigned row = r / 4 * (4 * kWaveLanes / Rows) + 4 * (lane / Rows) + r % 4;
    out[index] = output({a, b, row, lane % Rows, Rows, per_lane}, c[index], options);
  }
  std::memcpy(d.data(), out, sizeof out);
}

}  // namespace

void mfma_f32_16x16x32_bf16(source_registers<4> a, source_registers<4> b, source_registers<4> c, result_registers<4> d,
                            const mfma_options& options) {
  multiply<16>(a, b, 8, c, d, options);
}

void mfma_f32_32x32x16_bf16(source_registers<4> a, source_registers<4> b, source_registers<16> c, result_registers<16> d,
                            const mfma_options& options) {
  multiply<32>(a, b, 8, c, d, options);
}

void mfma_f32_16x16x16_bf16(source_registers<2> a, source_registers<2> b, source_registers<4> c, result_registers<4> d,
                            const mfma_options& options) {
  multiply<16>(a, b, 4, c, d, options);
}

void mfma_f32_32x32x8_bf16(source_registers<2> a, source_registers<2> b, source_registers<16> c, result_registers<16> d,
                           const mfma_options& options) {
  multiply<32>(a, b, 4, c, d, options);
}

}  // namespace adahop::hip::sim
