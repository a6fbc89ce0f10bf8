// How far any accumulation model can be from exact_sum on one output, proven from the operands; SPEC has the proof at
// the end of chapter 10. Implements SPEC 10.23.
#pragma once
#include "reference/accumulate/bf16_rows.h"
#include "reference/accumulate/mx_rows.h"

namespace adahop::reference {

/// A number that |model - exact_sum| does not exceed under any model, from accumulator +0. Inf where the magnitudes sum
/// to 2^127 or more, or where an operand is not finite; NaN where a scale byte is 0xFF, since then every model gives
/// NaN. The caller holds the default floating-point environment.
double error_bound(const mx_rows& rows);
double error_bound(const bf16_rows& rows);

/// a [M x K], b [N x K] to [M x N].
matrix<double> error_bounds(const adahop_mx& a, const adahop_mx& b);
matrix<double> error_bounds_bf16(const adahop_view& a, const adahop_view& b);

/// Whether `got`, an FP32 output, lies within `bound` of `exact`, the output under exact_sum. A NaN bound asks for a
/// NaN, an Inf bound admits everything.
bool is_within_bound(float got, float exact, double bound);

/// The same for a BF16 output: whether it is the rounding of some FP32 output within the bound.
bool is_within_bound(bf16 got, float exact, double bound);

}  // namespace adahop::reference
