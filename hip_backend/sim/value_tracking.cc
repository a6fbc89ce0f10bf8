// Propagation of "has a value". A lane of a vector register has one or not; a scalar register has a bit for each of its
// bits, since lane masks are put together from pieces.
#include "sim/value_tracking.h"

#include <bit>
#include <span>

#include "sim/fault.h"
#include "sim/lanes.h"
#include "sim/opcode.h"
#include "sim/register_checks.h"
#include "sim/scalar.h"

namespace adahop::hip::sim {
namespace {

constexpr uint64_t kAllLanes = ~uint64_t{0};

bool has(const instruction& i, uint32_t flag) { return (i.op->flags & flag) != 0; }

std::span<const register_range> reads_of(const instruction& i) { return {i.reads.data(), i.read_count}; }
std::span<const register_range> writes_of(const instruction& i) { return {i.writes.data(), i.write_count}; }

uint64_t known_pair(const wave& w, unsigned reg) { return w.sgpr_defined[reg] | uint64_t{w.sgpr_defined[reg + 1]} << 32; }

// ---- Uses ----

void use_vector(const wave& w, const instruction& i, const register_range& r, uint64_t lanes) {
  for (unsigned n = 0; n < r.width; ++n) require_written(w, i, r.reg + n, lanes);
}

void use_scalar(const wave& w, const instruction& i, const register_range& r) {
  for (unsigned n = 0; n < r.width; ++n)
    if (w.sgpr_defined[r.reg + n] != kAllBits) fail_unwritten(w, i, r.kind, r.reg + n, -1);
}

void use_all(const wave& w, const instruction& i, uint64_t lanes) {
  for (const register_range& r : reads_of(i)) {
    if (r.kind == operand_kind::vector)
      use_vector(w, i, r, lanes);
    else
      use_scalar(w, i, r);
  }
}

void use_condition(const wave& w, const instruction& i) {
  if (has(i, kReadsScc) && !w.scc_defined) fail(w, i, "read of a register never written", "scc has no value");
  for (const register_range& r : reads_of(i)) use_scalar(w, i, r);
}

// ---- Results ----

void mark_vector(wave& w, unsigned reg, uint64_t lanes, uint64_t valued) {
  uint64_t& defined = w.vgpr_defined[reg];
  defined = (defined & ~lanes) | (valued & lanes);
}

// Bits of a scalar destination of one or two registers; EXEC may not be left in doubt.
void mark_scalar(wave& w, const instruction& i, const register_range& r, uint64_t known) {
  const bool exec = r.reg + r.width > kExecLow;
  for (unsigned n = 0; n < r.width; ++n) {
    const auto bits = static_cast<uint32_t>(known >> (32 * (n % 2)));
    if (exec && bits != kAllBits)
      fail_unwritten(w, i, r.kind, r.reg + n, std::countr_one(bits) + 32 * static_cast<int>(r.reg + n - kExecLow));
    w.sgpr_defined[r.reg + n] = bits;
  }
}

void mark_all(wave& w, const instruction& i, uint64_t lanes) {
  for (const register_range& r : writes_of(i)) {
    if (r.kind == operand_kind::scalar) mark_scalar(w, i, r, kAllLanes);
    for (unsigned n = 0; r.kind == operand_kind::vector && n < r.width; ++n) mark_vector(w, r.reg + n, lanes, kAllLanes);
  }
}

// ---- Vector instructions ----

// What a DPP source's lanes hold after the move; a lane without a source gets 0.
uint64_t moved(const wave& w, const instruction& i, uint64_t valued) {
  uint64_t lanes = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    const int from = dpp_source_lane(i.mod.dpp, l);
    if (from < 0 || (w.exec() >> from & 1u) == 0 || (valued >> from & 1u) != 0) lanes |= uint64_t{1} << l;
  }
  return lanes;
}

// Lanes of part `part` of a source that have a value.
uint64_t valued_lanes(const wave& w, const operand& o, unsigned part) {
  if (o.kind == operand_kind::vector) return w.vgpr_defined[o.reg + part % o.width];
  if (o.kind == operand_kind::scalar) return w.sgpr_defined[o.reg + part % o.width] == kAllBits ? kAllLanes : 0;
  return kAllLanes;
}

// Operands from the first source on; a destination that is read as well is among i.reads alone.
struct source_list {
  unsigned first, end;
  bool mask_last;  ///< the last one is a lane mask: a carry or a condition
};

source_list sources_of(const instruction& i) {
  source_list s{0, i.operand_count, false};
  const std::string_view form = i.op->form;
  for (size_t at = 0; at < form.size(); at += 3) {  // destinations come first, of one or two registers: "D1 M2 s1 s1"
    if (form[at] != 'D' && form[at] != 'X' && form[at] != 'M' && form[at] != 'Y') break;
    ++s.first;
  }
  s.mask_last = form.ends_with(" m2");
  return s;
}

// Lanes in which every source has a value. `only`: the part of each source that counts, or all of them (-1).
uint64_t all_sources(const wave& w, const instruction& i, const source_list& s, int only) {
  uint64_t lanes = kAllLanes;
  for (unsigned n = 0; n < s.first; ++n)  // old values of destinations that are read
    if (i.op->form[3 * n] == 'X')
      for (unsigned p = 0; p < i.operands[n].width; ++p) lanes &= valued_lanes(w, i.operands[n], p);
  for (unsigned n = s.first; n < s.end; ++n) {
    const operand& o = i.operands[n];
    if (s.mask_last && n + 1 == s.end) {
      lanes &= known_pair(w, o.reg);
      continue;
    }
    uint64_t valued = kAllLanes;
    for (unsigned p = 0; p < o.width; ++p)
      if (only < 0 || p == static_cast<unsigned>(only)) valued &= valued_lanes(w, o, p);
    if (n == s.first && i.mod.dpp.pattern != dpp_pattern::none) valued = moved(w, i, valued);
    lanes &= valued;
  }
  if (has(i, kReadsVcc)) lanes &= known_pair(w, kVccLow);
  return lanes;
}

// Lanes in which the chosen registers of each FP32 pair have values.
uint64_t chosen_halves(const wave& w, const instruction& i, const source_list& s, uint8_t chosen) {
  uint64_t lanes = kAllLanes;
  for (unsigned n = s.first; n < s.end; ++n) lanes &= valued_lanes(w, i.operands[n], chosen >> (n - s.first) & 1u);
  return lanes;
}

uint64_t selected(const wave& w, const instruction& i, const source_list& s) {
  uint64_t first = valued_lanes(w, i.operands[s.first], 0);
  if (i.mod.dpp.pattern != dpp_pattern::none) first = moved(w, i, first);
  const uint64_t second = valued_lanes(w, i.operands[s.first + 1], 0);
  const unsigned mask = s.mask_last ? i.operands[s.end - 1].reg : kVccLow;
  const uint64_t taken = w.pair(mask);
  return ((first & ~taken) | (second & taken)) & known_pair(w, mask);
}

uint64_t result_lanes(const wave& w, const instruction& i, const source_list& s, unsigned part) {
  switch (i.rule) {
    case value_rule::vector_low: return all_sources(w, i, s, part == 0 ? 0 : -1);
    case value_rule::vector_halves: return chosen_halves(w, i, s, part == 0 ? i.mod.op_sel : i.mod.op_sel_hi);
    case value_rule::vector_pair: return valued_lanes(w, i.operands[s.first + part], i.mod.op_sel >> part & 1u);
    case value_rule::vector_select: return selected(w, i, s);
    default: return all_sources(w, i, s, -1);
  }
}

void track_vector(wave& w, const instruction& i) {
  const source_list s = sources_of(i);
  const uint64_t lanes = writable_lanes(w, i);
  std::array<uint64_t, 2> valued{};
  const bool parts = i.rule != value_rule::vector && i.rule != value_rule::vector_select;
  valued[0] = result_lanes(w, i, s, 0);
  valued[1] = parts ? result_lanes(w, i, s, 1) : valued[0];
  for (const register_range& r : writes_of(i)) {
    if (r.kind == operand_kind::vector)
      for (unsigned n = 0; n < r.width; ++n) mark_vector(w, r.reg + n, lanes, valued[n % 2]);
    else  // a lane mask: lanes that are off get 0
      mark_scalar(w, i, r, valued[1] | ~w.exec());
  }
}

// ---- Scalar instructions ----

struct known_bits {
  uint64_t value, known;
};

known_bits bits_of(const wave& w, const operand& o, unsigned width) {
  if (o.kind == operand_kind::constant) return {read_scalar64(w, o), kAllLanes};
  if (width == 2) return {w.pair(o.reg), known_pair(w, o.reg)};
  return {w.sgpr[o.reg], w.sgpr_defined[o.reg] | kAllLanes << 32};
}

known_bits negated(known_bits b) { return {~b.value, b.known}; }

// A zero decides AND, a one decides OR, whatever the other bit is.
known_bits and_of(known_bits a, known_bits b) {
  return {a.value & b.value, (a.known & b.known) | (a.known & ~a.value) | (b.known & ~b.value)};
}
known_bits or_of(known_bits a, known_bits b) { return negated(and_of(negated(a), negated(b))); }

known_bits combined(value_rule rule, known_bits a, known_bits b) {
  switch (rule) {
    case value_rule::bit_and: return and_of(a, b);
    case value_rule::bit_or: return or_of(a, b);
    case value_rule::bit_andn1: return and_of(negated(a), b);
    case value_rule::bit_andn2: return and_of(a, negated(b));
    case value_rule::bit_orn1: return or_of(negated(a), b);
    case value_rule::bit_orn2: return or_of(a, negated(b));
    default: return {a.value ^ b.value, a.known & b.known};
  }
}

// D = A op B, and of the saveexec family EXEC = A op EXEC, D = EXEC.
void track_bits(wave& w, const instruction& i) {
  const bool saves = has(i, kReadsExec);
  const unsigned width = i.operands[0].width;
  const known_bits a = bits_of(w, i.operands[1], width);
  const known_bits b = saves ? known_bits{w.exec(), kAllLanes}
                             : i.operand_count > 2 ? bits_of(w, i.operands[2], width) : a;
  const known_bits result = combined(i.rule, a, b);
  for (const register_range& r : writes_of(i)) {
    const bool exec = r.reg == kExecLow;
    mark_scalar(w, i, r, saves && !exec ? kAllLanes : result.known);
  }
  // A set bit decides that the result is not zero; of a negated result nothing but all bits does.
  const bool negates = i.op->mnemonic.starts_with("s_n") || i.op->mnemonic.starts_with("s_xn");
  const uint64_t within = width == 2 ? kAllLanes : kAllBits;
  if (has(i, kWritesScc))
    w.scc_defined = (result.known & within) == within || (!negates && (result.known & result.value & within) != 0);
}

void track_scalar(wave& w, const instruction& i) {
  bool known = !has(i, kReadsScc) || w.scc_defined;
  for (const register_range& r : reads_of(i))
    for (unsigned n = 0; n < r.width; ++n) known = known && w.sgpr_defined[r.reg + n] == kAllBits;
  for (const register_range& r : writes_of(i)) mark_scalar(w, i, r, known ? kAllLanes : 0);
  if (has(i, kWritesScc)) w.scc_defined = known;
}

void track_copy(wave& w, const instruction& i, const operand& from) {
  mark_scalar(w, i, i.writes[0], bits_of(w, from, i.operands[0].width).known);
}

}  // namespace

