// The cases of one pair on one product: each stage of its strategy, and the whole product at both levels.
#pragma once
#include "conformance/suites/operands.h"
#include "conformance/suites/test_case.h"

namespace adahop::conformance {

struct named_policy {
  std::string name;
  policy rules;
};

/// One product whose pair is forced (SPEC 13.2), wherever its operands come from.
struct product_case {
  pattern_pair pair;
  adahop_path path = ADAHOP_PATH_FORWARD;
  named_policy rules;
  std::string source;  ///< "spread", or a layer of the real tensors
  std::string shape;   ///< M x K x N
  bool needs_data = false;
  std::function<result<operands>(const context&)> make;
};

/// Pattern, FOID and extraction of both operands, Hadamard+quantize of both with the strategy's zeroed rows, MX product
/// of the residual, outlier product, scatter-add, and for pair CC the BF16 product. What the strategy of level 1 does
/// not run is left out, but FOID and extraction, which depend on the tensor alone.
void add_stage_cases(const product_case& p, case_list& out);

/// The whole product at levels 1 and 2.
void add_whole_cases(const product_case& p, case_list& out);

/// The whole product and the MX product of its residual in mode native, judged by certificate and bound.
void add_native_product_cases(const product_case& p, case_list& out);

/// The MX product of the residual that level 1 leaves of these operands, on the reference's codes.
result<call> mx_gemm_stage(const context& ctx, const product_case& p, const operands& o);

/// The whole product, with the status that it must end with.
result<call> whole_product(const context& ctx, const product_case& p, const operands& o, int level);

/// What the reference's table gives.
strategy strategy_of(const product_case& p, int level);

}  // namespace adahop::conformance
