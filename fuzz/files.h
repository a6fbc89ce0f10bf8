// What the targets of file readers share: laws that must hold, refusals that a person can read, a file without a disk.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "adahop/status.h"

namespace adahop::fuzz {

/// A finding, unless `holds`.
inline void require(bool holds, std::string_view law) {
  if (holds) return;
  std::fprintf(stderr, "broken: %.*s\n", static_cast<int>(law.size()), law.data());
  std::abort();
}

/// A reader's refusal is ADAHOP_BAD_FILE and one line of bounded length that begins with the file's name.
inline void check_refusal(const status& s, std::string_view where) {
  constexpr size_t kLongest = 16384;
  if (s.ok()) return;
  require(s.code() == ADAHOP_BAD_FILE, "a refusal has the code ADAHOP_BAD_FILE: " + s.message());
  require(s.message().starts_with(where), "a refusal names the file: " + s.message());
  require(s.message().size() <= kLongest, "a refusal is short");
  for (const char c : s.message())
    require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F, "a refusal is one printable line: " + s.message());
}

/// A file in memory with a path, for readers that take one.
class memory_file {
 public:
  memory_file() : fd_(::memfd_create("adahop-fuzz", MFD_CLOEXEC)) { require(fd_ >= 0, "memfd_create works"); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  ~memory_file() { ::close(fd_); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }
  void set(std::span<const uint8_t> bytes) {
    const bool written = ::ftruncate(fd_, 0) == 0 &&
                         ::pwrite(fd_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
    require(written, "a file in memory can be written");
  }

 private:
  int fd_;
};

}  // namespace adahop::fuzz
