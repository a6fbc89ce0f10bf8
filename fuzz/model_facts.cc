// Certificate and bound by the reference, and the judge's comparison with them.
#include "fuzz/model_facts.h"

#include <fmt/format.h>

#include <utility>

#include "adahop/tensor.h"
#include "conformance/suites/native_facts.h"
#include "fuzz/differential.h"
#include "reference/bound.h"
#include "reference/certificate.h"

namespace adahop::fuzz {
namespace {

using namespace adahop::conformance;

constexpr uint8_t kGarbage = 0x3C;

call under_exact_sum(call c) {
  c.rules.gemm_model = ADAHOP_GEMM_EXACT_SUM;
  c.rules.gemm_model_param = 0;
  c.rules.bf16_gemm_model = ADAHOP_BF16_EXACT_SUM;
  c.rules.bf16_gemm_model_param = 0;
  return c;
}

// Of a BF16 product: certificate, bound and exact sums in FP32.
native_facts bf16_facts(const call& c) {
  call exact = under_exact_sum(c);
  exact.outputs[0].kind = element::f32;
  const execution ran = execute(exact, reference(), kGarbage);
  const guarded_array& out = ran.outputs[0];
  native_facts facts;
  facts.exact = matrix<float>(out.spec().rows, out.spec().cols);
  for (int64_t m = 0; m < facts.exact.rows; ++m)
    for (int64_t n = 0; n < facts.exact.cols; ++n) facts.exact.at(m, n) = float_of(static_cast<uint32_t>(out.bits(m, n)));
  const adahop_view& a = std::get<view_input>(c.inputs[0]).view;
  const adahop_view& b = std::get<view_input>(c.inputs[1]).view;
  facts.certified = reference::certify_bf16(a, b);
  facts.bound = reference::error_bounds_bf16(a, b);
  return facts;
}

}  // namespace

call native_form(const call& c, const call* mx_part) {
  call on_host = c;  // the reference, which gives the facts, has no other memory
  on_host.memory = ADAHOP_MEMORY_HOST;
  call native = in_native_mode({&reference(), 0, nullptr}, std::move(on_host), mx_part).value();
  native.memory = c.memory;
  return native;
}

bool model_agrees(const call& c, const execution& ran, outcome& o) {
  std::shared_ptr<const native_facts> facts;
  if (c.op == ADAHOP_OP_MX_GEMM)
    facts = native_form(c, &c).native;
  else if (c.op == ADAHOP_OP_BF16_GEMM)
    facts = std::make_shared<native_facts>(bf16_facts(c));
  else
    return true;
  execution exact = execute(under_exact_sum(c), reference(), kGarbage);
  const auto found = compare_native(exact.outputs[0], ran.outputs[0], *facts, o.native);
  if (!found) return true;
  o.what = verdict::failed;
  o.reason = found->rule;
  o.differs = found->where;
  o.expected = std::move(exact);
  o.got = ran;
  return false;
}

}  // namespace adahop::fuzz
