// A tensor as files hold it: element type, shape, little-endian bytes. Nothing here rounds; the exact conversions of
// SPEC 12.7 live here, and the size arithmetic that every reader of untrusted headers shares (SPEC 12.5).
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adahop/io/tensor_bytes.h"
#include "adahop/tensor.h"

namespace adahop::io {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are little-endian and are not swapped");

enum class dtype { f4, u8, f8_e8m0, bf16, f32, f64 };

/// The safetensors name: "F4", "U8", "F8_E8M0", "BF16", "F32", "F64".
std::string_view name(dtype type);
uint64_t bits_of_element(dtype type);

inline constexpr size_t kMaxDimensions = 8;

struct array {
  dtype type = dtype::u8;
  std::vector<int64_t> shape;  ///< outermost first; empty for a scalar
  tensor_bytes bytes;          ///< C order; F4 holds element 2i in the low nibble of byte i
};

/// "[3, 4]".
std::string shape_text(std::span<const int64_t> shape);

/// Bytes of a tensor; ADAHOP_BAD_FILE "WHERE: shape: ..." for more than 8 dimensions, a negative one, more than 2^40
/// elements (zero dimensions left out of the product), or a last dimension that splits a byte.
result<uint64_t> storage_bytes(uint64_t bits, std::span<const int64_t> shape, const std::string& where);

/// The matrix that a tensor is treated as: [-1, last] for two dimensions and more, [1, n] for one, [1, 1] for a scalar.
struct extents {
  int64_t rows, cols;
};
extents flattened(std::span<const int64_t> shape);

/// The matrix itself as an array.
array array_of(matrix<float> m, std::vector<int64_t> shape);
array array_of(matrix<bf16> m, std::vector<int64_t> shape);

/// The tensor as operations take it: BF16 as it is, F32 too, and F64 as F32 where every value is exactly one or a NaN
/// (SPEC 12.7), aligned to its elements. It shares the bytes of `a` where they are that already. ADAHOP_BAD_FILE
/// "WHERE: dtype: ..." for another type.
result<array> float_array(const array& a, const std::string& where);

/// The flattened tensor, BF16 or F32 and aligned, for reading.
adahop_view view_of(const array& a);

/// A copy of the flattened tensor. ADAHOP_BAD_FILE "WHERE: dtype: ..." for another type than the one asked.
result<matrix<bf16>> matrix_bf16(const array& a, const std::string& where);
/// F32 as it is, and F64 where every value is exactly an FP32 value or a NaN (SPEC 12.7).
result<matrix<float>> matrix_f32(const array& a, const std::string& where);

}  // namespace adahop::io
