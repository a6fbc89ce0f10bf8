// Handlers of scalar instructions from a function of their operands. The function's parameter types say how wide each
// source is, its result type how wide the destination is and what becomes of SCC. Decides nothing numeric.
#pragma once
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sim/fault.h"
#include "sim/lanes.h"

namespace adahop::hip::sim {

inline uint32_t read_scalar(const wave& w, const operand& o) {
  return o.kind == operand_kind::scalar ? w.sgpr[o.reg] : constant_u32(o);
}
inline uint64_t read_scalar64(const wave& w, const operand& o) {
  return o.kind == operand_kind::scalar ? w.pair(o.reg) : constant_u64(o);
}
inline void write_scalar(wave& w, const operand& o, uint32_t v) { w.sgpr[o.reg] = v; }
inline void write_scalar64(wave& w, const operand& o, uint64_t v) { w.set_pair(o.reg, v); }

/// A result that sets SCC by a rule of its own.
template <class T>
struct with_scc {
  T value;
  bool scc;
};

template <class T>
T scalar_source(const wave& w, const instruction& i, unsigned n) {
  const operand& o = i.operands[n];
  if constexpr (sizeof(T) == 4) return static_cast<T>(read_scalar(w, o));
  // Whether a literal of a signed 64-bit operation is sign-extended no source says for sure.
  if (std::same_as<T, int64_t> && o.kind == operand_kind::constant && !o.is_real &&
      o.integer > std::numeric_limits<int32_t>::max())
    fail(w, i, "not modelled", "a literal above 0x7fffffff in a signed 64-bit operation");
  return static_cast<T>(read_scalar64(w, o));
}

template <class T>
void write_scalar_result(wave& w, const instruction& i, T value) {
  if constexpr (sizeof(T) == 8)
    write_scalar64(w, i.operands[0], static_cast<uint64_t>(value));
  else
    write_scalar(w, i.operands[0], static_cast<uint32_t>(value));
}

template <class T>
void settle_scalar(wave& w, const instruction& i, with_scc<T> r, bool) {
  write_scalar_result(w, i, r.value);
  w.scc = r.scc;
}
template <std::integral T>
void settle_scalar(wave& w, const instruction& i, T value, bool scc_if_not_zero) {
  if (scc_if_not_zero) w.scc = value != 0;
  write_scalar_result(w, i, value);
}

template <auto F, bool SccIfNotZero, unsigned... Sources, class R, class... P>
void scalar_of(wave& w, const instruction& i, R (*)(P...)) {
  static_assert(sizeof...(Sources) == sizeof...(P));
  settle_scalar(w, i, F(scalar_source<P>(w, i, Sources)...), SccIfNotZero);
}

/// D = F(s...) for a form whose operand 0 is the destination; Sources... are operand numbers, 0 for the old value of a
/// destination that is read too. SCC is kept, or set by F where it returns with_scc.
template <auto F, unsigned... Sources>
void scalar(wave& w, const instruction& i) {
  scalar_of<F, false, Sources...>(w, i, +F);
}

/// The same, and SCC = result is not zero.
template <auto F, unsigned... Sources>
void scalar_scc(wave& w, const instruction& i) {
  scalar_of<F, true, Sources...>(w, i, +F);
}

template <auto F, class A, class B>
void scalar_compare_of(wave& w, const instruction& i, bool (*)(A, B)) {
  w.scc = F(scalar_source<A>(w, i, 0), scalar_source<B>(w, i, 1));
}
/// SCC = F(s0, s1) for a form without destination.
template <auto F>
void scalar_compare(wave& w, const instruction& i) {
  scalar_compare_of<F>(w, i, +F);
}

}  // namespace adahop::hip::sim
