// Philox and what is drawn from it. Implements the generators of SPEC 5.18, 5.20, 6.11.
#include "random_words.h"

namespace independent {
namespace {

uint32_t low(uint64_t x) { return static_cast<uint32_t>(x); }
uint32_t high(uint64_t x) { return static_cast<uint32_t>(x >> 32); }

uint32_t first_word(uint64_t seed, uint64_t position, uint32_t stream) {
  return philox4x32_10({low(position), high(position), 0, stream}, {low(seed), high(seed)})[0];
}

constexpr uint32_t kSignStream = 1, kGfx950Stream = 2;

}  // namespace

std::array<uint32_t, 4> philox4x32_10(std::array<uint32_t, 4> x, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t even = uint64_t{x[0]} * 0xD2511F53u;
    const uint64_t odd = uint64_t{x[2]} * 0xCD9E8D57u;
    x = {high(odd) ^ x[1] ^ key[0], low(odd), high(even) ^ x[3] ^ key[1], low(even)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return x;
}

uint32_t stochastic_word(int bits, uint64_t seed, uint64_t offset, uint64_t index) {
  return first_word(seed, offset + index, 0) >> (32 - bits);
}

uint32_t gfx950_word(uint64_t seed, uint64_t outer, uint64_t inner_index, uint64_t inner) {
  const uint64_t pairs_in_a_row = inner / 2 + inner % 2;
  const uint32_t word = first_word(seed, outer * pairs_in_a_row + inner_index / 2, kGfx950Stream);
  if (inner_index % 2 == 0) return word;
  const uint32_t feedback = word >= 0x80000000u ? 197u : 0u;
  return (word << 1) ^ feedback;
}

bool sign_is_minus(uint64_t seed, uint64_t index) { return first_word(seed, index, kSignStream) >= 0x80000000u; }

}  // namespace independent
