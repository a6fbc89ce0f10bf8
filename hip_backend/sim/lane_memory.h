// Moving lanes' bytes between host memory and dwords of registers, what LDS and global memory have in common. Decides how
// bytes and shorts are extended and which half of a register they go to.
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

/// The sign of a value of `bytes` (1 or 2) extended to the register.
constexpr uint32_t sign_extended(uint32_t v, unsigned bytes) {
  const uint32_t top = 1u << (8 * bytes - 1);
  return (v ^ top) - top;
}

/// What a D16 load makes of its destination: the half of `loaded`, the other half of the old register.
template <unsigned Bytes, bool Signed, bool High>
void merge_halves(const uint32_t* old, lane_row& loaded) {
  for (unsigned l = 0; l < kLanes; ++l) {
    const uint32_t half = (Signed ? sign_extended(loaded[l], Bytes) : loaded[l]) & 0xFFFFu;
    loaded[l] = High ? (old[l] & 0x0000FFFFu) | half << 16 : (old[l] & 0xFFFF0000u) | half;
  }
}

/// The dwords that a store of `Bytes` takes from `reg` on; with High the upper half, moved down into `upper`.
template <unsigned Bytes, bool High>
void stored_rows(const wave& w, unsigned reg, const uint32_t** rows, lane_row& upper) {
  for (unsigned d = 0; d < (Bytes + 3) / 4; ++d) rows[d] = w.vgpr[reg + d];
  if constexpr (High) {
    for (unsigned l = 0; l < kLanes; ++l) upper[l] = rows[0][l] >> 16;
    rows[0] = upper;
  }
}

/// The 32 or 64 bits of a lane's register or pair.
template <class U>
U register_value(const wave& w, unsigned reg, unsigned lane) {
  if constexpr (sizeof(U) == 4)
    return w.vgpr[reg][lane];
  else
    return w.vgpr[reg][lane] | uint64_t{w.vgpr[reg + 1][lane]} << 32;
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
