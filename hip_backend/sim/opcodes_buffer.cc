// Loads and stores of raw buffers, and their loads into LDS, from the ISA manual's pseudocode. Where they go in LDS is as
// for global loads into LDS (opcodes_global_lds.cc); there a dword out of range is written as 0, which is our reading.
#include "sim/buffer_address.h"
#include "sim/lane_memory.h"
#include "sim/lanes.h"
#include "sim/launch_memory.h"
#include "sim/lds_arrival.h"
#include "sim/opcode.h"
#include "sim/waiting.h"

namespace adahop::hip::sim {
namespace {

// f(addresses, lanes, bytes, first dword) for the lanes in range as a whole, then for the dwords of the others.
template <unsigned Bytes, class F>
void for_pieces(const buffer_access& access, F f) {
  constexpr unsigned kDwords = (Bytes + 3) / 4;
  const uint64_t whole = access.in_range[kDwords - 1];  // the last one is in range, so are those before
  if (whole != 0) f(access.at, whole, Bytes, 0u);
  for (unsigned d = 0; d + 1 < kDwords; ++d) {
    const uint64_t lanes = access.in_range[d] & ~whole;
    if (lanes == 0) continue;
    lane_addresses at;
    for (unsigned l = 0; l < kLanes; ++l) at[l] = access.at[l] + 4 * d;
    f(at, lanes, 4u, d);
  }
}

template <unsigned Bytes, bool Signed>
void load_rows(wave& w, const instruction& i, unsigned address, lane_row* rows) {
  const buffer_access access = buffer_addresses(w, i, address, Bytes);
  for_pieces<Bytes>(access, [&](const lane_addresses& at, uint64_t lanes, unsigned bytes, unsigned dword) {
    w.group->global->load(w, i, at, lanes, bytes, rows + dword);
  });
  if constexpr (Signed)
    for (uint32_t& v : rows[0]) v = sign_extended(v, Bytes);
}

template <unsigned Bytes, bool Signed = false>
void load(wave& w, const instruction& i) {
  lane_row rows[4] = {};
  load_rows<Bytes, Signed>(w, i, 1, rows);
  for (unsigned d = 0; d < (Bytes + 3) / 4; ++d) write_part(w, i, 0, d, rows[d]);
  begin_access(w, i);
}

template <unsigned Bytes>
void store(wave& w, const instruction& i) {
  const buffer_access access = buffer_addresses(w, i, 1, Bytes);
  for_pieces<Bytes>(access, [&](const lane_addresses& at, uint64_t lanes, unsigned bytes, unsigned dword) {
    const uint32_t* rows[4];
    for (unsigned d = 0; d < (bytes + 3) / 4; ++d) rows[d] = w.vgpr[i.operands[0].reg + dword + d];
    w.group->global->store(w, i, at, lanes, bytes, rows);
  });
  begin_access(w, i);
}

template <unsigned Bytes, bool Signed = false>
void load_lds(wave& w, const instruction& i) {
  lane_row rows[4] = {};
  load_rows<Bytes, Signed>(w, i, 0, rows);
  arrive_in_lds<Bytes>(w, i, rows);
}

constexpr uint32_t kFlags = kVmCounter | kOffset;
constexpr uint32_t kLds = kVmCounter | kOffset | kReadsM0;

constexpr opcode kOpcodes[] = {
    {"buffer_load_ubyte", "D1 b1 r4 m1", load<1>, kFlags, certainty::inferred},
    {"buffer_load_sbyte", "D1 b1 r4 m1", load<1, true>, kFlags, certainty::inferred},
    {"buffer_load_ushort", "D1 b1 r4 m1", load<2>, kFlags, certainty::inferred},
    {"buffer_load_sshort", "D1 b1 r4 m1", load<2, true>, kFlags, certainty::inferred},
    {"buffer_load_dword", "D1 b1 r4 m1", load<4>, kFlags, certainty::inferred},
    {"buffer_load_dwordx2", "D2 b1 r4 m1", load<8>, kFlags, certainty::inferred},
    {"buffer_load_dwordx3", "D3 b1 r4 m1", load<12>, kFlags, certainty::inferred},
    {"buffer_load_dwordx4", "D4 b1 r4 m1", load<16>, kFlags, certainty::inferred},
    {"buffer_store_byte", "v1 b1 r4 m1", store<1>, kFlags, certainty::inferred},
    {"buffer_store_short", "v1 b1 r4 m1", store<2>, kFlags, certainty::inferred},
    {"buffer_store_dword", "v1 b1 r4 m1", store<4>, kFlags, certainty::inferred},
    {"buffer_store_dwordx2", "v2 b1 r4 m1", store<8>, kFlags, certainty::inferred},
    {"buffer_store_dwordx3", "v3 b1 r4 m1", store<12>, kFlags, certainty::inferred},
    {"buffer_store_dwordx4", "v4 b1 r4 m1", store<16>, kFlags, certainty::inferred},
    {"buffer_load_ubyte_lds", "b1 r4 m1", load_lds<1>, kLds, certainty::inferred},
    {"buffer_load_sbyte_lds", "b1 r4 m1", load_lds<1, true>, kLds, certainty::inferred},
    {"buffer_load_ushort_lds", "b1 r4 m1", load_lds<2>, kLds, certainty::inferred},
    {"buffer_load_sshort_lds", "b1 r4 m1", load_lds<2, true>, kLds, certainty::inferred},
    {"buffer_load_dword_lds", "b1 r4 m1", load_lds<4>, kLds, certainty::inferred},
    {"buffer_load_dwordx3_lds", "b1 r4 m1", load_lds<12>, kLds, certainty::inferred},
    {"buffer_load_dwordx4_lds", "b1 r4 m1", load_lds<16>, kLds, certainty::inferred},
};

}  // namespace

std::span<const opcode> buffer_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
