// Policies that properties are checked under: the defaults with some groups of fields at random.
#pragma once
#include <iosfwd>

#include "adahop/policy.h"
#include "simpler.h"

namespace adahop::property {

/// Which fields may differ from their defaults.
struct policy_choice {
  bool scale = false;      ///< scale_rule, min_scale_byte
  bool rounding = false;   ///< element_rounding with its bits, seed and offset
  bool nonfinite = false;  ///< block_nan or reject
  bool hadamard = false;   ///< size, signs and seed, output
  bool models = false;     ///< gemm_model and bf16_gemm_model
  bool output = false;
  bool pattern = false;   ///< ratio and eps
  bool outliers = false;  ///< oe_k and foid_window
  bool left_oe_on_dw = false;
  bool pad = false;
  bool layout = false;  ///< scale_layout

  static constexpr policy_choice all() { return {true, true, true, true, true, true, true, true, true, true, true}; }
};

policy make_policy(const policy_choice& choice, uint64_t seed);
/// The same with one group of fields back at its defaults, or a simpler number in one.
simpler_values<policy> simpler(const policy& p);

/// The inner dimension that a transform or quantization writes for `cols` under this policy (SPEC 3.7).
int64_t extended(const policy& p, int64_t cols);

/// The policy as its canonical line.
struct shown_policy {
  policy p;
};
std::ostream& operator<<(std::ostream& os, const shown_policy& s);

}  // namespace adahop::property
