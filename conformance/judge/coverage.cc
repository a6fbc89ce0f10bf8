// Claims by operation: which policy fields each operation depends on. Implements the judge's side of SPEC 13.1.
#include "conformance/judge/coverage.h"

#include <fmt/format.h>

#include <bit>

#include "conformance/backends/registry.h"

namespace adahop::conformance {
namespace {

// Groups of policy fields, as bits.
constexpr unsigned kQuantizes = 1, kTransforms = 2, kStores = 4, kMxProduct = 8, kBf16Product = 16, kWholeProduct = 32,
                   kPads = 64;

unsigned fields_of(adahop_op op) {
  switch (op) {
    case ADAHOP_OP_QUANTIZE: return kQuantizes | kStores | kPads;
    case ADAHOP_OP_DEQUANTIZE: return kStores | kPads;
    case ADAHOP_OP_HADAMARD: return kTransforms | kPads;
    case ADAHOP_OP_HADAMARD_QUANTIZE: return kQuantizes | kTransforms | kStores | kPads;
    case ADAHOP_OP_SELECT_OUTLIERS: return kPads;
    case ADAHOP_OP_MX_GEMM: return kMxProduct | kStores;
    case ADAHOP_OP_BF16_GEMM: return kBf16Product;
    case ADAHOP_OP_MATMUL: return kQuantizes | kTransforms | kStores | kMxProduct | kBf16Product | kWholeProduct | kPads;
    default: return 0;
  }
}

bool has(uint32_t mask, int32_t value) { return value >= 0 && value < 32 && ((mask >> value) & 1u) != 0; }

// The output type of an operation whose output may be FP32 or BF16; -1 for any other.
int32_t output_dtype(const call& c) {
  if (c.op == ADAHOP_OP_MATMUL) return c.rules.output;
  if (c.op != ADAHOP_OP_MX_GEMM && c.op != ADAHOP_OP_BF16_GEMM && c.op != ADAHOP_OP_SCATTER_ADD) return -1;
  return c.outputs[0].kind == element::bf16 ? ADAHOP_BF16 : ADAHOP_F32;
}

}  // namespace

std::optional<std::string> missing_claim(const adahop_capabilities& have, const call& c) {
  const policy& p = c.rules;
  if (!has(have.ops, c.op)) return fmt::format("operation {}", op_name(c.op));
  const bool native = c.native != nullptr;
  if (!has(have.modes, native ? ADAHOP_MODE_NATIVE : ADAHOP_MODE_BITEXACT)) return native ? "mode native" : "mode bitexact";
  if (!has(have.memories, c.memory)) return c.memory == ADAHOP_MEMORY_DEVICE ? "device memory" : "host memory";
  const unsigned fields = fields_of(c.op);
  const auto lacks = [&](unsigned group, uint32_t mask, int32_t value) {
    return (fields & group) != 0 && !has(mask, value);
  };
  // What pad=zero extends to depends on hadamard_size (SPEC 3.7). hadamard_sizes counts 16, 32, 64, 128 as bits 0 to 3.
  const unsigned sized = kTransforms | (p.pad == ADAHOP_PAD_ZERO ? kPads : 0);
  const int32_t size_bit = std::countr_zero(static_cast<uint32_t>(p.hadamard_size)) - 4;
  if (lacks(kQuantizes, have.scale_rules, p.scale_rule)) return field_text(p, "scale_rule");
  if (lacks(kQuantizes, have.element_roundings, p.element_rounding)) return field_text(p, "element_rounding");
  if (lacks(kQuantizes, have.nonfinite, p.nonfinite)) return field_text(p, "nonfinite");
  if (lacks(kPads, have.pads, p.pad)) return field_text(p, "pad");
  if (lacks(sized, have.hadamard_sizes, size_bit)) return field_text(p, "hadamard_size");
  if (lacks(kTransforms, have.hadamard_signs, p.hadamard_signs)) return field_text(p, "hadamard_signs");
  if (lacks(kTransforms, have.hadamard_outputs, p.hadamard_output)) return field_text(p, "hadamard_output");
  if (lacks(kStores, have.nibble_orders, p.nibble_order)) return field_text(p, "nibble_order");
  if (lacks(kStores, have.scale_layouts, p.scale_layout)) return field_text(p, "scale_layout");
  if (!native && lacks(kMxProduct, have.gemm_models, p.gemm_model)) return field_text(p, "gemm_model");
  if (lacks(kBf16Product, have.bf16_gemm_models, p.bf16_gemm_model)) return field_text(p, "bf16_gemm_model");
  if (lacks(kWholeProduct, have.left_oe_on_dw, p.left_oe_on_dw)) return field_text(p, "left_oe_on_dw");
  const int32_t dtype = output_dtype(c);
  if (dtype >= 0 && !has(have.outputs, dtype)) return dtype == ADAHOP_BF16 ? "output=bf16" : "output=f32";
  return std::nullopt;
}

}  // namespace adahop::conformance
