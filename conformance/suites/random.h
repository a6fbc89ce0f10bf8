// The random words of the suite: counter-based and integer-only, so that a seed means the same inputs on every machine
// and in any order of evaluation.
#pragma once
#include <cstdint>
#include <string_view>

namespace adahop::conformance {

/// The output function of SplitMix64 (Steele, Lea, Flood 2014), a bijection of 64-bit words.
constexpr uint64_t mix64(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Word `index` of `stream` under `seed`: mix64(mix64(mix64(seed + g) ^ stream) + (index + 1) * g), g the golden ratio
/// in 64 bits.
constexpr uint64_t random_word(uint64_t seed, uint64_t stream, uint64_t index) {
  constexpr uint64_t kGolden = 0x9E3779B97F4A7C15u;
  return mix64(mix64(mix64(seed + kGolden) ^ stream) + (index + 1) * kGolden);
}

/// SplitMix64: one word after the other, the same everywhere.
class word_source {
 public:
  explicit constexpr word_source(uint64_t seed) : state_(seed) {}
  constexpr uint64_t next() { return mix64(state_ += 0x9E3779B97F4A7C15u); }

 private:
  uint64_t state_;
};

/// A stream's number from its name: FNV-1a.
constexpr uint64_t stream_of(std::string_view name) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3u;
  return hash;
}

}  // namespace adahop::conformance
