// The encoder inside the quantizing kernels on every pattern that can stand under a scale byte, for each class of scale
// byte, against the oracle's encoder: a sample and every threshold in each run, all 2^32 patterns under the label
// `exhaustive`.
#include <array>
#include <atomic>

#include "reference/encode.h"
#include "reference/scale.h"
#include "simd_kernels_support.h"

namespace adahop::reference::simd {
namespace {

// Blocks whose greatest magnitude is `anchor` (bits) get this scale byte, so that every pattern up to it meets that
// byte.
struct byte_class {
  scale_choice how;
  uint32_t anchor;
};

constexpr uint32_t kMantissa = 0x007FFFFFu;

// Under floor a byte's largest amax is almost 8 * 2^(byte - 127): it reaches patterns that are clipped.
constexpr byte_class floor_class(uint32_t byte) { return {{ADAHOP_SCALE_FLOOR, 0}, (byte + 2) << 23 | kMantissa}; }

// The least bytes, whose scales are subnormal or close to it, one from the middle, the largest, and min_scale_byte at
// work.
constexpr byte_class kClasses[] = {floor_class(0),
                                   floor_class(1),
                                   floor_class(2),
                                   floor_class(125),
                                   floor_class(252),
                                   {{ADAHOP_SCALE_EVEN, 0}, 0x7F7FFFFFu},
                                   {{ADAHOP_SCALE_FLOOR, 1}, 2u << 23 | kMantissa}};
constexpr uint8_t kBytes[] = {0, 1, 2, 125, 252, 253, 1};

constexpr int64_t kBlocks = 512;  // of a run: its input fits the L2 cache

template <class Element>
using quantize_kernel = run_report (*)(const scale_choice&, const Element*, int64_t, uint8_t*, uint8_t*);
template <class Element>
quantize_kernel<Element> kernel_of(isa level) {
  if constexpr (sizeof(Element) == 2)
    return kernels_of(level)->quantize_bf16;
  else
    return kernels_of(level)->quantize_f32;
}

// A run of blocks, 31 patterns and the anchor each, with what the oracle says of it.
template <class Element>
class encoder_run {
 public:
  // Patterns first .. first + 31 * kBlocks - 1 of `count`; past the last, zeros.
  template <class PatternOf>
  encoder_run(const byte_class& c, int64_t first, int64_t count, const PatternOf& pattern_of) : class_(c) {
    const uint8_t byte = scale_byte(c.anchor, static_cast<adahop_scale_rule>(c.how.rule), c.how.min_scale_byte);
    scales_.fill(byte);
    for (int64_t block = 0, next = first; block < kBlocks; ++block)
      for (int64_t i = 0; i < 32; ++i) {
        // The anchor wanders, so that patterns meet every lane.
        const uint32_t bits = i == block % 32 ? c.anchor : next < count ? pattern_of(next++) : 0u;
        const float v = float_of(bits);
        const size_t at = static_cast<size_t>(32 * block + i);
        x_[at] = element_of<Element>(v);
        const uint32_t code = code_of(encode_e2m1(v, e8m0_of(byte)));
        codes_[at / 2] = static_cast<uint8_t>(i % 2 == 0 ? code : codes_[at / 2] | code << 4);
        clipped_ += clips(v, e8m0_of(byte)) ? 1 : 0;
      }
  }

  // Whether a kernel gives the same.
  bool agrees(quantize_kernel<Element> kernel) const {
    std::array<uint8_t, 16 * kBlocks> codes;
    std::array<uint8_t, kBlocks> scales;
    const run_report report = kernel(class_.how, x_.data(), kBlocks, codes.data(), scales.data());
    return codes == codes_ && scales == scales_ && report.clipped == clipped_ && report.first_nonfinite == -1;
  }

