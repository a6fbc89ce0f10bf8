// First light.
#include <array>
#include "catch.h"
#include "device/cpu/cpu_device.h"
#include "arch/lang.h"

namespace adahop::hip {
struct sum_args { const uint32_t* in; uint32_t* out; };
ADAHOP_KERNEL(block_sum, sum_args, 256) {
  ADAHOP_SHARED(uint32_t, part, 256);
  part.at(thread_x()) = args.in[block_x() * 256 + thread_x()];
  ADAHOP_BARRIER();
  for (uint32_t d = 128; d > 0; d /= 2) {
    if (thread_x() < d) part.at(thread_x()) = part.at(thread_x()) + part.at(thread_x() + d);
    ADAHOP_BARRIER();
  }
  if (thread_x() == 0) args.out[block_x()] = part.at(0);
}
ADAHOP_KERNEL(wave_sum, sum_args, 256) {
  uint32_t v = args.in[block_x() * 256 + thread_x()];
  for (uint32_t d = 32; d > 0; d /= 2) v += shfl_xor(v, d);
  if (lane() == 0) args.out[block_x() * 4 + thread_x() / 64] = v;
}
}
TEST_CASE("first light", "[hip-cpu]") {
  using namespace adahop::hip;
  const std::array kernels{ADAHOP_CPU_KERNEL(block_sum), ADAHOP_CPU_KERNEL(wave_sum)};
  CpuDevice d(kernels);
  const uint32_t blocks = 2000;
  auto* in = static_cast<uint32_t*>(d.allocate(blocks * 256 * 4).value());
  auto* out = static_cast<uint32_t*>(d.allocate(blocks * 4 * 4).value());
  for (uint32_t i = 0; i < blocks * 256; i++) in[i] = i;
  const sum_args args{in, out};
  for (int k = 0; k < 2; k++) for (uint32_t th : {1u, 2u}) for (uint64_t seed : {0u, 7u}) {
    d.set_threads(th); d.set_lane_seed(seed);
    const auto t0 = std::chrono::steady_clock::now();
    auto s = d.launch(d.find_kernel(kernels[k].name).value(), {blocks}, {256}, &args, sizeof args, nullptr);
    INFO(s.message()); REQUIRE(s.ok());
    std::printf("%s threads %u seed %d: %.2f us/block\n", kernels[k].name, th, int(seed), std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count() * 1e6 / blocks);
  }
  for (uint32_t b = 0; b < blocks; b++) { uint32_t e = 0; for (uint32_t i = 0; i < 64; i++) e += b * 64 + i; REQUIRE(out[b] == uint32_t((b*64)*64 + 2016)); }
}
