// Reading and writing lanes; DPP and SDWA. From the ISA manual's description of VOP_DPP and VOP_SDWA.
#include "sim/lanes.h"

#include <bit>
#include <cstring>

#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

constexpr unsigned kRow = 16;
constexpr uint64_t kAllLanes = ~uint64_t{0};

bool is_inline(int64_t v) { return v >= -16 && v <= 64; }

// The first source is the operand after the destinations: of v_cmp, v_add_co and the like two may lead.
unsigned first_source(const instruction& i) {
  unsigned n = 0;
  bool start = true;
  for (const char c : i.op->form) {
    if (start && (c == 'D' || c == 'X' || c == 'M' || c == 'Y')) ++n;
    else if (start) break;
    start = c == ' ';
  }
  return n;
}

struct part_of_register {
  unsigned shift, bits;
};
part_of_register part_of(sdwa_select select) {
  switch (select) {
    case sdwa_select::byte_0: return {0, 8};
    case sdwa_select::byte_1: return {8, 8};
    case sdwa_select::byte_2: return {16, 8};
    case sdwa_select::byte_3: return {24, 8};
    case sdwa_select::word_0: return {0, 16};
    case sdwa_select::word_1: return {16, 16};
    case sdwa_select::dword: return {0, 32};
  }
  return {0, 32};
}

// The selected part of each lane, zero-extended or sign-extended.
void select_part(const uint32_t* from, sdwa_select select, bool sign, lane_row& to) {
  const part_of_register part = part_of(select);
  const uint32_t low = ~uint32_t{0} >> (32 - part.bits), top = sign ? 1u << (part.bits - 1) : 0u;
  for (unsigned l = 0; l < kLanes; ++l) to[l] = ((from[l] >> part.shift & low) ^ top) - top;
}

// The old register with a part replaced; what lies beside the part is zero, its sign above it, or kept.
void place_part(const uint32_t* old, const lane_row& values, const sdwa_modifier& sdwa, lane_row& to) {
  const part_of_register part = part_of(sdwa.dst);
  const uint32_t low = ~uint32_t{0} >> (32 - part.bits), mask = low << part.shift;
  const uint32_t kept = sdwa.unused == sdwa_unused::preserve ? ~mask : 0u;
  const unsigned end = part.shift + part.bits;
  const uint32_t above = sdwa.unused == sdwa_unused::sext && end < 32 ? ~uint32_t{0} << end : 0u;
  for (unsigned l = 0; l < kLanes; ++l) {
    const uint32_t negative = 0u - (values[l] >> (part.bits - 1) & 1u);
    to[l] = (old[l] & kept) | (values[l] & low) << part.shift | (negative & above);
  }
}

// Four lanes of a mask at a time.
struct nibble_table {
  uint32_t lanes[16][4];
};
constexpr nibble_table make_nibbles() {
  nibble_table t{};
  for (unsigned n = 0; n < 16; ++n)
    for (unsigned l = 0; l < 4; ++l) t.lanes[n][l] = 0u - (n >> l & 1u);
  return t;
}
constexpr nibble_table kNibbles = make_nibbles();

void blend(uint32_t* out, const lane_row& values, uint64_t mask) {
  if (mask == kAllLanes) {
    std::memcpy(out, values, sizeof(lane_row));
    return;
  }
  lane_row on;
  expand_mask(mask, on);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = (out[l] & ~on[l]) | (values[l] & on[l]);
}

const uint32_t* filled(lane_row& buffer, uint32_t v) {
  for (uint32_t& lane : buffer) lane = v;
  return buffer;
}

// The lanes that row_mask and bank_mask leave on; a bank is four neighbours of a row.
uint64_t masked_lanes(const dpp_modifier& dpp) {
  uint64_t row = 0, lanes = 0;
  for (unsigned bank = 0; bank < 4; ++bank)
    if ((dpp.bank_mask >> bank & 1u) != 0) row |= uint64_t{0xF} << 4 * bank;
  for (unsigned n = 0; n < 4; ++n)
    if ((dpp.row_mask >> n & 1u) != 0) lanes |= row << kRow * n;
  return lanes;
}

uint64_t lanes_with_source(const dpp_modifier& dpp, uint64_t exec) {
  uint64_t lanes = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    const int from = dpp.from[l];
    lanes |= (exec >> (from & 63) & (from >= 0 ? 1u : 0u)) << l;
  }
  return lanes;
}

