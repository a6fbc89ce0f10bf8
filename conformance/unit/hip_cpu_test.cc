// Correct kernels give their results on hip-cpu, whatever the lane order and the number of OS threads.
#include <algorithm>
#include <numeric>
#include <thread>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "hip_cpu_bench.h"

using namespace adahop::hip;
using namespace adahop::hip::test;

namespace {

constexpr uint64_t kSeeds[] = {0, 1, 2, 3, 0xFFFFFFFFFFFFFFFFu};

std::vector<uint32_t> ramp(size_t count) {
  std::vector<uint32_t> words(count);
  std::iota(words.begin(), words.end(), 1u);
  return words;
}

void require_ok(const adahop::status& s) {
  INFO(s.message());
  REQUIRE(s.ok());
}

// Runs `name` under five seeds and one to three threads; the outputs must be `expected` each time.
void require_always(test_bench& bench, std::string_view name, extent3 grid, trial args,
                    const std::vector<uint32_t>& expected) {
  for (const uint64_t seed : kSeeds) {
    for (uint32_t threads = 1; threads <= 3; threads++) {
      INFO("kernel " << name << " seed " << seed << " threads " << threads);
      bench.device.set_lane_seed(seed);
      bench.device.set_threads(threads);
      args.out = bench.allocate(expected.size());
      require_ok(bench.launch(name, grid, args));
      REQUIRE(bench.download(args.out, expected.size()) == expected);
      bench.device.release(args.out);
    }
  }
}

}  // namespace

TEST_CASE("block reduction through shared memory", "[hip-cpu][spec:13.5][spec:1.2]") {
  test_bench bench(good_kernels());
  std::vector<uint32_t> expected;
  for (uint32_t b = 0; b < 50; b++) expected.push_back(256 * 256 * b + 256 * 257 / 2);
  require_always(bench, "block_sum", {50}, {bench.upload(ramp(50 * 256)), nullptr, 0}, expected);
}

TEST_CASE("wave reduction through shuffles", "[hip-cpu][spec:13.5][spec:1.2]") {
  test_bench bench(good_kernels());
  std::vector<uint32_t> expected;
  for (uint32_t w = 0; w < 80; w++) expected.push_back(64 * 64 * w + 64 * 65 / 2);
  require_always(bench, "wave_sum", {20}, {bench.upload(ramp(20 * 256)), nullptr, 0}, expected);
}

TEST_CASE("shuffle of 8 bytes from any lane", "[hip-cpu][spec:13.5]") {
  test_bench bench(good_kernels());
  std::vector<uint32_t> sources;
  std::vector<uint32_t> expected;
  for (uint32_t t = 0; t < 256; t++) {
    sources.push_back(t * 37 + 5);
    const uint32_t lane = sources[t] % 64;
    expected.push_back((t / 64 * 64 + lane) * 64 + lane);
  }
  require_always(bench, "permute", {2}, {bench.upload(sources), nullptr, 0}, expected);
}

TEST_CASE("ballot of full and partly ended waves", "[hip-cpu][spec:13.4][spec:13.5]") {
  test_bench bench(good_kernels());
  std::vector<uint32_t> votes(128);
  for (uint32_t t = 0; t < 128; t++) votes[t] = t % 3 == 0;
  for (const uint32_t live : {1u, 20u, 64u}) {
    std::vector<uint32_t> expected;
    for (uint32_t w = 0; w < 2; w++) {
      uint64_t all = 0;
      uint64_t odd = 0;
      for (uint32_t l = 0; l < 64; l++) {
        if (votes[w * 64 + l] != 0) all |= uint64_t{1} << l;
        if (l < live && l % 2 == 1) odd |= uint64_t{1} << l;
      }
      const uint64_t some = live == 64 ? ~uint64_t{0} : (uint64_t{1} << live) - 1;
      for (const uint64_t v : {all, some, odd}) {
        expected.push_back(static_cast<uint32_t>(v));
        expected.push_back(static_cast<uint32_t>(v >> 32));
      }
    }
    require_always(bench, "ballots", {1}, {bench.upload(votes), nullptr, live}, expected);
  }
}

TEST_CASE("lanes in a branch exchange among themselves and then with the others", "[hip-cpu][spec:13.5]") {
  test_bench bench(good_kernels());
  std::vector<uint32_t> expected(64);
  for (uint32_t l = 0; l < 64; l++) {
    const uint32_t from = 63 - l;
    expected[l] = from < 10 ? 100 + (from ^ 1u) : from;
  }
  require_always(bench, "branch_shuffle", {1}, {nullptr, nullptr, 10}, expected);
}

TEST_CASE("wave operation with 256 bytes a lane", "[hip-cpu][spec:13.5]") {
  test_bench bench(good_kernels());
  std::vector<uint32_t> expected;
  for (uint32_t t = 0; t < 512; t++) {
    uint32_t sum = 0;
    for (uint32_t l = 0; l < 64; l++) sum += t / 64 * 64 + l + 1;
    expected.push_back(sum * (t % 64 + 1));
  }
  require_always(bench, "column_sum", {2}, {bench.upload(ramp(512)), nullptr, 0}, expected);
}

