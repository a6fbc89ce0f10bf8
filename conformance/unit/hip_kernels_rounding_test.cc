// The random roundings of the kernels, element by element over all words; and a native product whose scales come from
// the wrong lane, which the products of hip_kernels_native_test.cc must tell apart. Compiles kernel sources of its own.
#include <algorithm>
#include <cmath>
#include <vector>

#include "adahop/tensor.h"
#include "catch.h"
#include "device/cpu/cpu_device.h"
#include "device/cpu/lang.h"
#include "hip_kernels_scales.h"
#include "kernels/mx_gemm_native.hip"
#include "kernels/rounding.h"

using namespace adahop;
using namespace adahop::hip;

namespace {

const float kGrid[9] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6, 6};

double between(uint32_t lo, double fraction) { return kGrid[lo] + (kGrid[lo + 1] - kGrid[lo]) * fraction; }

// An element of `value` * 2^(byte - 127) of either sign.
uint32_t element(double value, uint32_t byte, bool negative) {
  const auto v = static_cast<float>(std::ldexp(value, static_cast<int>(byte) - 127));
  return bits_of(v) | (negative ? 0x80000000u : 0);
}

}  // namespace

TEST_CASE("over all words the number that goes up is the fraction, exactly", "[hip-kernels][spec:5.17][spec:5.19]") {
  for (const uint32_t byte : {0u, 1u, 2u, 90u, 127u, 252u})
    for (uint32_t lo = 0; lo < 7; ++lo)
      for (uint32_t sixteenth = 0; sixteenth < 16; ++sixteenth)
        for (const bool negative : {false, true}) {
          const double a = between(lo, sixteenth / 16.0);
          const uint32_t bits = element(a, byte, negative);
          INFO("a " << a << ", byte " << byte << ", bits " << bits);
          uint32_t up = 0;
          for (uint32_t u = 0; u < 256; ++u) {
            const uint32_t code = encode_stochastic(bits, byte, (u << 24) | 0x00FFFFFFu, 8);
            REQUIRE(code >> 3 == (negative ? 1u : 0u));
            REQUIRE(((code & 7) == lo || (code & 7) == lo + 1));
            up += (code & 7) - lo;
            REQUIRE(((code & 7) == lo + 1) == (u < 16 * sixteenth));
          }
          REQUIRE(up == 16 * sixteenth);
        }
}

TEST_CASE("fractions below 2^-bits never go up and 32 bits see every place", "[hip-kernels][spec:5.19]") {
  for (const int32_t random_bits : {1, 8, 22, 23, 31, 32})
    for (const uint32_t lo : {0u, 1u, 2u, 4u, 6u}) {
      const double step = kGrid[lo + 1] - kGrid[lo];
      INFO(random_bits << " bits above " << kGrid[lo]);
      REQUIRE(encode_stochastic(element(kGrid[lo], 127, false), 127, 0, random_bits) == lo);
      const double just_below = std::nextafter(static_cast<float>(kGrid[lo + 1]), 0.0f);
      const double fraction = std::floor(std::ldexp((just_below - kGrid[lo]) / step, random_bits));
      const auto last_up = static_cast<uint32_t>(static_cast<uint64_t>(fraction) - 1);
      const int unused = 32 - random_bits;
      REQUIRE(encode_stochastic(element(just_below, 127, false), 127, last_up << unused, random_bits) == lo + 1);
      if (fraction < std::ldexp(1.0, random_bits))
        REQUIRE(encode_stochastic(element(just_below, 127, false), 127, (last_up + 1) << unused, random_bits) == lo);
    }
  // The smallest FP32 over 2^-127 is 2^-22 of a unit, 2^-21 of the step of a half.
  REQUIRE(encode_stochastic(1, 0, 0, 20) == 0);
  REQUIRE(encode_stochastic(1, 0, 0, 21) == 1);
  REQUIRE(encode_stochastic(1, 0, 1u << 11, 21) == 0);
  REQUIRE(encode_stochastic(0x80000000u, 0, 0, 32) == 8);
  REQUIRE(encode_stochastic(0x7F7FFFFFu, 0, ~0u, 8) == 7);
  REQUIRE(encode_stochastic(element(6, 127, true), 127, 0, 32) == 15);
  REQUIRE(encode_stochastic(element(7.99, 127, false), 127, ~0u, 32) == 7);
}

