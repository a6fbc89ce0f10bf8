// Every fault of SPEC 13.4, planted once: the launch stops with one line that names kernel, block, lane, file and line,
// and the device works on.
#include <csignal>
#include <memory>
#include <thread>

#include "hip_cpu_bench.h"

using namespace adahop::hip;
using namespace adahop::hip::test;

namespace {

constexpr const char* kFile = "unit/hip_cpu_faulty_kernels.cc:";

planted_lines lines_of(std::string_view kernel) {
  for (const planted_lines& p : planted()) {
    if (kernel == p.kernel) return p;
  }
  FAIL("no planted line for " << kernel);
  return {};
}

std::string at_line(int line) { return kFile + std::to_string(line); }

void require_fault(const adahop::status& s, const std::string& expected) {
  CHECK(s.code() == ADAHOP_DEVICE);
  REQUIRE(s.message() == expected);
}

// A launch that follows a fault gives the right sum.
void require_works(test_bench& bench) {
  uint32_t* out = bench.allocate(64);
  const adahop::status s = bench.launch("late_blocks", {3}, {nullptr, out, 1000});
  INFO(s.message());
  REQUIRE(s.ok());
  REQUIRE(bench.download(out, 3) == std::vector<uint32_t>{0, 1, 2});
}

struct planted_fault {
  const char* kernel;
  const char* kind;
  const char* lane;    // as the line names it
  std::string detail;  // "@" stands for the other place
};

// All 128 threads' worth of input and output, natural order, one OS thread.
std::string message_of(test_bench& bench, const char* kernel) {
  std::vector<uint32_t> words(128, 7);
  const trial args{bench.upload(words), bench.upload(words), 0};
  const adahop::status s = bench.launch(kernel, {1}, args);
  CHECK(s.code() == ADAHOP_DEVICE);
  return s.message();
}

}  // namespace

TEST_CASE("planted faults are named with kernel, block, lane, file and line", "[hip-cpu][spec:13.4]") {
  const planted_fault faults[] = {
      {"shared_index", "shared index out of bounds", "lane 36 (thread 100)", "tile[100] of 100 elements"},
      {"negative_index", "shared index out of bounds", "lane 7 (thread 7)", "tile[-1] of 100 elements"},
      {"write_write", "shared memory race", "lane 6 (thread 70)",
       "writes tile[3], which lane 3 (thread 3) wrote at @ with no barrier between"},
      {"read_after_write", "shared memory race", "lane 1 (thread 1)",
       "reads tile[0], which lane 0 (thread 0) wrote at @ with no barrier between"},
      {"write_after_read", "shared memory race", "lane 1 (thread 1)",
       "writes tile[1], which lane 0 (thread 0) read at @ with no barrier between"},
      {"many_readers", "shared memory race", "lane 0 (thread 0)",
       "writes tile[0], which lane 1 (thread 1) read at @ with no barrier between"},
      {"shuffle_order", "shared memory race", "lane 0 (thread 0)",
       "reads tile[1], which lane 1 (thread 1) wrote at @ with no barrier between"},
      {"unwritten", "read of unwritten shared memory", "lane 63 (thread 63)",
       "no thread of the block has written tile[64]"},
      {"two_barriers", "divergent barrier", "lane 0 (thread 0)", "lane 9 (thread 9) waits at @"},
      {"wave_barriers", "divergent barrier", "lane 0 (thread 0)", "lane 0 (thread 64) waits at @"},
      {"lane_leaves", "divergent barrier", "lane 0 (thread 0)", "lane 20 (thread 20) has ended"},
      {"wave_leaves", "divergent barrier", "lane 0 (thread 0)", "lane 0 (thread 64) has ended"},
      {"ended_lane", "read of a missing lane", "lane 32 (thread 32)", "lane 33 (thread 33) has ended"},
      {"lane_elsewhere", "read of a missing lane", "lane 0 (thread 0)", "lane 32 (thread 32) waits at @"},
      {"partial_ballot", "read of a missing lane", "lane 0 (thread 0)", "lane 32 (thread 32) waits at @"},
      {"no_such_lane", "read of a missing lane", "lane 63 (thread 63)", "asks for lane 64 of 64"},
      {"too_much", "too much shared memory", "lane 0 (thread 0)",
       "second of 8000 bytes after 160000 bytes of other arrays, a block has 163840"},
  };
  test_bench bench(faulty_kernels());
  bench.device.set_threads(1);
  for (const planted_fault& f : faults) {
    const planted_lines lines = lines_of(f.kernel);
    std::string detail = f.detail;
    if (const size_t mark = detail.find('@'); mark != std::string::npos) {
      detail.replace(mark, 1, at_line(lines.other_line));
    }
    const std::string expected = std::string("hip-cpu: ") + f.kind + " in kernel " + f.kernel + ", block (0,0), " +
                                 f.lane + ", at " + at_line(lines.line) + ": " + detail;
    REQUIRE(message_of(bench, f.kernel) == expected);
    require_works(bench);
  }
}

