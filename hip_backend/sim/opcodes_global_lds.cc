// Loads from global memory straight into LDS, to where lds_arrival.h says. They count in vmcnt only: LLVM before its pull request 179305 also counted them in lgkmcnt, and its
// s_waitcnt lgkmcnt(n) with such loads behind an LDS read waits for too little.
#include "sim/global_address.h"
#include "sim/lane_memory.h"
#include "sim/launch_memory.h"
#include "sim/lds_arrival.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

template <unsigned Bytes, bool Signed = false>
void load_lds(wave& w, const instruction& i) {
  lane_addresses from;
  global_addresses(w, i, 0, 1, from);
  lane_row rows[4] = {};
  w.group->global->load(w, i, from, w.exec(), Bytes, rows);
  if constexpr (Signed)
    for (uint32_t& v : rows[0]) v = sign_extended(v, Bytes);
  arrive_in_lds<Bytes>(w, i, rows);
}

constexpr uint32_t kFlags = kVmCounter | kOffset | kReadsM0;

constexpr opcode kOpcodes[] = {
    {"global_load_lds_ubyte", "v2 o", load_lds<1>, kFlags, certainty::model},
    {"global_load_lds_sbyte", "v2 o", load_lds<1, true>, kFlags, certainty::model},
    {"global_load_lds_ushort", "v2 o", load_lds<2>, kFlags, certainty::model},
    {"global_load_lds_sshort", "v2 o", load_lds<2, true>, kFlags, certainty::model},
    {"global_load_lds_dword", "v2 o", load_lds<4>, kFlags, certainty::manual},
    {"global_load_lds_dwordx3", "v2 o", load_lds<12>, kFlags, certainty::manual},
    {"global_load_lds_dwordx4", "v2 o", load_lds<16>, kFlags, certainty::manual},
};

}  // namespace

std::span<const opcode> global_lds_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
