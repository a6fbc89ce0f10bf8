// Earlier stages run on the reference: the input of a stage under judgement is the reference's output of the stage
// before it, so that one fault shows in the stage where it sits.
#pragma once
#include "conformance/judge/calls.h"
#include "conformance/suites/test_case.h"

namespace adahop::conformance {

/// The reference's outputs for `c`, which is known to succeed there; its error otherwise.
result<std::shared_ptr<execution>> run_reference(const context& ctx, const call& c);

/// Codes and scales of a quantizing call on the reference, as an input.
result<mx_input> reference_codes(const context& ctx, const call& quantizing, std::string name);

/// The one array of a call with the output `out`, as an input.
result<view_input> reference_out(const context& ctx, const call& c, std::string name);

/// Outlier rows of `x` by the reference.
result<index_input> reference_outliers(const context& ctx, const policy& p, const view_input& x);

index_input no_indices(std::string name);
index_input indices_of(std::string name, std::vector<int32_t> indices);

/// Whether quantizing `x` without the rows `zeroed` meets a NaN or Inf.
bool has_nonfinite(const adahop_view& x, const index_input& zeroed);

}  // namespace adahop::conformance
