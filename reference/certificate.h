// Which outputs of a product are the same under every accumulation model, decided on the operands in exact integers.
// Implements SPEC 10.20-10.22.
#pragma once
#include "reference/accumulate/bf16_rows.h"
#include "reference/accumulate/mx_rows.h"

namespace adahop::reference {

/// Whether the output of these two rows from accumulator c is certified.
bool certified(const mx_rows& rows, float c = 0.0f);
bool certified(const bf16_rows& rows, float c = 0.0f);

/// a [M x K], b [N x K] from C = +0: [M x N] of 1 where certified, else 0.
matrix<uint8_t> certify(const adahop_mx& a, const adahop_mx& b);
matrix<uint8_t> certify_bf16(const adahop_view& a, const adahop_view& b);

}  // namespace adahop::reference
