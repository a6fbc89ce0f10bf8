// One element to E2M1 by a random word: unbiased stochastic rounding, and AMD's model of what gfx950 does; and where
// the words come from. Integers only. Implements SPEC 5.17-5.21.
#pragma once
#include "adahop/formats/e2m1.h"
#include "adahop/formats/e8m0.h"

namespace adahop::reference {

/// The code of a finite v under a scale that is not NaN: up from the grid value at or below |v| / scale iff u is below
/// the fraction of the gap, in units of 2^-bits. bits is 1..32, u below 2^bits (SPEC 5.17).
e2m1 encode_e2m1_stochastic(float v, e8m0 scale, uint32_t u, int32_t bits);

/// The code under the random word of this element: its top 22 bits are added below the kept mantissa bit (SPEC 5.21).
e2m1 encode_e2m1_gfx950_sr(float v, e8m0 scale, uint32_t word);

/// The top `bits` bits of the word of an element; `position` is offset + index, modulo 2^64 (SPEC 5.18).
uint32_t stochastic_bits(uint64_t seed, uint64_t position, int32_t bits);

/// The random words of elements 2i and 2i + 1 of a pair (SPEC 5.20).
struct gfx950_words {
  uint32_t even, odd;
};
gfx950_words gfx950_sr_words(uint64_t seed, uint64_t pair);

}  // namespace adahop::reference
