// cdna3_trfdpa(L): a group of products and the accumulator in one truncating, aligned addition, as measured on CDNA3.
// One function for MX (L = 16 to 128) and BF16 (L = 8). Implements SPEC 10.14, 10.15, 10.19.
#pragma once
#include <span>

#include "reference/accumulate/product.h"
#include "reference/accumulate/special_sum.h"

namespace adahop::reference {

/// One group of at most 128 products onto acc. Missing products of a last group count as zero, so they need not be
/// there. `special` holds what operands that are not finite made of their products.
float accumulate_cdna3_trfdpa(float acc, std::span<const product> products, special_sum special = {});

}  // namespace adahop::reference