int source_lane(const dpp_modifier& dpp, unsigned l) {
  const unsigned row = l / kRow * kRow, in_row = l % kRow, n = dpp.amount;
  const auto at = [](unsigned lane) { return static_cast<int>(lane); };
  switch (dpp.pattern) {
    case dpp_pattern::none: return at(l);
    case dpp_pattern::quad_perm: return at(l / 4 * 4 + dpp.quad[l % 4]);
    case dpp_pattern::row_shl: return in_row + n < kRow ? at(l + n) : kNoLane;
    case dpp_pattern::row_shr: return in_row >= n ? at(l - n) : kNoLane;
    case dpp_pattern::row_ror: return at(row + (in_row + kRow - n) % kRow);
    case dpp_pattern::row_mirror: return at(row + kRow - 1 - in_row);
    case dpp_pattern::row_half_mirror: return at(l / 8 * 8 + 7 - l % 8);
    case dpp_pattern::row_bcast:
      // 15: the last lane of a row to the next row; 31: lane 31 to the upper half of the wave.
      if (n == 15) return row == 0 ? kNoLane : at(row - 1);
      return l < 32 ? kNoLane : 31;
    case dpp_pattern::row_newbcast: return at(row + n);
    case dpp_pattern::wave_shl: return l + n < kLanes ? at(l + n) : kNoLane;
    case dpp_pattern::wave_shr: return l >= n ? at(l - n) : kNoLane;
    case dpp_pattern::wave_rol: return at((l + n) % kLanes);
    case dpp_pattern::wave_ror: return at((l + kLanes - n) % kLanes);
  }
  return kNoLane;
}

}  // namespace

uint32_t constant_u32(const operand& o) {
  return o.is_real ? std::bit_cast<uint32_t>(static_cast<float>(o.real)) : static_cast<uint32_t>(o.integer);
}

uint64_t constant_u64(const operand& o) {
  return o.is_real ? std::bit_cast<uint64_t>(o.real) : static_cast<uint64_t>(o.integer);
}

uint64_t constant_f64(const operand& o) {
  if (o.is_real) return std::bit_cast<uint64_t>(o.real);
  return is_inline(o.integer) ? static_cast<uint64_t>(o.integer) : static_cast<uint64_t>(o.integer) << 32;
}

void bind_dpp(dpp_modifier& dpp) {
  for (unsigned l = 0; l < kLanes; ++l) dpp.from[l] = static_cast<int8_t>(source_lane(dpp, l));
}

void expand_mask(uint64_t lanes, lane_row& out) {
  for (unsigned l = 0; l < kLanes; l += 4) std::memcpy(out + l, kNibbles.lanes[lanes >> l & 0xFu], sizeof kNibbles.lanes[0]);
}

const uint32_t* read_lanes(const wave& w, const instruction& i, unsigned n, lane_row& buffer) {
  const operand& o = i.operands[n];
  const uint32_t* values = nullptr;
  if (o.kind == operand_kind::vector)
    values = w.vgpr[o.reg];
  else
    values = filled(buffer, o.kind == operand_kind::scalar ? w.sgpr[o.reg] : constant_u32(o));

  const bool dpp = i.mod.dpp.pattern != dpp_pattern::none;
  if (!dpp && !i.mod.sdwa.present) return values;
  const unsigned first = first_source(i);
  if (dpp && n == first) {
    // A lane without a source, or whose source is switched off, reads 0; it is written only with bound_ctrl.
    const uint64_t exec = w.exec();
    for (unsigned l = 0; l < kLanes; ++l) {
      const int from = i.mod.dpp.from[l];
      buffer[l] = from >= 0 && (exec >> from & 1u) != 0 ? values[from] : 0u;
    }
    return buffer;
  }
  if (i.mod.sdwa.present && n >= first && n - first < 2) {
    const sdwa_select select = n == first ? i.mod.sdwa.src0 : i.mod.sdwa.src1;
    select_part(values, select, o.sign_extend, buffer);
    return buffer;
  }
  return values;
}

