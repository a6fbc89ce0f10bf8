// Reading and atomic writing over POSIX calls. Implements SPEC 12.6.
#include "adahop/io/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

namespace adahop::io {
namespace {

// The system's limit for one read or write call is just under 2 GiB; stay below it.
constexpr size_t kMaxTransfer = size_t{1} << 30;

status refused(const std::string& path, std::string_view what, int error) {
  return io_error(fmt::format("{}: {}: {}", path, what, std::strerror(error)));
}

class descriptor {
 public:
  explicit descriptor(int fd) : fd_(fd) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() { close(); }
  int get() const { return fd_; }
  /// The close is reported once: some file systems tell of a failed write only here.
  int close() {
    const int fd = fd_;
    fd_ = -1;
    return fd < 0 ? 0 : ::close(fd);
  }

 private:
  int fd_;
};

// Removes the temporary file unless it has been renamed.
struct temporary {
  std::string path;
  bool renamed = false;
  ~temporary() {
    if (!renamed) ::unlink(path.c_str());
  }
};

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == path.npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// A new file in `folder`, its name in `name`; below 0 with errno where there is none.
int open_temporary(const std::string& folder, std::string& name) {
  constexpr int kAttempts = 100;
  int fd = -1;
  for (int i = 0; i < kAttempts; ++i) {
    // Random and not a count: killed processes leave files, and in a container each may have had the same number.
    uint64_t random = 0;
    if (::getentropy(&random, sizeof random) != 0) return -1;
    name = fmt::format("{}/.adahop-{:016x}.tmp", folder, random);
    fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) break;
  }
  return fd;
}

int write_all(int fd, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), std::min(bytes.size(), kMaxTransfer));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return 0;
}

}  // namespace

result<input_file> input_file::open(const std::string& path) {
  // O_NONBLOCK: opening a pipe that nobody writes must not hang; it means nothing for a regular file.
  input_file file(path, ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.fd_ < 0) return refused(path, "open", errno);
  struct stat info {};
  if (::fstat(file.fd_, &info) != 0) return refused(path, "stat", errno);
  if (!S_ISREG(info.st_mode))
    return io_error(fmt::format("{}: expected a file, found {}", path, kind_of(info.st_mode)));
  if (info.st_size == 0) return bad_file(fmt::format("{}: expected content, found an empty file", path));
  file.size_ = static_cast<uint64_t>(info.st_size);
  return file;
}

input_file::~input_file() {
  if (fd_ >= 0) ::close(fd_);
}

status input_file::read_to(uint64_t end) {
  end = std::min(end, size_);
  size_t filled = bytes_.size();
  if (end <= filled) return {};
  try {
    bytes_.resize(end);
  } catch (const std::bad_alloc&) {
    return no_memory(path_, end);
  } catch (const std::length_error&) {
    return no_memory(path_, end);
  }
  while (filled < end) {
    const ssize_t n = ::read(fd_, bytes_.data() + filled, std::min<size_t>(end - filled, kMaxTransfer));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return refused(path_, "read", errno);
    if (n == 0) return io_error(fmt::format("{}: read: the file shrank while it was read", path_));
    filled += static_cast<size_t>(n);
  }
  return {};
}

status no_memory(const std::string& path, uint64_t bytes) {
  return {ADAHOP_OUT_OF_MEMORY, fmt::format("{}: read: no memory for {} bytes", path, bytes)};
}

result<std::vector<uint8_t>> read_file(const std::string& path, uint64_t largest) {
  result<input_file> file = input_file::open(path);
  if (!file.ok()) return file.why();
  if (file->size() > largest)
    return bad_file(fmt::format("{}: size: expected at most {} bytes, found {}", path, largest, file->size()));
  ADAHOP_TRY(file->read_to(file->size()));
  return file->take();
}

// Where a chain of symbolic links ends, whether or not something is there; empty, with errno, where it does not end.
std::string end_of_links(std::string path) {
  constexpr int kMaxLinks = 40;  // as the kernel itself
  for (int i = 0; i < kMaxLinks; ++i) {
    char next[4096];
    const ssize_t n = ::readlink(path.c_str(), next, sizeof next);
    if (n < 0) return path;
    const std::string target(next, static_cast<size_t>(n));
    path = target.starts_with('/') ? target : folder_of(path) + "/" + target;
  }
  errno = ELOOP;
  return {};
}

status write_file(const std::string& path, std::span<const uint8_t> bytes) { return write_parts(path, {bytes}); }

status write_parts(const std::string& path, const file_parts& parts) {
  std::string target = path;
  mode_t mode = 0;
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) {
    if (!S_ISREG(info.st_mode))
      return io_error(fmt::format("{}: expected a file to write, found {}", path, kind_of(info.st_mode)));
    if (::access(path.c_str(), W_OK) != 0) return refused(path, "write", errno);
    mode = info.st_mode & 07777u;
    char* resolved = ::realpath(path.c_str(), nullptr);
    if (resolved == nullptr) return refused(path, "write", errno);
    target = resolved;
    std::free(resolved);
  } else {
    target = end_of_links(path);
    if (target.empty()) return refused(path, "write", errno);
  }

  const std::string folder = folder_of(target);
  std::string name;
  descriptor file(open_temporary(folder, name));
  if (file.get() < 0) return refused(path, "write", errno);
  temporary temp{name};
  if (mode != 0 && ::fchmod(file.get(), mode) != 0) return refused(path, "write", errno);
  for (const std::span<const uint8_t> part : parts)
    if (const int error = write_all(file.get(), part); error != 0) return refused(path, "write", error);
  if (::fsync(file.get()) != 0) return refused(path, "sync", errno);
  if (file.close() != 0) return refused(path, "close", errno);
  if (::rename(temp.path.c_str(), target.c_str()) != 0) return refused(path, "rename", errno);
  temp.renamed = true;
  // The file is complete under its name; syncing the folder only makes the name survive a power cut, so a file system
  // that cannot do it is no error.
  if (const descriptor f(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); f.get() >= 0) ::fsync(f.get());
  return {};
}

std::string printable(std::string_view text) {
  constexpr size_t kLongest = 80;
  std::string out;
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) out += c;
    else out += fmt::format("\\x{:02x}", byte);
  }
  return text.size() > kLongest ? out + "..." : out;
}

std::string in_quotes(std::string_view text) { return fmt::format("'{}'", printable(text)); }

}  // namespace adahop::io
