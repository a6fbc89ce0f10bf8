// safetensors files: 8 bytes of header length, a JSON header, data. Reads and writes BF16, F32, U8, F4 and F8_E8M0;
// the format's other types are listed and refused when read as data. Implements SPEC 12.5.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "adahop/io/array.h"

namespace adahop::io {

using metadata = std::map<std::string, std::string>;

struct tensor_entry {
  std::string name;
  std::string dtype_name;       ///< as the header says
  std::optional<dtype> type;    ///< nothing where this version lists the type but does not read it
  std::vector<int64_t> shape;   ///< logical elements, F4 too
  uint64_t begin = 0, end = 0;  ///< bytes within the data section
};

struct named_array {
  std::string name;
  array data;
};

/// A file whose bytes are shared or mapped and whose header has been checked against its size: offsets in range, in order without overlap or
/// holes, and each tensor as long as its shape and type say.
class safetensors {
 public:
  /// Errors are ADAHOP_BAD_FILE "WHERE: field: expected ..., found ...".
  static result<safetensors> parse(tensor_bytes file, const std::string& where);
  /// The header is checked against the file's size before the data is mapped.
  static result<safetensors> read(const std::string& path);

  const metadata& meta() const { return meta_; }
  /// In the order of the data.
  const std::vector<tensor_entry>& tensors() const { return tensors_; }
  const tensor_entry* find(std::string_view name) const;
  /// One tensor, sharing the file's bytes. ADAHOP_INVALID_ARGUMENT for a name that is not there (the message lists the first of those that are),
  /// ADAHOP_BAD_FILE for a type that is not read.
  result<array> load(std::string_view name) const;
  const std::string& where() const { return where_; }

  /// A file that is to be written: what stands in front of the data, and the tensors in the order of their data, which
  /// are those of the caller's list. Errors as of encode_safetensors().
  struct front {
    std::vector<uint8_t> bytes;
    std::vector<const named_array*> order;
  };
  static result<front> encode_front(const std::vector<named_array>& tensors, const metadata& meta);

 private:
  // Everything but the data, from the header and what stands before it.
  static result<safetensors> parse_front(std::span<const uint8_t> front, uint64_t file_bytes, const std::string& where);

  std::string where_;
  metadata meta_;
  std::vector<tensor_entry> tensors_;
  std::map<std::string, size_t, std::less<>> by_name_;  ///< index in tensors_
  tensor_bytes file_;
  size_t data_at_ = 0;
};

/// Tensors ordered as the Python package orders them (widest type first, then by name), metadata by key, header padded
/// with spaces to a multiple of 8. ADAHOP_INVALID_ARGUMENT for a repeated or unprintable name, a text that is not UTF-8,
/// or data that does not fit its shape.
result<std::vector<uint8_t>> encode_safetensors(const std::vector<named_array>& tensors, const metadata& meta);
status write_safetensors(const std::string& path, const std::vector<named_array>& tensors, const metadata& meta);

}  // namespace adahop::io
