// Handlers of vector instructions from a function of one lane. The function's parameter types say how wide each source is
// (16, 32 or 64 bits, signed or not), its result type how wide the destination is. Decides nothing numeric.
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sim/lanes.h"

namespace adahop::hip::sim {

/// The 64 values of source operand n as T.
template <class T>
struct source_row {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4);
  source_row(const wave& w, const instruction& i, unsigned n)
      : lanes(sizeof(T) == 2 ? read_halves(w, i, n, buffer) : read_lanes(w, i, n, buffer)) {}
  source_row(const source_row&) = delete;
  T operator[](unsigned l) const { return static_cast<T>(lanes[l]); }
  lane_row buffer;
  const uint32_t* lanes;
};

template <class T>
  requires(sizeof(T) == 8)
struct source_row<T> {
  source_row(const wave& w, const instruction& i, unsigned n) {
    const operand& o = i.operands[n];
    // Whether a literal of a signed 64-bit operation is sign-extended no source says for sure.
    if (std::is_signed_v<T> && o.kind == operand_kind::constant && !o.is_real &&
        o.integer > std::numeric_limits<int32_t>::max())
      fail(w, i, "not modelled", "a literal above 0x7fffffff in a signed 64-bit operation");
    read_lanes64(w, i, n, buffer);
  }
  source_row(const source_row&) = delete;
  T operator[](unsigned l) const { return static_cast<T>(buffer[l]); }
  lane_pairs buffer;
};

/// Where a result of type R is collected: a 16-bit one in the low half of a zeroed register.
template <class R>
using lane_result = std::conditional_t<sizeof(R) == 8, uint64_t, uint32_t>;
template <class R>
constexpr lane_result<R> widened(R r) {
  return static_cast<lane_result<R>>(static_cast<std::make_unsigned_t<R>>(r));
}

template <auto F, unsigned... Sources, class R, class... P>
void per_lane_of(wave& w, const instruction& i, R (*)(P...)) {
  static_assert(sizeof...(Sources) == sizeof...(P));
  [&](const source_row<P>&... sources) {
    lane_result<R> out[kLanes];
    for (unsigned l = 0; l < kLanes; ++l) out[l] = widened<R>(F(sources[l]...));
    if constexpr (sizeof(R) == 8)
      write_lanes64(w, i, 0, out);
    else
      write_lanes(w, i, 0, out);
  }(source_row<P>(w, i, Sources)...);
}

/// D = F(s...) for a form whose operand 0 is the destination; Sources... are operand numbers, one for each parameter of F,
/// a function or a lambda without captures. With an X destination the old value is one more argument: list operand 0.
/// A 16-bit result zeroes the upper half of the register.
template <auto F, unsigned... Sources>
void per_lane(wave& w, const instruction& i) {
  per_lane_of<F, Sources...>(w, i, +F);
}

template <auto F, unsigned... Sources, class R, class... P>
void per_half_of(wave& w, const instruction& i, R (*)(P...)) {
  static_assert(sizeof...(Sources) == sizeof...(P) && sizeof(R) == 2);
  [&](const source_row<P>&... sources) {
    lane_row out;
    for (unsigned l = 0; l < kLanes; ++l) out[l] = widened<R>(F(sources[l]...));
    write_half(w, i, 0, sizeof...(Sources), out);
  }(source_row<P>(w, i, Sources)...);
}

/// As per_lane, for a 16-bit result that goes to the half which the last bit of op_sel names; the other half is kept.
template <auto F, unsigned... Sources>
void per_half(wave& w, const instruction& i) {
  per_half_of<F, Sources...>(w, i, +F);
}

/// The number of set bits, in a form that compilers turn into vector instructions.
constexpr uint32_t ones(uint32_t v) {
  v -= v >> 1 & 0x55555555u;
  v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
  v = (v + (v >> 4)) & 0x0F0F0F0Fu;
  v += v >> 8;
  return (v + (v >> 16)) & 0x3Fu;
}

/// A bit a lane from 64 flags of 0 or 1.
inline uint64_t packed_flags(const uint8_t (&flags)[kLanes]) {
  uint64_t lanes = 0;
  for (unsigned byte = 0; byte < 8; ++byte) {
    uint64_t eight = 0;
    for (unsigned n = 0; n < 8; ++n) eight |= uint64_t{flags[8 * byte + n]} << 8 * n;
    // The product moves flag n of byte n to bit 56 + n.
    lanes |= (eight * 0x0102040810204080u >> 56) << 8 * byte;
  }
  return lanes;
}

template <auto F, class A, class B>
uint64_t compared(wave& w, const instruction& i, bool (*)(A, B)) {
  const source_row<A> a(w, i, 1);
  const source_row<B> b(w, i, 2);
  uint8_t flags[kLanes];
  for (unsigned l = 0; l < kLanes; ++l) flags[l] = F(a[l], b[l]);
  return packed_flags(flags);
}

/// A comparison of form "M2 s s": the lane mask gets F(s0, s1), 0 where EXEC is off; v_cmpx gives EXEC the same.
template <auto F, bool WritesExec>
void compare_lanes(wave& w, const instruction& i) {
  const uint64_t lanes = compared<F>(w, i, +F) & w.exec();
  write_mask(w, i.operands[0], lanes);
  if (WritesExec) w.set_exec(lanes);
}

}  // namespace adahop::hip::sim
