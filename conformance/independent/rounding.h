// Rounding an element by a random word, and the record that says how a tensor is rounded. Implements SPEC 5.17 to 5.22.
#pragma once
#include "mxfp4.h"

namespace independent {

enum class element_rounding { nearest, stochastic, gfx950 };

struct rounding {
  element_rounding how = element_rounding::nearest;
  int bits = 0;         ///< stochastic
  uint64_t seed = 0;    ///< stochastic, gfx950
  uint64_t offset = 0;  ///< stochastic
};

/// The code of the finite `bits` / scale under the random number u of `random_bits` bits; `byte` 0..254.
uint8_t stochastic_code(uint32_t bits, uint8_t byte, uint32_t u, int random_bits);

/// The same under a 32-bit random word, as gfx950 is described.
uint8_t gfx950_code(uint32_t bits, uint8_t byte, uint32_t word);

/// Quantizes along the columns; x.cols is a multiple of 32. `index_cols` is the inner dimension that indices count:
/// less than x.cols where the last columns are padding.
mx_tensor quantize(const fp32_matrix& x, scale_rule rule, int min_scale_byte, const rounding& how, int index_cols);

/// How the right operand of a product is rounded, where the left one is `left` with m rows of quantized length k.
rounding right_operand(const rounding& left, int m, int k);

}  // namespace independent
