// Where a load from memory straight into LDS puts its data (ISA manual, "Memory Buffer Load to LDS", which global loads
// share): LDS address = M0[17:0] + instruction offset + lane * 4, for three and four dwords lane * 16; three dwords leave
// the fourth alone. Bytes and shorts fill a dword, as LLVM counts on. [manual; bytes and shorts: model]
#pragma once
#include "sim/lds_memory.h"
#include "sim/waiting.h"
#include "sim/wave.h"

namespace adahop::hip::sim {

/// `rows` are the dwords of `Bytes` a lane. The data may not be touched before vmcnt says that it has arrived.
template <unsigned Bytes>
void arrive_in_lds(wave& w, const instruction& i, const lane_row* rows) {
  constexpr uint32_t kM0Mask = (1u << 18) - 1;
  constexpr unsigned kStride = Bytes > 4 ? 16 : 4, kStored = Bytes > 4 ? Bytes : 4;
  const uint32_t base = (w.sgpr[kM0] & kM0Mask) + static_cast<uint32_t>(i.mod.offset);
  lds_addresses to;
  for (unsigned l = 0; l < kLanes; ++l) to[l] = base + l * kStride;
  const uint32_t* data[4] = {rows[0], rows[1], rows[2], rows[3]};
  lds_memory& lds = *w.group->lds;
  lds.store_arriving(w, i, to, w.exec(), kStored, data);
  begin_access(w, i, lds.record(w, recorded_kind::lds_arrival, to, nullptr, w.exec(), kStored));
}

}  // namespace adahop::hip::sim
