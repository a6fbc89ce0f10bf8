// Handlers of the float comparisons: V_CMP writes a lane mask, V_CMPX puts it into EXEC too. From the ISA manual.
#pragma once
#include "sim/float_lanes.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {

/// Operand 0 is the mask (VCC or a scalar pair), 1 and 2 are compared; lanes that are off give 0.
template <typename F, unsigned Outcomes, bool WritesExec>
void compare(wave& w, const instruction& i) {
  refuse_output_modifiers(w, i);
  typename lanes_of<F>::row buffers[2];
  const auto* a = lanes_of<F>::read(w, i, 1, buffers[0]);
  const auto* b = lanes_of<F>::read(w, i, 2, buffers[1]);
  uint64_t mask = 0;
  for (unsigned l = 0; l < kLanes; ++l) mask |= uint64_t{holds<F, Outcomes>(a[l], b[l])} << l;
  write_mask(w, i.operands[0], mask);
  if constexpr (WritesExec) w.set_exec(mask & w.exec());
}

/// V_CMP_CLASS: the class of source 1 is a bit's number in source 2.
template <typename F>
constexpr unsigned class_bit(bits_of_format<F> x) {
  const bool negative = (x & F::kSign) != 0;
  if (is_signalling<F>(x)) return 0;
  if (is_nan<F>(x)) return 1;
  if (magnitude<F>(x) == F::kInfinity) return negative ? 2 : 9;
  if (exponent_field<F>(x) != 0) return negative ? 3 : 8;
  if (magnitude<F>(x) != 0) return negative ? 4 : 7;
  return negative ? 5 : 6;
}

template <typename F, bool WritesExec>
void compare_class(wave& w, const instruction& i) {
  refuse_output_modifiers(w, i);
  typename lanes_of<F>::row buffer;
  lane_row wanted_buffer;
  const auto* x = lanes_of<F>::read(w, i, 1, buffer);
  const uint32_t* wanted = read_integer(w, i, 2, wanted_buffer);
  uint64_t mask = 0;
  for (unsigned l = 0; l < kLanes; ++l) mask |= uint64_t{wanted[l] >> class_bit<F>(x[l]) & 1u} << l;
  write_mask(w, i.operands[0], mask);
  if constexpr (WritesExec) w.set_exec(mask & w.exec());
}

}  // namespace adahop::hip::sim