TEST_CASE("planted faults are found in every lane order", "[hip-cpu][spec:13.4][spec:13.5]") {
  test_bench bench(faulty_kernels());
  for (const planted_lines& p : planted()) {
    const std::string_view kernel = p.kernel;
    if (kernel == "global_read" || kernel == "late_blocks") continue;
    for (const uint64_t seed : {0, 1, 2, 3, 4}) {
      bench.device.set_lane_seed(seed);
      const std::string first = message_of(bench, p.kernel);
      INFO(first);
      CHECK(first.find(std::string(" in kernel ") + p.kernel + ", block (0,0), lane ") != std::string::npos);
      CHECK(first.find(kFile) != std::string::npos);
      CHECK(message_of(bench, p.kernel) == first);
    }
  }
  require_works(bench);
}

TEST_CASE("the first faulty block is reported with any number of threads", "[hip-cpu][spec:13.4][spec:1.2]") {
  test_bench bench(faulty_kernels());
  const std::string where = ", at " + at_line(lines_of("late_blocks").line) + ": tile[64] of 64 elements";
  for (uint32_t threads = 1; threads <= 3; threads++) {
    bench.device.set_threads(threads);
    for (int run = 0; run < 10; run++) {
      uint32_t* out = bench.allocate(300);
      require_fault(bench.launch("late_blocks", {300}, {nullptr, out, 21}),
                    "hip-cpu: shared index out of bounds in kernel late_blocks, block (21,0), "
                    "lane 21 (thread 21)" + where);
      const std::vector<uint32_t> done = bench.download(out, 300);
      for (uint32_t b = 0; b < 21; b++) REQUIRE(done[b] == b);
      bench.device.release(out);
    }
  }
  require_works(bench);
  uint32_t* out = bench.allocate(300);
  for (const uint64_t seed : {1, 2, 3}) {
    bench.device.set_lane_seed(seed);
    std::string first;
    for (uint32_t threads = 1; threads <= 3; threads++) {
      bench.device.set_threads(threads);
      const adahop::status s = bench.launch("late_blocks", {300}, {nullptr, out, 21});
      REQUIRE(s.code() == ADAHOP_DEVICE);
      if (threads == 1) first = s.message();
      REQUIRE(s.message() == first);
    }
  }
}

