// Bytes to a whole product, and what is known of its MX part. Implements the fuzzers' side of SPEC 5.15, 5.22, chapters 8
// and 11.
#include "fuzz/product_calls.h"

#include "adahop/plan.h"
#include "conformance/judge/native.h"
#include "conformance/suites/chain.h"
#include "fuzz/differential.h"
#include "fuzz/model_facts.h"
#include "fuzz/operation_calls.h"
#include "fuzz/tensors.h"
#include "reference/extent.h"

namespace adahop::fuzz {
namespace {

using namespace adahop::conformance;

constexpr int64_t kMostSide = 70, kMostK = 256;
// Outputs times K: what one execution may cost.
constexpr int64_t kMostWork = int64_t{1} << 16;

// The policy under which the right operand is quantized (SPEC 5.22).
policy right_policy(policy p, int64_t m, int64_t k) {
  if (p.element_rounding == ADAHOP_ROUND_STOCHASTIC) p.sr_offset += static_cast<uint64_t>(m * k);
  if (p.element_rounding == ADAHOP_ROUND_GFX950_SR) p.sr_seed += 1;
  return p;
}

// The quantized operands of the MX part, by the reference under block_nan.
struct mx_part {
  call left, right;
};

mx_part mx_part_of(const context& ctx, const policy& p, strategy how, const view_input& a, const view_input& b) {
  index_input left = no_indices("zeroed"), right = no_indices("zeroed");
  if (how == strategy::oe_left) left = reference_outliers(ctx, p, a).value();
  if (how == strategy::oe_right) right = reference_outliers(ctx, p, b).value();
  const int64_t k = reference::extended_inner(p, a.view.cols);
  return {hadamard_quantize_call(p, a, left), hadamard_quantize_call(right_policy(p, a.view.rows, k), b, right)};
}

}  // namespace

product_calls read_product(input& in) {
  product what;
  what.level = in.flag() ? 2 : 1;
  const pattern_pair pair = in.pick(kAllPairs);
  what.left = pair.left;
  what.right = pair.right;
  what.path = in.pick(kPaths);
  policy p = read_policy(in, ADAHOP_OP_MATMUL);
  const int64_t k = read_inner(in, p, true, 1, kMostK);
  const int64_t m = in.integer(1, kMostSide), n = in.integer(1, std::min(kMostSide, std::max<int64_t>(1, kMostWork / (m * k))));
  const view_input a = read_view(in, "a", ADAHOP_BF16, m, k), b = read_view(in, "b", ADAHOP_BF16, n, k);
  call c = matmul_call(p, what, a, b, in.flag());
  read_surroundings(in, c);

  const context ctx{&reference(), 0, nullptr};
  const strategy how = strategy_of(what.level, pair, what.path, static_cast<adahop_left_oe_on_dw>(p.left_oe_on_dw));
  policy claimed = p;  // under which the reference runs the parts
  claimed.nonfinite = ADAHOP_NONFINITE_BLOCK_NAN;
  claimed.nibble_order = ADAHOP_NIBBLES_LINEAR;
  if (how == strategy::bf16) {
    c.expected = expected_status(p, false);
  } else {
    const mx_part parts = mx_part_of(ctx, claimed, how, a, b);
    c.expected = expected_status(p, meets_nonfinite(parts.left) || meets_nonfinite(parts.right));
  }
  call native = c;
  if (c.expected != ADAHOP_OK) {
    native.native = std::make_shared<native_facts>();  // there are no outputs to judge
  } else if (how == strategy::bf16) {
    native = native_form(c, nullptr);
  } else {
    const mx_part parts = mx_part_of(ctx, claimed, how, a, b);
    const call product = mx_gemm_call(claimed, reference_codes(ctx, parts.left, "a, quantized").value(),
                                      reference_codes(ctx, parts.right, "b, quantized").value(), ADAHOP_F32, false);
    native = native_form(c, &product);
  }
  return {std::move(c), std::move(native)};
}

}  // namespace adahop::fuzz
