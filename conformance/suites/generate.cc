// Bit patterns of synthetic tensors.
#include "conformance/suites/generate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "adahop/formats/mx_block.h"
#include "adahop/tensor.h"
#include "conformance/suites/random.h"

namespace adahop::conformance {
namespace {

constexpr int64_t kExtraPitch = 5;
constexpr uint32_t kMaxExponent = 254;
constexpr uint32_t kOutlierExponent = 5;  // outlier rows are 2^5 times larger
constexpr uint64_t kOutlierEvery = 8, kNonfiniteEvery = 211;
constexpr std::array<uint32_t, 5> kNonfinite{0x7FC00000u, 0x7F800000u, 0xFF800000u, 0xFFC10000u, 0x7FFF0000u};

constexpr uint32_t fp32(uint32_t sign, uint32_t exponent, uint32_t mantissa) {
  return sign << 31 | exponent << 23 | mantissa;
}

// An FP32 pattern of the source; the caller drops the lower half for BF16. Bits 0-22 of `word` are the mantissa, 63 the
// sign, 32-47 choose the exponent.
uint32_t element_bits_of(source what, uint64_t word) {
  const auto sign = static_cast<uint32_t>(word >> 63);
  const auto mantissa = static_cast<uint32_t>(word & 0x7FFFFFu);
  const auto choice = static_cast<uint32_t>((word >> 32) & 0xFFFFu);
  switch (what) {
    case source::spread: return fp32(sign, 118 + choice % 13, mantissa);
    case source::grid: return bits_of(decode_e2m1(e2m1_of(choice)));
    case source::subnormal: return fp32(sign, choice % 9, mantissa);
    case source::huge: return fp32(sign, 247 + choice % 8, mantissa);
    default: break;
  }
  // Uniform: each octave below 1 is half as likely as the one above it.
  return fp32(sign, 126 - static_cast<uint32_t>(std::countl_zero(static_cast<uint16_t>(choice | 1u))), mantissa);
}

// Multiplies by 2^kOutlierExponent; zeros stay, subnormals become small normals, the largest finite octave is the end.
uint32_t enlarge(uint32_t bits) {
  const uint32_t exponent = (bits >> 23) & 0xFFu;
  if ((bits & 0x7FFFFFFFu) == 0 || exponent == 255) return bits;
  return (bits & ~(0xFFu << 23)) | std::min(exponent + kOutlierExponent, kMaxExponent) << 23;
}

// Whether row (column) `line` of `count` is an outlier; at least one is.
bool is_outlier(uint64_t seed, uint64_t stream, int64_t line, int64_t count) {
  const uint64_t chosen = random_word(seed, stream ^ 1, 0) % static_cast<uint64_t>(count);
  return static_cast<uint64_t>(line) == chosen ||
         random_word(seed, stream ^ 2, static_cast<uint64_t>(line)) % kOutlierEvery == 0;
}

}  // namespace

std::string_view source_name(source s) {
  switch (s) {
    case source::uniform: return "uniform";
    case source::spread: return "spread";
    case source::grid: return "grid";
    case source::subnormal: return "subnormal";
    case source::zeros: return "zeros";
    case source::huge: return "huge";
    case source::nonfinite: return "nonfinite";
  }
  return "?";
}

tensor::tensor(int32_t type, int64_t r, int64_t c, int64_t p)
    : dtype(type), rows(r), cols(c), pitch(p), bytes(static_cast<size_t>(r * p * dtype_size(type)), uint8_t{0xFF}) {}

void tensor::set_bits(int64_t row, int64_t col, uint32_t bits) {
  const size_t at = static_cast<size_t>(row * pitch + col);
  const auto upper = static_cast<uint16_t>(bits >> 16);
  if (dtype == ADAHOP_BF16)
    std::memcpy(bytes.data() + 2 * at, &upper, 2);
  else
    std::memcpy(bytes.data() + 4 * at, &bits, 4);
}

adahop_view tensor::view() const {
  return {const_cast<uint8_t*>(bytes.data()), dtype, 0, rows, cols, pitch, 1};  // input views are only read
}

view_input input_of(std::string name, std::shared_ptr<const tensor> t) {
  const adahop_view v = t->view();
  return {std::move(name), v, std::move(t)};
}

view_input transposed_input_of(std::string name, std::shared_ptr<const tensor> t) {
  const adahop_view v = transposed(t->view());
  return {std::move(name), v, std::move(t)};
}

std::shared_ptr<const tensor> generate(const tensor_spec& spec, uint64_t seed, std::string_view tensor_name) {
  const uint64_t stream = stream_of(tensor_name);
  auto t = std::make_shared<tensor>(spec.dtype, spec.rows, spec.cols, spec.cols + (spec.pitched ? kExtraPitch : 0));
  const auto words = static_cast<uint64_t>(std::max<int64_t>(1, spec.rows * spec.cols));
  const uint64_t certain = random_word(seed, stream ^ 3, 0) % words;
  for (int64_t r = 0; r < spec.rows; ++r) {
    for (int64_t c = 0; c < spec.cols; ++c) {
      const auto index = static_cast<uint64_t>(r * spec.cols + c);
      const uint64_t word = random_word(seed, stream, index);
      uint32_t bits = element_bits_of(spec.what, word);
      const auto tile = static_cast<uint64_t>((r / kBlockSize) << 32 | (c / kBlockSize));
      if (spec.what == source::zeros && random_word(seed, stream ^ 4, tile) % 4 == 0) bits &= 0x80000000u;
      if (spec.pattern == ADAHOP_PATTERN_ROW && is_outlier(seed, stream, r, spec.rows)) bits = enlarge(bits);
      if (spec.pattern == ADAHOP_PATTERN_COLUMN && is_outlier(seed, stream, c, spec.cols)) bits = enlarge(bits);
      if (spec.what == source::nonfinite && (index == certain || (word >> 48) % kNonfiniteEvery == 0))
        bits = kNonfinite[static_cast<size_t>(mix64(word) % kNonfinite.size())];
      t->set_bits(r, c, bits);
    }
  }
  return t;
}

}  // namespace adahop::conformance
