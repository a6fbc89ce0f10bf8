// Instructions that move values between lanes on hand-made vectors: EXEC, lane numbers, which lanes count as written.
#include "sim_support.h"

namespace adahop::hip::sim::test {
namespace {

TEST_CASE("v_readlane_b32: six bits of the lane number, whatever EXEC says", "[sim]") {
  sim_test_wave w;
  w.set_vector(1, [](unsigned lane) { return 1000 + lane; });
  w.set_exec(0);
  w.run("v_readlane_b32 s0, v1, 63");
  CHECK(w.scalar(0) == 1063);
  for (const auto& [number, lane] : {std::pair{5u, 5u}, {64u, 0u}, {127u, 63u}, {0xFFFFFFFFu, 63u}}) {
    w.set_scalar(2, number);
    w.run("v_readlane_b32 s0, v1, s2");
    CHECK(w.scalar(0) == 1000 + lane);
  }
}

TEST_CASE("v_readfirstlane_b32: the lowest lane that is on, lane 0 when none is", "[sim]") {
  sim_test_wave w;
  w.set_vector(1, [](unsigned lane) { return 1000 + lane; });
  for (const auto& [exec, lane] : {std::pair{kAllLanes, 0u}, {uint64_t{0x50}, 4u}, {uint64_t{1} << 63, 63u}, {uint64_t{0}, 0u}}) {
    w.set_exec(exec);
    w.run("v_readfirstlane_b32 s0, v1");
    CHECK(w.scalar(0) == 1000 + lane);
  }
}

TEST_CASE("v_writelane_b32: one lane, whatever EXEC says", "[sim]") {
  sim_test_wave w;
  w.set_vector(1, 7u);
  w.set_exec(1);
  w.set_scalar(2, 67);
  w.set_scalar(3, 99);
  w.run("v_writelane_b32 v1, s3, s2");
  for (unsigned lane = 0; lane < kLanes; ++lane) CHECK(w.vector(1, lane) == (lane == 3 ? 99u : 7u));
  w.run("v_writelane_b32 v1, -1, 63");
  CHECK(w.vector(1, 63) == 0xFFFFFFFFu);
}

TEST_CASE("lane moves carry along what was never written", "[sim]") {
  sim_test_wave w;
  w.state().vgpr_defined[1] = ~(uint64_t{1} << 5);
  w.run("v_readlane_b32 s0, v1, 5");
  CHECK_FALSE(w.state().sgpr_defined[0]);
  w.run("v_writelane_b32 v2, s0, 9");
  CHECK(w.state().vgpr_defined[2] == ~(uint64_t{1} << 9));
  w.run("v_readlane_b32 s0, v1, 6");
  CHECK(w.state().sgpr_defined[0]);
  w.run("v_writelane_b32 v2, s0, 9");
  CHECK(w.state().vgpr_defined[2] == kAllLanes);
  w.set_exec(0x20);
  w.run("v_readfirstlane_b32 s1, v1");
  CHECK_FALSE(w.state().sgpr_defined[1]);

  w.state().sgpr_defined[4] = false;
  CHECK(w.fault_of("v_readlane_b32 s0, v1, s4") == "read of a register never written");
  CHECK(w.fault_of("v_writelane_b32 v1, s0, s4") == "read of a register never written");
  w.settings().check.uninitialized = false;
  CHECK(w.fault_of("v_readlane_b32 s0, v1, s4").empty());
}

TEST_CASE("v_mbcnt_lo_u32_b32 and v_mbcnt_hi_u32_b32 count the mask's bits below a lane", "[sim]") {
  for (const uint64_t exec : {kAllLanes, uint64_t{0xFFFF0000FFFF0001u}}) {
    sim_test_wave w;
    w.set_exec(exec);
    w.set_vector(2, [](unsigned lane) { return 100 * lane; });
    w.set_scalar(4, 0x80000011u);  // bits 0, 4, 31
    w.run("v_mbcnt_lo_u32_b32 v0, s4, v2");
    w.expect_lanes(0, [](unsigned lane) { return 100 * lane + (lane > 31 ? 3 : lane > 4 ? 2 : lane > 0 ? 1 : 0); });
    w.run("v_mbcnt_hi_u32_b32 v1, s4, 0");  // bits 32, 36, 63
    w.expect_lanes(1, [](unsigned lane) { return lane > 36 ? 2u : lane > 32 ? 1u : 0u; });
    w.run("v_mbcnt_lo_u32_b32 v3, -1, 0");
    w.run("v_mbcnt_hi_u32_b32 v3, -1, v3");
    w.expect_lanes(3, [&](unsigned lane) { return lane < 32 ? (exec >> lane & 1u) != 0 ? lane : 0 : lane; });
  }
}

// v1 holds 100 + lane, v2 200 + lane, before v1 (the destination) and v2 are swapped.
void swap(sim_test_wave& w, std::string_view text, uint64_t exec) {
  w.set_vector(1, [](unsigned lane) { return 100 + lane; });
  w.set_vector(2, [](unsigned lane) { return 200 + lane; });
  w.set_exec(exec);
  w.run(text);
}

TEST_CASE("v_permlane16_swap_b32: odd rows of the first with even rows of the second", "[sim]") {
  sim_test_wave w;
  swap(w, "v_permlane16_swap_b32 v1, v2", kAllLanes);
  w.expect_lanes(1, [](unsigned lane) { return (lane / 16) % 2 == 1 ? 200 + lane - 16 : 100 + lane; });
  w.expect_lanes(2, [](unsigned lane) { return (lane / 16) % 2 == 0 ? 100 + lane + 16 : 200 + lane; });
}

TEST_CASE("v_permlane32_swap_b32: the upper half of the first with the lower half of the second", "[sim]") {
  sim_test_wave w;
  swap(w, "v_permlane32_swap_b32 v1, v2", kAllLanes);
  w.expect_lanes(1, [](unsigned lane) { return lane >= 32 ? 200 + lane - 32 : 100 + lane; });
  w.expect_lanes(2, [](unsigned lane) { return lane < 32 ? 100 + lane + 32 : 200 + lane; });
}

// Lane 3 is off; its partner is lane 19 in rows and 35 in halves.
TEST_CASE("permlane swaps with a lane off: kept, zero with bound_ctrl:1, fetched with fi:1", "[sim]") {
  struct swap_case {
    std::string_view mnemonic;
    unsigned partner;
  };
  for (const swap_case& c : {swap_case{"v_permlane16_swap_b32", 19}, swap_case{"v_permlane32_swap_b32", 35}}) {
    struct modifier_case {
      std::string_view text;
      uint32_t partner_gets;
    };
    for (const modifier_case& m : {modifier_case{"", 100 + c.partner}, {" bound_ctrl:1", 0}, {" fi:1", 203}, {" bound_ctrl:1 fi:1", 203}}) {
      INFO(c.mnemonic << m.text);
      sim_test_wave w;
      swap(w, std::string(c.mnemonic) + " v1, v2" + std::string(m.text), ~uint64_t{8});
      CHECK(w.vector(2, 3) == 203);  // off: not written
      CHECK(w.vector(1, 3) == 103);
      CHECK(w.vector(1, c.partner) == m.partner_gets);
      CHECK(w.vector(1, c.partner + 1) == 204);  // its neighbour is swapped as ever
      CHECK(w.vector(2, 4) == 101 + c.partner);
    }
  }
}

TEST_CASE("permlane swaps move what was never written", "[sim]") {
  sim_test_wave w;
  w.state().vgpr_defined[2] = ~uint64_t{2};          // lane 1 of the second
  w.state().vgpr_defined[1] = ~(uint64_t{1} << 34);  // lane 34 of the first
  w.run("v_permlane32_swap_b32 v1, v2");
  CHECK(w.state().vgpr_defined[1] == ~(uint64_t{1} << 33));
  CHECK(w.state().vgpr_defined[2] == ~uint64_t{4});
}

}  // namespace
}  // namespace adahop::hip::sim::test
