// Reading and atomic writing over POSIX calls. Implements SPEC 12.6.
#include "adahop/io/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

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
  static std::atomic<unsigned> counter{0};
  constexpr int kAttempts = 100;  // a killed process of the same number may have left a few
  int fd = -1;
  for (int i = 0; i < kAttempts; ++i) {
    name = fmt::format("{}/.adahop-{}-{}.tmp", folder, ::getpid(), counter++);
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

result<std::vector<uint8_t>> read_file(const std::string& path) {
  // O_NONBLOCK: opening a pipe that nobody writes must not hang; it means nothing for a regular file.
  const descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return refused(path, "open", errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return refused(path, "stat", errno);
  if (!S_ISREG(info.st_mode))
    return io_error(fmt::format("{}: expected a file, found {}", path, kind_of(info.st_mode)));
  if (info.st_size == 0) return bad_file(fmt::format("{}: expected content, found an empty file", path));
  std::vector<uint8_t> bytes(static_cast<size_t>(info.st_size));
  size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t n = ::read(file.get(), bytes.data() + filled, std::min(bytes.size() - filled, kMaxTransfer));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return refused(path, "read", errno);
    if (n == 0) return io_error(fmt::format("{}: read: the file shrank while it was read", path));
    filled += static_cast<size_t>(n);
  }
  return bytes;
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

status write_file(const std::string& path, std::span<const uint8_t> bytes) {
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
  if (const int error = write_all(file.get(), bytes); error != 0) return refused(path, "write", error);
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
