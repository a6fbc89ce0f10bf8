// The FP4 matrix instructions: which products belong to which output, and the exact block sums. A product of two elements
// is a multiple of 1/4, so a block sum is an integer over 4 and exact in any order; all rounding is in mfma_models.cc.
#include <algorithm>
#include <array>
#include <cstring>

#include "sim/numerics/mfma.h"
#include "sim/numerics/mfma_models.h"

namespace adahop::hip::sim {
namespace {

constexpr unsigned kBlock = 32;      // elements of a lane, under one scale
constexpr unsigned kRun = 8;         // elements of equal parity in half a block, in the order in which they are kept
constexpr unsigned kRuns = kBlock / kRun;
constexpr int32_t kNanScale = 255;

// A or B decoded: twice the value of each element and its exponent field. A lane's elements are kept as four runs: even k
// of its first 16 elements, odd k of these, even and odd k of the rest, so that every model finds its groups as whole runs.
struct fp4_operand {
  alignas(16) int16_t value_x2[kWaveLanes][kBlock];
  alignas(16) int16_t exponent[kWaveLanes][kBlock];  // filled for the models that look at products
  int32_t scale[kWaveLanes];                         // the byte
  bool zero[kWaveLanes];                             // every element is +-0
};

// Of each E2M1 code: twice the value, and the exponent with which significands of up to 2 give it (0 for subnormals too).
// Zero has an exponent so low that no product with it counts.
constexpr int16_t kZeroExponent = -16;
constexpr std::array<int16_t, 16> kValueX2 = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
constexpr std::array<int16_t, 8> kExponent = {kZeroExponent, 0, 0, 0, 1, 1, 2, 2};

void decode(source_registers<4> registers, const scale_source* scale, bool with_exponents, fp4_operand& out) {
  for (unsigned lane = 0; lane < kWaveLanes; ++lane) {
    out.scale[lane] = scale ? static_cast<int32_t>(scale->lanes[lane] >> (8 * (scale->byte & 3)) & 0xFF) : 127;
    uint32_t bits = 0;
    for (unsigned r = 0; r < 4; ++r) bits |= registers[r * kWaveLanes + lane];
    out.zero[lane] = (bits & 0x77777777) == 0;
    for (unsigned r = 0; r < 4; ++r) {
      const uint32_t dword = registers[r * kWaveLanes + lane];
      const unsigned even = r / 2 * 16 + r % 2 * 4, odd = even + kRun;
      for (unsigned i = 0; i < 4; ++i) {
        const uint32_t low = dword >> (8 * i) & 15, high = dword >> (8 * i + 4) & 15;
        out.value_x2[lane][even + i] = kValueX2[low];
        out.value_x2[lane][odd + i] = kValueX2[high];
        if (!with_exponents) continue;
        out.exponent[lane][even + i] = kExponent[low & 7];
        out.exponent[lane][odd + i] = kExponent[high & 7];
      }
    }
  }
}

template <unsigned Count>
int32_t dot(const int16_t* a, const int16_t* b) {
  int32_t sum = 0;
  for (unsigned i = 0; i < Count; ++i) sum += a[i] * b[i];
  return sum;
}

// One block pair of one output: the lanes that hold it, and the sum of both scales' exponents.
struct block_pair {
  unsigned a_lane, b_lane;
  int exponent;
};

struct operands {
  fp4_operand a, b;
};

// The exponent of the largest product of a run but for the scales; negative where all are zero.
int largest_exponent(const int16_t* a, const int16_t* b) {
  int16_t largest = 2 * kZeroExponent;
  for (unsigned i = 0; i < kRun; ++i) largest = std::max(largest, static_cast<int16_t>(a[i] + b[i]));
  return largest;
}

// The products of runs `first`, first + step, ... below `end`, counted through all blocks: their aligned, truncated sum.
aligned_sum sum_runs(const operands& of, std::span<const block_pair> blocks, unsigned first, unsigned end, unsigned step) {
  aligned_sum out;
  for (unsigned run = first; run < end; run += step) {
    const block_pair& pair = blocks[run / kRuns];
    const unsigned at = run % kRuns * kRun;
    const int largest = largest_exponent(of.a.exponent[pair.a_lane] + at, of.b.exponent[pair.b_lane] + at);
    if (largest < 0) continue;
    out.exponent = out.any ? std::max(out.exponent, largest + pair.exponent) : largest + pair.exponent;
    out.any = true;
  }
  if (!out.any) return out;
  for (unsigned run = first; run < end; run += step) {
    const block_pair& pair = blocks[run / kRuns];
    const int16_t* const a = of.a.value_x2[pair.a_lane] + run % kRuns * kRun;
    const int16_t* const b = of.b.value_x2[pair.b_lane] + run % kRuns * kRun;
    // A product is the integer a[i] * b[i] times 2^(pair.exponent - 2), wanted in units of 2^(out.exponent - 24).
    const int shift = pair.exponent - 2 - (out.exponent - 24);
    if (shift >= 0) {  // nothing is truncated; more than 22 only where all products are zero
      out.sum += int64_t{dot<kRun>(a, b)} << std::min(shift, 22);
    } else if (shift > -8) {  // |product| <= 144
      for (unsigned i = 0; i < kRun; ++i) {
        const int product = a[i] * b[i];
        const int magnitude = (product < 0 ? -product : product) >> -shift;
        out.sum += product < 0 ? -magnitude : magnitude;
      }
    }
  }
  return out;
}

// Products of 2^128 and more, which the CDNA3 models take for Inf, in runs `first` to end - 1.
void add_infinite_products(const operands& of, std::span<const block_pair> blocks, unsigned first, unsigned end,
                           special_sum& into) {
  for (unsigned run = first; run < end; ++run) {
    const block_pair& pair = blocks[run / kRuns];
    if (pair.exponent < 123) continue;  // |product| <= 144, and 144 * 2^(122 - 2) < 2^128
    for (unsigned i = run % kRuns * kRun; i < (run % kRuns + 1) * kRun; ++i) {
      const int product = of.a.value_x2[pair.a_lane][i] * of.b.value_x2[pair.b_lane][i];
      if (product != 0 && top_bit(static_cast<uint64_t>(product < 0 ? -product : product)) + pair.exponent - 2 >= 128)
        into.infinite(product < 0);
    }
  }
}

uint32_t cdna3(const operands& of, std::span<const block_pair> blocks, uint32_t c, const mfma_options& options) {
  const auto all = static_cast<unsigned>(blocks.size()) * kRuns;
  const unsigned group = std::min(all, options.group / kRun);
  special_sum special;
  const unpacked start = unpack(kF32, c);
  if (start.kind == float_class::infinite) special.infinite(start.negative);
  for (unsigned first = 0; first < all; first += group) {
    const unsigned end = first + group;
    add_infinite_products(of, blocks, first, end, special);
    if (special.any()) continue;  // an Inf stays until a NaN replaces it
    c = options.combine == mfma_combine::trfdpa
            ? trfdpa_f32(sum_runs(of, blocks, first, end, 1), c)
            : gtrfdpa_f32(sum_runs(of, blocks, first, end, 2), sum_runs(of, blocks, first + 1, end, 2), c);
    const unpacked now = unpack(kF32, c);
    if (now.kind == float_class::infinite) special.infinite(now.negative);
  }
  return special.any() ? special.result(options.nan) : c;
}

uint32_t block_models(std::span<const block_term> terms, uint32_t c, const mfma_options& options) {
  const auto infinite = [](uint32_t x) { return (x & 0x7FFFFFFF) == 0x7F800000; };
  if (options.combine == mfma_combine::seq) return seq_f32(terms, c, options.nan);
  if (options.combine == mfma_combine::fused) return infinite(c) ? c : fused_f32(terms, c);
  const size_t group = std::min<size_t>(options.group, terms.size());
  for (size_t first = 0; first < terms.size() && !infinite(c); first += group)
    c = block_first_f32(terms.subspan(first, group), c);
  return c;
}

// Both shapes: Rows x Rows outputs, 64 / Rows blocks of k.
template <unsigned Rows>
void multiply(source_registers<4> a_registers, source_registers<4> b_registers, source_registers<Rows * Rows / 64> c,
              const scale_source* scale_a, const scale_source* scale_b, result_registers<Rows * Rows / 64> d,
              const mfma_options& options) {
  constexpr unsigned kBlocks = kWaveLanes / Rows;
  const bool by_product = options.combine == mfma_combine::trfdpa || options.combine == mfma_combine::gtrfdpa;
  operands of;
  decode(a_registers, scale_a, by_product, of.a);
  decode(b_registers, scale_b, by_product, of.b);

  uint32_t out[Rows * Rows];
  for (unsigned index = 0; index < Rows * Rows; ++index) {
    // Register r of lane l: groups of 4 rows go to successive lane groups, then to the next four registers.
    const unsigned r = index / kWaveLanes, lane = index % kWaveLanes;
    const unsigned column = lane % Rows;
    const unsigned row = r / 4 * (4 * kBlocks) + 4 * (lane / Rows) + r % 4;
    const uint32_t start = c[index];
    bool nan = (start & 0x7FFFFFFF) > 0x7F800000;
    std::array<block_pair, kBlocks> pairs;
    std::array<block_term, kBlocks> terms;
    for (unsigned block = 0; block < kBlocks; ++block) {
      const unsigned la = row + Rows * block, lb = column + Rows * block;
      if (options.nan_scale == mfma_nan_scale::result_nan)
        nan |= of.a.scale[la] == kNanScale || of.b.scale[lb] == kNanScale;
      const int exponent = of.a.scale[la] + of.b.scale[lb] - 2 * 127;
      if (by_product)
        pairs[block] = {la, lb, exponent};
      else
        terms[block] = {of.a.zero[la] || of.b.zero[lb] ? 0 : dot<kBlock>(of.a.value_x2[la], of.b.value_x2[lb]), exponent};
    }
    out[index] = nan ? options.nan : by_product ? cdna3(of, pairs, start, options) : block_models(terms, start, options);
  }
  std::memcpy(d.data(), out, sizeof out);
}

}  // namespace

void mfma_scale_f32_16x16x128_fp4(source_registers<4> a, source_registers<4> b, source_registers<4> c, scale_source scale_a,
                                  scale_source scale_b, result_registers<4> d, const mfma_options& options) {
  multiply<16>(a, b, c, &scale_a, &scale_b, d, options);
}

void mfma_scale_f32_32x32x64_fp4(source_registers<4> a, source_registers<4> b, source_registers<16> c, scale_source scale_a,
                                 scale_source scale_b, result_registers<16> d, const mfma_options& options) {
  multiply<32>(a, b, c, &scale_a, &scale_b, d, options);
}

void mfma_f32_16x16x128_fp4(source_registers<4> a, source_registers<4> b, source_registers<4> c, result_registers<4> d,
                            const mfma_options& options) {
  multiply<16>(a, b, c, nullptr, nullptr, d, options);
}

void mfma_f32_32x32x64_fp4(source_registers<4> a, source_registers<4> b, source_registers<16> c, result_registers<16> d,
                           const mfma_options& options) {
  multiply<32>(a, b, c, nullptr, nullptr, d, options);
}

}  // namespace adahop::hip::sim
