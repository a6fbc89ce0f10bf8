// Outstanding memory instructions of a wave and what s_waitcnt proves about them. From the ISA manual's chapter on data
// dependency: VM loads and stores, and LDS, complete in order; SMEM in any order.
#pragma once
#include "sim/wave.h"

namespace adahop::hip::sim {

/// A VM or LGKM instruction was issued: its destination registers are pending until enough has been waited for.
void begin_access(wave& w, const instruction& i, uint32_t lds_ticket = 0, uint32_t global_ticket = 0);

/// s_waitcnt: at most `vm` and `lgkm` instructions stay outstanding; kNoWait does not wait.
void wait_for(wave& w, uint8_t vm, uint8_t lgkm);

}  // namespace adahop::hip::sim
