// The tensors that properties are checked on: values as FP32 patterns, how they lie in memory, and how they are printed
// for a person. pick.h draws them, make_tensor.h makes them.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "adahop/tensor.h"

namespace adahop::property {

/// How a matrix lies in memory, counted in elements of its type.
struct placement {
  int64_t offset = 0;       ///< of element (0, 0) from a well aligned start
  int64_t step = 1;         ///< between neighbours along the fast dimension
  int64_t gap = 0;          ///< more between lines than a line needs
  bool transposed = false;  ///< the rows are the fast dimension

  friend bool operator==(const placement&, const placement&) = default;
};

/// A matrix of FP32 or BF16 values. `bits` holds FP32 patterns, [rows][cols]; those of BF16 have a zero lower half.
struct tensor {
  int32_t dtype = ADAHOP_F32;
  int64_t rows = 0, cols = 0;
  std::vector<uint32_t> bits;
  placement where;

  tensor() = default;
  tensor(int32_t type, int64_t r, int64_t c) : dtype(type), rows(r), cols(c), bits(static_cast<size_t>(r * c)) {}
  uint32_t& at(int64_t r, int64_t c) { return bits[static_cast<size_t>(r * cols + c)]; }
  uint32_t at(int64_t r, int64_t c) const { return bits[static_cast<size_t>(r * cols + c)]; }
  float value(int64_t r, int64_t c) const { return float_of(at(r, c)); }
};
/// Shape, strides, then the hexadecimal bits of each row, repeats counted: `41200000 (10), 00000000 x31`.
std::ostream& operator<<(std::ostream& os, const tensor& t);

/// The same rows in another order: row r of the result is row order[r].
tensor with_rows(const tensor& t, const std::vector<int64_t>& order);
tensor with_columns(const tensor& t, const std::vector<int64_t>& order);
tensor transpose(const tensor& t);
/// Each element multiplied by 2^power; the caller knows that none leaves the normal range.
tensor times_power_of_two(tensor t, int power);

/// A tensor in memory as its placement says. What lies between its elements is a NaN pattern, so that an operation
/// which reads it shows.
class stored_tensor {
 public:
  explicit stored_tensor(const tensor& t);
  adahop_view view();
  /// The values that memory holds now.
  tensor read() const;
  /// Whether something was written between or beside the elements.
  bool is_gap_touched() const;

 private:
  int64_t element_offset(int64_t r, int64_t c) const;
  tensor shape_;
  int64_t row_stride_, col_stride_;
  std::vector<uint32_t> memory_;  ///< one word an element for F32, half a word for BF16
  std::vector<bool> used_;        ///< which element slots belong to the tensor
};

/// Two operands of a product, [M x K] and [N x K].
struct operands {
  tensor a, b;
};
std::ostream& operator<<(std::ostream& os, const operands& o);

}  // namespace adahop::property
