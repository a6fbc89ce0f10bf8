// The verdict of a calibration over steps, and what a saved operand weighs. Implements SPEC 11.11, 12.9.
#pragma once
#include <vector>

#include "pattern.h"

namespace independent {

/// The most frequent of the steps' verdicts; of equally frequent ones that seen first. At least one step.
pattern majority(const std::vector<pattern>& steps);

/// What is saved of one operand.
struct saved_parts {
  long quantized_cols = 0;  ///< length of its quantized rows, a multiple of 32; 0 where it is not kept quantized
  long outlier_rows = 0;    ///< in BF16, each with its index
  bool whole_bf16 = false;
};

/// Bytes of `parts` of an operand with `rows` rows of `cols` elements.
long saved_bytes(long rows, long cols, const saved_parts& parts);

}  // namespace independent