TEST_CASE("waves hand values to each other over many barriers", "[hip-cpu][spec:13.5][spec:1.2]") {
  test_bench bench(good_kernels());
  constexpr uint32_t kRounds = 9;
  std::vector<uint32_t> expected;
  for (uint32_t b = 0; b < 12; b++) {
    std::vector<uint32_t> even(192);
    for (uint32_t t = 0; t < 192; t++) even[t] = t + 1000 * (b % 4) + 100000 * (b / 4);
    for (uint32_t round = 0; round < kRounds; round++) {
      std::vector<uint32_t> taken(192);
      for (uint32_t t = 0; t < 192; t++) taken[t] = even[(t * 5 + round) % 192];
      std::vector<uint64_t> odd(192);
      for (uint32_t t = 0; t < 192; t++) {
        uint64_t votes = 0;
        for (uint32_t l = 0; l < 64; l++) votes |= uint64_t{taken[t / 64 * 64 + l] % 2 == 0} << l;
        odd[t] = uint64_t{taken[t]} * 3 + votes % 7;
      }
      for (uint32_t t = 0; t < 192; t++) {
        even[t] = static_cast<uint32_t>(odd[191 - t]) + t / 64 * 64 + (t + round) % 64;
      }
    }
    expected.insert(expected.end(), even.begin(), even.end());
  }
  require_always(bench, "relay", {4, 3}, {nullptr, nullptr, kRounds}, expected);
}

TEST_CASE("an element is assigned from another", "[hip-cpu]") {
  test_bench bench(good_kernels());
  std::vector<uint32_t> expected = ramp(64);
  std::reverse(expected.begin(), expected.end());
  const std::vector<uint32_t> in = ramp(64);
  for (uint32_t l = 0; l < 64; l++) expected[l] = in[63 - l];
  require_always(bench, "shared_copy", {1}, {bench.upload(in), nullptr, 0}, expected);
}

TEST_CASE("seed 0 is the natural order, every other seed an order of its own", "[hip-cpu][spec:13.5]") {
  test_bench bench(good_kernels());
  bench.device.set_threads(1);
  std::vector<std::vector<uint32_t>> orders;
  for (const uint64_t seed : kSeeds) {
    bench.device.set_lane_seed(seed);
    std::vector<uint32_t> again;
    for (int run = 0; run < 2; run++) {
      uint32_t* out = bench.upload(std::vector<uint32_t>(257, 0));
      require_ok(bench.launch("arrival", {1}, {nullptr, out, 0}));
      std::vector<uint32_t> order = bench.download(out, 256);
      std::vector<uint32_t> sorted = order;
      std::sort(sorted.begin(), sorted.end());
      std::vector<uint32_t> everybody(256);
      std::iota(everybody.begin(), everybody.end(), 0u);
      REQUIRE(sorted == everybody);
      if (run == 0) again = order;
      REQUIRE(order == again);
      if (seed == 0) REQUIRE(order == everybody);
    }
    REQUIRE(std::find(orders.begin(), orders.end(), again) == orders.end());
    orders.push_back(again);
  }
}

TEST_CASE("kernels keep subnormals whatever the caller's control register says", "[hip-cpu][spec:1.3]") {
  test_bench bench(good_kernels());
  uint32_t* in = bench.upload(std::vector<uint32_t>(64, 1));
  uint32_t* out = bench.allocate(64);
#if defined(__SSE__)
  constexpr unsigned kFlushToZero = 0x8000 | 0x0040;
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | kFlushToZero);
#endif
  const adahop::status s = bench.launch("subnormal", {3}, {in, out, 0});
#if defined(__SSE__)
  CHECK((_mm_getcsr() & kFlushToZero) == kFlushToZero);
  _mm_setcsr(before);
#endif
  require_ok(s);
  REQUIRE(bench.download(out, 64) == std::vector<uint32_t>(64, 2));
}

TEST_CASE("several host threads share a device", "[hip-cpu]") {
  test_bench bench(good_kernels());
  const uint32_t* in = bench.upload(ramp(8 * 256));
  std::vector<uint32_t*> outs;
  for (int i = 0; i < 4; i++) outs.push_back(bench.allocate(8));
  const kernel_handle kernel = bench.device.find_kernel("block_sum").value();
  std::vector<std::thread> callers;
  std::vector<int> failures(4, 0);
  for (size_t i = 0; i < 4; i++) {
    callers.emplace_back([&, i] {
      const trial args{in, outs[i], 0};
      for (int run = 0; run < 20; run++) {
        if (!bench.device.launch(kernel, {8}, {256}, &args, sizeof args, nullptr).ok()) failures[i]++;
      }
    });
  }
  for (std::thread& t : callers) t.join();
  REQUIRE(failures == std::vector<int>(4, 0));
  for (uint32_t* out : outs) REQUIRE(bench.download(out, 8)[7] == 256 * 256 * 7 + 256 * 257 / 2);
}
