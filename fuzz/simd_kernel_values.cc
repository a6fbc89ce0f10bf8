// Expansion of an input's bytes.
#include "fuzz/simd_kernel_values.h"

#include <bit>

#include "conformance/suites/random.h"

namespace adahop::fuzz {
namespace {

using conformance::random_word;

constexpr int64_t kBlock = 32;

// Streams of random words under one seed, so that what an element is does not depend on another choice.
enum stream : uint64_t { kValue, kFamily, kWindow, kKind, kCode, kLowHalf };

template <class Element>
constexpr uint32_t kUnit = sizeof(Element) == 2 ? 0x10000u : 1u;

template <class Element>
Element element_of(uint32_t bits) {
  if constexpr (sizeof(Element) == 2)
    return static_cast<uint16_t>(bits >> 16);
  else
    return std::bit_cast<float>(bits);
}

// The pattern halfway between two BF16 values, or beside that.
uint32_t near_bf16_tie(uint32_t bits, uint64_t choice) {
  return (bits & 0xFFFF0000u) | (0x7FFFu + static_cast<uint32_t>(choice % 3));
}

values read_family(input& in) { return static_cast<values>(in.integer(0, kValueFamilies - 1)); }

// Exponent fields from `low` on: how many a block takes its values from, and by how many blocks differ.
struct exponents {
  int low, width;
  uint64_t drift;
};

// Anywhere, or few at either end, where scale bytes and steps between codes are cut off.
exponents read_exponents(input& in) {
  const uint8_t kind = in.byte() % 4;
  if (kind < 2) return {in.byte() ^ 127, static_cast<int>(in.integer(1, 24)), static_cast<uint64_t>(in.integer(1, 64))};
  const int from = static_cast<int>(in.integer(0, 7)), width = static_cast<int>(in.integer(1, 4));
  return {kind == 2 ? from : 255 - width - from, width, static_cast<uint64_t>(in.integer(1, 8))};
}

template <class Element>
std::vector<Element> read_repeated(input& in, int64_t count) {
  std::vector<Element> pattern;
  for (int64_t n = in.integer(1, 48); n > 0; --n)
    pattern.push_back(element_of<Element>(static_cast<uint32_t>(in.word(4))));
  std::vector<Element> all;
  for (int64_t i = 0; i < count; ++i) all.push_back(pattern[static_cast<size_t>(i) % pattern.size()]);
  return all;
}

}  // namespace

template <class Element>
std::vector<Element> read_values(input& in, int64_t count) {
  if (in.byte() % 4 == 3) return read_repeated<Element>(in, count);
  const values common = read_family(in), other = read_family(in);
  const uint64_t one_in = uint64_t{1} << in.integer(0, 9);  // elements of the other family
  const exponents window = read_exponents(in);
  const uint64_t ties_in = in.byte() % 3;  // of as many values the lower half is that of a tie
  const uint64_t seed = in.word(2);
  std::vector<Element> all;
  for (int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<uint64_t>(i);
    const uint64_t low_half = random_word(seed, kLowHalf, index);
    const auto move = static_cast<int>(random_word(seed, kWindow, index / kBlock) % window.drift);
    const values family = random_word(seed, kFamily, index) % one_in == 0 ? other : common;
    const uint32_t bits =
        float_pattern(family, {window.low + move, window.width}, random_word(seed, kValue, index), kUnit<Element>);
    const bool tie = ties_in != 0 && low_half % ties_in == 0;
    all.push_back(element_of<Element>(tie ? near_bf16_tie(bits, low_half >> 32) : bits));
  }
  for (int64_t n = count == 0 ? 0 : in.integer(0, 15); n > 0; --n) {
    const auto at = static_cast<size_t>(in.integer(0, count - 1));
    const values family = read_family(in);
    all[at] = element_of<Element>(float_pattern(family, {window.low, window.width}, in.word(8), kUnit<Element>));
  }
  return all;
}
template std::vector<float> read_values<float>(input& in, int64_t count);
template std::vector<uint16_t> read_values<uint16_t>(input& in, int64_t count);

template <class Word>
std::vector<Word> read_words(input& in, int64_t count, Word mask) {
  const uint64_t seed = in.word(2);
  std::vector<Word> all;
  for (int64_t i = 0; i < count; ++i)
    all.push_back(static_cast<Word>(random_word(seed, kValue, static_cast<uint64_t>(i)) & mask));
  return all;
}
template std::vector<uint8_t> read_words<uint8_t>(input& in, int64_t count, uint8_t mask);
template std::vector<uint16_t> read_words<uint16_t>(input& in, int64_t count, uint16_t mask);
template std::vector<uint32_t> read_words<uint32_t>(input& in, int64_t count, uint32_t mask);

std::vector<uint8_t> read_codes(input& in, int64_t blocks) {
  const uint64_t one_in = uint64_t{1} << in.integer(0, 6);  // blocks of a kind of their own
  const uint64_t seed = in.word(2);
  std::vector<uint8_t> all;
  for (int64_t i = 0; i < 16 * blocks; ++i) {
    const auto block = static_cast<uint64_t>(i / 16), byte = static_cast<uint64_t>(i);
    const uint64_t kind = random_word(seed, kKind, block), any = random_word(seed, kCode, byte);
    uint64_t codes = any;
    if (kind % one_in == 0) switch (kind >> 16 & 3u) {
        case 0: codes = any & 0x88u; break;
        case 1: codes = (any & 0x88u) | 0x77u; break;
        case 2: codes = (kind >> 24) & 0x80u ? 0xFFu : 0x77u; break;
        default: codes = static_cast<uint64_t>(i % 16) == (kind >> 32) % 16 ? any & 0x0Fu : 0; break;
      }
    all.push_back(static_cast<uint8_t>(codes));
  }
  for (int64_t n = all.empty() ? 0 : in.integer(0, 15); n > 0; --n) {
    const auto at = static_cast<size_t>(in.integer(0, static_cast<int64_t>(all.size()) - 1));
    all[at] = in.byte();
  }
  return all;
}

std::vector<uint8_t> read_scales(input& in, int64_t count, int64_t low, int64_t high) {
  const uint64_t seed = in.word(2), span = static_cast<uint64_t>(high - low) + 1;
  std::vector<uint8_t> all;
  for (int64_t i = 0; i < count; ++i)
    all.push_back(
        static_cast<uint8_t>(static_cast<uint64_t>(low) + random_word(seed, kValue, static_cast<uint64_t>(i)) % span));
  return all;
}

}  // namespace adahop::fuzz
