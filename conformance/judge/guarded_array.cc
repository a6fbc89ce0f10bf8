// Layout, garbage and guards of judged outputs. Implements the judge's side of SPEC 1.6.
#include "conformance/judge/guarded_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace adahop::conformance {
namespace {

// Elements (bytes for packed codes and scales) left free between two lines; odd, so that lines lose their alignment.
constexpr int64_t kGapElements = 3;

}  // namespace

int element_bits(element kind) {
  switch (kind) {
    case element::e2m1: return 4;
    case element::e8m0: return 8;
    case element::bf16: return 16;
    case element::f32:
    case element::i32: return 32;
    case element::f64:
    case element::i64: return 64;
  }
  return 0;
}

const char* element_name(element kind) {
  switch (kind) {
    case element::e2m1: return "E2M1";
    case element::e8m0: return "E8M0";
    case element::bf16: return "BF16";
    case element::f32: return "FP32";
    case element::i32: return "int32";
    case element::f64: return "FP64";
    case element::i64: return "int64";
  }
  return "?";
}

guarded_array::guarded_array(const output_spec& spec, uint8_t garbage) : spec_(spec), garbage_(garbage) {
  const int64_t gap = kGapElements * std::max(1, element_bits(spec.kind) / 8);
  pitch_ = line_bytes() + (lines() > 1 ? gap : 0);
  bytes_.resize(static_cast<size_t>(2 * kGuardBytes + pitch_ * lines()));
  for (size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = garbage_at(i);
}

uint8_t guarded_array::garbage_at(size_t i) const { return static_cast<uint8_t>(garbage_ + 31 * i); }

int64_t guarded_array::line_bytes() const {
  const int64_t length = spec_.transposed ? spec_.rows : spec_.cols;
  return length * element_bits(spec_.kind) / 8;
}

adahop_view guarded_array::view() {
  const int64_t size = element_bits(spec_.kind) / 8;
  const int64_t stride = pitch_ / size;
  return {data(),
          spec_.kind == element::bf16 ? ADAHOP_BF16 : ADAHOP_F32,
          0,
          spec_.rows,
          spec_.cols,
          spec_.transposed ? 1 : stride,
          spec_.transposed ? stride : 1};
}

uint64_t guarded_array::bits(int64_t row, int64_t col) const {
  const int64_t line = spec_.transposed ? col : row;
  const int64_t at = spec_.transposed ? row : col;
  const uint8_t* start = bytes_.data() + kGuardBytes + line * pitch_;
  if (spec_.kind == element::e2m1) return (start[at / 2] >> (4 * (at % 2))) & 0xFu;
  const int64_t size = element_bits(spec_.kind) / 8;
  uint64_t value = 0;
  std::memcpy(&value, start + at * size, static_cast<size_t>(size));  // x86-64 and every other little-endian host
  return value;
}

std::string guarded_array::touched() const {
  const size_t begin = kGuardBytes, end = bytes_.size() - kGuardBytes;
  for (size_t i = 0; i < bytes_.size(); ++i) {
    const bool inside = i >= begin && i < end;
    const int64_t from_start = static_cast<int64_t>(i) - kGuardBytes;
    if (inside && from_start % pitch_ < line_bytes()) continue;
    if (bytes_[i] == garbage_at(i)) continue;
    if (i < begin) return fmt::format("{}: byte {} before the output was changed", spec_.name, from_start);
    if (i >= end) return fmt::format("{}: byte {} behind the output was changed", spec_.name, i - end);
    return fmt::format("{}: byte {} behind the end of {} {} was changed", spec_.name,
                       from_start % pitch_ - line_bytes(), spec_.transposed ? "column" : "row", from_start / pitch_);
  }
  return {};
}

}  // namespace adahop::conformance
