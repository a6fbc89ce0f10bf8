// Loads from global memory straight into LDS (ISA manual, "Memory Buffer Load to LDS", which global loads share):
// LDS address = M0[17:0] + instruction offset + lane * 4, for three and four dwords lane * 16; three dwords leave the
// fourth alone. Bytes and shorts are extended to a dword, as LLVM counts on. The data may not be touched before vmcnt says
// that it has arrived. They count in vmcnt only: LLVM before its pull request 179305 also counted them in lgkmcnt, and its
// s_waitcnt lgkmcnt(n) with such loads behind an LDS read waits for too little.
#include "sim/global_address.h"
#include "sim/lane_memory.h"
#include "sim/launch_memory.h"
#include "sim/lds_memory.h"
#include "sim/opcode.h"
#include "sim/waiting.h"

namespace adahop::hip::sim {
namespace {

constexpr uint32_t kM0Mask = (1u << 18) - 1;

template <unsigned Bytes, bool Signed = false>
void load_lds(wave& w, const instruction& i) {
  lane_addresses from;
  global_addresses(w, i, 0, 1, from);
  lane_row rows[4] = {};
  w.group->global->load(w, i, from, w.exec(), Bytes, rows);
  if constexpr (Signed)
    for (uint32_t& v : rows[0]) v = sign_extended(v, Bytes);
  constexpr unsigned kStride = Bytes > 4 ? 16 : 4, kStored = Bytes > 4 ? Bytes : 4;
  const uint32_t base = (w.sgpr[kM0] & kM0Mask) + static_cast<uint32_t>(i.mod.offset);
  lds_addresses to;
  for (unsigned l = 0; l < kLanes; ++l) to[l] = base + l * kStride;
  const uint32_t* data[4] = {rows[0], rows[1], rows[2], rows[3]};
  lds_memory& lds = *w.group->lds;
  lds.store_arriving(w, i, to, w.exec(), kStored, data);
  begin_access(w, i, lds.record(w, recorded_kind::lds_arrival, to, nullptr, w.exec(), kStored));
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
