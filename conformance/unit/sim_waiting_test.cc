// What s_waitcnt proves: which destinations are still pending, in which order accesses finish, full counters.
#include "sim_memory_support.h"

namespace adahop::hip::sim::test {
namespace {

// As if each line had been issued.
void issue(wave& w, std::initializer_list<const char*> lines) {
  for (const char* text : lines) begin_access(w, parsed(text));
}

}  // namespace

TEST_CASE("destinations are pending until vmcnt says so, oldest first") {
  memory_world world;
  wave& w = world.at(0);
  issue(w, {"global_load_dwordx2 v[40:41], v[20:21], off", "global_store_dword v[20:21], v44, off",
            "global_load_dword v42, v[20:21], off"});
  CHECK(w.vgpr_pending[40] == 1);
  CHECK(w.vgpr_pending[41] == 1);
  CHECK(w.vgpr_pending[42] == 1);
  CHECK(w.vgpr_pending[44] == 0);  // a source
  wait_for(w, 3, kNoWait);
  CHECK(w.vgpr_pending[40] == 1);
  wait_for(w, 2, kNoWait);
  CHECK(w.vgpr_pending[40] == 0);
  CHECK(w.vgpr_pending[41] == 0);
  CHECK(w.vgpr_pending[42] == 1);
  wait_for(w, 1, kNoWait);  // the store
  CHECK(w.vgpr_pending[42] == 1);
  wait_for(w, kNoWait, 0);  // another counter
  CHECK(w.vgpr_pending[42] == 1);
  wait_for(w, 0, kNoWait);
  CHECK(w.vgpr_pending[42] == 0);
  CHECK(w.vm_pending.empty());
}

TEST_CASE("a register that two loads write is pending until both are done") {
  memory_world world;
  wave& w = world.at(0);
  issue(w, {"global_load_short_d16 v40, v[20:21], off", "global_load_short_d16_hi v40, v[20:21], off"});
  CHECK(w.vgpr_pending[40] == 2);
  wait_for(w, 1, kNoWait);
  CHECK(w.vgpr_pending[40] == 1);
  wait_for(w, 0, kNoWait);
  CHECK(w.vgpr_pending[40] == 0);
}

TEST_CASE("lgkmcnt counts LDS in order; of scalar loads only 0 tells") {
  memory_world world;
  wave& w = world.at(0);
  issue(w, {"ds_read_b32 v40, v20", "s_load_dwordx2 s[4:5], s[0:1], 0x8", "ds_read_b64 v[42:43], v20",
            "ds_swizzle_b32 v44, v21 offset:swizzle(SWAP,1)"});
  CHECK(w.sgpr_pending[4] == 1);
  CHECK(w.sgpr_pending[5] == 1);
  // At most two outstanding: of the three of LDS the oldest is done, whatever became of the scalar load.
  wait_for(w, kNoWait, 2);
  CHECK(w.vgpr_pending[40] == 0);
  CHECK(w.vgpr_pending[42] == 1);
  CHECK(w.sgpr_pending[4] == 1);
  wait_for(w, kNoWait, 1);
  CHECK(w.vgpr_pending[42] == 0);
  CHECK(w.vgpr_pending[44] == 1);
  CHECK(w.sgpr_pending[4] == 1);
  wait_for(w, 0, kNoWait);
  CHECK(w.vgpr_pending[44] == 1);
  wait_for(w, kNoWait, 0);
  CHECK(w.vgpr_pending[44] == 0);
  CHECK(w.sgpr_pending[4] == 0);
  CHECK(w.lgkm_pending.empty());
}

TEST_CASE("loads into LDS count in vmcnt only") {
  memory_world world;
  wave& w = world.at(0);
  issue(w, {"ds_read_b128 v[40:43], v20", "global_load_lds_dwordx4 v[30:31], off", "global_load_lds_dwordx4 v[30:31], off"});
  CHECK(w.vm_pending.size() == 2);
  CHECK(w.lgkm_pending.size() == 1);
  wait_for(w, kNoWait, 2);  // what a compiler writes that counts them here: the read is still under way
  CHECK(w.vgpr_pending[40] == 1);
  wait_for(w, kNoWait, 0);
  CHECK(w.vgpr_pending[40] == 0);
  CHECK(w.vm_pending.size() == 2);
}

TEST_CASE("scalar loads alone: any count but 0 proves nothing") {
  memory_world world;
  wave& w = world.at(0);
  issue(w, {"s_load_dword s4, s[0:1], 0x0", "s_load_dword s5, s[0:1], 0x4"});
  wait_for(w, kNoWait, 1);
  CHECK(w.sgpr_pending[4] == 1);
  CHECK(w.sgpr_pending[5] == 1);
  wait_for(w, kNoWait, 0);
  CHECK(w.sgpr_pending[4] == 0);
}

TEST_CASE("a full counter makes the oldest access done") {
  memory_world world;
  wave& w = world.at(0);
  SECTION("vmcnt: 63") {
    issue(w, {"global_load_dword v40, v[20:21], off"});
    for (unsigned n = 0; n < 62; ++n) issue(w, {"global_load_dword v41, v[20:21], off"});
    CHECK(w.vgpr_pending[40] == 1);
    issue(w, {"global_load_dword v41, v[20:21], off"});
    CHECK(w.vgpr_pending[40] == 0);
    CHECK(w.vgpr_pending[41] == 63);
  }
  SECTION("lgkmcnt: 15") {
    issue(w, {"ds_read_b32 v40, v20"});
    for (unsigned n = 0; n < 14; ++n) issue(w, {"ds_read_b32 v41, v20"});
    CHECK(w.vgpr_pending[40] == 1);
    issue(w, {"ds_read_b32 v41, v20"});
    CHECK(w.vgpr_pending[40] == 0);
  }
}

TEST_CASE("loads through the handlers are pending too") {
  memory_world world;
  std::byte* memory = world.allocate_written(1024);
  world.launch();
  wave& w = world.at(0);
  world.set_address(w, 20, memory, 4);
  REQUIRE(world.run(w, "global_load_dword v40, v[20:21], off") == "");
  CHECK(w.vgpr_pending[40] == 1);
  CHECK(w.vgpr[40][3] == pattern_value(12, 4));
  REQUIRE(world.run(w, "global_atomic_add v41, v[20:21], v44, off sc0") == "");
  CHECK(w.vgpr_pending[41] == 1);
  world.set(w, 22, [](unsigned l) { return 4 * l; });
  REQUIRE(world.run(w, "ds_write_b32 v22, v44") == "");
  REQUIRE(world.run(w, "ds_add_rtn_u32 v45, v22, v44") == "");
  REQUIRE(world.run(w, "ds_bpermute_b32 v46, v22, v44") == "");
  CHECK(w.vgpr_pending[45] == 1);
  CHECK(w.vgpr_pending[46] == 1);
  world.wait(w);
  for (const unsigned reg : {40u, 41u, 45u, 46u}) CHECK(w.vgpr_pending[reg] == 0);
}

TEST_CASE("with both checks off nothing is kept") {
  memory_world world;
  world.settings.check.pending = world.settings.check.races = false;
  wave& w = world.at(0);
  issue(w, {"global_load_dword v40, v[20:21], off", "ds_read_b32 v41, v20"});
  CHECK(w.vm_pending.empty());
  CHECK(w.lgkm_pending.empty());
  CHECK(w.vgpr_pending[40] == 0);
}

TEST_CASE("a barrier raises the epoch of the workgroup") {
  memory_world world(1, 2);
  CHECK(world.group().epoch == 0);
  pass_barrier(world.group());
  pass_barrier(world.group());
  CHECK(world.group().epoch == 2);
}

}  // namespace adahop::hip::sim::test
