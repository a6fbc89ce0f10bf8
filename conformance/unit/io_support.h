// Small builders for file tests: bytes from texts, container prefixes, a folder that removes itself.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adahop/io/array.h"
#include "catch.h"

namespace adahop::test {

using bytes = std::vector<uint8_t>;

inline bytes to_bytes(std::string_view text) { return {text.begin(), text.end()}; }

inline bytes operator+(bytes a, const bytes& b) {
  a.reserve(a.size() + b.size());
  for (const uint8_t byte : b)
    a.push_back(byte);
  return a;
}

inline bytes zeros(size_t n) { return bytes(n, 0); }

inline bytes little_endian(uint64_t value, size_t width) {
  bytes out;
  for (size_t i = 0; i < width; ++i)
    out.push_back(static_cast<uint8_t>(value >> (8 * i)));
  return out;
}

/// An .npy file of version `major`.0 around any header text, honest about its length unless `length` says otherwise.
inline bytes npy(std::string_view header, size_t data_bytes, uint8_t major = 1, int64_t length = -1) {
  const uint64_t n = length < 0 ? header.size() : static_cast<uint64_t>(length);
  return to_bytes("\x93NUMPY") + bytes{major, 0} + little_endian(n, major == 1 ? 2 : 4) + to_bytes(header) +
         zeros(data_bytes);
}

/// A safetensors file around any header text.
inline bytes safetensors_file(std::string_view header, size_t data_bytes, int64_t length = -1) {
  const uint64_t n = length < 0 ? header.size() : static_cast<uint64_t>(length);
  return little_endian(n, 8) + to_bytes(header) + zeros(data_bytes);
}

/// An array of that type and shape with bytes that differ from their neighbours.
inline io::array sample_array(io::dtype type, std::vector<int64_t> shape) {
  bytes content(io::storage_bytes(io::bits_of_element(type), shape, "sample_array").value());
  for (size_t i = 0; i < content.size(); ++i)
    content[i] = static_cast<uint8_t>(37 * i + 11);
  return {type, std::move(shape), std::move(content)};
}

class temporary_folder {
 public:
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "adahop-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }
  size_t files() const {
    size_t n = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path_))
      ++n;
    return n;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace adahop::test
