// The checks of global memory: each fault that must be found beside a twin that must not.
#include <thread>

#include "kernels/args.h"
#include "sim_memory_support.h"

namespace adahop::hip::sim::test {
namespace {

constexpr std::string_view kRace = "race on global memory", kOutside = "access outside device memory",
                           kUnwritten = "read of global memory never written";

}  // namespace

TEST_CASE("global bounds") {
  memory_world world(1, 1);
  std::byte* memory = world.allocate_written(1000);
  std::byte* other = world.allocate_written(64);
  std::vector<std::byte> arguments(64);
  world.launch(nullptr, arguments);
  wave& w = world.at(0);
  world.set_address(w, 20, memory, 4);
  CHECK(world.run(w, "global_load_dword v40, v[20:21], off offset:744") == "");
  CHECK(world.run(w, "global_load_dword v40, v[20:21], off offset:745") ==
        "access outside device memory: lane 63 reads 4 bytes at byte offset +997 of allocation 1 (1000 bytes)");
  CHECK(world.lane == 63);
  CHECK(world.run(w, "global_store_byte v[20:21], v40, off offset:-1") ==
        "access outside device memory: lane 0 writes 1 bytes at byte offset -1 of allocation 1 (1000 bytes)");
  CHECK(starts(world.run(w, "global_atomic_add v[20:21], v40, off offset:1000"), kOutside));
  CHECK(starts(world.run(w, "global_load_lds_dword v[20:21], off offset:1000"), kOutside));
  world.set64(w, 20, [](unsigned) { return uint64_t{0x10}; });
  CHECK(world.run(w, "global_load_dword v40, v[20:21], off") ==
        "access outside device memory: lane 0 reads 4 bytes at 0x10, in no allocation");
  w.set_exec(0);
  CHECK(world.run(w, "global_load_dword v40, v[20:21], off") == "");
  w.set_exec(kAllLanes);
  // The arguments may be read only.
  world.set_address(w, 20, arguments.data(), 0);
  CHECK(world.run(w, "global_load_dword v40, v[20:21], off offset:60") == "");
  CHECK(starts(world.run(w, "global_load_dword v40, v[20:21], off offset:61"),
               "access outside device memory: lane 0 reads 4 bytes at byte offset +61 of the kernel's arguments"));
  CHECK(starts(world.run(w, "global_store_dword v[20:21], v40, off"), kOutside));
  // One instruction may reach several allocations.
  world.set64(w, 20, [&](unsigned l) { return reinterpret_cast<uintptr_t>(l % 2 == 0 ? memory : other); });
  CHECK(world.run(w, "global_load_dwordx4 v[40:43], v[20:21], off offset:48") == "");
  CHECK(starts(world.run(w, "global_load_dwordx4 v[40:43], v[20:21], off offset:49"),
               "access outside device memory: lane 1"));
}

TEST_CASE("global bounds are kept with every check off") {
  memory_world world;
  world.settings.check = {false, false, false, false, false, false};
  std::byte* memory = world.allocate(256);
  world.launch();
  wave& w = world.at(0);
  world.set_address(w, 20, memory, 4);
  CHECK(world.run(w, "global_load_dword v40, v[20:21], off") == "");
  CHECK(starts(world.run(w, "global_load_dword v40, v[20:21], off offset:4"), kOutside));
  CHECK(w.vm_pending.empty());
}

TEST_CASE("a released allocation is outside from the next launch on") {
  memory_world world;
  std::byte* memory = world.allocate_written(256);
  world.launch();
  wave& w = world.at(0);
  world.set_address(w, 20, memory, 4);
  CHECK(world.run(w, "global_load_dword v40, v[20:21], off") == "");
  REQUIRE(world.memory.release(memory));
  CHECK(world.run(w, "global_load_dword v40, v[20:21], off") == "");
  world.launch();
  CHECK(starts(world.run(w, "global_load_dword v40, v[20:21], off"), kOutside));
}

TEST_CASE("alignment: loads and stores at any byte, atomics and scalar loads not") {
  memory_world world;
  std::byte* memory = world.allocate_written(2048);
  world.launch();
  wave& w = world.at(0);
  world.set_address(w, 20, memory, 16);
  for (const char* text :
       {"global_load_dwordx4 v[40:43], v[20:21], off offset:1", "global_load_ushort v40, v[20:21], off offset:1",
        "global_store_dwordx2 v[20:21], v[40:41], off offset:3"})
    CHECK(world.run(w, text) == "");
  CHECK(world.run(w, "global_atomic_add v[20:21], v40, off offset:2") ==
        "misaligned atomic: lane 0 updates 4 bytes at byte offset +2 of allocation 1 (2048 bytes), expected a multiple "
        "of 4");
  CHECK(starts(world.run(w, "global_atomic_add_x2 v[20:21], v[40:41], off offset:4"), "misaligned atomic"));
  CHECK(world.run(w, "global_atomic_add_x2 v[20:21], v[40:41], off offset:8") == "");
  uint32_t got[2];
  const auto scalar = [&](size_t offset) {
    try {
      load_scalar(w, parsed("s_nop 0"), reinterpret_cast<uintptr_t>(memory) + offset, got, 2);
    } catch (const fault& f) {
      return f.kind + ": " + f.detail;
    }
    return std::string();
  };
  CHECK(scalar(4) == "");
  CHECK(starts(scalar(2), "misaligned scalar load: 8 bytes at byte offset +2"));
  CHECK(starts(scalar(2044), "access outside device memory: the wave reads 8 bytes at byte offset +2044"));
}

TEST_CASE("global memory read before it was written") {
  memory_world world;
  std::byte* memory = world.allocate(1024);
  const uint32_t word = 7;
  REQUIRE(world.memory.copy_in(memory + 8, &word, 4).ok());
  world.launch();
  wave& w = world.at(0);
  world.set_address(w, 20, memory, 4);
  w.set_exec(4);
  CHECK(world.run(w, "global_load_dword v40, v[20:21], off") == "");
  CHECK(w.vgpr[40][2] == 7);
  w.set_exec(6);
  CHECK(world.run(w, "global_load_dword v40, v[20:21], off") ==
        "read of global memory never written: wave 0 lane 1 reads 4 bytes; byte offset 4 of allocation 1 (1024 bytes) has "
        "no value");
  CHECK(world.run(w, "global_load_ushort v40, v[20:21], off offset:2") != "");
  CHECK(starts(world.run(w, "global_atomic_add v[20:21], v40, off"), kUnwritten));
  CHECK(world.run(w, "global_store_short v[20:21], v40, off") == "");
  CHECK(starts(world.run(w, "global_load_dword v40, v[20:21], off"),
               "read of global memory never written: wave 0 lane 1 reads 4 bytes; byte offset 6"));
  CHECK(world.run(w, "global_load_ushort v40, v[20:21], off") == "");
  uint32_t got = 0;
  CHECK_THROWS_AS(load_scalar(w, parsed("s_nop 0"), reinterpret_cast<uintptr_t>(memory) + 512, &got, 1), fault);
  REQUIRE(world.memory.fill_zero(memory, 1024).ok());
  CHECK(world.run(w, "global_load_dwordx4 v[40:43], v[20:21], off offset:512") == "");
}

TEST_CASE("what is written before a launch has values in it, the rest is 0xFF") {
  memory_world world;
  world.settings.check.uninitialized = false;
  std::byte* memory = world.allocate(256);
  world.launch();
  wave& w = world.at(0);
  world.set_address(w, 20, memory, 4);
  CHECK(world.run(w, "global_load_dword v40, v[20:21], off") == "");
  CHECK(w.vgpr[40][63] == 0xFFFFFFFFu);
}

TEST_CASE("global races between waves of a workgroup need a barrier") {
  memory_world world(1, 2);
  std::byte* memory = world.allocate_written(4096);
  world.launch();
  wave &first = world.at(0, 0), &second = world.at(0, 1);
  for (wave* w : {&first, &second}) world.set_address(*w, 20, memory, 16);
  REQUIRE(world.run(first, "global_store_dwordx4 v[20:21], v[40:43], off") == "");
  SECTION("write, then read: race") {
    CHECK(world.run(second, "global_load_dword v40, v[20:21], off offset:4") ==
          "race on global memory: wave 1 lane 0 reads 4 bytes; byte offset 4 of allocation 1 (4096 bytes) was written by "
          "wave 0 with no barrier between");
    CHECK(world.run(first, "global_load_dword v40, v[20:21], off offset:4") == "");
  }
  SECTION("waited for and a barrier between: none") {
    world.wait(first);
    pass_barrier(world.group());
    CHECK(world.run(second, "global_load_dword v40, v[20:21], off offset:4") == "");
    CHECK(world.run(first, "global_load_dword v40, v[20:21], off offset:4") == "");
    CHECK(starts(world.run(first, "global_store_dword v[20:21], v40, off offset:4"), kRace));
    CHECK(world.run(first, "global_store_dword v[20:21], v40, off offset:8") == "");
  }
  SECTION("a barrier between, and not waited for: none, accesses of a compute unit stay in order") {
    pass_barrier(world.group());
    CHECK(world.run(second, "global_load_dword v40, v[20:21], off offset:4") == "");
    CHECK(world.run(second, "global_store_dword v[20:21], v40, off offset:8") == "");
  }
  SECTION("a scalar load takes part") {
    uint32_t got = 0;
    CHECK_THROWS_AS(load_scalar(second, parsed("s_nop 0"), reinterpret_cast<uintptr_t>(memory), &got, 1), fault);
    CHECK_NOTHROW(load_scalar(second, parsed("s_nop 0"), reinterpret_cast<uintptr_t>(memory) + 2048, &got, 1));
  }
  SECTION("the next launch does not meet this one") {
    world.launch();
    CHECK(world.run(second, "global_store_dword v[20:21], v40, off offset:4") == "");
  }
  SECTION("off") {
    world.settings.check.races = false;
    world.launch();
    REQUIRE(world.run(first, "global_store_dword v[20:21], v40, off") == "");
    CHECK(world.run(second, "global_load_dword v40, v[20:21], off") == "");
  }
}

TEST_CASE("global races between lanes of a store") {
  constexpr std::string_view kLanes = "race between lanes of a store: ";
  memory_world world;
  std::byte* memory = world.allocate_written(4096);
  world.launch();
  wave& w = world.at(0);
  world.set(w, 40, [](unsigned l) { return 1000 + l; });
  world.set(w, 41, [](unsigned l) { return 1000 + l - l % 2; });
  world.set(w, 42, [](unsigned) { return 0x55555555u; });
  // Lanes 2 n and 2 n + 1 at one dword.
  world.set64(w, 20, [&](unsigned l) { return reinterpret_cast<uintptr_t>(memory) + 4 * (l / 2); });
  CHECK(world.run(w, "global_store_dword v[20:21], v40, off") ==
        std::string(kLanes) + "lanes 0 and 1 write different values to byte offset +0 of allocation 1 (4096 bytes)");
  CHECK(world.lane == 0);
  CHECK(world.run(w, "global_store_dword v[20:21], v41, off") == "");
  w.set_exec(0xAAAAAAAAAAAAAAAA);
  CHECK(world.run(w, "global_store_dword v[20:21], v40, off") == "");
  w.set_exec(kAllLanes);
  // Two bytes apart, so that the upper half of a dword is the lower half of the next lane's.
  world.set_address(w, 20, memory, 2);
  CHECK(world.run(w, "global_store_short v[20:21], v40, off") == "");
  CHECK(world.run(w, "global_store_dword v[20:21], v40, off") ==
        std::string(kLanes) + "lanes 0 and 1 write different values to byte offset +2 of allocation 1 (4096 bytes)");
  CHECK(world.run(w, "global_store_dword v[20:21], v42, off") == "");
  // Far apart in the wave: only lanes 3 and 60, at one byte.
  world.set64(w, 20, [&](unsigned l) { return reinterpret_cast<uintptr_t>(memory) + (l == 60 ? 3 : l); });
  CHECK(world.run(w, "global_store_byte v[20:21], v40, off") ==
        std::string(kLanes) + "lanes 3 and 60 write different values to byte offset +3 of allocation 1 (4096 bytes)");
  world.settings.check.races = false;
  CHECK(world.run(w, "global_store_byte v[20:21], v40, off") == "");
}

TEST_CASE("global races between workgroups: no barrier orders them") {
  memory_world world(3, 1);
  std::byte* memory = world.allocate_written(4096);
  world.launch();
  for (unsigned g : {0u, 1u, 2u}) world.set_address(world.at(g), 20, memory, 8);
  const auto run = [&](unsigned g, const char* text) { return world.run(world.at(g), text); };
  SECTION("write, then read") {
    REQUIRE(run(2, "global_store_dwordx2 v[20:21], v[40:41], off") == "");
    world.wait(world.at(2));
    pass_barrier(world.group(2));
    CHECK(run(0, "global_load_ubyte v40, v[20:21], off offset:9") ==
          "race on global memory: wave 0 lane 0 reads 1 bytes; byte offset 9 of allocation 1 (4096 bytes) was written by "
          "workgroup number 2 of the launch");
  }
  SECTION("reads, then write by one of the readers") {
    REQUIRE(run(0, "global_load_dwordx2 v[40:41], v[20:21], off") == "");
    REQUIRE(run(1, "global_load_dwordx2 v[40:41], v[20:21], off") == "");
    CHECK(starts(run(1, "global_store_byte v[20:21], v40, off"), kRace));
    // The byte's first reader is known by number, the other only as another.
    CHECK(run(0, "global_store_byte v[20:21], v40, off").find("was read by another workgroup of the launch") !=
          std::string::npos);
    CHECK(run(2, "global_store_byte v[20:21], v40, off").find("was read by workgroup number 0") != std::string::npos);
  }
  SECTION("a reader alone may write, and reads do not conflict") {
    REQUIRE(run(0, "global_load_dwordx2 v[40:41], v[20:21], off") == "");
    CHECK(run(0, "global_store_byte v[20:21], v40, off") == "");
    CHECK(run(1, "global_load_ubyte v40, v[20:21], off offset:1") == "");
    CHECK(starts(run(1, "global_load_ubyte v40, v[20:21], off"), kRace));
  }
  SECTION("atomics among themselves, not with others") {
    REQUIRE(run(0, "global_atomic_add v[20:21], v40, off") == "");
    CHECK(run(1, "global_atomic_add v[20:21], v40, off") == "");
    CHECK(run(2, "global_load_dword v40, v[20:21], off offset:4") == "");
    CHECK(starts(run(2, "global_load_dword v40, v[20:21], off"), kRace));
    CHECK(starts(run(0, "global_store_dword v[20:21], v40, off"), kRace));
  }
}

TEST_CASE("races between workgroups on two host threads are always found") {
  for (unsigned round = 0; round < 50; ++round) {
    memory_world world(2, 1);
    std::byte* memory = world.allocate_written(64 * 1024);
    world.launch();
    std::atomic<unsigned> ready{0};
    std::atomic<unsigned> faults{0};
    const bool race = round % 2 == 0;
    const auto work = [&](unsigned g) {
      wave& w = world.at(g);
      const instruction& i = parsed("global_store_dwordx4 v[20:21], v[40:43], off");
      ++ready;
      while (ready != 2) {
      }
      try {
        for (unsigned block = 0; block < 32; ++block) {
          // Without a race the groups take turns in every 16 bytes of a cache line.
          const unsigned place = race && block == 17 ? 0 : g;
          const auto start = reinterpret_cast<uintptr_t>(memory) + block * 2048 + place * 16;
          world.set64(w, 20, [&](unsigned l) { return start + l * 32; });
          i.run(w, i);
        }
      } catch (const fault& f) {
        if (f.kind == kRace) ++faults;
      }
    };
    parsed("global_store_dwordx4 v[20:21], v[40:43], off");
    std::thread other(work, 1);
    work(0);
    other.join();
    CHECK(faults == (race ? 1u : 0u));
  }
}

TEST_CASE("numbers of workgroups start again") {
  memory_world world(2, 1);
  std::byte* memory = world.allocate_written(1024);
  world.launch();
  for (unsigned g : {0u, 1u}) world.set_address(world.at(g), 20, memory, 4);
  REQUIRE(world.run(world.at(0), "global_store_dword v[20:21], v40, off") == "");
  const uint32_t last = world.memory.take_serials(kMaxSerial - 10);
  CHECK(last == 3);
  world.launch();  // two more do
  CHECK(world.run(world.at(1), "global_load_dword v40, v[20:21], off") == "");
  (void)world.memory.take_serials(20);  // and now from the start, with nothing kept
  world.launch();
  CHECK(world.run(world.at(0), "global_store_dword v[20:21], v40, off") == "");
  CHECK(starts(world.run(world.at(1), "global_load_dword v40, v[20:21], off"), kRace));
}

TEST_CASE("a store outside the outputs") {
  memory_world world;
  std::byte* out = world.allocate(1024);
  std::byte* in = world.allocate_written(1024);
  const dequantize_args args{{nullptr, nullptr, 0, 0, 0}, {out, 16, 1, 0, 0}, {4, 1, 8, 0, 1}};
  const auto made = output_footprint::of("dequantize", std::as_bytes(std::span(&args, 1)), {1, 1, 1}, world.memory.list());
  REQUIRE(made.ok());
  world.launch(&*made.value());
  wave& w = world.at(0);
  // 4 rows of 8 floats, 16 apart.
  world.set_address(w, 20, out, 4);
  w.set_exec(0xFF);
  CHECK(world.run(w, "global_store_dword v[20:21], v40, off offset:64") == "");
  w.set_exec(0x1FF);
  CHECK(world.run(w, "global_store_dword v[20:21], v40, off offset:64") ==
        "store outside the outputs: wave 0 lane 8 writes 4 bytes; byte offset 96 of allocation 1 (1024 bytes) is not what "
        "the kernel's arguments let it write");
  w.set_exec(1);
  CHECK(starts(world.run(w, "global_atomic_add v[20:21], v40, off offset:256"), "store outside the outputs"));
  world.set_address(w, 20, in, 4);
  CHECK(starts(world.run(w, "global_store_dword v[20:21], v40, off"), "store outside the outputs"));
  CHECK(world.run(w, "global_load_dword v40, v[20:21], off") == "");
  world.settings.check.outputs = false;
  world.launch(&*made.value());
  CHECK(world.run(w, "global_store_dword v[20:21], v40, off") == "");
}

}  // namespace adahop::hip::sim::test
