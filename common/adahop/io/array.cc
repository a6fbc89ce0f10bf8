// Sizes of tensors from untrusted numbers, and exact conversions. Implements SPEC 12.5, 12.7.
#include "adahop/io/array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cfloat>
#include <cmath>
#include <cstring>

namespace adahop::io {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 40;

template <class T>
matrix<T> copy_out(const array& a) {
  const extents e = flattened(a.shape);
  matrix<T> m(e.rows, e.cols);
  if (!m.data.empty()) std::memcpy(m.data.data(), a.bytes.data(), a.bytes.size());
  return m;
}

status wrong_type(const std::string& where, std::string_view expected, dtype found) {
  return bad_file(fmt::format("{}: dtype: expected {}, found {}", where, expected, name(found)));
}

bool is_float(double v) {
  if (!std::isfinite(v)) return true;
  if (std::fabs(v) > double{FLT_MAX}) return false;
  return static_cast<double>(static_cast<float>(v)) == v;
}

// F64 as F32, each value exactly.
result<array> narrowed(const array& a, const std::string& where) {
  const size_t count = a.bytes.size() / sizeof(double);
  tensor_buffer f32(count * sizeof(float));
  for (size_t i = 0; i < count; ++i) {
    double v = 0;  // copied out, since it may stand at any address
    std::memcpy(&v, a.bytes.data() + i * sizeof v, sizeof v);
    if (!is_float(v))
      return bad_file(fmt::format("{}: element {}: expected F64 values that are exactly F32, found {:a}", where, i, v));
    const auto narrow = static_cast<float>(v);
    std::memcpy(f32.data() + i * sizeof narrow, &narrow, sizeof narrow);
  }
  return array{dtype::f32, a.shape, std::move(f32)};
}

}  // namespace

std::string_view name(dtype type) {
  switch (type) {
    case dtype::f4: return "F4";
    case dtype::u8: return "U8";
    case dtype::f8_e8m0: return "F8_E8M0";
    case dtype::bf16: return "BF16";
    case dtype::f32: return "F32";
    case dtype::f64: return "F64";
  }
  return "?";
}

uint64_t bits_of_element(dtype type) {
  switch (type) {
    case dtype::f4: return 4;
    case dtype::u8:
    case dtype::f8_e8m0: return 8;
    case dtype::bf16: return 16;
    case dtype::f32: return 32;
    case dtype::f64: return 64;
  }
  return 0;
}

std::string shape_text(std::span<const int64_t> shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

result<uint64_t> storage_bytes(uint64_t bits, std::span<const int64_t> shape, const std::string& where) {
  const auto wrong = [&](std::string_view expected) {
    return bad_file(fmt::format("{}: shape: expected {}, found {}", where, expected,
                                shape.size() > kMaxDimensions ? fmt::format("{}", shape.size()) : shape_text(shape)));
  };
  if (shape.size() > kMaxDimensions) return wrong(fmt::format("at most {} dimensions", kMaxDimensions));
  int64_t product = 1;
  bool empty = false;
  for (const int64_t d : shape) {
    if (d < 0) return wrong("dimensions of at least 0");
    if (d == 0) {
      empty = true;
      continue;
    }
    // product <= 2^40, so d <= 2^40 / product keeps the new one there too.
    if (d > kMaxElements / product) return wrong("at most 2^40 elements");
    product *= d;
  }
  const int64_t last = shape.empty() ? 1 : shape.back();
  if (static_cast<uint64_t>(last) * bits % 8 != 0)
    return wrong(fmt::format("a last dimension that fills whole bytes with {}-bit elements", bits));
  return empty ? 0 : static_cast<uint64_t>(product) * bits / 8;
}

extents flattened(std::span<const int64_t> shape) {
  if (shape.empty()) return {1, 1};
  int64_t rows = 1;
  for (const int64_t d : shape.first(shape.size() - 1))
    rows *= d;
  return {rows, shape.back()};
}

array array_of(matrix<float> m, std::vector<int64_t> shape) {
  return {dtype::f32, std::move(shape), tensor_bytes(std::move(m))};
}
array array_of(matrix<bf16> m, std::vector<int64_t> shape) {
  return {dtype::bf16, std::move(shape), tensor_bytes(std::move(m))};
}

result<array> float_array(const array& a, const std::string& where) {
  if (a.type == dtype::f64) return narrowed(a, where);
  if (a.type != dtype::bf16 && a.type != dtype::f32) return wrong_type(where, "BF16, F32 or F64", a.type);
  if (a.bytes.empty()) return a;
  if (reinterpret_cast<uintptr_t>(a.bytes.data()) % (bits_of_element(a.type) / 8) == 0) return a;
  tensor_buffer aligned(a.bytes.size());
  std::memcpy(aligned.data(), a.bytes.data(), a.bytes.size());
  return array{a.type, a.shape, std::move(aligned)};
}

adahop_view view_of(const array& a) {
  const extents e = flattened(a.shape);
  // The ABI's views are not const, and input views are only read.
  void* const data = const_cast<uint8_t*>(a.bytes.data());
  return {data, a.type == dtype::bf16 ? ADAHOP_BF16 : ADAHOP_F32, 0, e.rows, e.cols, e.cols, 1};
}

result<matrix<bf16>> matrix_bf16(const array& a, const std::string& where) {
  if (a.type != dtype::bf16) return wrong_type(where, "BF16", a.type);
  return copy_out<bf16>(a);
}

result<matrix<float>> matrix_f32(const array& a, const std::string& where) {
  if (a.type == dtype::f32) return copy_out<float>(a);
  if (a.type != dtype::f64) return wrong_type(where, "F32 or F64", a.type);
  const result<array> f32 = narrowed(a, where);
  if (!f32.ok()) return f32.why();
  return copy_out<float>(f32.value());
}

}  // namespace adahop::io
