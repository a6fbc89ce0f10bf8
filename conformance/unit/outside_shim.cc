// Preloaded into the program under test: file-system calls that fail, are torn or never return. Only files whose path has
// the text of ADAHOP_SHIM_PATH in it are touched. ADAHOP_SHIM says what happens:
//   kill:N         the process is killed just before its N-th call on an output (open to create, fchmod, write, fsync, close,
//                  rename)
//   tear:N         it is killed after that call; half of a write has reached the file
//   fail:CALL:ERR  CALL (open, create, access, mkdir, fchmod, read, mmap, write, fsync, close, rename) fails with the error number
//                  ERR; a write fails after half of its bytes, a close when it has closed
//   short          reads and writes move at most 1000 bytes, and every second one is interrupted by a signal
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <string_view>

namespace {

constexpr size_t kShortBytes = 1000;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

enum class touch : unsigned char { no, input, output };
std::array<touch, 1024> files;  // by descriptor

touch& state_of(int fd) {
  static touch other;
  other = touch::no;
  return fd >= 0 && static_cast<size_t>(fd) < files.size() ? files[static_cast<size_t>(fd)] : other;
}

bool is_ours(std::string_view path) {
  const std::string_view text = variable("ADAHOP_SHIM_PATH");
  return !text.empty() && path.find(text) != path.npos;
}

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

// The N of "kill:N" or "tear:N"; 0 for another request.
int number_of(std::string_view action) {
  const std::string_view request = variable("ADAHOP_SHIM");
  return request.starts_with(action) ? std::atoi(request.data() + action.size()) : 0;
}

int calls = 0;  // on outputs, so far
bool comes() {
  if (++calls == number_of("kill:")) die();
  return calls == number_of("tear:");
}

// The error number with which `call` fails, else 0.
int failure_of(std::string_view call) {
  std::string_view request = variable("ADAHOP_SHIM");
  if (!request.starts_with("fail:")) return 0;
  request.remove_prefix(5);
  if (!request.starts_with(call) || request.size() <= call.size() || request[call.size()] != ':') return 0;
  return std::atoi(request.data() + call.size() + 1);
}

template <class T>
T failed(int error) {
  errno = error;
  return T{-1};
}

// Whether this transfer is interrupted, and else how much of it is made.
bool interrupted(size_t& bytes) {
  static bool now = false;
  if (variable("ADAHOP_SHIM") != "short") return false;
  now = !now;
  bytes = std::min(bytes, kShortBytes);
  return now;
}

int open_file(const char* path, int flags, mode_t mode) {
  const bool ours = is_ours(path), creates = (flags & O_CREAT) != 0;
  if (ours)
    if (const int error = failure_of(creates ? "create" : "open"); error != 0) return failed<int>(error);
  const bool last = ours && creates && comes();
  const int fd = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
  if (last) die();
  if (fd >= 0) state_of(fd) = !ours ? touch::no : creates ? touch::output : touch::input;
  return fd;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  return open_file(path, flags, mode);
}

int access(const char* path, int how) noexcept {
  if (is_ours(path))
    if (const int error = failure_of("access"); error != 0) return failed<int>(error);
  return static_cast<int>(::syscall(SYS_faccessat, AT_FDCWD, path, how));
}

int mkdir(const char* path, mode_t mode) noexcept {
  if (is_ours(path))
    if (const int error = failure_of("mkdir"); error != 0) return failed<int>(error);
  return static_cast<int>(::syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}

int fchmod(int fd, mode_t mode) noexcept {
  const bool ours = state_of(fd) == touch::output;
  if (ours)
    if (const int error = failure_of("fchmod"); error != 0) return failed<int>(error);
  const bool last = ours && comes();
  const int code = static_cast<int>(::syscall(SYS_fchmod, fd, mode));
  if (last) die();
  return code;
}

ssize_t read(int fd, void* to, size_t bytes) {
  if (state_of(fd) == touch::input) {
    if (const int error = failure_of("read"); error != 0) return failed<ssize_t>(error);
    if (interrupted(bytes)) return failed<ssize_t>(EINTR);
  }
  return ::syscall(SYS_read, fd, to, bytes);
}

void* mmap(void* at, size_t bytes, int protection, int flags, int fd, off_t offset) noexcept {
  if (state_of(fd) == touch::input) {
    if (const int error = failure_of("mmap"); error != 0) {
      errno = error;
      return MAP_FAILED;
    }
  }
  return reinterpret_cast<void*>(::syscall(SYS_mmap, at, bytes, protection, flags, fd, offset));
}

ssize_t write(int fd, const void* from, size_t bytes) {
  if (state_of(fd) != touch::output) return ::syscall(SYS_write, fd, from, bytes);
  if (comes()) {
    ::syscall(SYS_write, fd, from, bytes / 2);
    die();
  }
  if (const int error = failure_of("write"); error != 0) {
    static bool half = false;
    half = !half;
    return half ? ::syscall(SYS_write, fd, from, bytes / 2) : failed<ssize_t>(error);
  }
  if (interrupted(bytes)) return failed<ssize_t>(EINTR);
  return ::syscall(SYS_write, fd, from, bytes);
}

int fsync(int fd) {
  const bool ours = state_of(fd) == touch::output;
  if (ours)
    if (const int error = failure_of("fsync"); error != 0) return failed<int>(error);
  const bool last = ours && comes();
  const int code = static_cast<int>(::syscall(SYS_fsync, fd));
  if (last) die();
  return code;
}

int close(int fd) {
  const bool ours = state_of(fd) == touch::output;
  state_of(fd) = touch::no;
  const bool last = ours && comes();
  const int code = static_cast<int>(::syscall(SYS_close, fd));
  if (last) die();
  if (ours)
    if (const int error = failure_of("close"); error != 0) return failed<int>(error);
  return code;
}

int rename(const char* from, const char* to) noexcept {
  const bool ours = is_ours(to);
  if (ours)
    if (const int error = failure_of("rename"); error != 0) return failed<int>(error);
  const bool last = ours && comes();
  const int code = static_cast<int>(::syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
  if (last) die();
  return code;
}

}  // extern "C"