TEST_CASE("devices fault side by side", "[hip-cpu][spec:13.4]") {
  constexpr size_t kDevices = 3;
  std::vector<std::unique_ptr<test_bench>> benches;
  std::vector<trial> trials;
  for (size_t i = 0; i < kDevices; i++) {
    benches.push_back(std::make_unique<test_bench>(faulty_kernels()));
    benches[i]->device.set_threads(2);
    const std::vector<uint32_t> page(1024, 3);
    trials.push_back({benches[i]->upload(page), benches[i]->upload(page), 1024});
  }
  std::vector<int> found(kDevices, 0);
  std::vector<std::thread> callers;
  for (size_t i = 0; i < kDevices; i++) {
    callers.emplace_back([&, i] {
      CpuDevice& device = benches[i]->device;
      const char* name = i == 0 ? "stack_overflow" : "global_read";
      const kernel_handle kernel = device.find_kernel(name).value();
      trial args = trials[i];
      if (i == 0) args.n = 100000;
      for (int run = 0; run < 20; run++) {
        const adahop::status s = device.launch(kernel, {4}, {64}, &args, sizeof args, nullptr);
        if (s.code() == ADAHOP_DEVICE && s.message().find(name) != std::string::npos) found[i]++;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  REQUIRE(found == std::vector<int>(kDevices, 20));
}

TEST_CASE("a global access that leaves its allocation is a fault", "[hip-cpu][spec:13.4][spec:1.6]") {
  test_bench bench(faulty_kernels());
  const std::vector<uint32_t> page(1024, 3);
  const uint32_t* in = bench.upload(page);
  uint32_t* out = bench.upload(page);
  const std::string head =
      "hip-cpu: global access out of bounds in kernel global_read, block (1,0), lane 5 (thread 5), after " +
      at_line(lines_of("global_read").line) + ": ";
  const auto* nowhere = reinterpret_cast<const uint32_t*>(uintptr_t{0x1000});
  for (uint32_t threads = 1; threads <= 3; threads++) {
    bench.device.set_threads(threads);
    require_fault(bench.launch("global_read", {4}, {in, out, 1024}),
                  head + "byte offset +4096 of an allocation of 4096 bytes");
    require_fault(bench.launch("global_read", {4}, {in - 1, out, 0}),
                  head + "byte offset -4 of an allocation of 4096 bytes");
    require_fault(bench.launch("global_read", {4}, {nowhere, out, 0}),
                  head + "address 0x1000 belongs to no allocation");
  }
  const uint32_t beyond = 1024 + 5;
  require_fault(bench.launch("global_write", {1}, {in, out, beyond}),
                "hip-cpu: global access out of bounds in kernel global_write, block (0,0), lane 5 (thread 5), "
                "before its first barrier or wave operation: byte offset +4116 of an allocation of 4096 bytes");
  REQUIRE(bench.launch("global_read", {4}, {in, out, 1023}).ok());
  REQUIRE(bench.download(out, 1)[0] == 3);
  require_works(bench);
}

TEST_CASE("a write beside an allocation that no page stops is found behind the launch", "[hip-cpu][spec:1.6]") {
  test_bench bench(faulty_kernels());
  uint32_t* out = bench.upload(std::vector<uint32_t>(10, 0));
  require_fault(bench.launch("global_write", {1}, {nullptr, out, 10}),
                "hip-cpu: kernel global_write wrote past the end of an allocation of 40 bytes, at byte offset +40");
  require_fault(bench.launch("global_write", {1}, {nullptr, out, static_cast<uint32_t>(-1)}),
                "hip-cpu: kernel global_write wrote before the start of an allocation of 40 bytes, at byte offset -4");
  REQUIRE(bench.launch("global_write", {1}, {nullptr, out, 9}).ok());
  require_works(bench);
}

TEST_CASE("a stack overflow is a fault", "[hip-cpu][spec:13.4]") {
  test_bench bench(faulty_kernels());
  uint32_t* out = bench.allocate(64);
  REQUIRE(bench.launch("stack_overflow", {1}, {nullptr, out, 20}).ok());
  for (int run = 0; run < 3; run++) {
    const adahop::status s = bench.launch("stack_overflow", {1}, {nullptr, out, 100000});
    CHECK(s.code() == ADAHOP_DEVICE);
    INFO(s.message());
    REQUIRE(s.message().rfind("hip-cpu: stack overflow in kernel stack_overflow, block (0,0), lane 40 (thread 40), "
                              "before its first barrier or wave operation: a thread has ",
                              0) == 0);
  }
  require_works(bench);
}

TEST_CASE("the process gets its signal handler back", "[hip-cpu]") {
  struct sigaction before;
  struct sigaction after;
  sigaction(SIGSEGV, nullptr, &before);
  test_bench bench(faulty_kernels());
  require_works(bench);
  message_of(bench, "shared_index");
  sigaction(SIGSEGV, nullptr, &after);
  REQUIRE(before.sa_sigaction == after.sa_sigaction);
}
