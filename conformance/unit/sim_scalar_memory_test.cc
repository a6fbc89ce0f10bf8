// Scalar loads from the kernel's arguments: address, width, waiting.
#include <array>
#include <span>

#include "sim/device_memory.h"
#include "sim/launch_memory.h"
#include "sim_support.h"

namespace adahop::hip::sim::test {
namespace {

// A wave whose s[2:3] points at 32 dwords, dword n being 0xA0000000 + n.
struct with_arguments {
  with_arguments() {
    for (uint32_t n = 0; n < dwords.size(); ++n) dwords[n] = 0xA0000000u + n;
    w.group().global = &global;
    w.set_scalar64(2, base());
  }
  uint64_t base() const { return reinterpret_cast<uintptr_t>(dwords.data()); }

  alignas(64) std::array<uint32_t, 32> dwords;
  sim_test_wave w;
  device_memory memory;
  launch_memory global{memory, std::as_bytes(std::span(dwords)), nullptr, 1, w.settings()};
};

struct load_case {
  std::string_view mnemonic, destination;
  unsigned count;
};

TEST_CASE("scalar loads: every width, offset by constant, register, both", "[sim]") {
  const load_case cases[] = {{"s_load_dword", "s16", 1},
                             {"s_load_dwordx2", "s[16:17]", 2},
                             {"s_load_dwordx4", "s[16:19]", 4},
                             {"s_load_dwordx8", "s[16:23]", 8},
                             {"s_load_dwordx16", "s[16:31]", 16}};
  for (const load_case& c : cases) {
    INFO(c.mnemonic);
    struct offset_case {
      std::string_view text;
      uint32_t first;
    };
    for (const offset_case& o : {offset_case{"0x0", 0}, {"0x28", 10}, {"s4", 3}, {"s4 offset:0x10", 7}}) {
      with_arguments a;
      a.w.set_scalar(4, 12);
      a.w.run(std::string(c.mnemonic) + " " + std::string(c.destination) + ", s[2:3], " + std::string(o.text));
      for (unsigned n = 0; n < c.count; ++n) CHECK(a.w.scalar(16 + n) == 0xA0000000u + o.first + n);
      CHECK(a.w.state().sgpr_pending[16] == 1);
      CHECK(a.w.state().sgpr_pending[16 + c.count] == 0);
      a.w.run("s_waitcnt lgkmcnt(0)");
      CHECK(a.w.state().sgpr_pending[16] == 0);
    }
  }
}

TEST_CASE("scalar loads: a negative constant, an offset register is unsigned", "[sim]") {
  with_arguments a;
  a.w.set_scalar64(2, a.base() + 16);
  a.w.run("s_load_dword s16, s[2:3], -0x4");
  CHECK(a.w.scalar(16) == 0xA0000003u);
  // base - 2^32 + 0xFFFFFFFC + 8 = base + 4.
  a.w.set_scalar64(2, a.base() - (uint64_t{1} << 32));
  a.w.set_scalar(4, 0xFFFFFFFCu);
  a.w.run("s_load_dword s16, s[2:3], s4 offset:0x8");
  CHECK(a.w.scalar(16) == 0xA0000001u);
}

TEST_CASE("scalar loads: only s_waitcnt lgkmcnt(0) ends them", "[sim]") {
  with_arguments a;
  a.w.run("s_load_dword s16, s[2:3], 0x0");
  a.w.run("s_load_dword s17, s[2:3], 0x4");
  a.w.run("s_waitcnt lgkmcnt(1)");
  CHECK(a.w.state().sgpr_pending[16] == 1);
  a.w.run("s_waitcnt vmcnt(0)");
  CHECK(a.w.state().sgpr_pending[16] == 1);
  a.w.run("s_waitcnt vmcnt(0) lgkmcnt(0)");
  CHECK(a.w.state().sgpr_pending[16] == 0);
  CHECK(a.w.state().sgpr_pending[17] == 0);
}

TEST_CASE("scalar loads: outside memory, misaligned", "[sim]") {
  with_arguments a;
  CHECK(a.w.fault_of("s_load_dwordx4 s[16:19], s[2:3], 0x74") == "access outside device memory");
  CHECK(a.w.fault_of("s_load_dwordx2 s[16:17], s[2:3], 0x78").empty());
  CHECK(a.w.fault_of("s_load_dword s16, s[2:3], 0x2") == "misaligned scalar load");
}

}  // namespace
}  // namespace adahop::hip::sim::test
