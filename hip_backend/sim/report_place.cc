// Source lines by llvm-symbolizer, run as a process of its own.
#include "sim/report_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <vector>

extern char** environ;

namespace adahop::hip::sim {
namespace {

constexpr std::array kSymbolizers{"llvm-symbolizer-22", "llvm-symbolizer", "/opt/rocm/llvm/bin/llvm-symbolizer"};

// A file of our own that goes with the object.
class temporary_file {
 public:
  explicit temporary_file(std::span<const std::byte> content) {
    std::error_code error;
    path_ = (std::filesystem::temp_directory_path(error) / "adahop-sim-XXXXXX").string();
    const int file = mkstemp(path_.data());
    if (file < 0) {
      path_.clear();
      return;
    }
    size_t done = 0;
    while (done < content.size()) {
      const ssize_t n = write(file, content.data() + done, content.size() - done);
      if (n <= 0) break;
      done += static_cast<size_t>(n);
    }
    complete_ = done == content.size();
    close(file);
  }
  ~temporary_file() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  bool complete() const { return complete_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool complete_ = false;
};

// What the program prints on stdout; empty when it cannot be started or fails.
std::string output_of(const char* program, const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  std::vector<char*> words{const_cast<char*>(program)};
  for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program, &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  if (failed == 0) {
    std::array<char, 4096> buffer;
    for (ssize_t n; (n = read(ends[0], buffer.data(), buffer.size())) > 0;) text.append(buffer.data(), static_cast<size_t>(n));
    int how = 0;
    if (waitpid(child, &how, 0) != child || !WIFEXITED(how) || WEXITSTATUS(how) != 0) text.clear();
  }
  close(ends[0]);
  return text;
}

// "file.h:12" of a line "/folder/file.h:12:5"; empty for "??:0:0" and for lines that are no place.
std::string short_place(const std::string& line) {
  const size_t column = line.rfind(':');
  if (column == line.npos || column == 0) return {};
  const std::string place = line.substr(0, column);
  if (place.starts_with("??") || place.ends_with(":0")) return {};
  const size_t slash = place.rfind('/');
  return slash == place.npos ? place : place.substr(slash + 1);
}

// What the first symbolizer that there is says about these addresses.
std::string symbolized(const temporary_file& copy, std::vector<std::string> arguments, std::span<const uint64_t> addresses) {
  arguments.insert(arguments.end(), {"--obj=" + copy.path(), "--functions=none"});
  for (const uint64_t address : addresses) arguments.push_back(fmt::format("{:#x}", address));
  for (const char* program : kSymbolizers)
    if (std::string text = output_of(program, arguments); !text.empty()) return text;
  return {};
}

}  // namespace

std::string source_place(std::span<const std::byte> image, uint64_t address) {
  const temporary_file copy(image);
  if (!copy.complete()) return {};
  // One line a frame, the innermost first.
  std::vector<std::string> frames;
  std::istringstream lines(symbolized(copy, {"--inlines"}, {&address, 1}));
  for (std::string line; std::getline(lines, line);)
    if (std::string place = short_place(line); !place.empty()) frames.push_back(std::move(place));
  if (frames.empty()) return {};
  if (frames.size() == 1) return frames.front();
  return fmt::format("{}, from {}", frames.front(), frames.back());
}

std::vector<std::string> source_places(std::span<const std::byte> image, std::span<const uint64_t> addresses) {
  constexpr size_t kAtOnce = 8192;  // keeps a command line far below the kernel's limit
  std::vector<std::string> places(addresses.size());
  const temporary_file copy(image);
  if (!copy.complete()) return places;
  for (size_t first = 0; first < addresses.size(); first += kAtOnce) {
    const auto some = addresses.subspan(first, std::min(kAtOnce, addresses.size() - first));
    // One line an address, each followed by an empty one.
    std::istringstream lines(symbolized(copy, {"--no-inlines"}, some));
    size_t n = first;
    for (std::string line; std::getline(lines, line) && n < first + some.size();)
      if (!line.empty()) places[n++] = short_place(line);
  }
  return places;
}

}  // namespace adahop::hip::sim
