// Hand-made tensors of the edge cases.
#include "conformance/suites/edge_tensors.h"

#include <algorithm>
#include <array>

#include "adahop/tensor.h"
#include "conformance/suites/random.h"

namespace adahop::conformance {
namespace {

// Mantissas at and next to the boundaries of the rules: ceil (0), rceil (1.5), even (1.75), and the largest.
constexpr std::array<uint32_t, 10> kMantissas{0x000000u, 0x000001u, 0x200000u, 0x3FFFFFu, 0x400000u,
                                              0x400001u, 0x5FFFFFu, 0x600000u, 0x600001u, 0x7FFFFFu};
// 0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5: halfway between neighbours of the E2M1 grid.
constexpr std::array<uint32_t, 7> kTies{0x3E800000u, 0x3F400000u, 0x3FA00000u, 0x3FE00000u,
                                        0x40200000u, 0x40600000u, 0x40A00000u};

// `bits` times 2^power, positive; below the normal range the significand is shifted, what falls off is lost.
uint32_t scaled(uint32_t bits, int power) {
  const int exponent = static_cast<int>(bits >> 23) + power;
  const uint32_t significand = 0x800000u | (bits & 0x7FFFFFu);
  if (exponent >= 255) return 0;
  if (exponent >= 1) return static_cast<uint32_t>(exponent) << 23 | (bits & 0x7FFFFFu);
  return exponent > -23 ? significand >> (1 - exponent) : 0;
}

// The 31 companions of an amax with exponent field e: ties at scale 2^(e-2-127) with both neighbours, then ties at
// twice that scale, signs alternating; what would be above amax becomes zero.
std::vector<uint32_t> companions(uint32_t exponent, uint32_t amax) {
  std::vector<uint32_t> bits;
  const int power = static_cast<int>(exponent) - 2 - 127;
  for (const uint32_t tie : kTies)
    for (const int step : {-1, 0, 1}) bits.push_back(scaled(tie, power) + static_cast<uint32_t>(step));
  for (const uint32_t tie : kTies) bits.push_back(scaled(tie, power + 1));
  bits.insert(bits.end(), {0x00000001u, 0x00000000u, amax});
  for (size_t i = 0; i < bits.size(); ++i) {
    if (bits[i] > amax) bits[i] = 0;
    if (i % 2 == 1) bits[i] |= 0x80000000u;
  }
  return bits;
}

// RNE to 24 bits of m / 2^23 * c / 2^23 with c the significand of 1/sqrt(32); m in [2^23, 2^24).
uint32_t times_inverse_root(uint32_t m) {
  const uint64_t product = uint64_t{m} * 0xB504F3u;  // in [2^46, 2^48)
  const int drop = product >> 47 != 0 ? 24 : 23;
  const uint64_t half = uint64_t{1} << (drop - 1), rest = product & (2 * half - 1);
  uint64_t kept = product >> drop;
  if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  return static_cast<uint32_t>(kept);
}

mx_input input_of(mx_matrix m, std::string name) {
  auto owner = std::make_shared<mx_matrix>(std::move(m));
  const adahop_mx view = view_of(*owner);
  return {std::move(name), view, std::move(owner)};
}

mx_input side_by_side(const mx_input& x, uint8_t flip) {
  const adahop_mx& v = x.mx;
  mx_matrix m(v.outer, 2 * v.inner);
  for (int64_t r = 0; r < v.outer; ++r) {
    const uint8_t* codes = v.codes + r * v.codes_stride;
    const uint8_t* scales = v.scales + r * v.scales_stride;
    for (int64_t i = 0; i < v.inner; ++i)
      m.codes[static_cast<size_t>(r * v.inner + i)] =
          i < v.inner / 2 ? codes[i] : static_cast<uint8_t>(codes[i - v.inner / 2] ^ flip);
    const int64_t blocks = v.inner / kBlockSize;
    for (int64_t i = 0; i < 2 * blocks; ++i) m.scales[static_cast<size_t>(2 * r * blocks + i)] = scales[i % blocks];
  }
  return input_of(std::move(m), x.name + (flip != 0 ? ", then its negative" : ", twice"));
}

}  // namespace

std::shared_ptr<const tensor> amax_ladder() {
  const auto blocks = static_cast<int64_t>(kMantissas.size());
  auto t = std::make_shared<tensor>(ADAHOP_F32, 255, blocks * kBlockSize, blocks * kBlockSize);
  for (uint32_t exponent = 0; exponent < 255; ++exponent) {
    for (int64_t b = 0; b < blocks; ++b) {
      const uint32_t amax = exponent << 23 | kMantissas[static_cast<size_t>(b)];
      const std::vector<uint32_t> others = companions(exponent, amax);
      t->set_bits(exponent, b * kBlockSize, amax);
      for (size_t i = 0; i < others.size(); ++i)
        t->set_bits(exponent, b * kBlockSize + 1 + static_cast<int64_t>(i), others[i]);
    }
  }
  return t;
}

std::shared_ptr<const tensor> blocks_of(const std::vector<std::vector<uint32_t>>& bits) {
  auto t = std::make_shared<tensor>(ADAHOP_F32, static_cast<int64_t>(bits.size()), kBlockSize, kBlockSize);
  for (size_t r = 0; r < bits.size(); ++r)
    for (size_t c = 0; c < kBlockSize; ++c)
      t->set_bits(static_cast<int64_t>(r), static_cast<int64_t>(c), c < bits[r].size() ? bits[r][c] : 0u);
  return t;
}

std::shared_ptr<const tensor> unit_vectors() {
  std::vector<std::vector<uint32_t>> rows;
  for (const uint32_t magnitude : {0x3F800000u, 0x80010000u, 0xFF7F0000u}) {
    for (size_t i = 0; i < kBlockSize; ++i) {
      rows.emplace_back(kBlockSize, 0u);
      rows.back()[i] = magnitude;
    }
  }
  return blocks_of(rows);
}

std::shared_ptr<const tensor> butterfly_edges() {
  constexpr uint32_t kOne = 0x3F800000u, kMinus = 0x80000000u, kHuge = 0x7F000000u, kInf = 0x7F800000u;
  std::vector<std::vector<uint32_t>> rows;
  rows.emplace_back(kBlockSize, kMinus);  // -0 everywhere
  rows.emplace_back(kBlockSize, kOne);    // cancels in all outputs but one
  rows.emplace_back(kBlockSize, kOne | kMinus);
  rows.emplace_back(kBlockSize, kHuge);  // overflows
  rows.emplace_back(kBlockSize, 0x7EFF0000u);
  rows.emplace_back(kBlockSize, 0x00010000u);  // subnormals
  rows.emplace_back(kBlockSize, 0x00000001u);
  rows.emplace_back(kBlockSize, kHuge);  // Inf - Inf
  for (size_t i = 0; i < kBlockSize; i += 2) rows.back()[i] |= kMinus;
  rows.emplace_back();  // 0, 1, ... 31
  for (uint32_t i = 0; i < kBlockSize; ++i) rows.back().push_back(bits_of(static_cast<float>(i)));
  for (const uint32_t special : {kInf, kInf | kMinus, 0x7FC00000u, 0xFFC10000u, 0x7F810000u}) {
    for (const size_t at : {size_t{0}, size_t{5}, size_t{31}}) {
      rows.emplace_back(kBlockSize, kOne);
      rows.back()[at] = special;
    }
  }
  return blocks_of(rows);
}

std::shared_ptr<const tensor> bf16_tie_transforms() {
  std::vector<std::vector<uint32_t>> rows;
  for (uint32_t m = 0x800000u; m < 0x1000000u; ++m)
    if ((times_inverse_root(m) & 0xFFFFu) == 0x8000u) rows.push_back({0x3F800000u | (m & 0x7FFFFFu)});
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].resize(kBlockSize, 0u);
    std::swap(rows[i][0], rows[i][i % kBlockSize]);  // the sign pattern of another row of the matrix
  }
  return blocks_of(rows);
}

