// The simulator's FP32 fused multiply-add, which the host's FP64 computes, against the C library's on edge and random values.
#include <bit>
#include <cmath>
#include <random>

#include "sim/float_arithmetic.h"
#include "sim_support.h"

using namespace adahop::hip::sim;

namespace {

uint32_t expected(uint32_t a, uint32_t b, uint32_t c) {
  return to_bits(std::fma(from_bits(a), from_bits(b), from_bits(c)));
}

bool same(uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t want = expected(a, b, c);
  return is_nan<f32>(want) || host_fma<f32>(a, b, c) == want;
}

}  // namespace

TEST_CASE("simulator: FP32 fma equals the C library's on every triple of edge values") {
  std::vector<uint32_t> edges;
  for (const uint32_t x : {0u,          1u,          2u,          3u,          0x007FFFFFu, 0x00800000u, 0x00800001u, 0x33800000u,
                           0x33800001u, 0x397FFFFEu, 0x39800001u, 0x3F000000u, 0x3F7FFFFFu, 0x3F800000u, 0x3F800001u, 0x3FFFFFFFu,
                           0x40490FDBu, 0x4B7FFFFFu, 0x4B800000u, 0x5F000000u, 0x7E800000u, 0x7F000000u, 0x7F7FFFFFu, 0x7F800000u})
    for (const uint32_t sign : {0u, f32::kSign}) edges.push_back(x | sign);
  unsigned wrong = 0;
  for (const uint32_t a : edges)
    for (const uint32_t b : edges)
      for (const uint32_t c : edges) wrong += same(a, b, c) ? 0 : 1;
  CHECK(wrong == 0);
}

TEST_CASE("simulator: FP32 fma equals the C library's on random patterns and where the sum cancels") {
  std::mt19937_64 random(20261129);
  const auto word = [&random] { return static_cast<uint32_t>(random()); };
  unsigned wrong = 0;
  for (unsigned n = 0; n < 400000; ++n) {
    uint32_t a = word(), b = word(), c = word();
    const uint32_t product = to_bits(-(from_bits(a) * from_bits(b)));
    switch (n % 4) {
      case 0: break;
      case 1: c = product + word() % 5 - 2; break;                  // near cancellation
      case 2: c = product ^ (word() % 64) << 23; break;             // the exponents apart by a little or much
      default:                                                      // products and sums among the subnormals
        a = (a & 0x80FFFFFFu) | 0x20000000u;
        b = (b & 0x80FFFFFFu) | 0x1F000000u;
        c &= n % 8 < 4 ? 0x81FFFFFFu : 0x800000FFu;
    }
    wrong += same(a, b, c) ? 0 : 1;
  }
  CHECK(wrong == 0);
}
