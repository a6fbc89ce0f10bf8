// What the non-finite values of a sum make of it. Implements the special cases of SPEC 10.15, 10.18.
#pragma once
#include <cstdint>

#include "adahop/formats/hd.h"

namespace adahop::reference {

class special_sum {
 public:
  void add_nan() { nan_ = true; }
  void add_inf(bool negative) { (negative ? minus_ : plus_) = true; }
  /// Takes note of an addend; finite ones change nothing.
  void add(float value) {
    const uint32_t magnitude = bits_of(value) & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) add_nan();
    if (magnitude == 0x7F800000u) add_inf((bits_of(value) >> 31) != 0);
  }

  /// Whether anything was not finite; then value() is the sum, whatever the finite addends are.
  bool any() const { return nan_ || plus_ || minus_; }
  /// The canonical NaN if there is a NaN or both Infs, else the Inf.
  float value() const {
    if (nan_ || (plus_ && minus_)) return float_of(kCanonicalNan);
    return float_of(plus_ ? 0x7F800000u : 0xFF800000u);
  }

 private:
  bool nan_ = false, plus_ = false, minus_ = false;
};

}  // namespace adahop::reference
