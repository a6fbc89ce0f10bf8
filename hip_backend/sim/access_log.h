// LDS accesses of a wave that are not known to be done: where they were, so that a barrier can count them as after it
// and the arrival of data in LDS can be noted. Decides nothing.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/wave.h"

namespace adahop::hip::sim {

enum class recorded_kind : uint8_t { lds_read, lds_write, lds_atomic, lds_arrival };

struct recorded_access {
  recorded_kind kind = recorded_kind::lds_read;
  uint8_t bytes = 0;    ///< a lane
  bool second = false;  ///< `address` holds two addresses, the other in its upper half
  uint64_t lanes = 0;
  uint64_t address[kLanes] = {};
};

/// Numbered from 1; 0 is no access.
class access_log {
 public:
  uint32_t add() {
    if (free_.empty()) {
      records_.emplace_back();
      return static_cast<uint32_t>(records_.size());
    }
    const uint32_t ticket = free_.back();
    free_.pop_back();
    return ticket;
  }
  recorded_access& at(uint32_t ticket) { return records_[ticket - 1]; }
  void drop(uint32_t ticket) { free_.push_back(ticket); }
  void clear() {
    records_.clear();
    free_.clear();
  }

 private:
  std::vector<recorded_access> records_;
  std::vector<uint32_t> free_;
};

/// The log of a wave, made at its first use; empty while nothing is under way.
access_log& log_of(wave& w);

}  // namespace adahop::hip::sim
