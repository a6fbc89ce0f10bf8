// Inputs of product properties: random ones that follow from a seed, the steps by which a failing one becomes simpler, and
// how they print. No RapidCheck here: product_pick.h draws them.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>

#include "adahop/plan.h"
#include "adahop/policy.h"
#include "adahop/tensor.h"
#include "make_tensor.h"
#include "policies.h"
#include "simpler.h"

namespace adahop::property {

/// How near the ends of the formats an input may come.
enum class reach {
  tame,  ///< finite, and no product, sum or scale near an end of FP32; RNE, no padding, smallest byte 0
  wild   ///< every exponent, subnormals, NaN and Inf; every policy that the reference claims
};

/// a [M x K], b [N x K] of a product of quantized operands, and the models that a policy names. Output is FP32.
struct mx_product {
  policy rules = default_policy();
  mx_matrix a, b;
};

/// The same of BF16 operands.
struct bf16_product {
  policy rules = default_policy();
  tensor_choice from;
  operands ab;
};

/// A whole product: what the C ABI's matmul is told, and its BF16 operands.
struct whole_product {
  policy rules = default_policy();
  int32_t level = 1;
  pattern_pair pair{ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE};
  adahop_path path = ADAHOP_PATH_FORWARD;
  tensor_choice from;
  operands ab;
};

/// `size`, 0 to 100, bounds the shapes. Equal arguments, equal input.
mx_product make_mx_product(reach how, uint64_t seed, int size);
bf16_product make_bf16_product(reach how, uint64_t seed, int size);
whole_product make_whole_product(reach how, uint64_t seed, int size);

/// Simpler inputs of the same kind, most drastic first.
simpler_values<mx_product> simpler(const mx_product& x);
simpler_values<bf16_product> simpler(const bf16_product& x);
simpler_values<whole_product> simpler(const whole_product& x);

/// Shapes, what the call is told, the policy line and hexadecimal bits, repeats counted.
std::ostream& operator<<(std::ostream& os, const mx_product& x);
std::ostream& operator<<(std::ostream& os, const bf16_product& x);
std::ostream& operator<<(std::ostream& os, const whole_product& x);

/// Code `inner` of row `outer` of a matrix in the linear layout.
uint32_t code_at(const mx_matrix& m, int64_t outer, int64_t inner);
void set_code(mx_matrix& m, int64_t outer, int64_t inner, uint32_t code);

/// The defaults with "key=value,..." over them; the text is known to be right.
policy policy_of(const std::string& text, const policy& base = default_policy());

}  // namespace adahop::property
