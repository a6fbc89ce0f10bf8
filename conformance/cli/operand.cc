// Loading and saving the tensors of a command.
#include "conformance/cli/operand.h"

#include <fmt/format.h>

#include <algorithm>

#include "adahop/io/file.h"
#include "adahop/io/safetensors.h"

namespace adahop::cli {

result<file_kind> kind_of(const std::string& path) {
  if (path.ends_with(".npy")) return file_kind::npy;
  if (path.ends_with(".safetensors")) return file_kind::safetensors;
  return invalid_argument(fmt::format("{}: name: expected one that ends in .npy or .safetensors", path));
}

result<source> load_source(const source_options& o) {
  const result<file_kind> kind = kind_of(o.path);
  if (!kind.ok()) return kind.why();
  if (kind.value() == file_kind::npy) {
    if (!o.tensor.empty())
      return invalid_argument(fmt::format("{}: --tensor: expected none, a .npy holds one tensor", o.path));
    result<io::array> data = io::read_npy(o.path, o.u2_is_bf16 ? io::u2_meaning::bf16 : io::u2_meaning::refused);
    if (!data.ok()) return data.why();
    return source{o.path, std::move(data).value()};
  }
  const result<io::safetensors> file = io::safetensors::read(o.path);
  if (!file.ok()) return file.why();
  const auto& tensors = file.value().tensors();
  if (o.tensor.empty() && tensors.size() != 1) {
    constexpr size_t kListed = 32;
    std::string names;
    for (size_t i = 0; i < tensors.size() && i < kListed; ++i)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", io::printable(tensors[i].name));
    if (tensors.size() > kListed) names += ", ...";
    return invalid_argument(fmt::format("{}: --tensor: expected a name, since the file holds {} tensors: {}", o.path,
                                        tensors.size(), names.empty() ? "none" : names));
  }
  const std::string name = o.tensor.empty() ? tensors.front().name : o.tensor;
  result<io::array> data = file.value().load(name);
  if (!data.ok()) return data.why();
  return source{fmt::format("{}: '{}'", o.path, io::printable(name)), std::move(data).value()};
}

result<operand> to_operand(source s) {
  result<io::array> data = io::float_array(s.data, s.where);
  if (!data.ok()) return data.why();
  const int32_t dtype = data->type == io::dtype::bf16 ? ADAHOP_BF16 : ADAHOP_F32;
  return operand{std::move(s.where), std::move(s.data.shape), dtype, std::move(data).value()};
}

result<operand> load_operand(const source_options& o) {
  result<source> s = load_source(o);
  if (!s.ok()) return s.why();
  return to_operand(std::move(s).value());
}

output_matrix::output_matrix(int32_t dtype, int64_t rows, int64_t cols)
    : dtype_(dtype), rows_(rows), cols_(cols), bytes_(static_cast<size_t>(rows * cols * dtype_size(dtype))) {}

adahop_view output_matrix::view() { return {bytes_.data(), dtype_, 0, rows_, cols_, cols_, 1}; }

io::array output_matrix::take(std::vector<int64_t> shape) {
  return {dtype_ == ADAHOP_BF16 ? io::dtype::bf16 : io::dtype::f32, std::move(shape), std::move(bytes_)};
}

status save(const std::string& path, const std::string& name, const io::array& data) {
  const result<file_kind> kind = kind_of(path);
  if (!kind.ok()) return kind.why();
  if (kind.value() == file_kind::npy) return io::write_npy(path, data);
  return io::write_safetensors(path, {{name, data}}, {});
}

std::string index_text(const std::vector<int64_t>& shape, int64_t row, int64_t col) {
  std::vector<int64_t> index;
  if (!shape.empty()) index.push_back(col);
  for (size_t d = shape.size(); d-- > 1;) {
    const int64_t size = shape[d - 1];
    index.push_back(row % size);
    row /= size;
  }
  std::reverse(index.begin(), index.end());
  return io::shape_text(index);
}

}  // namespace adahop::cli
