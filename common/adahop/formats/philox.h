// Philox4x32-10 (Salmon et al., SC 2011), the counter-based generator behind stochastic rounding and random signs.
// Integer arithmetic with one answer; what is done with the words is decided by those who round. Implements SPEC 5.18.
#pragma once
#include "adahop/formats/hd.h"

namespace adahop {

struct philox_words {
  uint32_t word[4];
};

/// Ten rounds over `counter` under the key {low, high word of seed}.
ADAHOP_HD constexpr philox_words philox4x32_10(uint64_t seed, philox_words counter) {
  uint32_t key0 = static_cast<uint32_t>(seed);
  uint32_t key1 = static_cast<uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{0xD2511F53u} * counter.word[0];
    const uint64_t p1 = uint64_t{0xCD9E8D57u} * counter.word[2];
    counter = {{static_cast<uint32_t>(p1 >> 32) ^ counter.word[1] ^ key0, static_cast<uint32_t>(p1),
                static_cast<uint32_t>(p0 >> 32) ^ counter.word[3] ^ key1, static_cast<uint32_t>(p0)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

}  // namespace adahop