 private:
  byte_class class_;
  std::array<Element, 32 * kBlocks> x_;
  std::array<uint8_t, 16 * kBlocks> codes_;
  std::array<uint8_t, kBlocks> scales_;
  int64_t clipped_ = 0;
};

// pattern_of(0 .. count - 1) under a class, through the kernels of every level.
template <class Element, class PatternOf>
void check_patterns(const byte_class& c, int64_t count, const PatternOf& pattern_of) {
  std::vector<quantize_kernel<Element>> kernels;
  for (const isa level : tested_levels()) kernels.push_back(kernel_of<Element>(level));
  constexpr int64_t kPatterns = 31 * kBlocks;
  const int64_t runs = (count + kPatterns - 1) / kPatterns;
  std::atomic<int64_t> wrong = 0, first_wrong = INT64_MAX;
#pragma omp parallel for schedule(dynamic)
  for (int64_t run = 0; run < runs; ++run) {
    const encoder_run<Element> expected(c, run * kPatterns, count, pattern_of);
    for (const auto kernel : kernels) {
      if (expected.agrees(kernel)) continue;
      ++wrong;
      int64_t seen = first_wrong;
      while (run * kPatterns < seen && !first_wrong.compare_exchange_weak(seen, run * kPatterns)) continue;
    }
  }
  INFO("rule " << c.how.rule << ", min_scale_byte " << c.how.min_scale_byte << ", anchor " << std::hex << c.anchor);
  INFO("first in the run from pattern " << std::hex << (wrong == 0 ? 0 : pattern_of(first_wrong)));
  CHECK(wrong == 0);
}

// Both signs of every magnitude up to the anchor, in turn.
constexpr uint32_t pattern_at(int64_t index) {
  return static_cast<uint32_t>(index / 2) | static_cast<uint32_t>(index % 2) << 31;
}
constexpr int64_t patterns_of(const byte_class& c) { return 2 * (int64_t{c.anchor} + 1); }

// Every BF16 up to the class's anchor.
void check_bf16(const byte_class& c) {
  const byte_class narrow = {c.how, c.anchor & 0xFFFF0000u};
  check_patterns<uint16_t>(narrow, 2 * (int64_t{narrow.anchor >> 16} + 1), [](int64_t index) {
    return static_cast<uint32_t>(index / 2) << 16 | static_cast<uint32_t>(index % 2) << 31;
  });
}

// Every NaN and Inf alone among finite values: the block's byte is 0xFF, its codes 0, nothing is clipped (SPEC 5.14).
void check_nonfinite() {
  constexpr int64_t kFirst = 0x7F800000, kEnd = int64_t{1} << 31, kRun = 1 << 13;
  for (const isa level : tested_levels()) {
    const auto kernel = kernel_of<float>(level);
    std::atomic<int64_t> wrong = 0;
#pragma omp parallel for schedule(static)
    for (int64_t first = kFirst; first < kEnd; first += kRun) {
      std::array<float, 32> x;
      x.fill(1.5f);
      for (int64_t bits = first; bits < first + kRun; ++bits)
        for (const uint32_t sign : {0u, 0x80000000u}) {
          const auto at = static_cast<size_t>(bits % 32);
          x[at] = float_of(static_cast<uint32_t>(bits) | sign);
          std::array<uint8_t, 16> codes;
          uint8_t scale = 0;
          const run_report report = kernel({ADAHOP_SCALE_EVEN, 0}, x.data(), 1, codes.data(), &scale);
          const bool right = scale == kE8m0Nan && codes == std::array<uint8_t, 16>{} && report.clipped == 0 &&
                             report.first_nonfinite == static_cast<int64_t>(at);
          if (!right) ++wrong;
          x[at] = 1.5f;
        }
    }
    INFO("instruction set " << name(level));
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("each class of scale byte is what it says", "[spec:5.2][spec:5.4][spec:5.6]") {
  for (size_t i = 0; i < std::size(kClasses); ++i) {
    const byte_class& c = kClasses[i];
    for (const uint32_t anchor : {c.anchor, c.anchor & 0xFFFF0000u})
      CHECK(scale_byte(anchor, static_cast<adahop_scale_rule>(c.how.rule), c.how.min_scale_byte) == kBytes[i]);
  }
}

TEST_CASE("kernels encode a sample of all FP32 patterns, and every threshold, as the oracle does",
          "[spec:5.8][spec:5.9][spec:5.11][spec:5.12][spec:5.13]") {
  constexpr int64_t kStep = (1 << 12) - 1;  // odd, so that both signs come
  for (size_t i = 0; i < std::size(kClasses); ++i) {
    const byte_class& c = kClasses[i];
    check_patterns<float>(c, (patterns_of(c) + kStep - 1) / kStep / test::kReduction,
                          [](int64_t index) { return pattern_at(index * kStep * test::kReduction); });
    std::vector<uint32_t> near;
    for (const double tie : {0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0})
      for (int32_t offset = -300; offset <= 300; ++offset) {
        const uint32_t bits =
            bits_of(static_cast<float>(std::ldexp(tie, kBytes[i] - 127))) + static_cast<uint32_t>(offset);
        if (bits <= c.anchor) near.push_back(bits), near.push_back(bits | 0x80000000u);
      }
    REQUIRE(near.size() > 10000);
    check_patterns<float>(c, static_cast<int64_t>(near.size()),
                          [&](int64_t index) { return near[static_cast<size_t>(index)]; });
  }
}

TEST_CASE("kernels encode every BF16 pattern under some scale bytes as the oracle does", "[spec:5.11][spec:5.12]") {
  for (const byte_class& c : kClasses) check_bf16(c);
}

TEST_CASE("kernels encode all 2^32 patterns as the oracle does",
          "[.exhaustive][spec:5.11][spec:5.12][spec:5.13][spec:5.14]") {
  for (const byte_class& c : kClasses) check_patterns<float>(c, patterns_of(c), pattern_at);
  check_nonfinite();
  for (uint32_t byte = 0; byte <= 252; ++byte) check_bf16(floor_class(byte));
}

}  // namespace adahop::reference::simd
