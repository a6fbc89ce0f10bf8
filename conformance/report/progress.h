// A progress bar on stderr, for a terminal and for runs over two seconds only.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace adahop::conformance {

class progress_bar {
 public:
  explicit progress_bar(int64_t total);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  /// One more is done; callable from any thread.
  void step();

 private:
  using clock = std::chrono::steady_clock;
  int64_t total_;
  bool terminal_;
  std::atomic<int64_t> done_{0};
  clock::time_point start_ = clock::now(), drawn_ = start_;
  std::mutex drawing_;
  bool visible_ = false;
};

}  // namespace adahop::conformance
