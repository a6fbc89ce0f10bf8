// A CpuDevice with the test kernels and buffers for them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "catch.h"
#include "device/cpu/cpu_device.h"
#include "hip_cpu_kernels.h"

namespace adahop::hip::test {

class test_bench {
 public:
  explicit test_bench(std::span<const cpu_kernel> kernels) : kernels_(kernels), device(kernels) {}

  /// Device memory with these words.
  uint32_t* upload(const std::vector<uint32_t>& words) {
    auto memory = device.allocate(words.size() * 4);
    REQUIRE(memory.ok());
    REQUIRE(device.copy_to_device(memory.value(), words.data(), words.size() * 4, nullptr).ok());
    return static_cast<uint32_t*>(memory.value());
  }
  uint32_t* allocate(size_t words) {
    auto memory = device.allocate(words * 4);
    REQUIRE(memory.ok());
    return static_cast<uint32_t*>(memory.value());
  }
  std::vector<uint32_t> download(const uint32_t* memory, size_t words) {
    std::vector<uint32_t> host(words);
    REQUIRE(device.copy_to_host(host.data(), memory, words * 4, nullptr).ok());
    return host;
  }
  status launch(std::string_view name, extent3 grid, const trial& args) {
    auto kernel = device.find_kernel(name);
    REQUIRE(kernel.ok());
    uint32_t threads = 0;
    for (const cpu_kernel& k : kernels_) {
      if (name == k.name) threads = k.threads;
    }
    return device.launch(kernel.value(), grid, {threads}, &args, sizeof args, nullptr);
  }

 private:
  std::span<const cpu_kernel> kernels_;

 public:
  CpuDevice device;
};

}  // namespace adahop::hip::test
