// LDS instructions that move data between lanes: permutes and swizzles, which touch no LDS, and the reads that transpose.
// Permutes and swizzles from the ISA manual's pseudocode (rotation: as AMD's own models have it).
//
// A transposing read lets each 16 lanes read their B bits, which side by side are the rows of a matrix of E-bit elements
// with 16 columns; lane l gets column l, from row 0 up. So for 16 bits four lanes read a row, for 8 bits two, for 4 and 6
// bits one. That is what AMD's FlyDSL and Triton's backend generate code for; 16 and 8 bits are in AMD's emulator too,
// which for 4 and 6 bits pairs rows across 32 lanes instead. EXEC must be all ones and the address aligned (ISA manual).
#include <bit>

#include "sim/fault.h"
#include "sim/lane_memory.h"
#include "sim/lanes.h"
#include "sim/lds_memory.h"
#include "sim/opcode.h"
#include "sim/register_checks.h"
#include "sim/waiting.h"

namespace adahop::hip::sim {
namespace {

constexpr uint64_t kAllLanes = ~uint64_t{0};

unsigned permuted_lane(const wave& w, const instruction& i, unsigned lane) {
  return (w.vgpr[i.operands[1].reg][lane] + static_cast<uint32_t>(i.mod.offset)) / 4 % kLanes;
}

// Lane l gets source[from(l)], 0 where that lane is off.
template <class F>
void pull(wave& w, const instruction& i, unsigned source, F from) {
  const uint64_t exec = w.exec();
  uint64_t used = 0;
  lane_row out = {};
  for_lanes(exec, [&](unsigned l) {
    const unsigned n = from(l);
    if ((exec >> n & 1u) == 0) return;
    used |= uint64_t{1} << n;
    out[l] = w.vgpr[source][n];
  });
  require_written(w, i, source, used);
  write_part(w, i, 0, 0, out);
  begin_access(w, i);
}

void bpermute(wave& w, const instruction& i) {
  require_written(w, i, i.operands[1].reg, w.exec());
  pull(w, i, i.operands[2].reg, [&](unsigned l) { return permuted_lane(w, i, l); });
}

// Each lane sends; of several the highest is kept, a lane that nobody sends to gets 0.
void permute(wave& w, const instruction& i) {
  for (const unsigned n : {1u, 2u}) require_written(w, i, i.operands[n].reg, w.exec());
  lane_row out = {};
  for_lanes(w.exec(), [&](unsigned l) { out[permuted_lane(w, i, l)] = w.vgpr[i.operands[2].reg][l]; });
  write_part(w, i, 0, 0, out);
  begin_access(w, i);
}

unsigned reversed5(unsigned v) {
  unsigned r = 0;
  for (unsigned bit = 0; bit < 5; ++bit) r |= (v >> bit & 1u) << (4 - bit);
  return r;
}

// The lane that lane l reads under the 16 bits of the offset; groups of 32 lanes, of four where bit 15 is set alone.
unsigned swizzled_lane(unsigned l, unsigned offset) {
  const unsigned half = l & 32u, in_half = l & 31u;
  if (offset >= 0xE000u) {
    const unsigned mask = offset & 0x1Fu;
    return half | reversed5(in_half) >> std::popcount(mask) | (in_half & mask);
  }
  if (offset >= 0xC000u) {
    const unsigned mask = offset & 0x1Fu, count = offset >> 5 & 0x1Fu;
    const unsigned moved = (offset >> 10 & 1u) != 0 ? in_half - count : in_half + count;
    return half | (in_half & mask) | (moved & ~mask & 0x1Fu);
  }
  if ((offset & 0x8000u) != 0) return (l & ~3u) | (offset >> (2 * (l & 3u)) & 3u);
  return half | (((in_half & (offset & 0x1Fu)) | (offset >> 5 & 0x1Fu)) ^ (offset >> 10 & 0x1Fu));
}

void swizzle(wave& w, const instruction& i) {
  const auto offset = static_cast<unsigned>(i.mod.offset) & 0xFFFFu;
  pull(w, i, i.operands[1].reg, [&](unsigned l) { return swizzled_lane(l, offset); });
}

template <unsigned ElementBits, unsigned Dwords>
void read_transposed(wave& w, const instruction& i) {
  if (w.exec() != kAllLanes)
    fail(w, i, "transposing read with lanes switched off", "EXEC must be all ones", std::countr_zero(~w.exec()));
  lds_addresses at;
  const uint32_t* base = w.vgpr[i.operands[1].reg];
  for (unsigned l = 0; l < kLanes; ++l) at[l] = base[l] + static_cast<uint32_t>(i.mod.offset);
  lane_row rows[Dwords + 1] = {};  // with one behind: an element of six bits may reach into the next dword
  w.group->lds->load(w, i, at, kAllLanes, 4 * Dwords, rows);

  constexpr unsigned kGroup = 16, kLaneBits = 32 * Dwords, kElements = kLaneBits / ElementBits;
  constexpr uint64_t kElementMask = (uint64_t{1} << ElementBits) - 1;
  lane_row out[Dwords + 1] = {};
  for (unsigned l = 0; l < kLanes; ++l) {
    const unsigned group = l / kGroup * kGroup, column = l % kGroup;
    for (unsigned k = 0; k < kElements; ++k) {
      const unsigned from = ElementBits * (kGroup * k + column), to = ElementBits * k;
      const unsigned lane = group + from / kLaneBits, dword = from % kLaneBits / 32;
      const uint64_t window = rows[dword][lane] | uint64_t{rows[dword + 1][lane]} << 32;
      const uint64_t element = (window >> (from % 32) & kElementMask) << (to % 32);
      out[to / 32][l] |= static_cast<uint32_t>(element);
      out[to / 32 + 1][l] |= static_cast<uint32_t>(element >> 32);
    }
  }
  for (unsigned d = 0; d < Dwords; ++d) write_part(w, i, 0, d, out[d]);
  begin_access(w, i, w.group->lds->record(w, recorded_kind::lds_read, at, nullptr, kAllLanes, 4 * Dwords));
}

constexpr uint32_t kChooses = kLgkmCounter | kOffset | kCrossLane;
constexpr uint32_t kRead = kLgkmCounter | kOffset;

constexpr opcode kOpcodes[] = {
    {"ds_bpermute_b32", "D1 v1 v1", bpermute, kChooses, certainty::manual},
    {"ds_permute_b32", "D1 v1 v1", permute, kChooses, certainty::manual},
    {"ds_swizzle_b32", "D1 v1", swizzle, kChooses, certainty::model},
    {"ds_read_b64_tr_b16", "D2 v1", read_transposed<16, 2>, kRead, certainty::model},
    {"ds_read_b64_tr_b8", "D2 v1", read_transposed<8, 2>, kRead, certainty::model},
    {"ds_read_b64_tr_b4", "D2 v1", read_transposed<4, 2>, kRead, certainty::model},
    {"ds_read_b96_tr_b6", "D3 v1", read_transposed<6, 3>, kRead, certainty::model},
};

}  // namespace

std::span<const opcode> lds_lanes_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
