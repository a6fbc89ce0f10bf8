// A SimDevice with the kernels of sim_device_kernels.hip and buffers for them.
#pragma once
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "sim/sim_device.h"

namespace adahop::hip::test {

/// The argument struct of most of the kernels.
struct trial {
  const uint32_t* in;
  uint32_t* out;
  uint32_t count;
  uint32_t extra;
};

inline std::vector<unsigned char> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class sim_bench {
 public:
  sim_bench() {
    static const std::vector<unsigned char> image = bytes_of(ADAHOP_SIM_DEVICE_KERNELS);
    static constexpr std::string_view names[] = {"add_extra",       "reverse",        "reverse_without_barrier", "one_too_many",
                                                 "reads_unwritten", "waits_for_ever", "places"};
    static const code_object object{"sim_device_kernels", image, names};
    const sim_level level{"O3", {&object, 1}};
    auto opened = SimDevice::open({&level, 1});
    INFO(opened.why().message());
    REQUIRE(opened.ok());
    device = std::move(opened).value();
    code = image;
  }

  uint32_t* allocate(size_t words) {
    auto memory = device->allocate(words * 4);
    REQUIRE(memory.ok());
    return static_cast<uint32_t*>(memory.value());
  }
  /// Device memory with these words.
  uint32_t* upload(const std::vector<uint32_t>& words) {
    uint32_t* const memory = allocate(words.size());
    REQUIRE(device->copy_to_device(memory, words.data(), words.size() * 4, nullptr).ok());
    return memory;
  }
  std::vector<uint32_t> download(const uint32_t* memory, size_t words) {
    std::vector<uint32_t> host(words);
    REQUIRE(device->copy_to_host(host.data(), memory, words * 4, nullptr).ok());
    return host;
  }
  void set(std::string_view key, std::string_view value) {
    const status s = device->set_option(key, value);
    INFO(s.message());
    REQUIRE(s.ok());
  }
  template <class Args>
  status launch(std::string_view name, extent3 grid, extent3 block, const Args& args) {
    auto kernel = device->find_kernel(name);
    INFO(kernel.why().message());
    REQUIRE(kernel.ok());
    return device->launch(kernel.value(), grid, block, &args, sizeof args, nullptr);
  }

  std::unique_ptr<SimDevice> device;
  std::span<const unsigned char> code;
};

}  // namespace adahop::hip::test
