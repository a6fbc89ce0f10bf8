// SimDevice as a device: memory, copies, kernels by name, launches in one and three dimensions, and its independence of
// threads and of the order of waves.
#include <algorithm>
#include <numeric>

#include "sim_device_support.h"

using namespace adahop;
using namespace adahop::hip;
using namespace adahop::hip::test;
using Catch::Matchers::Contains;

namespace {

std::vector<uint32_t> counted(size_t n) {
  std::vector<uint32_t> words(n);
  std::iota(words.begin(), words.end(), 100u);
  return words;
}

}  // namespace

TEST_CASE("sim device: memory is aligned, garbage at first, zero on request", "[sim][spec:13.8]") {
  sim_bench bench;
  for (const size_t bytes : {size_t{1}, size_t{255}, size_t{4096}, size_t{100001}}) {
    const auto memory = bench.device->allocate(bytes);
    REQUIRE(memory.ok());
    CHECK(reinterpret_cast<uintptr_t>(memory.value()) % 256 == 0);
    std::vector<unsigned char> host(bytes);
    REQUIRE(bench.device->copy_to_host(host.data(), memory.value(), bytes, nullptr).ok());
    CHECK(std::count(host.begin(), host.end(), 0xFF) == static_cast<std::ptrdiff_t>(bytes));
    REQUIRE(bench.device->fill_zero(memory.value(), bytes, nullptr).ok());
    REQUIRE(bench.device->copy_to_host(host.data(), memory.value(), bytes, nullptr).ok());
    CHECK(std::count(host.begin(), host.end(), 0) == static_cast<std::ptrdiff_t>(bytes));
    bench.device->release(memory.value());
  }
  CHECK(bench.device->allocate(SIZE_MAX).why().code() == ADAHOP_OUT_OF_MEMORY);
  CHECK(bench.device->synchronize(nullptr).ok());
  CHECK(bench.device->wave_size() == 64);
}

TEST_CASE("sim device: copies stay in an allocation, release takes what allocate gave", "[sim][spec:1.6]") {
  sim_bench bench;
  uint32_t* const memory = bench.allocate(10);
  std::vector<uint32_t> host(64);
  CHECK_FALSE(bench.device->copy_to_device(memory, host.data(), 41, nullptr).ok());
  CHECK_FALSE(bench.device->copy_to_host(host.data(), memory + 9, 5, nullptr).ok());
  CHECK_FALSE(bench.device->fill_zero(memory - 1, 4, nullptr).ok());
  CHECK(bench.device->copy_to_device(memory + 9, host.data(), 4, nullptr).ok());
  bench.device->release(nullptr);
  CHECK(bench.device->synchronize(nullptr).ok());
  bench.device->release(memory + 1);
  CHECK(bench.device->synchronize(nullptr).code() == ADAHOP_DEVICE);
  CHECK(bench.device->synchronize(nullptr).ok());
}

TEST_CASE("sim device: results do not depend on threads, order and checks", "[sim][spec:13.10]") {
  constexpr uint32_t kCount = 5 * 256 - 19;
  for (const char* threads : {"1", "2", "7"})
    for (const char* seed : {"0", "1", "20261129"})
      for (const char* checks : {"all", "none", "races,pending"}) {
        CAPTURE(threads, seed, checks);
        sim_bench bench;
        bench.set("threads", threads);
        bench.set("schedule_seed", seed);
        bench.set("checks", checks);
        const std::vector<uint32_t> words = counted(5 * 256);
        const uint32_t* const in = bench.upload(words);
        uint32_t* const out = bench.allocate(5 * 256);
        const status added = bench.launch("add_extra", {5}, {256}, trial{in, out, kCount, 1000});
        INFO(added.message());
        REQUIRE(added.ok());
        const std::vector<uint32_t> got = bench.download(out, 5 * 256);
        for (uint32_t i = 0; i < 5 * 256; ++i) REQUIRE(got[i] == (i < kCount ? words[i] + 1000 : 0xFFFFFFFFu));
        REQUIRE(bench.launch("reverse", {5}, {256}, trial{in, out, 0, 0}).ok());
        const std::vector<uint32_t> reversed = bench.download(out, 5 * 256);
        for (uint32_t i = 0; i < 5 * 256; ++i) REQUIRE(reversed[i] == words[i / 256 * 256 + 255 - i % 256]);
      }
}

TEST_CASE("sim device: grids and workgroups of three dimensions, hidden arguments", "[sim][spec:13.8]") {
  sim_bench bench;
  const extent3 groups{3, 2, 4}, items{5, 3, 7};
  uint32_t* const out = bench.allocate(24 * 105);
  const status s = bench.launch("places", groups, items, out);
  INFO(s.message());
  REQUIRE(s.ok());
  const std::vector<uint32_t> got = bench.download(out, 24 * 105);
  for (uint32_t i = 0; i < got.size(); ++i) REQUIRE(got[i] == (i / 105 << 16 | i % 105));
}

