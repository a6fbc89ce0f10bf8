// The state behind fake_hip: what is live, what was called, what waits in streams, and when to fail.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "hip_backend/device/cpu/cpu_device.h"

namespace adahop::fake_hip {

/// The hipError_t values that this library returns.
enum error : int {
  kSuccess = 0, kInvalidValue = 1, kOutOfMemory = 2, kNotInitialized = 3, kNoDevice = 100, kInvalidDevice = 101,
  kInvalidImage = 200, kNoBinaryForGpu = 209, kInvalidHandle = 400, kNotFound = 500, kLaunchFailure = 719
};
const char* name_of(int error);
const char* text_of(int error);

struct module {
  std::map<std::string, uint32_t> kernels;  ///< bytes of the argument buffer
};
struct function {
  module* owner;
  std::string name;
  uint32_t args_bytes;
  hip::kernel_handle kernel;
};
struct event {
  void* stream = nullptr;
  bool recorded = false;
  bool reached = false;
  std::chrono::steady_clock::time_point at;
};

class runtime {
 public:
  static runtime& instance();

  /// Every exported function: records `text`, fails if it is this call's turn, else does `work`, which returns an error.
  int call(std::string text, const std::function<int()>& work);
  /// The same for what releases something: `work` is done even if the call fails.
  int releasing_call(std::string text, const std::function<int()>& work);

  /// Notes a broken rule and returns `code`.
  int misuse(int code, std::string why);
  bool known_stream(void* stream) const { return stream == nullptr || streams.contains(stream); }
  /// True when [memory, memory + bytes) lies in a live allocation.
  bool inside_allocation(const void* memory, size_t bytes) const;
  /// Does what waits in `stream`, in order; kLaunchFailure when a kernel faults.
  int drain(void* stream);
  int drain_all();
  int64_t live() const;
  void reset();
  void fail_at(int64_t call, int code);
  void write_report(const char* file) const;

  hip::CpuDevice device;
  bool initialised = false;
  std::map<uintptr_t, size_t> allocations;
  std::map<void*, std::unique_ptr<module>> modules;
  std::map<void*, std::unique_ptr<function>> functions;
  std::map<void*, std::unique_ptr<event>> events;
  std::map<void*, std::unique_ptr<int>> streams;
  std::map<void*, std::vector<std::function<int()>>> waiting;  ///< by stream
  std::vector<std::string> calls, misuses;  ///< since reset(); the first 100000 calls
  int64_t call_number = 0, launches = 0;    ///< of the process
  std::mutex mutex;

 private:
  runtime();
  int begin(std::string text);

  int64_t until_failure_ = 0;
  int failure_ = kSuccess;
};

}  // namespace adahop::fake_hip
