// Handlers of float instructions from a function of one lane's patterns, per format. Decides which lanes the host's FPU may
// not settle: those that come out as NaN.
#pragma once
#include "sim/float_modifiers.h"
#include "sim/float_rules.h"

namespace adahop::hip::sim {

/// Sources and results of a format: rows of 32-bit patterns, or of 64-bit ones.
template <typename F>
struct lanes_of;
template <>
struct lanes_of<f32> {
  using row = lane_row;
  static const uint32_t* read(const wave& w, const instruction& i, unsigned n, row& buffer) {
    return read_f32(w, i, n, buffer);
  }
  static void write(wave& w, const instruction& i, row& values) { write_f32(w, i, values); }
};
template <>
struct lanes_of<f16> {
  using row = lane_row;
  static const uint32_t* read(const wave& w, const instruction& i, unsigned n, row& buffer) {
    return read_f16(w, i, n, buffer);
  }
  static void write(wave& w, const instruction& i, row& values) { write_f16(w, i, values); }
};
template <>
struct lanes_of<f64> {
  using row = lane_pairs;
  static const uint64_t* read(const wave& w, const instruction& i, unsigned n, row& buffer) {
    read_f64(w, i, n, buffer);
    return buffer;
  }
  static void write(wave& w, const instruction& i, row& values) { write_f64(w, i, values); }
};

template <auto Function, typename F, typename... Rows>
void apply(typename lanes_of<F>::row& out, const Rows*... rows) {
  for (unsigned l = 0; l < kLanes; ++l) out[l] = Function(rows[l]...);
}

/// Results that are NaN are replaced by the rule's; the sources are looked at only where there is one.
template <typename F, typename... Rows>
void settle_nans(typename lanes_of<F>::row& out, const Rows*... rows) {
  bits_of_format<F> any = 0;
  for (unsigned l = 0; l < kLanes; ++l) any |= is_nan<F>(out[l]) ? 1u : 0u;
  if (any == 0) return;
  for (unsigned l = 0; l < kLanes; ++l)
    if (is_nan<F>(out[l])) out[l] = nan_result<F>(rows[l]...);
}

template <typename F, auto Function, bool Settle, unsigned... Sources>
void run_lanes(wave& w, const instruction& i) {
  typename lanes_of<F>::row buffers[sizeof...(Sources)], out;
  const bits_of_format<F>* rows[sizeof...(Sources)];
  unsigned count = 0;
  ((rows[count] = lanes_of<F>::read(w, i, Sources, buffers[count]), ++count), ...);
  const auto with = [&](auto... row) {
    apply<Function, F>(out, row...);
    if constexpr (Settle) settle_nans<F>(out, row...);
  };
  if constexpr (sizeof...(Sources) == 1) with(rows[0]);
  if constexpr (sizeof...(Sources) == 2) with(rows[0], rows[1]);
  if constexpr (sizeof...(Sources) == 3) with(rows[0], rows[1], rows[2]);
  lanes_of<F>::write(w, i, out);
}

/// D = Function(sources), patterns in and out; Function has the NaN rules in it.
template <typename F, auto Function, unsigned... Sources>
void per_lane_float(wave& w, const instruction& i) {
  run_lanes<F, Function, false, Sources...>(w, i);
}
/// Likewise with a Function on the host's FPU: a NaN result is nan_result() of the sources.
template <typename F, auto Function, unsigned... Sources>
void per_lane_host(wave& w, const instruction& i) {
  run_lanes<F, Function, true, Sources...>(w, i);
}

}  // namespace adahop::hip::sim
