// The checks of LDS: each fault that must be found beside a twin that must not.
#include "sim_memory_support.h"

namespace adahop::hip::sim::test {
namespace {

constexpr std::string_view kRace = "LDS race", kUnwritten = "read of LDS never written",
                           kEarly = "use of a load's result before its s_waitcnt";

// Two waves of a workgroup; every lane's v20 is 16 l + 1024 wave and v24 the same in the other wave's half.
struct two_waves : memory_world {
  two_waves() : memory_world(1, 2) {
    for (unsigned n : {0u, 1u}) {
      set(at(0, n), 20, [n](unsigned l) { return 1024 * n + 16 * l; });
      set(at(0, n), 24, [n](unsigned l) { return 1024 * (1 - n) + 16 * l; });
    }
  }
};

}  // namespace

TEST_CASE("LDS bounds") {
  memory_world world(1, 1, 1040);
  wave& w = world.at(0);
  world.set(w, 20, [](unsigned l) { return 16 * l; });
  CHECK(world.run(w, "ds_write_b128 v20, v[40:43] offset:16") == "");
  CHECK(world.run(w, "ds_write_b32 v20, v40 offset:32") ==
        "access outside LDS: lane 63 writes bytes 1040-1043 of a workgroup with 1040 bytes of LDS");
  CHECK(world.lane == 63);
  CHECK(starts(world.run(w, "ds_read_b128 v[40:43], v20 offset:32"), "access outside LDS: lane 63 reads bytes 1040-1055"));
  CHECK(starts(world.run(w, "ds_add_u32 v20, v40 offset:32"), "access outside LDS"));
  CHECK(starts(world.run(w, "ds_write2st64_b32 v20, v40, v41 offset1:4"), "access outside LDS"));
  // An address just below 2^32 does not wrap into LDS.
  world.set(w, 20, [](unsigned) { return 0xFFFFFFFCu; });
  CHECK(starts(world.run(w, "ds_read_b64 v[40:41], v20"), "access outside LDS"));
  // Lanes that are off do not count.
  w.set_exec(0);
  CHECK(world.run(w, "ds_read_b64 v[40:41], v20") == "");
}

TEST_CASE("LDS alignment") {
  struct alignment_row {
    const char* text;
    unsigned alignment;
  };
  const alignment_row rows[] = {
      {"ds_write_b8 v20, v40", 1},           {"ds_write_b16 v20, v40", 2},          {"ds_write_b32 v20, v40", 4},
      {"ds_write_b64 v20, v[40:41]", 8},     {"ds_write_b96 v20, v[40:42]", 4},     {"ds_write_b128 v20, v[40:43]", 16},
      {"ds_write2_b32 v20, v40, v41", 4},    {"ds_write2_b64 v20, v[40:41], v[42:43]", 8},
      {"ds_add_u32 v20, v40", 4},            {"ds_add_u64 v20, v[40:41]", 8},       {"ds_read_b64_tr_b8 v[40:41], v20", 8},
  };
  for (const alignment_row& row : rows) {
    INFO(row.text);
    memory_world world;
    world.settings.check.uninitialized = false;
    wave& w = world.at(0);
    for (unsigned off = 1; off < 16; ++off) {
      world.set(w, 20, [off](unsigned l) { return 32 * l + (l == 5 ? off : 0); });
      const std::string got = world.run(w, row.text);
      world.wait(w);
      if (off % row.alignment == 0) {
        CHECK(got == "");
      } else {
        CHECK(starts(got, "misaligned LDS access: lane 5 "));
        CHECK(world.lane == 5);
      }
    }
    world.settings.check.alignment = false;
    world.set(w, 20, [](unsigned l) { return 32 * l + 1; });
    CHECK(world.run(w, row.text) == "");
  }
}

TEST_CASE("LDS read before it was written") {
  memory_world world;
  wave& w = world.at(0);
  world.set(w, 20, [](unsigned l) { return 4 * l; });
  CHECK(world.run(w, "ds_read_b32 v40, v20") ==
        "read of LDS never written: wave 0 lane 0 reads bytes 0-3; byte 0 has no value");
  CHECK(world.run(w, "ds_write_b16 v20, v40") == "");
  // Half of each dword: the lowest missing byte is named.
  CHECK(starts(world.run(w, "ds_read_b32 v40, v20"), "read of LDS never written: wave 0 lane 0 reads bytes 0-3; byte 2"));
  CHECK(world.run(w, "ds_read_u16 v40, v20") == "");
  CHECK(starts(world.run(w, "ds_add_u32 v20, v40"), kUnwritten));
  CHECK(world.run(w, "ds_write_b16 v20, v40 offset:2") == "");
  CHECK(world.run(w, "ds_add_u32 v20, v40") == "");
  CHECK(world.run(w, "ds_read_b128 v[40:43], v20 offset:1024") != "");
  // A new workgroup starts with nothing.
  world.lds().begin_workgroup(4096);
  CHECK(starts(world.run(w, "ds_read_b32 v40, v20"), kUnwritten));
  world.settings.check.uninitialized = false;
  CHECK(world.run(w, "ds_read_b32 v40, v20") == "");
  CHECK(w.vgpr[40][7] == 0xFFFFFFFFu);
}

TEST_CASE("LDS races between waves need a barrier") {
  two_waves world;
  wave &first = world.at(0, 0), &second = world.at(0, 1);
  REQUIRE(world.run(first, "ds_write_b128 v20, v[40:43]") == "");
  REQUIRE(world.run(second, "ds_write_b128 v20, v[40:43]") == "");
  world.wait(first);
  world.wait(second);
  SECTION("write, then read: race") {
    CHECK(world.run(second, "ds_read_b32 v40, v24 offset:4") ==
          "LDS race: wave 1 lane 0 reads bytes 4-7; byte 4 was written by wave 0 with no barrier between");
  }
  SECTION("write, then write: race") { CHECK(starts(world.run(second, "ds_write_b8 v24, v40"), kRace)); }
  SECTION("a barrier between: none") {
    pass_barrier(world.group());
    CHECK(world.run(second, "ds_read_b128 v[40:43], v24") == "");
    CHECK(world.run(first, "ds_read_b128 v[40:43], v24") == "");
    // Reads do not conflict, a write after them does until the next barrier.
    CHECK(world.run(first, "ds_read_b128 v[40:43], v20") == "");
    CHECK(world.run(first, "ds_write_b32 v20, v40") ==
          "LDS race: wave 0 lane 0 writes bytes 0-3; byte 0 was read by wave 1 with no barrier between");
  }
  SECTION("its own wave's accesses need none") {
    CHECK(world.run(first, "ds_read_b128 v[40:43], v20") == "");
    CHECK(world.run(first, "ds_write_b128 v20, v[40:43]") == "");
  }
  SECTION("bytes beside it are no conflict") {
    pass_barrier(world.group());
    CHECK(world.run(first, "ds_write_b8 v20, v40") == "");
    CHECK(world.run(second, "ds_write_b8 v24, v40 offset:1") == "");
    CHECK(starts(world.run(second, "ds_write_b16 v24, v40"), kRace));
  }
  SECTION("atomics among themselves, not with others") {
    pass_barrier(world.group());
    CHECK(world.run(first, "ds_add_u32 v20, v40") == "");
    CHECK(world.run(second, "ds_add_u32 v24, v40") == "");
    CHECK(world.run(second, "ds_read_b32 v40, v24") ==
          "LDS race: wave 1 lane 0 reads bytes 0-3; byte 0 was updated by wave 0 with no barrier between");
  }
  SECTION("off") {
    world.settings.check.races = false;
    CHECK(world.run(second, "ds_read_b32 v40, v24") == "");
  }
  SECTION("a later workgroup does not meet the one before") {
    world.lds().begin_workgroup(4096);
    world.group().epoch = 0;
    CHECK(world.run(second, "ds_write_b128 v24, v[40:43]") == "");
  }
}

TEST_CASE("LDS races between lanes of a write") {
  memory_world world;
  wave& w = world.at(0);
  world.set(w, 20, [](unsigned l) { return l == 60 ? 12 : 4 * l; });
  world.set(w, 40, [](unsigned l) { return 1000 + l; });
  world.set(w, 41, [](unsigned l) { return l == 60 ? 1003 : 1000 + l; });
  CHECK(world.run(w, "ds_write_b32 v20, v40") ==
        "race between lanes of a store: lanes 3 and 60 write different values to byte 12 of LDS");
  CHECK(world.lane == 3);
  CHECK(world.run(w, "ds_write_b32 v20, v41") == "");
  CHECK(starts(world.run(w, "ds_write2_b32 v20, v41, v40 offset1:64"), "race between lanes of a store: lanes 3 and 60"));
  w.set_exec(~(uint64_t{1} << 60));
  CHECK(world.run(w, "ds_write_b32 v20, v40") == "");
  w.set_exec(kAllLanes);
  CHECK(world.run(w, "ds_add_u32 v20, v40") == "");
  world.settings.check.races = false;
  CHECK(world.run(w, "ds_write_b32 v20, v40") == "");
}

TEST_CASE("an LDS access that was not waited for counts as after the barrier") {
  two_waves world;
  wave &first = world.at(0, 0), &second = world.at(0, 1);
  SECTION("write under way") {
    REQUIRE(world.run(first, "ds_write_b128 v20, v[40:43]") == "");
    SECTION("not waited for") {
      pass_barrier(world.group());
      CHECK(starts(world.run(second, "ds_read_b32 v40, v24"), kRace));
    }
    SECTION("waited for") {
      world.wait(first);
      pass_barrier(world.group());
      CHECK(world.run(second, "ds_read_b32 v40, v24") == "");
    }
    SECTION("waited for by count") {
      REQUIRE(world.run(first, "ds_write_b32 v20, v40 offset:2048") == "");
      wait_for(first, kNoWait, 1);
      pass_barrier(world.group());
      CHECK(world.run(second, "ds_read_b32 v40, v24") == "");
      CHECK(starts(world.run(second, "ds_read_b32 v40, v24 offset:2048"), kRace));
    }
    SECTION("and one barrier later") {
      pass_barrier(world.group());
      world.wait(first);
      pass_barrier(world.group());
      CHECK(world.run(second, "ds_read_b32 v40, v24") == "");
    }
  }
  SECTION("read under way, then written by another") {
    REQUIRE(world.run(first, "ds_write_b128 v20, v[40:43]") == "");
    world.wait(first);
    REQUIRE(world.run(first, "ds_read2_b32 v[40:41], v20 offset0:1 offset1:2") == "");
    SECTION("not waited for") {
      pass_barrier(world.group());
      CHECK(world.run(second, "ds_write_b32 v24, v40") == "");
      CHECK(starts(world.run(second, "ds_write_b32 v24, v40 offset:4"), kRace));
      CHECK(starts(world.run(second, "ds_write_b32 v24, v40 offset:8"), kRace));
    }
    SECTION("waited for") {
      world.wait(first);
      pass_barrier(world.group());
      CHECK(world.run(second, "ds_write_b128 v24, v[40:43]") == "");
    }
  }
}

TEST_CASE("data on its way into LDS may not be touched") {
  two_waves world;
  const std::byte* memory = world.allocate_written(2048);
  world.launch();
  wave &first = world.at(0, 0), &second = world.at(0, 1);
  world.set_address(first, 30, memory, 16);
  first.sgpr[kM0] = 0;
  REQUIRE(world.run(first, "global_load_lds_dwordx4 v[30:31], off") == "");
  SECTION("read before vmcnt") {
    CHECK(world.run(first, "ds_read_b32 v40, v20 offset:4") ==
          "use of a load's result before its s_waitcnt: wave 0 lane 0 reads bytes 4-7; byte 4 is still to come from a "
          "global load into LDS");
    wait_for(first, kNoWait, 0);
    CHECK(starts(world.run(first, "ds_read_b32 v40, v20"), kEarly));
    CHECK(starts(world.run(first, "ds_write_b32 v20, v40"), kEarly));
    CHECK(starts(world.run(second, "ds_read_b32 v40, v24"), kEarly));
  }
  SECTION("waited for: its own wave may, another after a barrier") {
    wait_for(first, 0, kNoWait);
    CHECK(world.run(first, "ds_read_b32 v40, v20") == "");
    CHECK(first.vgpr[40][9] == pattern_value(16 * 9, 4));
    CHECK(starts(world.run(second, "ds_read_b32 v40, v24"), kRace));
    pass_barrier(world.group());
    CHECK(world.run(second, "ds_read_b32 v40, v24") == "");
  }
  SECTION("a barrier alone does not bring it") {
    pass_barrier(world.group());
    CHECK(starts(world.run(second, "ds_read_b32 v40, v24"), kEarly));
    wait_for(first, 0, kNoWait);
    CHECK(starts(world.run(second, "ds_read_b32 v40, v24"), kRace));  // it came after the barrier
  }
  SECTION("in order: an older load is there") {
    first.sgpr[kM0] = 2048;
    REQUIRE(world.run(first, "global_load_lds_dwordx4 v[30:31], off") == "");
    wait_for(first, 1, kNoWait);
    CHECK(world.run(first, "ds_read_b32 v40, v20") == "");
    CHECK(starts(world.run(first, "ds_read_b32 v40, v20 offset:2048"), kEarly));
  }
  SECTION("off: the data are there at once") {
    world.settings.check.pending = false;
    CHECK(world.run(first, "ds_read_b32 v40, v20") == "");
  }
}

TEST_CASE("a load into LDS that others still read") {
  two_waves world;
  const std::byte* memory = world.allocate_written(2048);
  world.launch();
  wave &first = world.at(0, 0), &second = world.at(0, 1);
  for (wave* w : {&first, &second}) {
    REQUIRE(world.run(*w, "ds_write_b128 v20, v[40:43]") == "");
    world.wait(*w);
    world.set_address(*w, 30, memory, 16);
  }
  pass_barrier(world.group());
  first.sgpr[kM0] = 1024;
  SECTION("by another wave since the barrier") {
    REQUIRE(world.run(second, "ds_read_b128 v[40:43], v20") == "");
    world.wait(second);
    CHECK(starts(world.run(first, "global_load_lds_dwordx4 v[30:31], off"), kRace));
    pass_barrier(world.group());
    CHECK(world.run(first, "global_load_lds_dwordx4 v[30:31], off") == "");
  }
  SECTION("by itself, not waited for") {
    REQUIRE(world.run(first, "ds_read_b128 v[40:43], v24") == "");
    CHECK(starts(world.run(first, "global_load_lds_dwordx4 v[30:31], off"),
                 "load into LDS that is still in use: byte 1024"));
  }
  SECTION("by itself, waited for") {
    REQUIRE(world.run(first, "ds_read_b128 v[40:43], v24") == "");
    wait_for(first, kNoWait, 0);
    CHECK(world.run(first, "global_load_lds_dwordx4 v[30:31], off") == "");
  }
  SECTION("by itself, elsewhere") {
    REQUIRE(world.run(first, "ds_read_b128 v[40:43], v20") == "");
    CHECK(world.run(first, "global_load_lds_dwordx4 v[30:31], off") == "");
  }
  SECTION("bounds and alignment of what it writes") {
    first.sgpr[kM0] = 4096 - 1020;
    CHECK(starts(world.run(first, "global_load_lds_dwordx4 v[30:31], off"), "access outside LDS: lane 63 writes"));
    first.sgpr[kM0] = 1026;
    CHECK(starts(world.run(first, "global_load_lds_dwordx4 v[30:31], off"), "misaligned LDS access"));
    first.sgpr[kM0] = 1028;
    CHECK(world.run(first, "global_load_lds_dwordx4 v[30:31], off") == "");
  }
}

TEST_CASE("numbers of barriers start again after 2^16") {
  two_waves world;
  wave &first = world.at(0, 0), &second = world.at(0, 1);
  REQUIRE(world.run(first, "ds_write_b128 v20, v[40:43]") == "");
  world.wait(first);
  for (unsigned n = 0; n < 0x10000u; ++n) pass_barrier(world.group());
  CHECK(world.run(second, "ds_read_b32 v40, v24") == "");
  CHECK(starts(world.run(first, "ds_write_b32 v20, v40"), kRace));
  world.wait(second);
  pass_barrier(world.group());
  CHECK(world.run(first, "ds_write_b32 v20, v40") == "");
  CHECK(starts(world.run(second, "ds_read_b32 v40, v24"), kRace));
}

}  // namespace adahop::hip::sim::test
