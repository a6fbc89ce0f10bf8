// Moving one lane's bytes between host memory and dwords of registers. Decides only that a byte or a short is
// zero-extended.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sim/wave.h"

namespace adahop::hip::sim {

/// Calls f(lane) for each of `lanes`, ascending.
template <class F>
void for_lanes(uint64_t lanes, F f) {
  if (lanes == ~uint64_t{0}) {
    for (unsigned l = 0; l < kLanes; ++l) f(l);
    return;
  }
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

template <unsigned Bytes>
void read_lane(const std::byte* from, unsigned lane, lane_row* out) {
  uint32_t d[(Bytes + 3) / 4] = {};
  std::memcpy(d, from, Bytes);
  for (unsigned k = 0; k < (Bytes + 3) / 4; ++k) out[k][lane] = d[k];
}

template <unsigned Bytes>
void write_lane(std::byte* to, unsigned lane, const uint32_t* const* in) {
  uint32_t d[(Bytes + 3) / 4];
  for (unsigned k = 0; k < (Bytes + 3) / 4; ++k) d[k] = in[k][lane];
  std::memcpy(to, d, Bytes);
}

/// f.operator()<Bytes>() for the sizes that memory instructions have.
template <class F>
void with_size(unsigned bytes, F f) {
  switch (bytes) {
    case 1: f.template operator()<1>(); break;
    case 2: f.template operator()<2>(); break;
    case 4: f.template operator()<4>(); break;
    case 8: f.template operator()<8>(); break;
    case 12: f.template operator()<12>(); break;
    case 16: f.template operator()<16>(); break;
    default: break;
  }
}

}  // namespace adahop::hip::sim
