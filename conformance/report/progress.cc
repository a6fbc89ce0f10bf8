// Drawing the progress bar.
#include "conformance/report/progress.h"

#include <fmt/format.h>
#include <unistd.h>

namespace adahop::conformance {
namespace {

constexpr std::chrono::milliseconds kQuiet{2000}, kBetweenDrawings{100};
constexpr int kWidth = 40;

}  // namespace

progress_bar::progress_bar(int64_t total) : total_(total), terminal_(isatty(STDERR_FILENO) == 1) {}

progress_bar::~progress_bar() {
  if (visible_) fmt::print(stderr, "\r\x1b[K");
}

void progress_bar::step() {
  const int64_t done = ++done_;
  if (!terminal_) return;
  const std::unique_lock lock(drawing_, std::try_to_lock);
  const clock::time_point now = clock::now();
  if (!lock || now - start_ < kQuiet || now - drawn_ < kBetweenDrawings) return;
  const auto filled = static_cast<int>(kWidth * done / total_);
  fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {}/{}", "", filled, "", kWidth - filled, done, total_);
  std::fflush(stderr);
  drawn_ = now;
  visible_ = true;
}

}  // namespace adahop::conformance