void track_values(wave& w, const instruction& i) {
  switch (i.rule) {
    case value_rule::nothing:
    case value_rule::own: return;
    case value_rule::cross_lane:
      for (const register_range& r : reads_of(i))
        if (r.kind == operand_kind::scalar) use_scalar(w, i, r);
      return;
    case value_rule::memory:
      use_all(w, i, w.exec());
      mark_all(w, i, w.exec());
      return;
    case value_rule::matrix:
      use_all(w, i, kAllLanes);
      mark_all(w, i, kAllLanes);
      return;
    case value_rule::branch: use_condition(w, i); return;
    case value_rule::vector:
    case value_rule::vector_low:
    case value_rule::vector_halves:
    case value_rule::vector_select:
    case value_rule::vector_pair: track_vector(w, i); return;
    case value_rule::scalar: track_scalar(w, i); return;
    case value_rule::scalar_copy: track_copy(w, i, i.operands[1]); return;
    case value_rule::scalar_select:
      if (w.scc_defined)
        track_copy(w, i, i.operands[w.scc ? 1 : 2]);
      else
        mark_scalar(w, i, i.writes[0], 0);
      return;
    case value_rule::bit_and:
    case value_rule::bit_or:
    case value_rule::bit_xor:
    case value_rule::bit_not:
    case value_rule::bit_andn1:
    case value_rule::bit_andn2:
    case value_rule::bit_orn1:
    case value_rule::bit_orn2: track_bits(w, i); return;
  }
}

void mark_cross_lane(wave& w, const instruction& i) {
  if (i.rule == value_rule::cross_lane) mark_all(w, i, w.exec());
}

}  // namespace adahop::hip::sim
