// OS threads that help with a launch and sleep between launches. The caller works too and never waits for a helper
// that has not begun, so a busy machine costs no more than doing the work alone.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace adahop::hip::cpu {

class worker_pool {
 public:
  worker_pool() = default;
  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;
  ~worker_pool();

  /// Calls work(0) here and, in up to `workers` - 1 other threads at once, work(1), work(2), ...; returns when all that
  /// began have returned. `work` has to find by itself what is left to do.
  void run(uint32_t workers, const std::function<void(uint32_t)>& work);

 private:
  void help();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::vector<std::thread> threads_;
  const std::function<void(uint32_t)>* work_ = nullptr;
  uint32_t next_number_ = 0;
  uint32_t workers_ = 0;
  uint32_t active_ = 0;
  bool stop_ = false;
};

}  // namespace adahop::hip::cpu
