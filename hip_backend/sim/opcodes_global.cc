// Loads and stores of global memory, from the ISA manual's pseudocode.
#include "sim/global_address.h"
#include "sim/lane_memory.h"
#include "sim/lanes.h"
#include "sim/launch_memory.h"
#include "sim/opcode.h"
#include "sim/waiting.h"

namespace adahop::hip::sim {
namespace {

// Whole dwords, or a byte or short that fills a dword.
template <unsigned Bytes, bool Signed = false>
void load(wave& w, const instruction& i) {
  lane_addresses at;
  global_addresses(w, i, 1, 2, at);
  lane_row rows[4] = {};
  w.group->global->load(w, i, at, w.exec(), Bytes, rows);
  if constexpr (Signed)
    for (uint32_t& v : rows[0]) v = sign_extended(v, Bytes);
  for (unsigned d = 0; d < (Bytes + 3) / 4; ++d) write_part(w, i, 0, d, rows[d]);
  begin_access(w, i);
}

// Sixteen bits of the destination; the others are kept.
template <unsigned Bytes, bool Signed, bool High>
void load_half(wave& w, const instruction& i) {
  lane_addresses at;
  global_addresses(w, i, 1, 2, at);
  lane_row row = {};
  w.group->global->load(w, i, at, w.exec(), Bytes, &row);
  merge_halves<Bytes, Signed, High>(w.vgpr[i.operands[0].reg], row);
  write_part(w, i, 0, 0, row);
  begin_access(w, i);
}

// The low bytes of the data, or with High those of its upper half.
template <unsigned Bytes, bool High = false>
void store(wave& w, const instruction& i) {
  lane_addresses at;
  global_addresses(w, i, 0, 2, at);
  const uint32_t* rows[4];
  lane_row upper;
  stored_rows<Bytes, High>(w, i.operands[1].reg, rows, upper);
  w.group->global->store(w, i, at, w.exec(), Bytes, rows);
  begin_access(w, i);
}

// Caches are not modelled: there is one memory, which every access reaches at once.
void nothing(wave&, const instruction&) {}

constexpr uint32_t kFlags = kVmCounter | kOffset;
constexpr uint32_t kHalf = kVmCounter | kOffset | kKeepsRest;

constexpr opcode kOpcodes[] = {
    {"global_load_ubyte", "D1 v2 o", load<1>, kFlags, certainty::manual},
    {"global_load_sbyte", "D1 v2 o", load<1, true>, kFlags, certainty::manual},
    {"global_load_ushort", "D1 v2 o", load<2>, kFlags, certainty::manual},
    {"global_load_sshort", "D1 v2 o", load<2, true>, kFlags, certainty::manual},
    {"global_load_dword", "D1 v2 o", load<4>, kFlags, certainty::manual},
    {"global_load_dwordx2", "D2 v2 o", load<8>, kFlags, certainty::manual},
    {"global_load_dwordx3", "D3 v2 o", load<12>, kFlags, certainty::manual},
    {"global_load_dwordx4", "D4 v2 o", load<16>, kFlags, certainty::manual},
    {"global_load_ubyte_d16", "D1 v2 o", load_half<1, false, false>, kHalf, certainty::manual},
    {"global_load_ubyte_d16_hi", "D1 v2 o", load_half<1, false, true>, kHalf, certainty::manual},
    {"global_load_sbyte_d16", "D1 v2 o", load_half<1, true, false>, kHalf, certainty::manual},
    {"global_load_sbyte_d16_hi", "D1 v2 o", load_half<1, true, true>, kHalf, certainty::manual},
    {"global_load_short_d16", "D1 v2 o", load_half<2, false, false>, kHalf, certainty::manual},
    {"global_load_short_d16_hi", "D1 v2 o", load_half<2, false, true>, kHalf, certainty::manual},
    {"global_store_byte", "v2 v1 o", store<1>, kFlags, certainty::manual},
    {"global_store_byte_d16_hi", "v2 v1 o", store<1, true>, kFlags, certainty::manual},
    {"global_store_short", "v2 v1 o", store<2>, kFlags, certainty::manual},
    {"global_store_short_d16_hi", "v2 v1 o", store<2, true>, kFlags, certainty::manual},
    {"global_store_dword", "v2 v1 o", store<4>, kFlags, certainty::manual},
    {"global_store_dwordx2", "v2 v2 o", store<8>, kFlags, certainty::manual},
    {"global_store_dwordx3", "v2 v3 o", store<12>, kFlags, certainty::manual},
    {"global_store_dwordx4", "v2 v4 o", store<16>, kFlags, certainty::manual},
    {"buffer_inv", "", nothing, kPlain, certainty::manual},
    {"buffer_wbl2", "", nothing, kPlain, certainty::manual},
};

}  // namespace

std::span<const opcode> global_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
