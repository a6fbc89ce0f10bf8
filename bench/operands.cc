// Inputs by SplitMix64, which gives the same words everywhere.
#include "bench/operands.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <bit>
#include <cstring>
#include <new>

#include "conformance/suites/random.h"

namespace adahop::bench {
namespace {

constexpr size_t kPage = 4096, kHugePage = size_t{2} << 20;

using conformance::word_source;

// The sum of four uniform 16-bit numbers, moved to mean 0 and scaled to a deviation near 1.
float bell(uint64_t word) {
  const auto sum = static_cast<int32_t>((word & 0xFFFF) + (word >> 16 & 0xFFFF) + (word >> 32 & 0xFFFF) + (word >> 48));
  return static_cast<float>(sum - 2 * 0xFFFF) * 0x1.Bp-16f;
}

// 2^-4 to 2^3
float row_factor(int64_t row) { return std::bit_cast<float>(static_cast<uint32_t>(123 + row % 8) << 23); }

}  // namespace

std::byte* allocate(size_t size) {
  const size_t alignment = size < kHugePage ? kPage : kHugePage;
  const size_t whole = (size / alignment + 1) * alignment;
  void* const memory = std::aligned_alloc(alignment, whole);
  if (memory == nullptr) throw std::bad_alloc();
  if (alignment == kHugePage) madvise(memory, whole, MADV_HUGEPAGE);  // a hint: an error changes nothing
  std::memset(memory, 0, whole);
  return static_cast<std::byte*>(memory);
}

void fill(tensor<float>& t, uint64_t seed) {
  word_source words(seed);
  for (int64_t r = 0; r < t.rows; ++r)
    for (int64_t c = 0; c < t.cols; ++c) t.values.data()[r * t.cols + c] = bell(words.next()) * row_factor(r);
}

void fill(tensor<bf16>& t, uint64_t seed) {
  word_source words(seed);
  for (int64_t r = 0; r < t.rows; ++r)
    for (int64_t c = 0; c < t.cols; ++c) {
      const auto bits = std::bit_cast<uint32_t>(bell(words.next()) * row_factor(r));
      t.values.data()[r * t.cols + c] = bf16{static_cast<uint16_t>(bits >> 16)};
    }
}

void fill(mx_tensor& t, uint64_t seed) {
  word_source words(seed);
  for (uint8_t& code : t.codes.all()) code = static_cast<uint8_t>(words.next() >> 32);
  for (uint8_t& scale : t.scales.all()) scale = static_cast<uint8_t>(118 + words.next() % 18);
}

void fill_small_integers(std::span<float> values, uint64_t seed) {
  word_source words(seed);
  for (float& v : values) v = static_cast<float>(static_cast<int32_t>(words.next() % 9) - 4);
}

double size_of(const std::vector<bytes>& parts) {
  size_t sum = 0;
  for (const bytes& part : parts) sum += part.size();
  return static_cast<double>(sum);
}

std::string shape_text(int64_t rows, int64_t cols, const char* type) { return fmt::format("{} x {} {}", rows, cols, type); }

std::string shape_text(int64_t m, int64_t n, int64_t k) { return fmt::format("{} x {} x {}", m, n, k); }

}  // namespace adahop::bench
