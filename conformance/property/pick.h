// The random inputs of a property. Each pick is printed under its name when the property fails. Use inside the body of
// check_property only.
#pragma once
#include <initializer_list>

#include "check.h"
#include "make_tensor.h"
#include "policies.h"

namespace adahop::property {

/// An integer of [low, high]; simpler is lower.
int64_t pick_integer(const std::string& name, int64_t low, int64_t high);
/// Any 64-bit word; simpler is lower, 0 at last.
uint64_t pick_word(const std::string& name);
/// One of a few, small numbers or enumerators; the first is the simplest.
int32_t pick_of(const std::string& name, std::initializer_list<int32_t> values);

/// An FP32 pattern as tensors have them: ties of E2M1 and BF16, subnormals, any exponent; finite unless chosen.
uint32_t pick_value(const std::string& name, const tensor_choice& choice = {});
tensor pick_tensor(const std::string& name, const tensor_choice& choice = {});
/// a [M x K] with the rows of the choice, b [N x K] with min_b_rows to max_b_rows.
operands pick_operands(const std::string& name, const tensor_choice& choice, int64_t min_b_rows, int64_t max_b_rows);
policy pick_policy(const std::string& name, const policy_choice& choice);
placement pick_placement(const std::string& name);

/// A permutation of 0 .. n-1; simpler has more numbers in their place.
std::vector<int64_t> pick_permutation(const std::string& name, int64_t n);
/// 0 to max_count different numbers of 0 .. n-1, ascending; simpler has fewer.
std::vector<int32_t> pick_subset(const std::string& name, int64_t n, int64_t max_count);

/// Codes and scales of an MXFP4 matrix, scale bytes low to high; simpler has zeros, and byte 127 where that is allowed.
struct mx_choice {
  int64_t min_outer = 1, max_outer = 6;
  int64_t min_blocks = 1, max_blocks = 5;
  int32_t low_byte = 0, high_byte = 254;
  bool nan_bytes = false;  ///< now and then 0xFF
};
mx_matrix pick_mx(const std::string& name, const mx_choice& choice = {});

}  // namespace adahop::property
