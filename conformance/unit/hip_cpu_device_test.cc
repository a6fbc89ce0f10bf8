// CpuDevice as a device: memory, copies, lookup and launch checks.
#include <algorithm>
#include <cstring>

#include "hip_cpu_bench.h"

using namespace adahop::hip;
using namespace adahop::hip::test;

TEST_CASE("device memory is aligned, full of NaNs and zeroed on request", "[hip-cpu]") {
  test_bench bench(good_kernels());
  for (const size_t bytes : {size_t{1}, size_t{255}, size_t{256}, size_t{4096}, size_t{100001}}) {
    auto memory = bench.device.allocate(bytes);
    REQUIRE(memory.ok());
    REQUIRE(reinterpret_cast<uintptr_t>(memory.value()) % 256 == 0);
    std::vector<unsigned char> host(bytes);
    REQUIRE(bench.device.copy_to_host(host.data(), memory.value(), bytes, nullptr).ok());
    REQUIRE(std::count(host.begin(), host.end(), 0xFF) == static_cast<std::ptrdiff_t>(bytes));
    REQUIRE(bench.device.fill_zero(memory.value(), bytes, nullptr).ok());
    REQUIRE(bench.device.copy_to_host(host.data(), memory.value(), bytes, nullptr).ok());
    REQUIRE(std::count(host.begin(), host.end(), 0) == static_cast<std::ptrdiff_t>(bytes));
    bench.device.release(memory.value());
  }
  REQUIRE(bench.device.synchronize(nullptr).ok());
}

TEST_CASE("memory that cannot be had is refused", "[hip-cpu]") {
  test_bench bench(good_kernels());
  REQUIRE(bench.device.allocate(SIZE_MAX).why().code() == ADAHOP_OUT_OF_MEMORY);
  REQUIRE(bench.device.allocate(size_t{1} << 60).why().code() == ADAHOP_OUT_OF_MEMORY);
  auto nothing = bench.device.allocate(0);
  REQUIRE(nothing.ok());
  bench.device.release(nothing.value());
  bench.device.release(nullptr);
  REQUIRE(bench.device.synchronize(nullptr).ok());
}

TEST_CASE("copies that leave an allocation are refused", "[hip-cpu][spec:1.6]") {
  test_bench bench(good_kernels());
  std::vector<uint32_t> host(64);
  uint32_t* memory = bench.allocate(10);
  const adahop::status in = bench.device.copy_to_device(memory, host.data(), 41, nullptr);
  REQUIRE(in.code() == ADAHOP_DEVICE);
  REQUIRE(in.message() ==
          "hip-cpu: copy to the device of 41 bytes at byte offset +0 of an allocation of 40 bytes leaves it");
  REQUIRE(bench.device.copy_to_host(host.data(), memory + 9, 5, nullptr).code() == ADAHOP_DEVICE);
  REQUIRE(bench.device.fill_zero(memory - 1, 4, nullptr).code() == ADAHOP_DEVICE);
  REQUIRE(bench.device.copy_to_device(memory + 9, host.data(), 4, nullptr).ok());
  REQUIRE(bench.device.copy_to_device(memory + 10, host.data(), 0, nullptr).ok());
}

TEST_CASE("the host's own stray writes come out at the next synchronize", "[hip-cpu][spec:1.6]") {
  test_bench bench(good_kernels());
  uint32_t* memory = bench.allocate(10);
  std::memset(memory + 10, 0, 1);
  bench.device.release(memory);
  const adahop::status s = bench.device.synchronize(nullptr);
  REQUIRE(s.message() == "hip-cpu: the host wrote past the end of an allocation of 40 bytes, at byte offset +40");
  REQUIRE(bench.device.synchronize(nullptr).ok());
  uint32_t local = 0;
  bench.device.release(&local);
  REQUIRE(bench.device.synchronize(nullptr).code() == ADAHOP_DEVICE);
}

TEST_CASE("a launch must fit its kernel", "[hip-cpu]") {
  test_bench bench(good_kernels());
  const auto missing = bench.device.find_kernel("no_such_kernel");
  REQUIRE(missing.why().code() == ADAHOP_INTERNAL);
  REQUIRE(missing.why().message() == "hip-cpu: no kernel no_such_kernel among the 10 compiled in");
  const kernel_handle kernel = bench.device.find_kernel("block_sum").value();
  const trial args{nullptr, nullptr, 0};
  REQUIRE(bench.device.launch(kernel, {1}, {128}, &args, sizeof args, nullptr).message() ==
          "hip-cpu: launch of block_sum with blocks (128,1,1) and grid depth 1, expected (256,1,1) and 1");
  REQUIRE(bench.device.launch(kernel, {1, 1, 2}, {256}, &args, sizeof args, nullptr).code() == ADAHOP_INTERNAL);
  REQUIRE(bench.device.launch(kernel, {1}, {256}, &args, 8, nullptr).code() == ADAHOP_INTERNAL);
  REQUIRE(bench.device.launch(kernel, {0}, {256}, &args, sizeof args, nullptr).ok());
  REQUIRE(bench.device.wave_size() == 64);
}

TEST_CASE("the timer runs forward", "[hip-cpu]") {
  test_bench bench(good_kernels());
  REQUIRE(bench.device.start_timer(nullptr).ok());
  uint32_t* out = bench.allocate(192);
  REQUIRE(bench.launch("relay", {1}, {nullptr, out, 10}).ok());
  const auto milliseconds = bench.device.stop_timer(nullptr);
  REQUIRE(milliseconds.ok());
  REQUIRE(milliseconds.value() > 0.0);
  REQUIRE(milliseconds.value() < 60000.0);
}
