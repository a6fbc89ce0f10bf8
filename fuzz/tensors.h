// The data of a call from a fuzzer's bytes: policies, strided tensors, MX tensors, lists of indices. A tensor is described
// in a few bytes: families of values, an exponent window, a seed for the bulk, outlier rows and columns, single elements.
#pragma once
#include <string>

#include "conformance/judge/call.h"
#include "fuzz/input.h"

namespace adahop::fuzz {

/// Any policy that SPEC 4 allows and that the operation may meet. An accumulation model other than the default, which
/// backends refuse whatever the operation reads of it, comes only where the operation multiplies.
policy read_policy(input& in, adahop_op op);

/// [rows x cols] of `dtype`. Elements lie by rows or by columns, with gaps between lines or between all elements, on a
/// start that need not be aligned; what lies between is NaN. The memory ends with the last element.
conformance::view_input read_view(input& in, std::string name, adahop_dtype dtype, int64_t rows, int64_t cols);

/// [outer x inner], inner a multiple of 32; codes and scales have gaps between rows. Pad bytes of a shuffled layout are
/// any (SPEC 3.6).
conformance::mx_input read_mx(input& in, std::string name, int64_t outer, int64_t inner, int32_t scale_layout);

/// Ascending indices below `limit`: none, a few or all.
conformance::index_input read_indices(input& in, std::string name, int64_t limit);

/// An inner dimension up to `most`: a multiple of what the policy demands (32, or the size of a transform where one
/// runs), any number under pad=zero.
int64_t read_inner(input& in, const policy& p, bool transforms, int64_t least, int64_t most);

}  // namespace adahop::fuzz
