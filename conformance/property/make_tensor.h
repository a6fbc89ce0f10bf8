// Random tensors from a seed, and what is simpler than a given one. Without RapidCheck: pick.h draws seeds and
// searches.
#pragma once
#include "simpler.h"
#include "tensors.h"

namespace adahop::property {

/// What a tensor may be. Exponents are FP32 exponent fields; 0 is zero and the subnormals.
struct tensor_choice {
  int32_t dtype = kAnyDtype;
  int64_t min_rows = 1, max_rows = 6;
  int64_t min_cols = 32, max_cols = 160, col_multiple = 32;
  int64_t min_exponent = 0, max_exponent = 254;  ///< of every value but zero
  bool integers = false;   ///< integers of magnitude 256 or less only: sums of up to 2^15 of them are exact
  bool nonfinite = false;  ///< now and then a NaN or an Inf
  bool placements = true;  ///< strides, gaps, offsets, transposed views; else plain

  static constexpr int32_t kAnyDtype = -1;
};

/// A tensor of this choice; `size`, 0 to 100, bounds its dimensions. Equal arguments, equal tensor.
tensor make_tensor(const tensor_choice& choice, uint64_t seed, int size);
/// Simpler tensors of the same choice, most drastic first: plain strides, fewer rows, fewer groups of columns, zeros,
/// then each value towards 0 and 1.
simpler_values<tensor> simpler(const tensor_choice& choice, const tensor& t);

/// One value of a choice; its dtype F32 or BF16.
uint32_t make_value(const tensor_choice& choice, uint64_t seed);
simpler_values<uint32_t> simpler(const tensor_choice& choice, uint32_t bits);

/// Operands of a product with one K: a has the rows of the choice, b those given here.
operands make_operands(const tensor_choice& choice, int64_t min_b_rows, int64_t max_b_rows, uint64_t seed, int size);
simpler_values<operands> simpler(const tensor_choice& choice, int64_t min_b_rows, const operands& o);

placement make_placement(uint64_t seed);
simpler_values<placement> simpler(const placement& where);

}  // namespace adahop::property
