// Bookkeeping of fake_hip.
#include "conformance/fake_hip/fake_runtime.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "conformance/fake_hip/fake_hip.h"
#include "hip_backend/kernels/cpu_kernels.h"

namespace adahop::fake_hip {
namespace {

constexpr size_t kMaxRecorded = 100000;

struct error_text {
  int code;
  const char* name;
  const char* text;
};
constexpr error_text kErrors[] = {
    {kSuccess, "hipSuccess", "no error"},
    {kInvalidValue, "hipErrorInvalidValue", "invalid argument"},
    {kOutOfMemory, "hipErrorOutOfMemory", "out of memory"},
    {kNotInitialized, "hipErrorNotInitialized", "initialization error"},
    {kNoDevice, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {kInvalidDevice, "hipErrorInvalidDevice", "invalid device ordinal"},
    {kInvalidImage, "hipErrorInvalidImage", "device kernel image is invalid"},
    {kNoBinaryForGpu, "hipErrorNoBinaryForGpu", "no kernel image is available for execution on the device"},
    {kInvalidHandle, "hipErrorInvalidHandle", "invalid resource handle"},
    {kNotFound, "hipErrorNotFound", "named symbol not found"},
    {kLaunchFailure, "hipErrorLaunchFailure", "unspecified launch failure"},
};

// A runtime library may be used until the very end of a process, so it is reported on last.
__attribute__((destructor)) void report_at_exit() {
  if (const char* file = std::getenv("ADAHOP_FAKE_HIP_REPORT"); file != nullptr) runtime::instance().write_report(file);
}

}  // namespace

const char* name_of(int error) {
  for (const error_text& e : kErrors)
    if (e.code == error) return e.name;
  return "hipErrorUnknown";
}

const char* text_of(int error) {
  for (const error_text& e : kErrors)
    if (e.code == error) return e.text;
  return "unknown error";
}

runtime& runtime::instance() {
  static auto* const only = new runtime;  // never destroyed, see report_at_exit()
  return *only;
}

runtime::runtime() : device(hip::cpu_kernels()) {
  long long call = 0;
  int code = 0;
  const char* const asked = std::getenv("ADAHOP_FAKE_HIP_FAIL");
  if (asked != nullptr && std::sscanf(asked, "%lld:%d", &call, &code) == 2) fail_at(call, code);
}

int runtime::begin(std::string text) {
  ++call_number;
  if (calls.size() < kMaxRecorded) calls.push_back(std::move(text));
  return until_failure_ > 0 && --until_failure_ == 0 ? failure_ : kSuccess;
}

int runtime::call(std::string text, const std::function<int()>& work) {
  const std::lock_guard lock(mutex);
  const int failure = begin(std::move(text));
  return failure != kSuccess ? failure : work();
}

int runtime::releasing_call(std::string text, const std::function<int()>& work) {
  const std::lock_guard lock(mutex);
  const int failure = begin(std::move(text));
  const int own = work();
  return failure != kSuccess ? failure : own;
}

int runtime::misuse(int code, std::string why) {
  misuses.push_back(fmt::format("call {}: {}", call_number, why));
  return code;
}

bool runtime::inside_allocation(const void* memory, size_t bytes) const {
  const auto address = reinterpret_cast<uintptr_t>(memory);
  auto next = allocations.upper_bound(address);
  if (next == allocations.begin()) return false;
  const auto& [begin, size] = *--next;
  return address - begin <= size && bytes <= size - (address - begin);
}

int runtime::drain(void* stream) {
  int first = kSuccess;
  for (const std::function<int()>& work : std::exchange(waiting[stream], {}))
    if (const int code = work(); first == kSuccess) first = code;
  return first;
}

int runtime::drain_all() {
  int first = kSuccess;
  for (auto& [stream, work] : waiting)
    if (const int code = drain(stream); first == kSuccess) first = code;
  return first;
}

int64_t runtime::live() const {
  size_t work = 0;
  for (const auto& [stream, queue] : waiting) work += queue.size();
  return static_cast<int64_t>(allocations.size() + modules.size() + events.size() + streams.size() + work);
}

void runtime::reset() {
  const std::lock_guard lock(mutex);
  calls.clear();
  misuses.clear();
  until_failure_ = 0;
}

void runtime::fail_at(int64_t call, int code) {
  const std::lock_guard lock(mutex);
  until_failure_ = call;
  failure_ = code;
}

void runtime::write_report(const char* file) const {
  std::FILE* const out = std::fopen(file, "w");
  if (out == nullptr) return;
  fmt::print(out, "calls {}\nlaunches {}\nallocations {}\nevents {}\nstreams {}\nmisuses {}\n", call_number, launches,
             allocations.size(), events.size(), streams.size(), misuses.size());
  for (const std::string& m : misuses) fmt::print(out, "misuse: {}\n", m);
  std::fclose(out);
}

}  // namespace adahop::fake_hip

#define FAKE_HIP_API extern "C" __attribute__((visibility("default")))

using adahop::fake_hip::runtime;

FAKE_HIP_API void fake_hip_reset() { runtime::instance().reset(); }
FAKE_HIP_API void fake_hip_fail_at(int64_t call, int error) { runtime::instance().fail_at(call, error); }
FAKE_HIP_API int64_t fake_hip_call_count() { return static_cast<int64_t>(runtime::instance().calls.size()); }
FAKE_HIP_API const char* fake_hip_call(int64_t index) { return runtime::instance().calls.at(static_cast<size_t>(index)).c_str(); }
FAKE_HIP_API int64_t fake_hip_misuse_count() { return static_cast<int64_t>(runtime::instance().misuses.size()); }
FAKE_HIP_API const char* fake_hip_misuse(int64_t index) {
  return runtime::instance().misuses.at(static_cast<size_t>(index)).c_str();
}
FAKE_HIP_API int64_t fake_hip_live() { return runtime::instance().live(); }
