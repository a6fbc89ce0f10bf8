// Whole files in and out. An output appears complete under its name or not at all. Implements SPEC 12.6.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adahop/status.h"

namespace adahop::io {

/// A regular file that is read from its front on, so that a header can be refused before the data takes memory (SPEC 12.5).
class input_file {
 public:
  /// ADAHOP_IO for one that is missing, unreadable or no regular file, ADAHOP_BAD_FILE for an empty one.
  static result<input_file> open(const std::string& path);
  input_file(input_file&& other) noexcept
      : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)), size_(other.size_), bytes_(std::move(other.bytes_)) {}
  ~input_file();

  const std::string& path() const { return path_; }
  int descriptor() const { return fd_; }
  uint64_t size() const { return size_; }
  /// Reads until bytes() holds the first `end` bytes of the file, all of it where it is shorter. ADAHOP_OUT_OF_MEMORY
  /// where they do not fit.
  status read_to(uint64_t end);
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  std::vector<uint8_t> take() { return std::move(bytes_); }

 private:
  input_file(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

  std::string path_;
  int fd_;
  uint64_t size_ = 0;
  std::vector<uint8_t> bytes_;
};

/// ADAHOP_OUT_OF_MEMORY: `bytes` of the file at `path` find no room.
status no_memory(const std::string& path, uint64_t bytes);

/// The bytes of a regular file; errors as of input_file, and ADAHOP_BAD_FILE for one of more than `largest` bytes, none
/// of which is read.
result<std::vector<uint8_t>> read_file(const std::string& path, uint64_t largest = UINT64_MAX);

/// Writes a temporary file in the same folder, syncs it and renames it to `path`. A symbolic link is followed, also to
/// a file that is not there yet; an existing file keeps its permissions, and what is no regular file (a device, a folder)
/// is refused. On error, ADAHOP_IO, nothing of the attempt is left and an existing file is untouched.
status write_file(const std::string& path, std::span<const uint8_t> bytes);

/// The same for a file of several parts, one after the other; none is copied.
using file_parts = std::vector<std::span<const uint8_t>>;
status write_parts(const std::string& path, const file_parts& parts);

/// A text from a file as part of a one-line message: control and non-ASCII bytes as \xNN, cut after 80 characters.
std::string printable(std::string_view text);
/// printable() between single quotes.
std::string in_quotes(std::string_view text);

}  // namespace adahop::io
