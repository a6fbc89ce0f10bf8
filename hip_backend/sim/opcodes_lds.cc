// Reads and writes of LDS, from the ISA manual's pseudocode. The address is the register plus the offset, in 32 bits; a
// two-address instruction counts its offsets in elements, the st64 forms in 64 elements.
#include "sim/lane_memory.h"
#include "sim/lanes.h"
#include "sim/lds_memory.h"
#include "sim/opcode.h"
#include "sim/waiting.h"

namespace adahop::hip::sim {
namespace {

constexpr unsigned kStride64 = 64;

void addresses(const wave& w, const instruction& i, unsigned n, uint32_t offset, lds_addresses& out) {
  const uint32_t* base = w.vgpr[i.operands[n].reg];
  for (unsigned l = 0; l < kLanes; ++l) out[l] = base[l] + offset;
}

void begin_lds(wave& w, const instruction& i, recorded_kind kind, const lds_addresses& at, const uint32_t* second,
               unsigned bytes) {
  begin_access(w, i, w.group->lds->record(w, kind, at, second, w.exec(), bytes));
}

// Whole dwords, or a byte or short that fills a dword.
template <unsigned Bytes, bool Signed = false>
void read(wave& w, const instruction& i) {
  lds_addresses at;
  addresses(w, i, 1, static_cast<uint32_t>(i.mod.offset), at);
  lane_row rows[4] = {};
  w.group->lds->load(w, i, at, w.exec(), Bytes, rows);
  if constexpr (Signed)
    for (uint32_t& v : rows[0]) v = sign_extended(v, Bytes);
  for (unsigned d = 0; d < (Bytes + 3) / 4; ++d) write_part(w, i, 0, d, rows[d]);
  begin_lds(w, i, recorded_kind::lds_read, at, nullptr, Bytes);
}

// Sixteen bits of the destination; the others are kept.
template <unsigned Bytes, bool Signed, bool High>
void read_half(wave& w, const instruction& i) {
  lds_addresses at;
  addresses(w, i, 1, static_cast<uint32_t>(i.mod.offset), at);
  lane_row row = {};
  w.group->lds->load(w, i, at, w.exec(), Bytes, &row);
  merge_halves<Bytes, Signed, High>(w.vgpr[i.operands[0].reg], row);
  write_part(w, i, 0, 0, row);
  begin_lds(w, i, recorded_kind::lds_read, at, nullptr, Bytes);
}

template <unsigned Bytes, unsigned Scale>
void read_two(wave& w, const instruction& i) {
  lds_addresses at, second;
  addresses(w, i, 1, i.mod.offset0 * Bytes * Scale, at);
  addresses(w, i, 1, i.mod.offset1 * Bytes * Scale, second);
  constexpr unsigned kDwords = Bytes / 4;
  lane_row rows[2 * kDwords] = {};
  w.group->lds->load(w, i, at, w.exec(), Bytes, rows);
  w.group->lds->load(w, i, second, w.exec(), Bytes, rows + kDwords);
  for (unsigned d = 0; d < 2 * kDwords; ++d) write_part(w, i, 0, d, rows[d]);
  begin_lds(w, i, recorded_kind::lds_read, at, second, Bytes);
}

// The low bytes of the data, or with High those of its upper half.
template <unsigned Bytes, bool High = false>
void write(wave& w, const instruction& i) {
  lds_addresses at;
  addresses(w, i, 0, static_cast<uint32_t>(i.mod.offset), at);
  const uint32_t* rows[4];
  lane_row upper;
  stored_rows<Bytes, High>(w, i.operands[1].reg, rows, upper);
  w.group->lds->store(w, i, at, w.exec(), Bytes, rows);
  begin_lds(w, i, recorded_kind::lds_write, at, nullptr, Bytes);
}

template <unsigned Bytes, unsigned Scale>
void write_two(wave& w, const instruction& i) {
  lds_addresses at, second;
  addresses(w, i, 0, i.mod.offset0 * Bytes * Scale, at);
  addresses(w, i, 0, i.mod.offset1 * Bytes * Scale, second);
  const uint32_t *rows[2], *others[2];
  for (unsigned d = 0; d < Bytes / 4; ++d) {
    rows[d] = w.vgpr[i.operands[1].reg + d];
    others[d] = w.vgpr[i.operands[2].reg + d];
  }
  w.group->lds->store(w, i, at, w.exec(), Bytes, rows);
  w.group->lds->store(w, i, second, w.exec(), Bytes, others);
  begin_lds(w, i, recorded_kind::lds_write, at, second, Bytes);
}

constexpr uint32_t kOne = kLgkmCounter | kOffset;
constexpr uint32_t kTwo = kLgkmCounter | kOffsets;
constexpr uint32_t kHalf = kLgkmCounter | kOffset | kKeepsRest;

constexpr opcode kOpcodes[] = {
    {"ds_read_u8", "D1 v1", read<1>, kOne, certainty::manual},
    {"ds_read_i8", "D1 v1", read<1, true>, kOne, certainty::manual},
    {"ds_read_u16", "D1 v1", read<2>, kOne, certainty::manual},
    {"ds_read_i16", "D1 v1", read<2, true>, kOne, certainty::manual},
    {"ds_read_b32", "D1 v1", read<4>, kOne, certainty::manual},
    {"ds_read_b64", "D2 v1", read<8>, kOne, certainty::manual},
    {"ds_read_b96", "D3 v1", read<12>, kOne, certainty::manual},
    {"ds_read_b128", "D4 v1", read<16>, kOne, certainty::manual},
    {"ds_read_u8_d16", "D1 v1", read_half<1, false, false>, kHalf, certainty::manual},
    {"ds_read_u8_d16_hi", "D1 v1", read_half<1, false, true>, kHalf, certainty::manual},
    {"ds_read_i8_d16", "D1 v1", read_half<1, true, false>, kHalf, certainty::manual},
    {"ds_read_i8_d16_hi", "D1 v1", read_half<1, true, true>, kHalf, certainty::manual},
    {"ds_read_u16_d16", "D1 v1", read_half<2, false, false>, kHalf, certainty::manual},
    {"ds_read_u16_d16_hi", "D1 v1", read_half<2, false, true>, kHalf, certainty::manual},
    {"ds_read2_b32", "D2 v1", read_two<4, 1>, kTwo, certainty::manual},
    {"ds_read2_b64", "D4 v1", read_two<8, 1>, kTwo, certainty::manual},
    {"ds_read2st64_b32", "D2 v1", read_two<4, kStride64>, kTwo, certainty::manual},
    {"ds_read2st64_b64", "D4 v1", read_two<8, kStride64>, kTwo, certainty::manual},
    {"ds_write_b8", "v1 v1", write<1>, kOne, certainty::manual},
    {"ds_write_b8_d16_hi", "v1 v1", write<1, true>, kOne, certainty::manual},
    {"ds_write_b16", "v1 v1", write<2>, kOne, certainty::manual},
    {"ds_write_b16_d16_hi", "v1 v1", write<2, true>, kOne, certainty::manual},
    {"ds_write_b32", "v1 v1", write<4>, kOne, certainty::manual},
    {"ds_write_b64", "v1 v2", write<8>, kOne, certainty::manual},
    {"ds_write_b96", "v1 v3", write<12>, kOne, certainty::manual},
    {"ds_write_b128", "v1 v4", write<16>, kOne, certainty::manual},
    {"ds_write2_b32", "v1 v1 v1", write_two<4, 1>, kTwo, certainty::manual},
    {"ds_write2_b64", "v1 v2 v2", write_two<8, 1>, kTwo, certainty::manual},
    {"ds_write2st64_b32", "v1 v1 v1", write_two<4, kStride64>, kTwo, certainty::manual},
    {"ds_write2st64_b64", "v1 v2 v2", write_two<8, kStride64>, kTwo, certainty::manual},
};

}  // namespace

std::span<const opcode> lds_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
