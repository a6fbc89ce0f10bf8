// Helpers of a launch.
#include "device/cpu/worker_pool.h"

#include <system_error>

namespace adahop::hip::cpu {

worker_pool::~worker_pool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void worker_pool::run(uint32_t workers, const std::function<void(uint32_t)>& work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    next_number_ = 1;
    workers_ = workers;
    try {
      while (threads_.size() + 1 < workers) threads_.emplace_back([this] { help(); });
    } catch (const std::system_error&) {
      // The system gives no more threads; those there are do the work.
    }
  }
  if (workers > 1) wake_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  work_ = nullptr;
  idle_.wait(lock, [this] { return active_ == 0; });
}

void worker_pool::help() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stop_ || (work_ != nullptr && next_number_ < workers_); });
    if (stop_) return;
    const std::function<void(uint32_t)>& work = *work_;
    const uint32_t number = next_number_++;
    active_++;
    lock.unlock();
    work(number);
    lock.lock();
    if (--active_ == 0) idle_.notify_one();
  }
}

}  // namespace adahop::hip::cpu
