// SimDevice: gfx950 code objects on the CPU, instruction by instruction, behind the interface of a device. Implements SPEC
// 13.8-13.10.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "device/hip/code_objects.h"
#include "sim/coverage_recorder.h"
#include "sim/device_memory.h"
#include "sim/options.h"
#include "sim/program.h"
#include "sim/trace_session.h"

namespace adahop::hip {

/// The code objects of one optimisation level.
struct sim_level {
  std::string_view name;
  std::span<const code_object> objects;
};

/// What was executed since the device was made.
struct sim_statistics {
  uint64_t launches = 0;
  uint64_t wave_instructions = 0;
  double seconds = 0;  ///< of launches, added up over the threads that made them
};

/// Streams are ignored: every call has done its work when it returns, and a fault comes back from launch() itself. Calls
/// from several threads run at once; an option holds for launches that begin after it was set.
class SimDevice final : public device {
 public:
  /// The first level is in force. Code objects are decoded when find_kernel() first needs them; `levels` and what it points
  /// to outlive the device. ADAHOP_DEVICE where there are none or LLVM's library is missing.
  static result<std::unique_ptr<SimDevice>> open(std::span<const sim_level> levels);

  /// "level", "trace", "trace_file", "trace_limit", "coverage", or an option of sim::set_option(). A trace and a coverage
  /// end with the next value of their key, an empty one included; then files are written.
  status set_option(std::string_view key, std::string_view value);
  /// Kernels in this code object replace those with their names, at every level, until the next call; an empty image
  /// brings the build's own back. `name` is for people. ADAHOP_BAD_FILE where it replaces none.
  status replace_kernels(std::string_view name, std::span<const std::byte> image);

  sim_statistics statistics() const;

  std::string_view description() const override {
    return "gfx950 code objects executed on the CPU, instruction by instruction, under checkers";
  }
  int wave_size() const override { return 64; }

  result<void*> allocate(size_t bytes) override;
  void release(void* memory) override;
  status copy_to_device(void* target, const void* source, size_t bytes, void* stream) override;
  status copy_to_host(void* target, const void* source, size_t bytes, void* stream) override;
  status fill_zero(void* target, size_t bytes, void* stream) override;
  result<void*> create_stream() override;
  status release_stream(void* stream) override;
  result<kernel_handle> find_kernel(std::string_view name) override;
  status launch(kernel_handle kernel, extent3 grid, extent3 block, const void* args, size_t args_bytes,
                void* stream) override;
  status synchronize(void* stream) override;
  status start_timer(void* stream) override;
  result<double> stop_timer(void* stream) override;

 private:
  /// A kernel that was asked for, with the program that holds it.
  struct loaded_kernel {
    std::shared_ptr<const sim::program> code;
    const sim::sim_kernel* kernel;
    std::string level;  ///< or the file that replaced the level's kernel
  };
  /// A code object of a level, decoded when it is needed.
  struct lazy_program {
    const code_object* object;
    std::shared_ptr<const sim::program> code;
  };
  struct loaded_level {
    std::string_view name;
    std::vector<lazy_program> programs;
    std::deque<loaded_kernel> kernels;
  };

  SimDevice() = default;
  result<std::shared_ptr<const sim::program>> decoded(lazy_program& lazy);
  // Under mutex_.
  status check_replaces(const sim::program& code) const;
  status set_level(std::string_view value);
  status set_trace(std::string_view value);
  status set_trace_limit(std::string_view value);
  status set_coverage(std::string_view value);
  status finish_coverage();

  mutable std::mutex mutex_;  ///< of everything but memory_, which has its own
  std::vector<loaded_level> levels_;
  size_t level_ = 0;
  std::deque<loaded_kernel> replaced_;  ///< never shrinks: handles stay valid
  std::shared_ptr<const sim::program> replacement_;
  sim::options settings_;
  std::shared_ptr<sim::trace_session> trace_;  ///< null: nothing is traced
  std::string trace_file_;                     ///< of the next trace; empty: stdout
  uint64_t trace_limit_ = sim::kDefaultTraceLimit;
  std::shared_ptr<sim::coverage_recorder> coverage_;  ///< null: nothing is counted
  sim::device_memory memory_;
  sim_statistics statistics_;
  status release_failure_;  ///< for the next synchronize()
  std::chrono::steady_clock::time_point timer_start_;
};

}  // namespace adahop::hip
