// In which order a seed makes the workgroups of a grid start.
#pragma once
#include <cstdint>
#include <numeric>

namespace adahop::hip {

/// Place p of `count` holds workgroup (p * step + first) mod count; seed 0 is ascending order, and so is every seed where
/// p * step could overflow.
class shuffled_order {
 public:
  shuffled_order(uint64_t count, uint64_t seed) : count_(count) {
    if (seed == 0 || count > (uint64_t{1} << 31)) return;
    first_ = seed % count;
    step_ = (seed * 0x9E3779B97F4A7C15u >> 33) % count | 1;
    while (std::gcd(step_, count) != 1) step_ += 2;
  }
  uint64_t at(uint64_t place) const { return (place * step_ + first_) % count_; }

 private:
  uint64_t count_;
  uint64_t step_ = 1;
  uint64_t first_ = 0;
};

}  // namespace adahop::hip
