// What a launch may choose: which checks run, and how implementation-defined instructions behave.
#pragma once
#include <cstdint>
#include <string_view>

#include "adahop/status.h"
#include "sim/numerics/options.h"

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
  /// Instructions that a wave may execute before it counts as hanging; about a minute.
  uint64_t instruction_budget = uint64_t{1} << 28;

  // Implementation-defined numerics.
  conversion_options conversion;
  mfma_options matrix;
  division_options division;
};

/// Sets one option from text. ADAHOP_UNSUPPORTED for an unknown key, ADAHOP_INVALID_ARGUMENT for a value that it does not
/// take; each one line that says what is expected.
status set_option(options& into, std::string_view key, std::string_view value);

}  // namespace adahop::hip::sim