mx_input every_code_and_byte() {
  mx_matrix m(256, kBlockSize);
  for (size_t r = 0; r < 256; ++r) {
    m.scales[r] = static_cast<uint8_t>(r);
    for (uint32_t i = 0; i < kBlockBytes; ++i)
      m.codes[r * kBlockBytes + i] = pack_e2m1(e2m1_of(2 * i), e2m1_of(2 * i + 1));
  }
  return input_of(std::move(m), "every code at every byte");
}

mx_input every_byte(uint64_t seed, std::string name) {
  mx_matrix m(256, kBlockSize);
  const uint64_t stream = stream_of(name);
  for (size_t i = 0; i < m.codes.size(); ++i) m.codes[i] = static_cast<uint8_t>(random_word(seed, stream, i));
  for (size_t r = 0; r < 256; ++r) m.scales[r] = static_cast<uint8_t>(r);
  return input_of(std::move(m), std::move(name));
}

mx_input every_code(std::string name) {
  mx_matrix m(16, kBlockSize);
  for (uint32_t r = 0; r < 16; ++r) {
    m.scales[r] = kE8m0Bias;
    std::fill_n(m.codes.begin() + r * kBlockBytes, kBlockBytes, pack_e2m1(e2m1_of(r), e2m1_of(r)));
  }
  return input_of(std::move(m), std::move(name));
}

mx_input random_codes(uint64_t seed, std::string name, int64_t outer, int64_t inner, int low, int high, int nan_every) {
  mx_matrix m(outer, inner);
  const uint64_t stream = stream_of(name);
  for (size_t i = 0; i < m.codes.size(); ++i) m.codes[i] = static_cast<uint8_t>(random_word(seed, stream, i));
  for (size_t i = 0; i < m.scales.size(); ++i) {
    const uint64_t word = random_word(seed, stream ^ 1, i);
    const bool nan = nan_every != 0 && (word >> 32) % static_cast<uint64_t>(nan_every) == 0;
    m.scales[i] = nan ? kE8m0Nan
                      : static_cast<uint8_t>(static_cast<uint64_t>(low) + word % static_cast<uint64_t>(high - low + 1));
  }
  return input_of(std::move(m), std::move(name));
}

mx_input beside_negative(const mx_input& x) { return side_by_side(x, 0x88u); }
mx_input beside_itself(const mx_input& x) { return side_by_side(x, 0u); }

}  // namespace adahop::conformance
