// Atomic updates of LDS, from the ISA manual's pseudocode. Lanes that update the same address do so one after another;
// the simulator takes them in ascending order, the hardware in an order of its own.
#include <cstring>

#include "sim/atomic_update.h"
#include "sim/lane_memory.h"
#include "sim/lanes.h"
#include "sim/lds_memory.h"
#include "sim/opcode.h"
#include "sim/waiting.h"

namespace adahop::hip::sim {
namespace {

// F(lane, old) is the new value; the old one goes to the destination, which where there is one is operand 0.
template <class U, bool Returns, class F>
void update_lds(wave& w, const instruction& i, F f) {
  lds_memory& lds = *w.group->lds;
  lds_addresses at;
  const uint32_t* base = w.vgpr[i.operands[Returns ? 1 : 0].reg];
  for (unsigned l = 0; l < kLanes; ++l) at[l] = base[l] + static_cast<uint32_t>(i.mod.offset);
  lds.check_atomic(w, i, at, w.exec(), sizeof(U));
  lane_row before[2] = {};
  for_lanes(w.exec(), [&](unsigned l) {
    U old;
    std::memcpy(&old, lds.data(at[l]), sizeof old);
    const U made = f(l, old);
    std::memcpy(lds.data(at[l]), &made, sizeof made);
    before[0][l] = static_cast<uint32_t>(old);
    if constexpr (sizeof(U) == 8) before[1][l] = static_cast<uint32_t>(old >> 32);
  });
  if constexpr (Returns)
    for (unsigned d = 0; d < sizeof(U) / 4; ++d) write_part(w, i, 0, d, before[d]);
  begin_access(w, i, lds.record(w, recorded_kind::lds_atomic, at, nullptr, w.exec(), sizeof(U)));
}

template <class U, class Update, bool Returns>
void atomic(wave& w, const instruction& i) {
  const unsigned data = i.operands[Returns ? 2 : 1].reg;
  update_lds<U, Returns>(w, i, [&](unsigned l, U old) { return Update{}(old, register_value<U>(w, data, l)); });
}

// First the value to compare with, then the new one.
template <class U, bool Returns>
void compare_swap(wave& w, const instruction& i) {
  const unsigned compare = i.operands[Returns ? 2 : 1].reg, made = i.operands[Returns ? 3 : 2].reg;
  update_lds<U, Returns>(w, i, [&](unsigned l, U old) {
    return old == register_value<U>(w, compare, l) ? register_value<U>(w, made, l) : old;
  });
}

constexpr uint32_t kFlags = kLgkmCounter | kOffset;

template <class Update>
constexpr opcode plain32(std::string_view name, certainty known = certainty::manual) {
  return {name, "v1 v1", atomic<uint32_t, Update, false>, kFlags, known};
}
template <class Update>
constexpr opcode returning32(std::string_view name, certainty known = certainty::manual) {
  return {name, "D1 v1 v1", atomic<uint32_t, Update, true>, kFlags, known};
}
template <class Update>
constexpr opcode plain64(std::string_view name, certainty known = certainty::manual) {
  return {name, "v1 v2", atomic<uint64_t, Update, false>, kFlags, known};
}
template <class Update>
constexpr opcode returning64(std::string_view name, certainty known = certainty::manual) {
  return {name, "D2 v1 v2", atomic<uint64_t, Update, true>, kFlags, known};
}

constexpr opcode kOpcodes[] = {
    plain32<update::add>("ds_add_u32"),
    plain32<update::sub>("ds_sub_u32"),
    plain32<update::rsub>("ds_rsub_u32"),
    plain32<update::inc>("ds_inc_u32"),
    plain32<update::dec>("ds_dec_u32"),
    plain32<update::smin>("ds_min_i32"),
    plain32<update::smax>("ds_max_i32"),
    plain32<update::umin>("ds_min_u32"),
    plain32<update::umax>("ds_max_u32"),
    plain32<update::bit_and>("ds_and_b32"),
    plain32<update::bit_or>("ds_or_b32"),
    plain32<update::bit_xor>("ds_xor_b32"),
    plain32<update::fadd>("ds_add_f32", certainty::inferred),
    plain32<update::fmin>("ds_min_f32"),
    plain32<update::fmax>("ds_max_f32"),
    {"ds_cmpst_b32", "v1 v1 v1", compare_swap<uint32_t, false>, kFlags, certainty::manual},
    returning32<update::add>("ds_add_rtn_u32"),
    returning32<update::sub>("ds_sub_rtn_u32"),
    returning32<update::rsub>("ds_rsub_rtn_u32"),
    returning32<update::inc>("ds_inc_rtn_u32"),
    returning32<update::dec>("ds_dec_rtn_u32"),
    returning32<update::smin>("ds_min_rtn_i32"),
    returning32<update::smax>("ds_max_rtn_i32"),
    returning32<update::umin>("ds_min_rtn_u32"),
    returning32<update::umax>("ds_max_rtn_u32"),
    returning32<update::bit_and>("ds_and_rtn_b32"),
    returning32<update::bit_or>("ds_or_rtn_b32"),
    returning32<update::bit_xor>("ds_xor_rtn_b32"),
    returning32<update::swap>("ds_wrxchg_rtn_b32"),
    returning32<update::fadd>("ds_add_rtn_f32", certainty::inferred),
    returning32<update::fmin>("ds_min_rtn_f32"),
    returning32<update::fmax>("ds_max_rtn_f32"),
    {"ds_cmpst_rtn_b32", "D1 v1 v1 v1", compare_swap<uint32_t, true>, kFlags, certainty::manual},
    plain64<update::add>("ds_add_u64"),
    plain64<update::sub>("ds_sub_u64"),
    plain64<update::smin>("ds_min_i64"),
    plain64<update::smax>("ds_max_i64"),
    plain64<update::umin>("ds_min_u64"),
    plain64<update::umax>("ds_max_u64"),
    plain64<update::bit_and>("ds_and_b64"),
    plain64<update::bit_or>("ds_or_b64"),
    plain64<update::bit_xor>("ds_xor_b64"),
    plain64<update::fadd>("ds_add_f64", certainty::inferred),
    {"ds_cmpst_b64", "v1 v2 v2", compare_swap<uint64_t, false>, kFlags, certainty::manual},
    returning64<update::add>("ds_add_rtn_u64"),
    returning64<update::sub>("ds_sub_rtn_u64"),
    returning64<update::smin>("ds_min_rtn_i64"),
    returning64<update::smax>("ds_max_rtn_i64"),
    returning64<update::umin>("ds_min_rtn_u64"),
    returning64<update::umax>("ds_max_rtn_u64"),
    returning64<update::bit_and>("ds_and_rtn_b64"),
    returning64<update::bit_or>("ds_or_rtn_b64"),
    returning64<update::bit_xor>("ds_xor_rtn_b64"),
    returning64<update::swap>("ds_wrxchg_rtn_b64"),
    returning64<update::fadd>("ds_add_rtn_f64", certainty::inferred),
    {"ds_cmpst_rtn_b64", "D2 v1 v2 v2", compare_swap<uint64_t, true>, kFlags, certainty::manual},
};

}  // namespace

std::span<const opcode> lds_atomic_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
