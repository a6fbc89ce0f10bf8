// Reading and writing lanes; DPP and SDWA. From the ISA manual's description of VOP_DPP and VOP_SDWA.
#include "sim/lanes.h"

#include <bit>
#include <cstring>

#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

constexpr double kInverseTwoPi = 0.15915494309189535;  // the inline constant 1/(2 pi), FP64
constexpr uint64_t kInverseTwoPiF64 = 0x3FC45F306DC9C882u;
constexpr uint32_t kInverseTwoPiF32 = 0x3E22F983u;

bool is_inverse_two_pi(double v) { return v > 0.1591549 && v < 0.1591550 && v != 0 && v - kInverseTwoPi < 1e-7; }
bool is_inline(int64_t v) { return v >= -16 && v <= 64; }

constexpr unsigned kRow = 16;

// The first source is the operand after the destinations: of v_cmp, v_add_co and the like two may lead.
unsigned first_source(const instruction& i) {
  unsigned n = 0;
  const std::string_view form = i.op->form;
  bool start = true;
  for (const char c : form) {
    if (start && (c == 'D' || c == 'X' || c == 'M' || c == 'Y')) ++n;
    else if (start) break;
    start = c == ' ';
  }
  return n;
}

uint32_t selected(uint32_t v, sdwa_select select, bool sign) {
  const auto extend = [&](uint32_t part, unsigned bits) {
    if (!sign) return part;
    const uint32_t top = 1u << (bits - 1);
    return (part ^ top) - top;
  };
  switch (select) {
    case sdwa_select::byte_0: return extend(v & 0xFFu, 8);
    case sdwa_select::byte_1: return extend(v >> 8 & 0xFFu, 8);
    case sdwa_select::byte_2: return extend(v >> 16 & 0xFFu, 8);
    case sdwa_select::byte_3: return extend(v >> 24, 8);
    case sdwa_select::word_0: return extend(v & 0xFFFFu, 16);
    case sdwa_select::word_1: return extend(v >> 16, 16);
    case sdwa_select::dword: return v;
  }
  return v;
}

// The old register with part `select` replaced; what lies beside the part is padded, filled with its sign, or kept.
uint32_t placed(uint32_t old, uint32_t v, sdwa_select select, sdwa_unused unused) {
  if (select == sdwa_select::dword) return v;
  const bool byte = select <= sdwa_select::byte_3;
  const unsigned bits = byte ? 8 : 16;
  const unsigned shift = byte ? 8 * static_cast<unsigned>(select)
                              : 16 * (static_cast<unsigned>(select) - static_cast<unsigned>(sdwa_select::word_0));
  const uint32_t low = (1u << bits) - 1;
  const uint32_t part = (v & low) << shift;
  switch (unused) {
    case sdwa_unused::pad: return part;
    case sdwa_unused::preserve: return (old & ~(low << shift)) | part;
    case sdwa_unused::sext: {
      const bool negative = (v >> (bits - 1) & 1u) != 0;
      const uint32_t above = shift + bits == 32 ? 0u : ~uint32_t{0} << (shift + bits);
      return part | (negative ? above : 0u);
    }
  }
  return part;
}

void blend(uint32_t* out, const lane_row& values, uint64_t mask) {
  if (mask == ~uint64_t{0}) {
    std::memcpy(out, values, sizeof(lane_row));
    return;
  }
  for (unsigned l = 0; l < kLanes; ++l) {
    const uint32_t keep = static_cast<uint32_t>(mask >> l & 1u) - 1u;  // all ones where the lane is off
    out[l] = (out[l] & keep) | (values[l] & ~keep);
  }
}

uint32_t scalar_of(const wave& w, const operand& o, unsigned part) {
  // Reading EXEC or VCC as a 32-bit source means its low half, which is where reg points.
  return w.sgpr[o.reg + part];
}

const uint32_t* filled(lane_row& buffer, uint32_t v) {
  for (uint32_t& lane : buffer) lane = v;
  return buffer;
}

}  // namespace

uint32_t constant_u32(const operand& o) {
  if (!o.is_real) return static_cast<uint32_t>(o.integer);
  return is_inverse_two_pi(o.real) ? kInverseTwoPiF32 : std::bit_cast<uint32_t>(static_cast<float>(o.real));
}

uint64_t constant_u64(const operand& o) {
  if (o.is_real) return constant_u32(o);
  return static_cast<uint64_t>(o.integer);
}

uint64_t constant_f64(const operand& o) {
  if (o.is_real) return is_inverse_two_pi(o.real) ? kInverseTwoPiF64 : std::bit_cast<uint64_t>(o.real);
  return is_inline(o.integer) ? static_cast<uint64_t>(o.integer) : static_cast<uint64_t>(o.integer) << 32;
}

