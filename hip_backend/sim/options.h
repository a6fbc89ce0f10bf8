// What a launch may choose: which checks run, and how implementation-defined instructions behave.
#pragma once
#include <cstdint>

namespace adahop::hip::sim {

/// The checks; all on by default. Accesses outside every allocation are refused always: the simulator itself would crash.
struct checks {
  bool uninitialized = true;  ///< registers, LDS and global memory read before they are written
  bool pending = true;        ///< a load's result used, or LDS read, before its s_waitcnt
  bool races = true;          ///< accesses of LDS or global memory that no barrier orders
  bool alignment = true;
  bool outputs = true;        ///< stores outside what the kernel's arguments say it writes
  bool divergence = true;     ///< s_barrier with lanes switched off
};

struct options {
  checks check;
  uint64_t schedule_seed = 0;  ///< order of waves and workgroups: 0 ascending, else a shuffle
  uint32_t threads = 0;        ///< host threads; 0: all
};

}  // namespace adahop::hip::sim
