// Outstanding memory instructions of a wave and what s_waitcnt proves about them. From the ISA manual's chapter on data
// dependency: VM loads and stores, and LDS, complete in order; SMEM in any order.
#pragma once
#include "sim/wave.h"

namespace adahop::hip::sim {

/// A VM or LGKM instruction was issued: its destination registers are pending until enough has been waited for. The
/// ticket is one of access_log.h, which is dropped when the access is done. As on the hardware, which stalls, a counter that
/// is full makes the oldest access done first.
void begin_access(wave& w, const instruction& i, uint32_t lds_ticket = 0);

/// s_waitcnt: at most `vm` and `lgkm` instructions stay outstanding; kNoWait does not wait.
void wait_for(wave& w, uint8_t vm, uint8_t lgkm);

/// Every wave of the workgroup that has not ended is at s_barrier: accesses of LDS that a wave did not wait for count as
/// after the barrier, and workgroup::epoch rises by one.
void pass_barrier(workgroup& group);

}  // namespace adahop::hip::sim
