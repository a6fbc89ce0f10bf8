// What the unit tests of common/ and reference/ share: a seeded generator, matrices of random values, bit printing.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "adahop/policy.h"
#include "adahop/tensor.h"
#include "catch.h"

namespace adahop::test {

/// splitmix64: the same stream on every platform.
class generator {
 public:
  explicit generator(uint64_t seed) : state_(seed) {}
  uint64_t bits64() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  uint32_t bits() { return static_cast<uint32_t>(bits64() >> 32); }
  /// An integer in [low, high].
  int integer(int low, int high) {
    return low + static_cast<int>(bits() % static_cast<uint32_t>(high - low + 1));
  }
  /// A finite FP32 whose exponent field is uniform in [low, high].
  float with_exponent(int low, int high) {
    const uint32_t field = static_cast<uint32_t>(integer(low, high));
    return float_of((bits() & 0x807FFFFFu) | (field << 23));
  }
  /// A finite BF16 likewise.
  bf16 bf16_with_exponent(int low, int high) {
    return {static_cast<uint16_t>((bits() & 0x807Fu) | (static_cast<uint32_t>(integer(low, high)) << 7))};
  }

 private:
  uint64_t state_;
};

/// BF16 values within a few binades of 1.
inline matrix<bf16> random_bf16(generator& random, int64_t rows, int64_t cols) {
  matrix<bf16> m(rows, cols);
  for (bf16& v : m.data) v = random.bf16_with_exponent(121, 129);
  return m;
}

inline matrix<float> random_f32(generator& random, int64_t rows, int64_t cols) {
  matrix<float> m(rows, cols);
  for (float& v : m.data) v = random.with_exponent(121, 129);
  return m;
}

/// The BF16 of a value that is one exactly.
inline bf16 exact_bf16(float v) {
  REQUIRE((bits_of(v) & 0xFFFFu) == 0);
  return {static_cast<uint16_t>(bits_of(v) >> 16)};
}

inline std::vector<uint32_t> bits_of_all(const std::vector<float>& v) {
  std::vector<uint32_t> bits;
  for (const float x : v) bits.push_back(bits_of(x));
  return bits;
}
inline std::vector<uint16_t> bits_of_all(const std::vector<bf16>& v) {
  std::vector<uint16_t> bits;
  for (const bf16 x : v) bits.push_back(x.bits);
  return bits;
}
inline std::vector<uint64_t> bits_of_all(const std::vector<double>& v) {
  std::vector<uint64_t> bits;
  for (const double x : v) bits.push_back(__builtin_bit_cast(uint64_t, x));
  return bits;
}

/// The defaults with "key=value,..." applied.
inline policy policy_with(std::string_view line) {
  result<policy> p = parse_policy(line, default_policy());
  INFO(p.why().message());
  REQUIRE(p.ok());
  return p.value();
}

/// The recursive definition H_2n = [H_n H_n; H_n -H_n] of SPEC 6.1: the rounding sequence of strides 1, 2, 4, ... from the
/// inside out, written the other way round.
inline std::vector<float> sylvester(const std::vector<float>& x) {
  if (x.size() == 1) return x;
  const auto middle = x.begin() + static_cast<long>(x.size() / 2);
  const std::vector<float> low = sylvester({x.begin(), middle}), high = sylvester({middle, x.end()});
  std::vector<float> y(x.size());
  for (size_t i = 0; i < low.size(); ++i) {
    y[i] = low[i] + high[i];
    y[i + low.size()] = low[i] - high[i];
  }
  return y;
}

inline constexpr float kInf = std::numeric_limits<float>::infinity();

}  // namespace adahop::test
