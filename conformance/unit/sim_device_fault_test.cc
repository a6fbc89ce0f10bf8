// What a launch on SimDevice stops at, the line that it gives, and that the line does not depend on threads.
#include <algorithm>
#include <string>

#include "sim_device_support.h"

using namespace adahop;
using namespace adahop::hip;
using namespace adahop::hip::test;
using Catch::Matchers::Contains;
using Catch::Matchers::Matches;

namespace {

// Address, and where there is a symbolizer the source line.
const std::string kPlace = R"(, 0x[0-9a-f]+( \(sim_device_kernels\.hip:[0-9]+(, from sim_device_kernels\.hip:[0-9]+)?\))?, )";

}  // namespace

TEST_CASE("sim device: a fault's line says what, where and in which instruction", "[sim][spec:13.9]") {
  sim_bench bench;
  const std::vector<uint32_t> words(1024, 7);
  // Element 1000 is thread 232 of workgroup 3: lane 40 of wave 3.
  const status s = bench.launch("one_too_many", {4}, {256}, trial{bench.upload(words), bench.allocate(1000), 1000, 0});
  CHECK(s.code() == ADAHOP_DEVICE);
  CHECK_THAT(s.message(), Matches("gfx950-sim: .+ in kernel one_too_many" + kPlace +
                                  R"(workgroup \(3,0\), wave 3, lane 40: .*; instruction: global_store_dword .*)"));
  CHECK(s.message().find('\n') == std::string::npos);
}

TEST_CASE("sim device: a forgotten barrier is a race", "[sim][spec:13.9]") {
  for (const char* seed : {"0", "5"}) {
    sim_bench bench;
    bench.set("schedule_seed", seed);
    const std::vector<uint32_t> words(256, 7);
    const trial args{bench.upload(words), bench.allocate(256), 256, 0};
    const status s = bench.launch("reverse_without_barrier", {1}, {256}, args);
    CHECK(s.code() == ADAHOP_DEVICE);
    // What is seen first depends on the order: another wave's part is not written yet, or it was and no barrier orders it.
    CHECK_THAT(s.message(), Matches("gfx950-sim: (LDS race|read of LDS never written) in kernel reverse_without_barrier.*ds_read.*"));
    bench.set("checks", "none");
    CHECK(bench.launch("reverse_without_barrier", {1}, {256}, args).ok());
  }
}

TEST_CASE("sim device: the first workgroup's fault is the one reported", "[sim][spec:13.9]") {
  const std::vector<uint32_t> words(40 * 64, 7);
  for (const char* threads : {"1", "2", "5"})
    for (const uint32_t first : {0u, 1u, 17u, 39u}) {
      CAPTURE(threads, first);
      sim_bench bench;
      bench.set("threads", threads);
      uint32_t* const in = bench.allocate(40 * 64 + 1);
      REQUIRE(bench.device->copy_to_device(in, words.data(), words.size() * 4, nullptr).ok());
      const trial args{in, bench.allocate(40 * 64), 40 * 64, first};
      const status s = bench.launch("reads_unwritten", {40}, {64}, args);
      CHECK_THAT(s.message(), Matches("gfx950-sim: .*never written in kernel reads_unwritten" + kPlace + "workgroup \\(" +
                                      std::to_string(first) + ",0\\), wave 0.*"));
      bench.set("checks", "races,pending,alignment,outputs,divergence");
      CHECK(bench.launch("reads_unwritten", {40}, {64}, args).ok());
    }
}

TEST_CASE("sim device: a wave that waits for ever is stopped", "[sim][spec:13.9]") {
  sim_bench bench;
  bench.set("instruction_budget", "20000");
  const std::vector<uint32_t> zero(1, 0), one(1, 1);
  uint32_t* const out = bench.allocate(1);
  const status s = bench.launch("waits_for_ever", {1}, {64}, trial{bench.upload(zero), out, 1, 0});
  CHECK(s.code() == ADAHOP_DEVICE);
  CHECK_THAT(s.message(), Contains("runaway wave in kernel waits_for_ever"));
  CHECK_THAT(s.message(), Contains("20000 instructions executed"));
  const status done = bench.launch("waits_for_ever", {1}, {64}, trial{bench.upload(one), out, 1, 0});
  INFO(done.message());
  CHECK(done.ok());
}

TEST_CASE("sim device: a launch after a fault is a launch like any other", "[sim][spec:13.9]") {
  sim_bench bench;
  const std::vector<uint32_t> words(1024, 7);
  const uint32_t* const in = bench.upload(words);
  uint32_t* const out = bench.allocate(1000);
  for (int round = 0; round < 3; ++round) {
    CHECK_FALSE(bench.launch("one_too_many", {4}, {256}, trial{in, out, 1000, 0}).ok());
    const status s = bench.launch("add_extra", {4}, {256}, trial{in, out, 1000, 5});
    INFO(s.message());
    REQUIRE(s.ok());
    const std::vector<uint32_t> got = bench.download(out, 1000);
    CHECK(std::count(got.begin(), got.end(), 12u) == 1000);
  }
}
