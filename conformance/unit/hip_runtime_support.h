// HipDevice on fake_hip, and device memory by HIP's own functions as a caller of the C ABI would get it.
#pragma once
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "adahop/policy.h"
#include "adahop/tensor.h"
#include "backend_hip.h"
#include "catch.h"
#include "conformance/fake_hip/fake_hip.h"
#include "device/hip/hip_device.h"
#include "pipeline/kernel_table.h"

extern "C" {
int hipInit(unsigned flags);
int hipMalloc(void** memory, size_t bytes);
int hipFree(void* memory);
int hipMemcpy(void* target, const void* source, size_t bytes, int kind);
int hipStreamCreate(void** stream);
int hipStreamDestroy(void* stream);
}

namespace adahop_test {

inline std::vector<adahop::hip::hip_kernel_shape> kernel_shapes() {
  std::vector<adahop::hip::hip_kernel_shape> shapes;
  for (const auto& k : adahop::hip::kKernels) shapes.push_back({k.name, k.threads, k.args_bytes});
  return shapes;
}

inline adahop::result<std::unique_ptr<adahop::hip::HipDevice>> open_device() {
  static const auto shapes = kernel_shapes();
  return adahop::hip::HipDevice::open(adahop::hip::gfx950_code_objects(), shapes);
}

/// Values of uneven size, some rows and columns large.
inline void fill(adahop::matrix<adahop::bf16>& x, uint32_t seed) {
  for (int64_t r = 0; r < x.rows; ++r)
    for (int64_t c = 0; c < x.cols; ++c) {
      seed = seed * 1664525u + 1013904223u;
      const uint32_t exponent = 120 + (seed >> 29) + (r % 37 == 5 ? 5 : 0) + (c % 41 == 7 ? 4 : 0);
      x.at(r, c) = {static_cast<uint16_t>(((seed >> 13) & 0x8000u) | (exponent << 7) | ((seed >> 16) & 0x7Fu))};
    }
}

/// What fake_hip recorded, by the names of the calls.
inline std::vector<std::string> recorded_calls(const std::string& only = "") {
  std::vector<std::string> calls;
  for (int64_t i = 0; i < fake_hip_call_count(); ++i)
    if (const std::string call = fake_hip_call(i); call.starts_with(only)) calls.push_back(call);
  return calls;
}

inline void require_no_misuse() {
  for (int64_t i = 0; i < fake_hip_misuse_count(); ++i) UNSCOPED_INFO(fake_hip_misuse(i));
  REQUIRE(fake_hip_misuse_count() == 0);
}

/// An array in device memory, by HIP.
template <class T>
class device_copy {
 public:
  explicit device_copy(const std::vector<T>& from) : count_(from.size()) {
    REQUIRE(hipInit(0) == 0);  // what HIP wants first, whichever test runs first
    REQUIRE(hipMalloc(&memory_, count_ * sizeof(T)) == 0);
    REQUIRE(hipMemcpy(memory_, from.data(), count_ * sizeof(T), 1) == 0);
  }
  device_copy(const device_copy&) = delete;
  device_copy& operator=(const device_copy&) = delete;
  ~device_copy() { hipFree(memory_); }

  T* data() const { return static_cast<T*>(memory_); }
  std::vector<T> host() const {
    std::vector<T> to(count_);
    REQUIRE(hipMemcpy(to.data(), memory_, count_ * sizeof(T), 2) == 0);
    return to;
  }

 private:
  size_t count_;
  void* memory_ = nullptr;
};

/// The bytes of any trivially copyable elements, for comparisons that know no -0 == +0.
template <class T>
std::vector<unsigned char> bytes_of(const std::vector<T>& values) {
  std::vector<unsigned char> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace adahop_test
