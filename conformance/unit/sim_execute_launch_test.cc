// The state of a wave at a kernel's entry and the argument segment, against LLVM's user guide for AMDGPU; what the launch
// refuses; registers beyond the descriptor.
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "catch.h"
#include "sim/launch.h"
#include "sim/operand_parser.h"

using namespace adahop;
using namespace adahop::hip;
using namespace adahop::hip::sim;
using Catch::Matchers::Contains;

namespace {

program program_of(const std::vector<std::string>& lines) {
  program p;
  p.name = "test.co";
  for (const std::string& line : lines) {
    auto i = parse_instruction(line, 0x1000 + 4 * p.code.size(), 4);
    INFO(line);
    if (!i.ok()) FAIL(i.why().message());
    i->index = static_cast<uint32_t>(p.code.size());
    p.code.push_back(std::move(i).value());
  }
  sim_kernel k;
  k.name = "trial";
  k.end = static_cast<uint32_t>(p.code.size());
  k.descriptor.vgprs = 16;
  k.descriptor.accum_offset = 8;
  k.descriptor.sgprs = 16;
  k.descriptor.kernarg_segment_ptr = true;
  k.descriptor.workgroup_id_x = k.descriptor.workgroup_id_y = true;
  p.kernels.push_back(std::move(k));
  return p;
}

// One workgroup of `threads` at (3, 4, 5), its waves at the entry.
struct started {
  options settings;
  workgroup group;
  argument_segment arguments;
  started(const program& p, extent3 threads, std::vector<std::byte> args = {}) {
    group.settings = &settings;
    group.x = 3;
    group.y = 4;
    group.z = 5;
    group.threads = threads.x * threads.y * threads.z;
    const grid_launch launch{&p, &p.kernels[0], {7, 8, 9}, threads};
    arguments.bytes = std::move(args);
    for (uint32_t n = 0; n * kLanes < group.threads; ++n) {
      group.waves.push_back(std::make_unique<wave>());
      group.waves[n]->number = n;
      group.waves[n]->group = &group;
      start_wave(*group.waves[n], launch, 0x123456789ABCu, arguments);
    }
  }
};

template <class T>
T at(const argument_segment& s, size_t offset) {
  T value;
  std::memcpy(&value, s.bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

TEST_CASE("launch: scalar registers in the documented order", "[sim][spec:13.8]") {
  program p = program_of({"s_endpgm"});
  SECTION("arguments, x, y") {
    const started s(p, {64});
    const wave& w = *s.group.waves[0];
    CHECK(w.pair(0) == 0x123456789ABCu);
    CHECK(w.sgpr[2] == 3);
    CHECK(w.sgpr[3] == 4);
    for (unsigned r = 0; r < 4; ++r) CHECK(w.sgpr_defined[r] == kAllBits);
    for (unsigned r = 4; r < kExecLow; ++r) CHECK(w.sgpr_defined[r] == 0);
    CHECK_FALSE(w.scc_defined);
    CHECK(w.exec() == ~uint64_t{0});
    CHECK((w.sgpr_defined[kExecLow] & w.sgpr_defined[kExecLow + 1]) == kAllBits);
  }
  SECTION("z alone, no arguments") {
    p.kernels[0].descriptor.kernarg_segment_ptr = false;
    p.kernels[0].descriptor.workgroup_id_x = p.kernels[0].descriptor.workgroup_id_y = false;
    p.kernels[0].descriptor.workgroup_id_z = true;
    const started s(p, {64});
    CHECK(s.group.waves[0]->sgpr[0] == 5);
    CHECK(s.group.waves[0]->sgpr_defined[1] == 0);
  }
  SECTION("preloaded arguments stand between the pointer and the workgroup; execution begins behind the prologue") {
    std::vector<std::string> lines(64, "s_nop 0");
    lines.push_back("s_nop 1");
    lines.push_back("s_endpgm");
    program q = program_of(lines);
    q.kernels[0].descriptor.kernarg_preload_offset = 1;
    q.kernels[0].descriptor.kernarg_preload_dwords = 2;
    q.kernels[0].descriptor.kernarg_bytes = 12;
    std::vector<std::byte> args(12);
    for (uint32_t n = 0; n < 3; ++n) {
      const uint32_t word = 0xA0 + n;
      std::memcpy(args.data() + 4 * n, &word, 4);
    }
    const started s(q, {64}, args);
    const wave& w = *s.group.waves[0];
    CHECK(w.sgpr[2] == 0xA1);
    CHECK(w.sgpr[3] == 0xA2);
    CHECK(w.sgpr[4] == 3);
    CHECK(q.code[w.pc].text == "s_nop 1");
    CHECK(check_launch({&q, &q.kernels[0], {1}, {64}}).ok());
  }
}

TEST_CASE("launch: work-item ids are packed, lanes without one are off", "[sim][spec:13.8]") {
  program p = program_of({"s_endpgm"});
  kernel_descriptor& d = p.kernels[0].descriptor;
  const extent3 threads{5, 7, 3};  // 105: 64 and 41 lanes
  for (const uint32_t dimensions : {1u, 2u, 3u}) {
    d.workitem_id_dimensions = dimensions;
    const started s(p, threads);
    CHECK(s.group.waves[0]->exec() == ~uint64_t{0});
    CHECK(s.group.waves[1]->exec() == (uint64_t{1} << 41) - 1);
    CHECK(s.group.waves[1]->vgpr_defined[0] == (uint64_t{1} << 41) - 1);
    CHECK(s.group.waves[0]->vgpr_defined[1] == 0);
    uint32_t item = 0;
    for (uint32_t z = 0; z < threads.z; ++z)
      for (uint32_t y = 0; y < threads.y; ++y)
        for (uint32_t x = 0; x < threads.x; ++x, ++item) {
          const uint32_t expected = x | (dimensions > 1 ? y << 10 : 0) | (dimensions > 2 ? z << 20 : 0);
          REQUIRE(s.group.waves[item / 64]->vgpr[0][item % 64] == expected);
        }
  }
}

TEST_CASE("launch: hidden arguments of code object v5", "[sim][spec:13.8]") {
  program p = program_of({"s_endpgm"});
  const std::vector<std::byte> args(20, std::byte{0x11});
  const auto made = [&](uint32_t bytes, extent3 groups, extent3 threads) {
    p.kernels[0].descriptor.kernarg_bytes = bytes;
    return make_arguments({&p, &p.kernels[0], groups, threads}, args);
  };
  const auto plain = made(20, {2}, {64});
  REQUIRE(plain.ok());
  CHECK(plain.value().bytes == args);
  CHECK(plain.value().written == 20);
  const auto hidden = made(24 + 256, {7, 8, 9}, {5, 6, 7});
  REQUIRE(hidden.ok());
  const argument_segment& s = hidden.value();
  CHECK(s.bytes.size() == 280);
  CHECK(s.given == 20);
  CHECK(s.written == 24 + 66);
  CHECK((at<uint32_t>(s, 24) == 7 && at<uint32_t>(s, 28) == 8 && at<uint32_t>(s, 32) == 9));      // block counts
  CHECK((at<uint16_t>(s, 36) == 5 && at<uint16_t>(s, 38) == 6 && at<uint16_t>(s, 40) == 7));      // group sizes
  CHECK((at<uint16_t>(s, 42) == 0 && at<uint16_t>(s, 44) == 0 && at<uint16_t>(s, 46) == 0));      // remainders
  CHECK((at<uint64_t>(s, 64) == 0 && at<uint64_t>(s, 72) == 0 && at<uint64_t>(s, 80) == 0));      // offsets
  CHECK(at<uint16_t>(s, 88) == 3);                                                                // dimensions
  CHECK(at<uint16_t>(made(280, {7, 1, 1}, {64, 1, 1}).value(), 88) == 1);
  CHECK(at<uint16_t>(made(280, {7, 2, 1}, {64, 1, 1}).value(), 88) == 2);
  for (const uint32_t wrong : {0u, 16u, 24u, 276u, 284u}) {
    const auto refused = made(wrong, {1}, {64});
    REQUIRE_FALSE(refused.ok());
    CHECK_THAT(refused.why().message(), Contains("kernel trial: 20 bytes of arguments, expected"));
  }
}

TEST_CASE("launch: what is refused", "[sim][spec:13.8]") {
  program p = program_of({"s_endpgm"});
  sim_kernel& k = p.kernels[0];
  const auto why = [&](extent3 groups = {1}, extent3 threads = {64}) {
    const status s = check_launch({&p, &k, groups, threads});
    CHECK((s.ok() || s.code() == ADAHOP_UNSUPPORTED));
    return s.message();
  };
  CHECK(why() == "");
  CHECK(why({1}, {1024}) == "");
  CHECK(why({0}) == "");
  CHECK_THAT(why({1}, {0}), Contains("workgroups of 0 x 1 x 1, expected 1 to 1024 work-items"));
  CHECK_THAT(why({1}, {32, 33, 1}), Contains("expected 1 to 1024"));
  CHECK_THAT(why({1u << 16, 1u << 15}), Contains("a grid of 65536 x 32768 x 1 workgroups, expected at most 134217728"));
  k.max_threads = 256;
  CHECK(why({1}, {256}) == "");
  CHECK_THAT(why({1}, {257}), Contains("workgroups of 257 work-items, it is compiled for at most 256"));
  kernel_descriptor& d = k.descriptor;
  for (bool kernel_descriptor::*wanted :
       {&kernel_descriptor::private_segment_buffer, &kernel_descriptor::dispatch_ptr, &kernel_descriptor::queue_ptr,
        &kernel_descriptor::dispatch_id, &kernel_descriptor::flat_scratch_init, &kernel_descriptor::private_segment_size,
        &kernel_descriptor::workgroup_info}) {
    d.*wanted = true;
    CHECK_THAT(why(), Contains("which the simulator does not provide"));
    d.*wanted = false;
  }
  d.scratch_bytes = 4;
  CHECK_THAT(why(), Contains("scratch memory"));
  d.scratch_bytes = 0;
  d.kernarg_preload_dwords = 15;
  CHECK_THAT(why(), Contains("preloaded arguments, there is room for 16"));
  d.kernarg_preload_dwords = 2;
  CHECK_THAT(why(), Contains("no prologue of 256 bytes"));
}

TEST_CASE("launch: instructions must keep within the registers of the descriptor", "[sim][spec:13.8]") {
  const auto why = [](const std::string& line) { return check_register_counts(program_of({line, "s_endpgm"})).message(); };
  CHECK(why("v_mov_b32_e32 v7, 1") == "");
  CHECK_THAT(why("v_mov_b32_e32 v8, 1"), Contains("test.co: kernel trial, 0x1000: 'v_mov_b32_e32 v8, 1' names v8, but the "
                                                  "descriptor grants 8 VGPRs, 8 AGPRs and 16 SGPRs"));
  CHECK(why("v_accvgpr_write_b32 a7, 1") == "");
  CHECK_THAT(why("v_accvgpr_write_b32 a8, 1"), Contains("names a8"));
  CHECK(why("s_mov_b32 s15, 1") == "");
  CHECK_THAT(why("s_mov_b32 s16, 1"), Contains("names s16"));
  CHECK(why("s_mov_b64 vcc, 1") == "");
  CHECK(why("s_mov_b64 exec, -1") == "");
  CHECK_THAT(why("v_mov_b32_e32 v0, v9"), Contains("names v9"));
  CHECK_THAT(why("s_mov_b64 s[14:15], s[16:17]"), Contains("names s17"));
}