TEST_CASE("gfx950_sr adds 22 bits below the kept one and drops what is shifted out", "[hip-kernels][spec:5.21]") {
  // In each gap of 1 to 6 a fraction of n / 2^10 goes up for the words whose top 10 bits are at least 2^10 - n.
  for (uint32_t lo = 2; lo < 7; ++lo)
    for (const uint32_t n : {0u, 1u, 511u, 512u, 1023u})
      for (uint32_t top = 0; top < 1024; ++top) {
        const double a = between(lo, n / 1024.0);
        const uint32_t code = encode_sr(element(a, 127, true), 127, (top << 22) | 0x3FFu);
        REQUIRE(code == 8 + lo + (top + n >= 1024 ? 1 : 0));
      }
  // Below 1 in halves: 0.25 is half a step, 2^-23 a unit of the shifted significand, half of that is dropped.
  REQUIRE(encode_sr(element(0.25, 127, false), 127, 0x80000000u) == 1);
  REQUIRE(encode_sr(element(0.25, 127, false), 127, 0x7FFFFFFFu) == 0);
  REQUIRE(encode_sr(element(0.75, 127, false), 127, 0x7FFFFFFFu) == 1);
  REQUIRE(encode_sr(element(0.75, 127, false), 127, 0x80000000u) == 2);
  REQUIRE(encode_sr(element(0x1p-23, 127, false), 127, ~0u) == 1);
  REQUIRE(encode_sr(element(0x1.fffffep-24, 127, false), 127, ~0u) == 0);
  REQUIRE(encode_sr(element(0x1p-60, 127, true), 127, ~0u) == 8);
  REQUIRE(encode_sr(1, 0, ~0u) == 1);  // a subnormal is taken at its value, 2^-22
  // The low 10 bits of a word count nothing; above 6 everything is 6.
  REQUIRE(encode_sr(element(1 + 0x1p-23, 127, false), 127, 0xFFFFFBFFu) == 2);
  REQUIRE(encode_sr(element(1 + 0x1p-23, 127, false), 127, 0xFFFFFC00u) == 3);
  REQUIRE(encode_sr(element(1 + 0x1p-22, 127, false), 127, 0xFFFFFBFFu) == 3);
  for (const double a : {6.0, 6.5, 7.5, 8.0, 1e20}) REQUIRE(encode_sr(element(a, 127, false), 127, 0) == 7);
}

// The same product with the scale of B read from the lane of another K block.
struct mma_wrong_scale_lane : mma_16x16x128 {
  static void accumulate(const scaled_block& a, const scaled_block& b, const mfma_model& model,
                         float (&acc)[kResults]) {
    const scaled_block wrong = {b.codes, shfl_xor(b.scale_byte, 16)};
    mma_16x16x128::accumulate(a, wrong, model, acc);
  }
};
namespace adahop::hip {
ADAHOP_KERNEL(mx_gemm_wrong_scale_lane, mx_gemm_native_args, 256) { mx_gemm_native<mma_wrong_scale_lane>(args); }
}  // namespace adahop::hip

TEST_CASE("a native product with a scale from the wrong lane is told apart", "[hip-kernels][spec:10.24]") {
  const adahop_test::scaled_ones x(48, 40, 160);
  const auto run = [&](const cpu_kernel& kernel) {
    CpuDevice target(std::span(&kernel, 1));
    const result<kernel_handle> handle = target.find_kernel(kernel.name);
    REQUIRE(handle.ok());
    std::vector<float> out(48 * 40);
    const mx_in a{x.a.codes.data(), x.a.scales.data(), 80, 5, 0}, b{x.b.codes.data(), x.b.scales.data(), 80, 5, 0};
    const mx_gemm_native_args args{{a, b, {out.data(), 40, 1, 0, 0}, 48, 40, 5}, {mfma_combine::fused, 0}};
    REQUIRE(target.launch(handle.value(), {}, {kernel.threads, 1, 1}, &args, sizeof args, nullptr).ok());
    int64_t wrong = 0;
    for (int64_t i = 0; i < 48; ++i)
      for (int64_t j = 0; j < 40; ++j) wrong += out[static_cast<size_t>(40 * i + j)] != x.expected(i, j);
    return wrong;
  };
  REQUIRE(run(ADAHOP_CPU_KERNEL(mx_gemm_native_16x16x128)) == 0);
  REQUIRE(run(ADAHOP_CPU_KERNEL(mx_gemm_native_32x32x64)) == 0);
  REQUIRE(run(ADAHOP_CPU_KERNEL(mx_gemm_wrong_scale_lane)) > 48 * 40 / 2);
}
