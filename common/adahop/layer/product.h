// One product in two halves, by a backend's stage operations: the right operand is prepared once, and multiplied when
// the left one is there. What a layer saves for its backward pass are such prepared operands. Implements SPEC 11.9.
#pragma once
#include <cstdint>
#include <vector>

#include "adahop/layer/method.h"
#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::layer {

/// The right operand [N x K] of a product in the form that its kind multiplies; nothing of it lies in the caller's
/// memory.
struct prepared_operand {
  product_kind kind = product_kind::bf16;
  int64_t rows = 0, cols = 0;    ///< N, K
  mx_matrix quantized;           ///< all kinds but bf16: the operand, or for oe_right its residual
  matrix<bf16> outliers;         ///< oe_right: [count x K]
  std::vector<int32_t> indices;  ///< oe_right: rows of the [N x K] operand, ascending
  matrix<bf16> operand;          ///< oe_left and bf16: [N x K]
};

/// Bytes of SPEC 11.11, apart: 17 a block of 32, 2 a BF16 element, 4 an index.
struct byte_count {
  int64_t quantized = 0, outliers = 0, indices = 0, operand = 0;
  int64_t total() const { return quantized + outliers + indices + operand; }
};
byte_count bytes_of(const prepared_operand& x);

/// The same from shapes alone: a right operand [N x K] under `p`.
byte_count bytes_of(const policy& p, product_kind kind, int64_t n, int64_t k);

/// `right` [N x K], BF16, host memory, for a product with a left operand of `m` rows: under random rounding M decides
/// which random words the right operand gets (SPEC 5.22). Errors are the backend's, or ADAHOP_INVALID_ARGUMENT for a
/// view that is not BF16.
result<prepared_operand> prepare_right(const adahop_backend& on, const policy& p, product_kind kind, int64_t m,
                                       const adahop_view& right);

/// left [M x K], BF16, times the prepared operand, into out [M x N] of dtype F32 or BF16; `p` as it was for preparing.
status multiply(const adahop_backend& on, const policy& p, const adahop_view& left, const prepared_operand& right,
                const adahop_view& out);

}  // namespace adahop::layer
