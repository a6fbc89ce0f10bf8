// Judging a product in mode native, where nobody has published how the device sums: output by output, by bits where the
// certificate says that every model agrees, else by the bound. Implements the judge's side of SPEC 10.22-10.24.
#pragma once
#include <optional>
#include <string>

#include "adahop/tensor.h"
#include "conformance/judge/compare.h"

namespace adahop::conformance {

/// What is known of each output, [M x N], before any backend runs. Of a whole product, `certified` and `bound` are those
/// of its MX part, and that is enough. Where no outlier product is added, an output is the MX part rounded to the output
/// type; rounding is monotonic, so a part within its bound rounds to a value between the roundings of the bound's ends.
/// Where one is added, the MX part comes from rows of zero codes: it is certified as +0, or NaN by a scale byte, and
/// either way the sum is known by its bits.
struct native_facts {
  matrix<uint8_t> certified;
  matrix<double> bound;
  matrix<float> exact;  ///< the FP32 output under gemm_model exact_sum
  /// The gemm_model that an emulated instruction was told to follow, empty where none was: then `exact` is the output
  /// under it, and all that counts.
  std::string followed = {};
};

/// How many outputs were judged, and how many of them by bits.
struct native_share {
  int64_t certified = 0, total = 0;
};

struct native_difference {
  difference where;
  std::string rule;  ///< which promise is broken, with its clause
};

/// `expected` is the output under exact_sum, in the output type; both have the shape of the facts. Where a model is
/// followed the output is FP32, each is compared with `exact` by bits, and none counts in `share`.
std::optional<native_difference> compare_native(const guarded_array& expected, const guarded_array& got,
                                                const native_facts& facts, native_share& share);

}  // namespace adahop::conformance
