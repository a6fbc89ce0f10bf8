// Tensors from and to files as commands use them: .npy or one tensor of a .safetensors, flattened to a matrix, with its
// logical shape kept. Implements SPEC 12.2, 12.7 for the program.
#pragma once
#include <string>
#include <vector>

#include "adahop/io/array.h"
#include "adahop/io/npy.h"
#include "adahop/tensor.h"

namespace adahop::cli {

struct source_options {
  std::string path;
  std::string tensor;       ///< name in a .safetensors; may stay empty where there is one tensor
  bool u2_is_bf16 = false;  ///< '<u2' arrays of a .npy are BF16 bits
};

/// The raw tensor. `where` is what messages call it: the path, with the tensor's name where the file has several.
struct source {
  std::string where;
  io::array data;
};
result<source> load_source(const source_options& o);

/// A float matrix [-1, last], BF16 or F32 (F64 where it is exactly F32), where it lies in a mapped file if it can be.
struct operand {
  std::string where;
  std::vector<int64_t> shape;
  int32_t dtype = ADAHOP_F32;
  io::array data;  ///< of that type, aligned

  adahop_view view() const { return view_of(data); }
};
result<operand> to_operand(source s);
result<operand> load_operand(const source_options& o);

/// A matrix that a backend computes, and then the tensor that is written and hashed, without a copy.
class output_matrix {
 public:
  /// `dtype` is an adahop_dtype.
  output_matrix(int32_t dtype, int64_t rows, int64_t cols);
  adahop_view view();
  /// Its bytes, which leave it, in the tensor's own shape.
  io::array take(std::vector<int64_t> shape);

 private:
  int32_t dtype_;
  int64_t rows_, cols_;
  io::tensor_buffer bytes_;
};

enum class file_kind { npy, safetensors };
/// By the name's ending; ADAHOP_INVALID_ARGUMENT for another one.
result<file_kind> kind_of(const std::string& path);

/// Writes one tensor, under `name` in a .safetensors.
status save(const std::string& path, const std::string& name, const io::array& data);

/// Index of element (row, col) of the flattened matrix in the tensor's own shape: "[1, 0, 17]".
std::string index_text(const std::vector<int64_t>& shape, int64_t row, int64_t col);

}  // namespace adahop::cli
