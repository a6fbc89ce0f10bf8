// The three roundings of a quantizing kernel: how a block's elements over its scale become codes. Implements SPEC 5.11,
// 5.17-5.21; the instruction of 5.20 and 5.21 is the target's (arch/).
#pragma once
#include "adahop/formats/philox.h"
#include "arch/scaled_magnitude.h"
#include "kernels/elements.h"

namespace adahop::hip {

/// Word 0 of Philox for a 64-bit position; `stream` keeps the uses of one seed apart.
ADAHOP_DEVICE_FN uint32_t random_word(uint64_t seed, uint64_t position, uint32_t stream) {
  const philox_words counter = {{static_cast<uint32_t>(position), static_cast<uint32_t>(position >> 32), 0, stream}};
  return philox4x32_10(seed, counter).word[0];
}

/// The code of an element under its word. The integer is |v| / scale in grid steps with `random_bits` fraction bits,
/// the rest dropped; the top bits of the word are compared with the fraction.
ADAHOP_DEVICE_FN uint32_t encode_stochastic(uint32_t bits, uint32_t scale_byte, uint32_t word, int32_t random_bits) {
  const scaled_magnitude a = scaled_magnitude_of(bits & 0x7FFFFFFFu, scale_byte);
  const int32_t shift = random_bits - 22 + (a.exponent < 0 ? a.exponent : 0);  // at most 10
  uint64_t fixed = a.significand;
  if (shift >= 0)
    fixed <<= shift;
  else
    fixed = shift > -32 ? fixed >> -shift : 0;
  const uint64_t fraction = fixed & ((uint64_t{1} << random_bits) - 1);
  const uint64_t u = word >> (32 - random_bits);
  const uint32_t steps = static_cast<uint32_t>(fixed >> random_bits) + (u < fraction ? 1u : 0u);
  return ((bits >> 31) << 3) | code_of_steps(a.exponent, steps);
}

/// Position of element 0 of a block, for the random words.
struct stored_position {
  uint64_t row, column;
  uint64_t row_length;
};

struct round_rne {
  ADAHOP_DEVICE_FN static void encode(const float (&v)[32], uint32_t scale_byte, const rounding_args&,
                                      const stored_position&, fp4_block& out) {
    encode_fp4_block(v, scale_byte, out);
  }
};

struct round_stochastic {
  ADAHOP_DEVICE_FN static void encode(const float (&v)[32], uint32_t scale_byte, const rounding_args& args,
                                      const stored_position& at, fp4_block& out) {
    const uint64_t first = args.offset + at.row * at.row_length + at.column;
    ADAHOP_UNROLL
    for (int w = 0; w < 4; ++w) {
      uint32_t codes = 0;
      ADAHOP_UNROLL
      for (int i = 0; i < 8; ++i) {
        const int element = 8 * w + i;
        const uint32_t word = random_word(args.seed, first + static_cast<uint64_t>(element), 0);
        codes |= encode_stochastic(bits_of(v[element]), scale_byte, word, args.bits) << (4 * i);
      }
      out.words[w] = codes;
    }
  }
};

struct round_gfx950_sr {
  ADAHOP_DEVICE_FN static void encode(const float (&v)[32], uint32_t scale_byte, const rounding_args& args,
                                      const stored_position& at, fp4_block& out) {
    const uint64_t first_pair = at.row * (at.row_length / 2 + at.row_length % 2) + at.column / 2;
    const auto word_of = [&](int pair) { return random_word(args.seed, first_pair + static_cast<uint64_t>(pair), 2); };
    encode_fp4_block_sr(v, scale_byte, word_of, out);
  }
};

}  // namespace adahop::hip
