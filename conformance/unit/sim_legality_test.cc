// What the checks of gfx950-sim let pass and what not, on kernels compiled by clang: an alarm that is false and one that is
// missed are both bugs.
#include <array>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "sim/sim_device.h"

using namespace adahop;
using namespace adahop::hip;
using Catch::Matchers::Matches;

namespace {

struct trial_args {
  const void* in;
  void* out;
};

/// `out`: word n of the first workgroup's output, for kernels that run to the end; else `fault` begins the line.
struct legality_row {
  std::string_view kernel;
  uint32_t threads;
  uint32_t words;  ///< of output a workgroup
  uint32_t (*out)(uint32_t n);
  const char* fault;
};

// Word n of the input is 3 n.
const legality_row kRows[] = {
    {"right_global_exchange", 256, 256, [](uint32_t n) { return 3 * (255 - n) + 1; }, nullptr},
    {"wrong_global_exchange", 256, 256, nullptr, "(race on global memory|read of global memory never written)"},
    {"right_two_lanes", 256, 256, [](uint32_t n) { return n == 63 ? 1u : 0u; }, nullptr},
    {"wrong_two_lanes", 256, 256, nullptr, "LDS race"},
    {"right_rounds", 256, 256, [](uint32_t n) { return 9 * (255 - n) + 3; }, nullptr},
    {"wrong_rounds", 256, 256, nullptr, "LDS race"},
    {"right_padding", 256, 256, [](uint32_t n) { return n / 64 * 64 + (n + 1) % 64; }, nullptr},
    {"wrong_padding", 256, 256, nullptr, "read of LDS never written"},
    {"right_twice", 256, 256, [](uint32_t) { return 0x702u; }, nullptr},
    {"right_broadcast", 64, 64, [](uint32_t) { return 0u; }, nullptr},
    {"wrong_broadcast", 64, 64, nullptr, "race between lanes of a store"},
    {"wrong_broadcast_of_waves", 128, 128, nullptr, "LDS race"},
    {"right_early_end", 256, 64, [](uint32_t n) { return 3 * (63 - n); }, nullptr},
    {"wrong_early_end", 256, 256, nullptr, "divergent barrier"},
    {"wrong_overlapping_groups", 64, 64, nullptr, "race on global memory"},
};

std::vector<unsigned char> image() {
  std::ifstream file(ADAHOP_SIM_LEGALITY_KERNELS, std::ios::binary);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("sim legality: what is legal runs, what is wrong in one place stops", "[sim][spec:13.9]") {
  constexpr uint32_t kGroups = 2, kWords = 256;
  const std::vector<unsigned char> bytes = image();
  std::vector<std::string_view> names;
  for (const legality_row& row : kRows) names.push_back(row.kernel);
  const code_object object{"sim_legality_kernels", bytes, names};
  const sim_level level{"O3", {&object, 1}};
  for (const char* seed : {"0", "1", "77"})
    for (const legality_row& row : kRows) {
      CAPTURE(seed, row.kernel);
      auto opened = SimDevice::open({&level, 1});
      REQUIRE(opened.ok());
      SimDevice& device = *opened.value();
      REQUIRE(device.set_option("schedule_seed", seed).ok());
      REQUIRE(device.set_option("threads", "1").ok());
      std::array<uint32_t, kWords> in;
      for (uint32_t n = 0; n < kWords; ++n) in[n] = 3 * n;
      const size_t out_bytes = size_t{4} * kGroups * row.words;
      auto in_memory = device.allocate(sizeof in), out_memory = device.allocate(out_bytes);
      REQUIRE((in_memory.ok() && out_memory.ok()));
      REQUIRE(device.copy_to_device(in_memory.value(), in.data(), sizeof in, nullptr).ok());
      auto kernel = device.find_kernel(row.kernel);
      INFO(kernel.why().message());
      REQUIRE(kernel.ok());
      const trial_args args{in_memory.value(), out_memory.value()};
      const status s = device.launch(kernel.value(), {kGroups}, {row.threads}, &args, sizeof args, nullptr);
      INFO(s.message());
      if (row.fault != nullptr) {
        CHECK(s.code() == ADAHOP_DEVICE);
        CHECK_THAT(s.message(), Matches("gfx950-sim: " + std::string(row.fault) + " in kernel " + std::string(row.kernel) + ",.*"));
        continue;
      }
      REQUIRE(s.ok());
      std::vector<uint32_t> out(kGroups * row.words);
      REQUIRE(device.copy_to_host(out.data(), out_memory.value(), out_bytes, nullptr).ok());
      for (uint32_t n = 0; n < row.words; ++n)
        if (out[n] != row.out(n)) FAIL_CHECK("word " << n << " is " << out[n] << ", expected " << row.out(n));
    }
}
