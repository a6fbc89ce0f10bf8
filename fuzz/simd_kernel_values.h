// The operands of SIMD kernels from a fuzzer's bytes: a few bytes describe many values.
#pragma once
#include <vector>

#include "fuzz/input.h"

namespace adahop::fuzz {

/// `count` FP32 or, as their bits, BF16 values: two families in windows of exponents that move from block to block,
/// with single values of other families among them; or the input's next words, repeated.
template <class Element>
std::vector<Element> read_values(input& in, int64_t count);
extern template std::vector<float> read_values<float>(input& in, int64_t count);
extern template std::vector<uint16_t> read_values<uint16_t>(input& in, int64_t count);

/// Any words, each of them under `mask`.
template <class Word>
std::vector<Word> read_words(input& in, int64_t count, Word mask);
extern template std::vector<uint8_t> read_words<uint8_t>(input& in, int64_t count, uint8_t mask);
extern template std::vector<uint16_t> read_words<uint16_t>(input& in, int64_t count, uint16_t mask);
extern template std::vector<uint32_t> read_words<uint32_t>(input& in, int64_t count, uint32_t mask);

/// The packed codes of `blocks` blocks: any, with blocks of zeros of either sign, of one element, of +6 and -6.
std::vector<uint8_t> read_codes(input& in, int64_t blocks);

/// Scale bytes from low to high, both included.
std::vector<uint8_t> read_scales(input& in, int64_t count, int64_t low, int64_t high);

}  // namespace adahop::fuzz
