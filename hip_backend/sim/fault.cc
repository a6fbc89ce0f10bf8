// Filling in where a fault happened.
#include "sim/fault.h"

#include <utility>

namespace adahop::hip::sim {

void fail(const wave& w, const instruction& i, std::string kind, std::string detail, int lane) {
  fault f;
  f.kind = std::move(kind);
  f.detail = std::move(detail);
  f.instruction = i.index;
  if (w.group != nullptr) {
    f.group_x = w.group->x;
    f.group_y = w.group->y;
    f.group_z = w.group->z;
  }
  f.wave_number = w.number;
  f.lane = lane;
  throw f;
}

}  // namespace adahop::hip::sim
