// Lanes of one store that write different values to one byte. No public document says whose value stays, so it counts as a
// race: our rule. Equal values are a broadcast and legal.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "sim/lane_memory.h"

namespace adahop::hip::sim {

inline constexpr char kLaneRace[] = "race between lanes of a store";

struct lane_collision {
  unsigned lost = 0, kept = 0;  ///< lanes; the value of the higher one is there
  uint64_t at = 0;              ///< address of the byte
};

/// The lowest lane whose bytes are not there after the store of all lanes in ascending order. `at` holds an address a lane,
/// place(l) the memory behind it.
template <class Address, class Place>
std::optional<lane_collision> find_collision(const Address* at, uint64_t lanes, unsigned bytes, const uint32_t* const* in,
                                             Place place) {
  std::optional<lane_collision> found;
  with_size(bytes, [&]<unsigned Bytes>() {
    for_lanes(lanes, [&](unsigned l) {
      std::byte wanted[Bytes];
      write_lane<Bytes>(wanted, l, in);
      const std::byte* const there = place(l);
      if (found || std::memcmp(there, wanted, Bytes) == 0) return;
      unsigned byte = 0;
      while (there[byte] == wanted[byte]) ++byte;
      found = lane_collision{l, l, uint64_t{at[l]} + byte};
    });
  });
  if (!found) return found;
  for_lanes(lanes, [&](unsigned l) {
    if (found->at >= at[l] && found->at - at[l] < bytes) found->kept = l;
  });
  return found;
}

inline std::string describe(const lane_collision& c, const std::string& place) {
  return "lanes " + std::to_string(c.lost) + " and " + std::to_string(c.kept) + " write different values to " + place;
}

}  // namespace adahop::hip::sim