const uint32_t* read_part(const wave& w, const instruction& i, unsigned n, unsigned part, lane_row& buffer) {
  const operand& o = i.operands[n];
  if (o.kind == operand_kind::vector) return w.vgpr[o.reg + part];
  if (o.kind == operand_kind::scalar) return filled(buffer, w.sgpr[o.reg + part]);
  if (part == 0) return filled(buffer, constant_u32(o));
  if (o.is_real) fail(w, i, "not modelled", "the upper part of a constant written as a float");
  return filled(buffer, static_cast<uint32_t>(constant_u64(o) >> 32));
}

const uint32_t* read_halves(const wave& w, const instruction& i, unsigned n, lane_row& buffer) {
  const operand& o = i.operands[n];
  if (o.kind == operand_kind::constant && o.is_real)
    fail(w, i, "not modelled", "a constant written as a float in a 16-bit integer operation");
  const unsigned shift = (i.mod.op_sel >> (n - first_source(i)) & 1u) != 0 ? 16 : 0;
  const uint32_t* values = read_lanes(w, i, n, buffer);
  for (unsigned l = 0; l < kLanes; ++l) buffer[l] = values[l] >> shift & 0xFFFFu;
  return buffer;
}

void read_lanes64(const wave& w, const instruction& i, unsigned n, lane_pairs& out, bool real) {
  const operand& o = i.operands[n];
  if (o.kind == operand_kind::vector) {
    const uint32_t *low = w.vgpr[o.reg], *high = w.vgpr[o.reg + 1];
    for (unsigned l = 0; l < kLanes; ++l) out[l] = low[l] | uint64_t{high[l]} << 32;
    return;
  }
  const uint64_t v = o.kind == operand_kind::scalar ? w.pair(o.reg) : real ? constant_f64(o) : constant_u64(o);
  for (uint64_t& lane : out) lane = v;
}

uint64_t writable_lanes(const wave& w, const instruction& i) {
  const uint64_t exec = w.exec();
  const dpp_modifier& dpp = i.mod.dpp;
  if (dpp.pattern == dpp_pattern::none) return exec;
  const uint64_t with_source = dpp.bound_ctrl ? kAllLanes : lanes_with_source(dpp, exec);
  return exec & masked_lanes(dpp) & with_source;
}

void write_lanes(wave& w, const instruction& i, unsigned n, const lane_row& values) {
  const operand& o = i.operands[n];
  if (!i.mod.sdwa.present || i.mod.sdwa.dst == sdwa_select::dword) {
    blend(w.vgpr[o.reg], values, writable_lanes(w, i));
    return;
  }
  lane_row parts;
  place_part(w.vgpr[o.reg], values, i.mod.sdwa, parts);
  blend(w.vgpr[o.reg], parts, writable_lanes(w, i));
}

void write_half(wave& w, const instruction& i, unsigned n, unsigned op_sel_bit, const lane_row& values) {
  const uint32_t* old = w.vgpr[i.operands[n].reg];
  const bool high = (i.mod.op_sel >> op_sel_bit & 1u) != 0;
  lane_row merged;
  for (unsigned l = 0; l < kLanes; ++l)
    merged[l] = high ? (old[l] & 0xFFFFu) | values[l] << 16 : (old[l] & 0xFFFF0000u) | (values[l] & 0xFFFFu);
  write_lanes(w, i, n, merged);
}

void write_part(wave& w, const instruction& i, unsigned n, unsigned part, const lane_row& values) {
  blend(w.vgpr[i.operands[n].reg + part], values, writable_lanes(w, i));
}

void write_lanes64(wave& w, const instruction& i, unsigned n, const lane_pairs& values) {
  lane_row low, high;
  for (unsigned l = 0; l < kLanes; ++l) {
    low[l] = static_cast<uint32_t>(values[l]);
    high[l] = static_cast<uint32_t>(values[l] >> 32);
  }
  write_part(w, i, n, 0, low);
  write_part(w, i, n, 1, high);
}

uint64_t read_mask(const wave& w, const operand& o) {
  return o.kind == operand_kind::constant ? constant_u64(o) : w.pair(o.reg);
}

void write_mask(wave& w, const operand& o, uint64_t lanes) { w.set_pair(o.reg, lanes & w.exec()); }

void require_no_dpp_gaps(const wave& w, const instruction& i) {
  if (writable_lanes(w, i) != w.exec()) fail(w, i, "not modelled", "a lane mask where DPP switches lanes off");
}

}  // namespace adahop::hip::sim
