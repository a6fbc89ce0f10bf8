// Random words for the makers of inputs, from one seed that RapidCheck draws.
#pragma once
#include "conformance/suites/random.h"

namespace adahop::property {

class words {
 public:
  explicit words(uint64_t seed) : seed_(seed) {}
  uint64_t next() { return conformance::random_word(seed_, 0, index_++); }
  /// An integer of [low, high], close enough to evenly spread.
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(next() % static_cast<uint64_t>(high - low + 1));
  }
  bool one_in(uint64_t n) { return next() % n == 0; }

 private:
  uint64_t seed_, index_ = 0;
};

}  // namespace adahop::property
