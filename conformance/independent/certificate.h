// Which outputs of a product every model must give alike. Implements SPEC 10.20, 10.21.
#pragma once
#include "products.h"

namespace independent {

/// For row m of `a`, row n of `b` and the FP32 pattern `c` of the accumulator.
bool mx_certified(const mx_tensor& a, int m, const mx_tensor& b, int n, uint32_t c);
bool bf16_certified(const fp32_matrix& a, int m, const fp32_matrix& b, int n, uint32_t c);

}  // namespace independent
