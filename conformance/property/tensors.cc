// Tensors of properties: layout in memory, reordering, printing.
#include "tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <ostream>

namespace adahop::property {
namespace {

// A NaN as FP32, and in both halves as BF16.
constexpr uint32_t kGap = 0x7FDE7FDEu;

std::string text_of(const tensor& t, uint32_t bits) {
  if (t.dtype == ADAHOP_BF16) return fmt::format("{:04X} ({:g})", bits >> 16, float_of(bits));
  return fmt::format("{:08X} ({:g})", bits, float_of(bits));
}

std::string row_text(const tensor& t, int64_t r) {
  std::string text;
  for (int64_t c = 0; c < t.cols;) {
    int64_t end = c + 1;
    while (end < t.cols && t.at(r, end) == t.at(r, c)) ++end;
    text += (c > 0 ? ", " : " ") + text_of(t, t.at(r, c));
    if (end - c > 1) text += fmt::format(" x{}", end - c);
    c = end;
  }
  return text;
}

}  // namespace

std::ostream& operator<<(std::ostream& os, const tensor& t) {
  const placement& p = t.where;
  os << fmt::format("{} [{} x {}]", t.dtype == ADAHOP_BF16 ? "BF16" : "FP32", t.rows, t.cols);
  if (p != placement{})
    os << fmt::format(", offset {}, step {}, gap {}{}", p.offset, p.step, p.gap, p.transposed ? ", transposed" : "");
  for (int64_t r = 0; r < t.rows; ++r) os << fmt::format("\n  row {}:", r) << row_text(t, r);
  return os;
}

std::ostream& operator<<(std::ostream& os, const operands& o) { return os << "a: " << o.a << "\nb: " << o.b; }

tensor with_rows(const tensor& t, const std::vector<int64_t>& order) {
  tensor out(t.dtype, static_cast<int64_t>(order.size()), t.cols);
  out.where = t.where;
  for (int64_t r = 0; r < out.rows; ++r)
    for (int64_t c = 0; c < t.cols; ++c) out.at(r, c) = t.at(order[static_cast<size_t>(r)], c);
  return out;
}

tensor with_columns(const tensor& t, const std::vector<int64_t>& order) {
  tensor out(t.dtype, t.rows, static_cast<int64_t>(order.size()));
  out.where = t.where;
  for (int64_t r = 0; r < t.rows; ++r)
    for (int64_t c = 0; c < out.cols; ++c) out.at(r, c) = t.at(r, order[static_cast<size_t>(c)]);
  return out;
}

tensor transpose(const tensor& t) {
  tensor out(t.dtype, t.cols, t.rows);
  out.where = t.where;
  for (int64_t r = 0; r < t.rows; ++r)
    for (int64_t c = 0; c < t.cols; ++c) out.at(c, r) = t.at(r, c);
  return out;
}

tensor times_power_of_two(tensor t, int power) {
  for (uint32_t& bits : t.bits)
    if ((bits & 0x7FFFFFFFu) != 0) bits += static_cast<uint32_t>(power) << 23;
  return t;
}

stored_tensor::stored_tensor(const tensor& t) : shape_(t) {
  const placement& p = t.where;
  const int64_t lines = p.transposed ? t.cols : t.rows, length = p.transposed ? t.rows : t.cols;
  const int64_t pitch = std::max<int64_t>(length * p.step + p.gap, 1);
  row_stride_ = p.transposed ? p.step : pitch;
  col_stride_ = p.transposed ? pitch : p.step;
  const bool empty = lines == 0 || length == 0;
  const int64_t slots = p.offset + (empty ? 0 : (lines - 1) * pitch + (length - 1) * p.step + 1);
  const int64_t size = dtype_size(t.dtype);
  memory_.assign(static_cast<size_t>((slots * size + 3) / 4), kGap);
  used_.assign(memory_.size() * 4 / static_cast<size_t>(size), false);
  const adahop_view v = view();
  for (int64_t r = 0; r < t.rows; ++r) {
    for (int64_t c = 0; c < t.cols; ++c) {
      used_[static_cast<size_t>(element_offset(r, c))] = true;
      const int64_t at = r * row_stride_ + c * col_stride_;
      if (t.dtype == ADAHOP_BF16)
        static_cast<bf16*>(v.data)[at] = {static_cast<uint16_t>(t.at(r, c) >> 16)};
      else
        static_cast<float*>(v.data)[at] = t.value(r, c);
    }
  }
}

int64_t stored_tensor::element_offset(int64_t r, int64_t c) const {
  return shape_.where.offset + r * row_stride_ + c * col_stride_;
}

adahop_view stored_tensor::view() {
  char* const start = reinterpret_cast<char*>(memory_.data()) + shape_.where.offset * dtype_size(shape_.dtype);
  return {start, shape_.dtype, 0, shape_.rows, shape_.cols, row_stride_, col_stride_};
}

tensor stored_tensor::read() const {
  tensor t = shape_;
  const char* const start = reinterpret_cast<const char*>(memory_.data());
  for (int64_t r = 0; r < t.rows; ++r) {
    for (int64_t c = 0; c < t.cols; ++c) {
      uint16_t half = 0;
      const char* const at = start + element_offset(r, c) * dtype_size(t.dtype);
      if (t.dtype == ADAHOP_BF16) {
        std::memcpy(&half, at, sizeof half);
        t.at(r, c) = uint32_t{half} << 16;
      } else {
        std::memcpy(&t.at(r, c), at, sizeof(uint32_t));
      }
    }
  }
  return t;
}

bool stored_tensor::is_gap_touched() const {
  const auto size = static_cast<size_t>(dtype_size(shape_.dtype));
  const char* const start = reinterpret_cast<const char*>(memory_.data());
  for (size_t i = 0; i < used_.size(); ++i)
    if (!used_[i] && std::memcmp(start + i * size, &kGap, size) != 0) return true;
  return false;
}

}  // namespace adahop::property
