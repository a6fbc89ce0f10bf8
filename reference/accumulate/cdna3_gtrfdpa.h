// gemm_model cdna3_gtrfdpa(L): products of even and of odd k aligned apart, then to each other, then with the
// accumulator, as measured for FP8 on CDNA3. Implements SPEC 10.16.
#pragma once
#include <span>

#include "reference/accumulate/product.h"

namespace adahop::reference {

/// One group of at most 128 products, the first of even k, onto acc.
float accumulate_cdna3_gtrfdpa(float acc, std::span<const product> products);

}  // namespace adahop::reference
