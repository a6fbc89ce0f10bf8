// A case of the suite: a stable name, where it stands in the report, and how its call is made.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adahop/plan.h"
#include "conformance/judge/judge.h"

namespace adahop::conformance {

struct real_data;

/// The columns of the report: first the stages of a product, then operations that no pair is needed for.
enum class stage {
  pattern,
  foid,
  extract,
  hq_left,
  hq_right,
  mx_gemm,
  outlier_gemm,
  scatter_add,
  bf16_product,
  forward,
  dx,
  dw,
  quantize,
  dequantize,
  hadamard,
  hadamard_quantize,
  edge_mx_gemm,
  edge_bf16_gemm,
  edge_scatter_add,
  edge_pattern,
  edge_foid,
  edge_extract,
  native_mx_gemm,
  native_matmul,
  device_memory,
  workspace,
  errors
};
inline constexpr int kPairStages = 12, kStages = 27;

/// "hadamard-quantize.left" and the like.
std::string_view stage_name(stage s);
/// The SPEC clauses at stake, "5.1-5.9, 6.1-6.9".
std::string_view clauses(stage s);

/// What a case may use to make its call: the reference, for the outputs of earlier stages, and the inputs' origin.
struct context {
  const adahop_backend* reference = nullptr;
  uint64_t seed = 1;
  const real_data* data = nullptr;  ///< null when there are no real tensors
};

/// An option of the backend's own that a case needs, and the value that the backend has before anybody sets it.
struct backend_option {
  std::string key, value, initial;
  friend bool operator==(const backend_option&, const backend_option&) = default;
};

struct test_case {
  std::string name;  ///< pair/stage/source/shape/policy; pair is "any" for what needs no pair
  std::optional<pattern_pair> pair;
  stage where = stage::errors;
  std::optional<strategy> how;  ///< strategy that the reference's table gives, where one runs
  bool needs_data = false;
  std::optional<backend_option> option = {};  ///< a backend that refuses it does not cover the case
  std::function<result<call>(const context&)> prepare;
  /// Looks at both results after a pass; may fail the case or leave a note. May be empty.
  std::function<void(const context&, outcome&)> inspect;
};

using case_list = std::vector<test_case>;

}  // namespace adahop::conformance