TEST_CASE("sim device: a launch must fit its kernel", "[sim][spec:13.8]") {
  sim_bench bench;
  CHECK(bench.device->find_kernel("no_such_kernel").why().code() == ADAHOP_INTERNAL);
  const trial args{nullptr, nullptr, 0, 0};
  CHECK_THAT(bench.launch("add_extra", {1}, {512}, args).message(),
             Contains("gfx950-sim: kernel add_extra: workgroups of 512 work-items, it is compiled for at most 256"));
  CHECK_THAT(bench.launch("add_extra", {1}, {256}, uint64_t{0}).message(),
             Contains("gfx950-sim: kernel add_extra: 8 bytes of arguments, expected 24"));
  CHECK(bench.launch("add_extra", {0}, {256}, args).ok());
}

TEST_CASE("sim device: kernels can be replaced by those of another code object", "[sim][spec:13.8]") {
  sim_bench bench;
  const auto own = bench.device->find_kernel("add_extra");
  REQUIRE(own.ok());
  REQUIRE(bench.device->replace_kernels("other.co", std::as_bytes(bench.code)).ok());
  const auto other = bench.device->find_kernel("add_extra");
  REQUIRE(other.ok());
  CHECK(other.value().token != own.value().token);
  REQUIRE(bench.device->replace_kernels("", {}).ok());
  CHECK(bench.device->find_kernel("add_extra").value().token == own.value().token);

  const std::vector<unsigned char> garbage(5000, 0x7F);
  const status refused = bench.device->replace_kernels("garbage.co", std::as_bytes(std::span(garbage)));
  CHECK(refused.code() == ADAHOP_BAD_FILE);
  CHECK(refused.message().starts_with("garbage.co: "));
  CHECK(refused.message().find('\n') == std::string::npos);
  CHECK_FALSE(bench.device->replace_kernels("short.co", std::as_bytes(bench.code.first(bench.code.size() / 2))).ok());
  CHECK(bench.device->find_kernel("add_extra").value().token == own.value().token);
}

TEST_CASE("sim device: options by text", "[sim][spec:13.8]") {
  sim_bench bench;
  const auto why = [&](std::string_view key, std::string_view value) { return bench.device->set_option(key, value).message(); };
  CHECK(why("level", "O3") == "");
  CHECK(why("level", "O1") == "set_option: level=O1: expected O3");
  for (const char* checks : {"all", "none", "uninitialized", "pending,races,alignment,outputs,divergence"})
    CHECK(why("checks", checks) == "");
  for (const char* checks : {"", "everything", "races,", "races,none", "races, pending"})
    CHECK_THAT(why("checks", checks), Contains("expected all, none, or a list of uninitialized,"));
  CHECK(why("threads", "3") == "");
  for (const char* threads : {"0", "-1", "1025", "two", "1 "}) CHECK_THAT(why("threads", threads), Contains("expected an integer from 1"));
  CHECK(why("schedule_seed", "18446744073709551615") == "");
  CHECK_THAT(why("schedule_seed", "18446744073709551616"), Contains("expected an integer from 0"));
  CHECK_THAT(why("instruction_budget", "0"), Contains("expected an integer from 1"));
  CHECK(why("mfma_model", "cdna3_trfdpa(32)") == "");
  CHECK(why("mfma_model", "cdna3_trfdpa(33)") != "");
  CHECK(why("bf16_mfma_model", "exact_sum") == "");
  CHECK(why("bf16_mfma_model", "approximate") != "");
  CHECK(why("nan_to_fp4", "plus_zero") == "");
  CHECK(why("nan_to_fp4", "minus_zero") == "set_option: nan_to_fp4=minus_zero: expected sign_7 or plus_zero");
  CHECK(why("scale_ff", "keep_destination") == "");
  CHECK(why("scale_ff", "") == "set_option: scale_ff=: expected sign_7 or keep_destination");
  CHECK(why("mfma_scale_ff", "power_of_two") == "");
  CHECK(why("mfma_scale_ff", "zero") == "set_option: mfma_scale_ff=zero: expected result_nan or power_of_two");
  CHECK(why("widened_nan", "hip_host") == "");
  CHECK(why("sr_model", "widened") == "");
  CHECK(why("bf16_nan", "canonical") == "");
  CHECK(why("mfma_nan", "0xFFC00000") == "");
  for (const char* pattern : {"0x7F800000", "0", "nan", "0x1FFFFFFFF"}) CHECK_THAT(why("mfma_nan", pattern), Contains("FP32 NaN"));
  for (const char* ulp : {"-1", "0", "1"}) CHECK(why("rcp_ulp", ulp) == "");
  CHECK(why("rcp_ulp", "2") == "set_option: rcp_ulp=2: expected -1, 0 or 1");
  CHECK(bench.device->set_option("lane_seed", "1").code() == ADAHOP_UNSUPPORTED);
  CHECK_THAT(why("lane_seed", "1"), Contains("unknown key 'lane_seed': expected one of "));
}

TEST_CASE("sim device: the work done is counted, the timer runs forward", "[sim]") {
  sim_bench bench;
  REQUIRE(bench.device->start_timer(nullptr).ok());
  const std::vector<uint32_t> words = counted(512);
  REQUIRE(bench.launch("add_extra", {2}, {256}, trial{bench.upload(words), bench.allocate(512), 512, 1}).ok());
  const sim_statistics done = bench.device->statistics();
  CHECK(done.launches == 1);
  CHECK(done.wave_instructions % 8 == 0);  // 8 waves that all go the same way
  CHECK(done.wave_instructions >= 8 * 10);
  CHECK(done.seconds > 0);
  CHECK(bench.device->stop_timer(nullptr).value() > 0);
}
