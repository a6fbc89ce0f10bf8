// Mapping over POSIX calls, and the list of mappings that a signal handler reads. Implements SPEC 12.10.
#include "adahop/io/mapping.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string>

namespace adahop::io {
namespace {

// One mapping as the handler sees it. Entries are made when all are taken, never freed, and reused; `begin` is set last
// and cleared first. A thread that faults holds its own mapping, so that one's entry stays as it is while the handler
// reads.
struct watched {
  std::atomic<bool> taken{true};
  std::atomic<const uint8_t*> begin{nullptr};
  std::atomic<size_t> bytes{0};
  std::atomic<const std::string*> line{nullptr};
  watched* next = nullptr;
};
std::atomic<watched*> first{nullptr};

watched& take_entry() {
  for (watched* w = first.load(); w != nullptr; w = w->next)
    if (!w->taken.exchange(true)) return *w;
  auto* const made = new watched;
  made->next = first.load();
  while (!first.compare_exchange_weak(made->next, made)) continue;
  return *made;
}

class mapping {
 public:
  mapping(const uint8_t* begin, size_t bytes, const std::string& path)
      : begin_(begin),
        bytes_(bytes),
        line_("adahop: " + path + ": read: the file shrank or its device failed"),
        entry_(take_entry()) {
    // No control character of a name reaches the terminal.
    for (char& c : line_)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    line_ += '\n';
    entry_.bytes = bytes_;
    entry_.line = &line_;
    entry_.begin = begin_;
  }
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;
  ~mapping() {
    entry_.begin = nullptr;
    entry_.taken = false;
    ::munmap(const_cast<uint8_t*>(begin_), bytes_);
  }

 private:
  const uint8_t* begin_;
  size_t bytes_;
  std::string line_;
  watched& entry_;
};

int status_at_exit;
std::atomic<bool> told{false};
struct sigaction action_before;

// Calls nothing but what may be called in a handler.
void on_bus_error(int, siginfo_t* info, void*) {
  const auto* const at = static_cast<const uint8_t*>(info->si_addr);
  for (const watched* w = first.load(); w != nullptr; w = w->next) {
    const uint8_t* const begin = w->begin.load();
    if (begin == nullptr || at < begin || at >= begin + w->bytes.load()) continue;
    // Threads that fail together: one tells, and ends them all.
    if (told.exchange(true)) for (;;) ::pause();
    const std::string& line = *w->line.load();
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
    ::_exit(status_at_exit);
  }
  ::sigaction(SIGBUS, &action_before, nullptr);  // the access is repeated and ends there
}

}  // namespace

result<tensor_bytes> content_of(input_file& file) {
  const auto bytes = static_cast<size_t>(file.size());
  void* const at = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (at == MAP_FAILED) {
    if (errno == ENOMEM) return no_memory(file.path(), file.size());
    ADAHOP_TRY(file.read_to(file.size()));
    return tensor_bytes(file.take());
  }
  const auto* const begin = static_cast<const uint8_t*>(at);
  return tensor_bytes(std::make_shared<const mapping>(begin, bytes, file.path()), {begin, bytes});
}

void exit_where_a_mapping_fails(int exit_status) {
  status_at_exit = exit_status;
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, &action_before);
}

}  // namespace adahop::io
