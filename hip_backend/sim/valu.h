// Handlers of vector instructions from a function of one lane: per_lane<f> reads 32-bit sources, per_lane64<f> 64-bit
// ones. Decides nothing numeric; the function does.
#pragma once
#include <cstdint>
#include <type_traits>

#include "sim/lanes.h"

namespace adahop::hip::sim {

/// D = F(s0), F(s0, s1), F(s0, s1, s2) on 32-bit patterns, for a form whose operand 0 is the destination. With an X
/// destination the old value is one more, last, argument: list it as operand 0 by Sources... = 1, 2, 0.
template <auto F, unsigned... Sources>
void per_lane(wave& w, const instruction& i) {
  lane_row buffers[sizeof...(Sources)];
  const uint32_t* rows[sizeof...(Sources)];
  unsigned count = 0;
  ((rows[count] = read_lanes(w, i, Sources, buffers[count]), ++count), ...);
  lane_row out;
  for (unsigned l = 0; l < kLanes; ++l) {
    if constexpr (sizeof...(Sources) == 1) out[l] = F(rows[0][l]);
    if constexpr (sizeof...(Sources) == 2) out[l] = F(rows[0][l], rows[1][l]);
    if constexpr (sizeof...(Sources) == 3) out[l] = F(rows[0][l], rows[1][l], rows[2][l]);
    if constexpr (sizeof...(Sources) == 4) out[l] = F(rows[0][l], rows[1][l], rows[2][l], rows[3][l]);
  }
  write_lanes(w, i, 0, out);
}

}  // namespace adahop::hip::sim
