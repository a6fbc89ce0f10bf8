// Atomic updates of global memory, from the ISA manual's pseudocode. The host updates its memory atomically too, so that
// workgroups on several threads may meet; the lanes of a wave go in ascending order.
#include <atomic>

#include "sim/atomic_update.h"
#include "sim/global_address.h"
#include "sim/lane_memory.h"
#include "sim/lanes.h"
#include "sim/launch_memory.h"
#include "sim/opcode.h"
#include "sim/waiting.h"

namespace adahop::hip::sim {
namespace {

// F(old, data register, lane) is the new value; the old one goes to the destination where the text has one.
template <class U, class F>
void update_global(wave& w, const instruction& i, F f) {
  const bool returns = i.operand_count == 4;
  const unsigned first = returns ? 1 : 0;
  lane_addresses at;
  global_addresses(w, i, first, first + 2, at);
  w.group->global->check_atomic(w, i, at, w.exec(), sizeof(U));
  const unsigned data = i.operands[first + 1].reg;
  lane_row before[2] = {};
  for_lanes(w.exec(), [&](unsigned l) {
    const std::atomic_ref<U> memory(*reinterpret_cast<U*>(at[l]));
    U old = memory.load();
    while (!memory.compare_exchange_weak(old, f(old, data, l))) {
    }
    before[0][l] = static_cast<uint32_t>(old);
    if constexpr (sizeof(U) == 8) before[1][l] = static_cast<uint32_t>(old >> 32);
  });
  if (returns)
    for (unsigned d = 0; d < sizeof(U) / 4; ++d) write_part(w, i, 0, d, before[d]);
  begin_access(w, i);
}

template <class U, class Update>
void atomic(wave& w, const instruction& i) {
  update_global<U>(w, i, [&](U old, unsigned data, unsigned l) { return Update{}(old, register_value<U>(w, data, l)); });
}

// The data are the new value and, behind it, the one to compare with.
template <class U>
void compare_swap(wave& w, const instruction& i) {
  update_global<U>(w, i, [&](U old, unsigned data, unsigned l) {
    return old == register_value<U>(w, data + sizeof(U) / 4, l) ? register_value<U>(w, data, l) : old;
  });
}

constexpr uint32_t kFlags = kVmCounter | kOffset;

template <class Update>
constexpr opcode op32(std::string_view name, certainty known = certainty::manual) {
  return {name, "v2 v1 o|D1 v2 v1 o", atomic<uint32_t, Update>, kFlags, known};
}
template <class Update>
constexpr opcode op64(std::string_view name, certainty known = certainty::manual) {
  return {name, "v2 v2 o|D2 v2 v2 o", atomic<uint64_t, Update>, kFlags, known};
}

constexpr opcode kOpcodes[] = {
    op32<update::swap>("global_atomic_swap"),
    op32<update::add>("global_atomic_add"),
    op32<update::sub>("global_atomic_sub"),
    op32<update::smin>("global_atomic_smin"),
    op32<update::umin>("global_atomic_umin"),
    op32<update::smax>("global_atomic_smax"),
    op32<update::umax>("global_atomic_umax"),
    op32<update::bit_and>("global_atomic_and"),
    op32<update::bit_or>("global_atomic_or"),
    op32<update::bit_xor>("global_atomic_xor"),
    op32<update::inc>("global_atomic_inc"),
    op32<update::dec>("global_atomic_dec"),
    op32<update::fadd>("global_atomic_add_f32", certainty::inferred),
    {"global_atomic_cmpswap", "v2 v2 o|D1 v2 v2 o", compare_swap<uint32_t>, kFlags, certainty::manual},
    op64<update::swap>("global_atomic_swap_x2"),
    op64<update::add>("global_atomic_add_x2"),
    op64<update::sub>("global_atomic_sub_x2"),
    op64<update::smin>("global_atomic_smin_x2"),
    op64<update::umin>("global_atomic_umin_x2"),
    op64<update::smax>("global_atomic_smax_x2"),
    op64<update::umax>("global_atomic_umax_x2"),
    op64<update::bit_and>("global_atomic_and_x2"),
    op64<update::bit_or>("global_atomic_or_x2"),
    op64<update::bit_xor>("global_atomic_xor_x2"),
    op64<update::inc>("global_atomic_inc_x2"),
    op64<update::dec>("global_atomic_dec_x2"),
    op64<update::fadd>("global_atomic_add_f64", certainty::inferred),
    op64<update::fmin>("global_atomic_min_f64"),
    op64<update::fmax>("global_atomic_max_f64"),
    {"global_atomic_cmpswap_x2", "v2 v4 o|D2 v2 v4 o", compare_swap<uint64_t>, kFlags, certainty::manual},
};

}  // namespace

std::span<const opcode> global_atomic_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
