// The models that round exact sums: hand vectors that tell them apart, and random rows against doubles.
#include "models_support.h"
#include "reference/accumulate/mfma_seq.h"

using namespace adahop;
using namespace adahop::test;

namespace {

// Blocks of one product sign * 2^x each.
mx_pair powers(const std::vector<std::pair<int, int>>& blocks) {
  mx_pair p(32 * static_cast<int64_t>(blocks.size()));
  for (size_t i = 0; i < blocks.size(); ++i) {
    p.set_scale(static_cast<int64_t>(i), blocks[i].first);
    if (blocks[i].second != 0) p.set(32 * static_cast<int64_t>(i), kOne, blocks[i].second < 0 ? kOne | kMinus : kOne);
  }
  return p;
}

}  // namespace

TEST_CASE("exact_sum, mfma_fused and block_rne differ in when they round", "[spec:10.11][spec:10.12][spec:10.4]") {
  // 2^24 + 1 + 1 + 1 + 1: each 1 alone is a tie to even and lost.
  const mx_pair ones = powers({{24, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}});
  CHECK(ones.dot("block_rne") == 0x1p24f);
  CHECK(ones.dot("mfma_seq") == 0x1p24f);
  CHECK(ones.dot("exact_sum") == 0x1p24f + 4);
  const mx_pair three = powers({{24, 1}, {0, 1}, {0, 1}, {0, 1}});
  CHECK(three.dot("mfma_fused(2)") == 0x1p24f + 2);  // (2^24 + 1), (+ 1 + 1)
  CHECK(three.dot("mfma_fused(4)") == 0x1p24f + 4);
  CHECK(ones.dot("mfma_fused(4)") == 0x1p24f + 4);    // 2^24 + 3 is a tie that goes up, then + 1 a tie that stays
  CHECK(ones.dot("exact_sum", 1.0f) == 0x1p24f + 4);  // 2^24 + 5, a tie to even
  // Cancellation over a range no FP32 step survives.
  const mx_pair wide = powers({{200, 1}, {-130, 1}, {200, -1}, {-130, 1}});
  CHECK(wide.dot("exact_sum") == 0x1p-129f);
  CHECK(wide.dot("mfma_fused(4)") == 0x1p-129f);
  CHECK(wide.dot("block_rne") == kInf);
  CHECK(bits_of(wide.dot("mfma_seq")) == kCanonicalNan);  // Inf - Inf
  CHECK(wide.dot("mfma_fused(2)") == kInf);               // and Inf stays
}

TEST_CASE("mfma_seq rounds the term by itself", "[spec:10.13][spec:10.5]") {
  using reference::accumulate_mfma_seq;
  // The term 1.5 * 2^-149 is a tie that rounds to 2^-148 before the addition; added exactly the sum is a tie to even.
  CHECK(bits_of(accumulate_mfma_seq(float_of(1u), 3, -150)) == 3u);
  CHECK(bits_of(powers({{-149, 1}}).dot("block_rne")) == 1u);
  CHECK(bits_of(accumulate_mfma_seq(0.0f, -1, -200)) == 0u);  // +0 plus the term -0
  CHECK(bits_of(powers({{-200, -1}}).dot("mfma_seq")) == 0u);
  CHECK(bits_of(powers({{-200, -1}}).dot("block_rne")) == 0x80000000u);
  CHECK(bits_of(powers({{-200, -1}}).dot("exact_sum")) == 0x80000000u);
  CHECK(bits_of(powers({{-200, -1}}).dot("mfma_fused(2)")) == 0x80000000u);
  CHECK(accumulate_mfma_seq(-0x1p127f, 1, 128) == kInf);
  CHECK(bits_of(accumulate_mfma_seq(-kInf, 1, 128)) == kCanonicalNan);
  CHECK(accumulate_mfma_seq(-kInf, 4608, 100) == -kInf);
  // Elsewhere a term of 13 bits is an FP32 number, so both models are one.
  generator random(702);
  for (int repeat = 0; repeat < 100000; ++repeat) {
    const int dot = random.integer(-4608, 4608), exponent = random.integer(-149, 110);
    const float acc = random.with_exponent(std::max(1, exponent + 110), std::min(254, exponent + 150));
    const float expected = static_cast<float>(static_cast<double>(acc) + std::ldexp(dot, exponent));
    REQUIRE(bits_of(accumulate_mfma_seq(acc, dot, exponent)) == bits_of(expected));
  }
}

TEST_CASE("random rows within a double's reach, group by group", "[spec:10.11][spec:10.12]") {
  generator random(703);
  int differ = 0;
  for (int repeat = 0; repeat < 3000; ++repeat) {
    const int64_t blocks = random.integer(1, 10);
    mx_pair p(32 * blocks);
    for (mx_matrix* m : {&p.a, &p.b})
      for (uint8_t& c : m->codes) c = static_cast<uint8_t>(random.bits());
    for (int64_t i = 0; i < blocks; ++i) p.set_scale(i, random.integer(-15, 15));
    // Terms are multiples of 2^-17 below 2^30, so doubles hold sums of them and of FP32 accumulators of that grid.
    const auto chain = [&](int64_t n) {
      float acc = 0;
      for (int64_t first = 0; first < blocks; first += n) {
        double sum = acc;
        for (int64_t i = first; i < std::min(blocks, first + n); ++i)
          sum += std::ldexp(p.rows().dot_x4(i), p.rows().term_exponent(i));
        acc = static_cast<float>(sum);
      }
      return bits_of(acc);
    };
    REQUIRE(bits_of(p.dot("mfma_fused(2)")) == chain(2));
    REQUIRE(bits_of(p.dot("mfma_fused(4)")) == chain(4));
    REQUIRE(bits_of(p.dot("exact_sum")) == chain(blocks));
    differ += chain(2) != chain(blocks) ? 1 : 0;
  }
  CHECK(differ > 100);
}
