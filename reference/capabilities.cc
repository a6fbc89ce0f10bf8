// The check of a policy against the capability record. Implements SPEC 1.7, 13.1.
#include "reference/capabilities.h"

#include <fmt/format.h>

#include <bit>

namespace adahop::reference {

status check_policy(const policy* p) {
  if (p == nullptr) return invalid_argument("policy: is null");
  ADAHOP_TRY(validate(*p));
  const struct {
    const char* field;
    int32_t value;
    uint32_t claimed;
  } fields[] = {
      {"scale_rule", p->scale_rule, kCapabilities.scale_rules},
      {"element_rounding", p->element_rounding, kCapabilities.element_roundings},
      {"nonfinite", p->nonfinite, kCapabilities.nonfinite},
      // The mask's bit 0 stands for size 16, bit 1 for 32, and so on.
      {"hadamard_size", std::countr_zero(static_cast<uint32_t>(p->hadamard_size)) - 4, kCapabilities.hadamard_sizes},
      {"hadamard_signs", p->hadamard_signs, kCapabilities.hadamard_signs},
      {"hadamard_output", p->hadamard_output, kCapabilities.hadamard_outputs},
      {"gemm_model", p->gemm_model, kCapabilities.gemm_models},
      {"bf16_gemm_model", p->bf16_gemm_model, kCapabilities.bf16_gemm_models},
      {"output", p->output, kCapabilities.outputs},
      {"left_oe_on_dw", p->left_oe_on_dw, kCapabilities.left_oe_on_dw},
      {"pad", p->pad, kCapabilities.pads},
      {"nibble_order", p->nibble_order, kCapabilities.nibble_orders},
      {"scale_layout", p->scale_layout, kCapabilities.scale_layouts},
  };
  for (const auto& f : fields)
    if ((f.claimed >> f.value & 1u) == 0)
      return unsupported(fmt::format("policy: {}: the reference does not claim this value; policy is {}", f.field,
                                     canonical_line(*p)));
  return {};
}

}  // namespace adahop::reference
