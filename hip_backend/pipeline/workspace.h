// The caller's memory for the intermediate matrices of a call, and how much of it a call needs. Implements SPEC 13.3.
#pragma once
#include <cstddef>
#include <cstdint>

#include "adahop/backend.h"
#include "adahop/status.h"

namespace adahop::hip {

/// Device memory that is handed out from its start and taken back only as a whole, when the call ends.
class workspace {
 public:
  workspace(void* memory, uint64_t bytes);

  /// `bytes` bytes, 256-byte aligned. ADAHOP_INVALID_ARGUMENT when they are not there.
  result<void*> take(size_t bytes);

 private:
  uint64_t given_;
  uintptr_t next_;
  uintptr_t end_;
};

/// Bytes, wherever they begin, from which take() serves every allocation of the call of `op` with `args`, its argument
/// struct, whose matrices are device memory; `tuned` as in context. The call is made on a device that counts and executes nothing; neither the
/// matrices nor the results of the caller are touched. What the call would refuse in either mode is refused with the
/// same words.
result<uint64_t> workspace_bytes(adahop_op op, const void* args, bool tuned = false);

}  // namespace adahop::hip