int dpp_source_lane(const dpp_modifier& dpp, unsigned l) {
  const unsigned row = l / kRow * kRow, in_row = l % kRow, n = dpp.amount;
  const auto at = [](unsigned lane) { return static_cast<int>(lane); };
  switch (dpp.pattern) {
    case dpp_pattern::none: return at(l);
    case dpp_pattern::quad_perm: return at(l / 4 * 4 + dpp.quad[l % 4]);
    case dpp_pattern::row_shl: return in_row + n < kRow ? at(l + n) : -1;
    case dpp_pattern::row_shr: return in_row >= n ? at(l - n) : -1;
    case dpp_pattern::row_ror: return at(row + (in_row + kRow - n) % kRow);
    case dpp_pattern::row_mirror: return at(row + kRow - 1 - in_row);
    case dpp_pattern::row_half_mirror: return at(l / 8 * 8 + 7 - l % 8);
    case dpp_pattern::row_bcast: {
      // 15: the last lane of a row to the next row; 31: lane 31 to the upper half of the wave.
      if (n == 15) return row == 0 ? -1 : at(row - 1);
      return l < 32 ? -1 : 31;
    }
    case dpp_pattern::row_newbcast: return at(row + n);
    case dpp_pattern::wave_shl: return l + n < kLanes ? at(l + n) : -1;
    case dpp_pattern::wave_shr: return l >= n ? at(l - n) : -1;
    case dpp_pattern::wave_rol: return at((l + n) % kLanes);
    case dpp_pattern::wave_ror: return at((l + kLanes - n) % kLanes);
  }
  return -1;
}

const uint32_t* read_lanes(const wave& w, const instruction& i, unsigned n, lane_row& buffer) {
  const operand& o = i.operands[n];
  const uint32_t* values = nullptr;
  if (o.kind == operand_kind::vector)
    values = w.vgpr[o.reg];
  else
    values = filled(buffer, o.kind == operand_kind::scalar ? scalar_of(w, o, 0) : constant_u32(o));

  const bool dpp = i.mod.dpp.pattern != dpp_pattern::none;
  if (!dpp && !i.mod.sdwa.present) return values;
  const unsigned first = first_source(i);
  if (dpp && n == first) {
    const uint64_t exec = w.exec();
    lane_row moved;
    for (unsigned l = 0; l < kLanes; ++l) {
      const int from = dpp_source_lane(i.mod.dpp, l);
      moved[l] = from >= 0 && (exec >> from & 1u) != 0 ? values[from] : 0u;
    }
    std::memcpy(buffer, moved, sizeof moved);
    return buffer;
  }
  if (i.mod.sdwa.present && n >= first && n - first < 2) {
    const sdwa_select select = n == first ? i.mod.sdwa.src0 : i.mod.sdwa.src1;
    for (unsigned l = 0; l < kLanes; ++l) buffer[l] = selected(values[l], select, o.sign_extend);
    return buffer;
  }
  return values;
}

const uint32_t* read_part(const wave& w, const instruction& i, unsigned n, unsigned part, lane_row& buffer) {
  const operand& o = i.operands[n];
  if (o.kind == operand_kind::vector) return w.vgpr[o.reg + part];
  if (o.kind == operand_kind::scalar) return filled(buffer, scalar_of(w, o, part));
  return filled(buffer, static_cast<uint32_t>(constant_u64(o) >> (32 * (part % 2))));
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
  uint64_t lanes = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    const bool row_on = (dpp.row_mask >> (l / kRow) & 1u) != 0;
    const bool bank_on = (dpp.bank_mask >> (l % kRow / 4) & 1u) != 0;
    const int from = dpp_source_lane(dpp, l);
    const bool source_on = from >= 0 && (exec >> from & 1u) != 0;
    if (row_on && bank_on && (source_on || dpp.bound_ctrl)) lanes |= uint64_t{1} << l;
  }
  return exec & lanes;
}

void write_lanes(wave& w, const instruction& i, unsigned n, const lane_row& values) {
  const operand& o = i.operands[n];
  if (!i.mod.sdwa.present || i.mod.sdwa.dst == sdwa_select::dword) {
    blend(w.vgpr[o.reg], values, writable_lanes(w, i));
    return;
  }
  lane_row parts;
  for (unsigned l = 0; l < kLanes; ++l)
    parts[l] = placed(w.vgpr[o.reg][l], values[l], i.mod.sdwa.dst, i.mod.sdwa.unused);
  blend(w.vgpr[o.reg], parts, writable_lanes(w, i));
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

}  // namespace adahop::hip::sim
