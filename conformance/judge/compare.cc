// Comparison of outputs and the texts for the first difference.
#include "conformance/judge/compare.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "adahop/formats/bf16.h"
#include "adahop/formats/mx_block.h"
#include "adahop/formats/scale_layout.h"

namespace adahop::conformance {
namespace {

bool is_nan_pattern(element kind, uint64_t bits) {
  switch (kind) {
    case element::bf16: return (bits & 0x7FFFu) > 0x7F80u;
    case element::f32: return (bits & 0x7FFFFFFFu) > 0x7F800000u;
    case element::f64: return (bits & 0x7FFFFFFFFFFFFFFFu) > 0x7FF0000000000000u;
    case element::e8m0: return bits == kE8m0Nan;
    default: return false;
  }
}

std::string float_text(double v) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v < 0 ? "-Inf" : "+Inf";
  return fmt::format("{}", v);
}

const guarded_array* find_kind(const std::vector<guarded_array>& outputs, element kind) {
  for (const guarded_array& output : outputs)
    if (output.spec().kind == kind) return &output;
  return nullptr;
}

// The scale byte of element (row, col), from [outer x blocks] scales or one row of shuffled ones.
uint64_t scale_of(const guarded_array& scales, const guarded_array& codes, int64_t row, int64_t col) {
  const int64_t blocks = codes.spec().cols / kBlockSize, block = col / kBlockSize;
  const bool linear = scales.spec().rows == codes.spec().rows && scales.spec().cols == blocks;
  return linear ? scales.bits(row, block) : scales.bits(0, shuffled_scale_offset(row, block, blocks));
}

// The element with its block scale, where the result has scales.
std::string scaled_text(const guarded_array& codes, const guarded_array* scales, int64_t row, int64_t col) {
  const uint64_t code = codes.bits(row, col);
  if (scales == nullptr) return value_text(element::e2m1, code);
  const uint64_t byte = scale_of(*scales, codes, row, col);
  const float value = decode_element(e2m1_of(static_cast<uint32_t>(code)), e8m0_of(static_cast<uint32_t>(byte)));
  return fmt::format("{} x {} = {}", value_text(element::e2m1, code), value_text(element::e8m0, byte),
                     float_text(value));
}

std::string output_name(const output_spec& spec, int64_t col) {
  return spec.fields.empty() ? spec.name : spec.fields[static_cast<size_t>(col)];
}

// Walks an output in row-major order; `same` decides on one element.
template <class Same>
std::optional<difference> first_difference(const guarded_array& expected, const guarded_array& got,
                                           const guarded_array* expected_scales, const guarded_array* got_scales,
                                           const Same& same) {
  const output_spec& spec = expected.spec();
  std::optional<difference> found;
  for (int64_t r = 0; r < spec.rows; ++r) {
    for (int64_t c = 0; c < spec.cols; ++c) {
      if (same(r, c)) continue;
      if (!found) {
        const uint64_t e = expected.bits(r, c), g = got.bits(r, c);
        const bool scaled = spec.kind == element::e2m1;
        found = difference{output_name(spec, c),
                           r,
                           c,
                           bits_text(spec.kind, e),
                           bits_text(spec.kind, g),
                           scaled ? scaled_text(expected, expected_scales, r, c) : value_text(spec.kind, e),
                           scaled ? scaled_text(got, got_scales, r, c) : value_text(spec.kind, g),
                           0,
                           spec.rows * spec.cols};
      }
      ++found->count;
    }
  }
  return found;
}

}  // namespace

std::string bits_text(element kind, uint64_t bits) { return fmt::format("0x{:0{}X}", bits, element_bits(kind) / 4); }

std::string value_text(element kind, uint64_t bits) {
  const auto low = static_cast<uint32_t>(bits);
  switch (kind) {
    case element::bf16: return float_text(decode_bf16({static_cast<uint16_t>(bits)}));
    case element::f32: return float_text(float_of(low));
    case element::f64: return float_text(std::bit_cast<double>(bits));
    case element::i32: return fmt::format("{}", static_cast<int32_t>(low));
    case element::i64: return fmt::format("{}", static_cast<int64_t>(bits));
    case element::e2m1: return float_text(decode_e2m1(e2m1_of(low)));
    case element::e8m0: return bits == kE8m0Nan ? "NaN" : fmt::format("2^{}", static_cast<int32_t>(low) - kE8m0Bias);
  }
  return "?";
}

std::optional<difference> compare_outputs(const std::vector<guarded_array>& expected,
                                          const std::vector<guarded_array>& got, compare_mode mode) {
  const guarded_array* expected_scales = find_kind(expected, element::e8m0);
  const guarded_array* got_scales = find_kind(got, element::e8m0);
  const bool by_value = mode == compare_mode::values;
  for (size_t i = 0; i < expected.size(); ++i) {
    const guarded_array& e = expected[i];
    const guarded_array& g = got[i];
    const element kind = e.spec().kind;
    if (by_value && kind == element::e8m0 && find_kind(expected, element::e2m1) != nullptr) continue;
    const auto same = [&](int64_t r, int64_t c) {
      const uint64_t a = e.bits(r, c), b = g.bits(r, c);
      if (!by_value) return a == b;
      if (kind == element::e2m1 && expected_scales != nullptr) {
        const auto value = [&](uint64_t code, const guarded_array& scales) {
          return decode_element_bits(e2m1_of(static_cast<uint32_t>(code)),
                                     e8m0_of(static_cast<uint32_t>(scale_of(scales, e, r, c))));
        };
        return value(a, *expected_scales) == value(b, *got_scales);  // a NaN block decodes to one canonical NaN
      }
      return a == b || (is_nan_pattern(kind, a) && is_nan_pattern(kind, b));
    };
    if (auto found = first_difference(e, g, expected_scales, got_scales, same)) return found;
  }
  return std::nullopt;
}

}  // namespace adahop::conformance
