// A fuzzer's bytes read as bounded numbers, choices and floating-point patterns. Total: behind the last byte everything
// reads as zero, which is the lowest number, the first choice and "no", so that a short input is a small, plain one.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace adahop::fuzz {

class input {
 public:
  explicit input(std::span<const uint8_t> bytes) : rest_(bytes) {}

  bool empty() const { return rest_.empty(); }

  uint8_t byte() { return static_cast<uint8_t>(word(1)); }
  /// The next `bytes` (1 to 8) bytes, little-endian.
  uint64_t word(size_t bytes);
  /// low to high, both included, from as few bytes as tell all of them apart; low <= high.
  int64_t integer(int64_t low, int64_t high);
  bool flag() { return (byte() & 1u) != 0; }
  /// One byte in sixteen.
  bool rarely() { return byte() % 16 == 15; }

  template <class T, size_t N>
  const T& pick(const std::array<T, N>& choices) {
    static_assert(N > 0 && N < 65536);
    return choices[static_cast<size_t>(integer(0, static_cast<int64_t>(N) - 1))];
  }

 private:
  std::span<const uint8_t> rest_;
};

/// Families of FP32 patterns in which the rules of SPEC chapters 2 to 6 change.
enum class values : uint8_t {
  zero,       ///< +0 and -0
  uniform,    ///< any mantissa, the exponent field in a window
  grid,       ///< E2M1 values times a power of two from the window: exact codes, cancellation
  tie,        ///< halfway between two E2M1 values or on the limit 6, there or one unit beside it
  amax,       ///< mantissas at which a scale rule takes the next byte, there or one unit beside it
  subnormal,  ///< exponent fields 0 to 8
  huge,       ///< exponent fields 247 to 254: butterflies and products overflow
  nonfinite,  ///< NaN of several payloads and Inf of both signs
  raw,        ///< any 32 bits
};
inline constexpr int kValueFamilies = 9;

/// Exponent fields (of FP32) from which a family draws; values that need a lower or a higher one are clamped to 1 to 254.
struct exponent_window {
  int low = 127, count = 1;
};

/// An FP32 pattern of the family, chosen by `word` alone. `unit` is the last place of the type that will hold it: 1 of
/// FP32, 0x10000 of BF16, so that "beside" is the next value of that type.
uint32_t float_pattern(values family, exponent_window window, uint64_t word, uint32_t unit);

}  // namespace adahop::fuzz
