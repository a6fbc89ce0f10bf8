// Inputs, conversions and comparisons for the tests against the independent implementation.
#include "independent_support.h"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

namespace adahop_test {
namespace {

uint32_t element(source& random, content kind, int row, int col) {
  switch (kind) {
    case content::unit: return random.fp32(122, 129);
    case content::wide: return random.fp32(0, 254);
    case content::tiny: return random.fp32(0, 3);
    case content::huge: return random.fp32(250, 254);
    case content::mixed_blocks: {
      const int block_field = (row * 37 + col / 32 * 11) % 250;
      return random.fp32(block_field, block_field + 4);
    }
    case content::cancelling: {
      // Pairs of equal magnitude and mostly opposite sign at every butterfly distance.
      const uint32_t magnitude = 0x3F800000u + static_cast<uint32_t>(row % 7) * 0x12345u;
      return magnitude | (random.between(0, 1) != 0 ? 0x80000000u : 0u);
    }
    case content::zeros_and_signs: {
      const int draw = random.between(0, 9);
      if (draw == 0) return random.fp32(120, 130);
      return draw % 2 == 0 ? 0u : 0x80000000u;
    }
    case content::nonfinite: {
      const int draw = random.between(0, 63);
      if (draw == 0) return 0x7F800000u | (random.bits() & 0x80000000u);
      if (draw == 1) return 0x7FC10000u | (random.bits() & 0x80000000u);
      return random.fp32(120, 130);
    }
  }
  return 0;
}

std::string hex_difference(size_t index, size_t count, size_t size, uint32_t got, uint32_t expected, int digits) {
  return fmt::format("index {}: got 0x{:0{}X}, expected 0x{:0{}X}; {} of {} differ", index, got, digits, expected,
                     digits, count, size);
}

template <class T>
std::string first_difference(const std::vector<T>& got, const std::vector<T>& expected) {
  if (got.size() != expected.size()) return fmt::format("{} elements, expected {}", got.size(), expected.size());
  size_t count = 0, first = 0;
  for (size_t i = got.size(); i-- > 0;)
    if (got[i] != expected[i]) {
      ++count;
      first = i;
    }
  if (count == 0) return "";
  return hex_difference(first, count, got.size(), got[first], expected[first], static_cast<int>(2 * sizeof(T)));
}

}  // namespace

const char* name(content kind) {
  switch (kind) {
    case content::unit: return "unit";
    case content::wide: return "wide";
    case content::tiny: return "tiny";
    case content::huge: return "huge";
    case content::mixed_blocks: return "mixed blocks";
    case content::cancelling: return "cancelling";
    case content::zeros_and_signs: return "zeros and signs";
    case content::nonfinite: return "nonfinite";
  }
  return "?";
}

independent::fp32_matrix make(source& random, int rows, int cols, content kind, bool bf16_values) {
  independent::fp32_matrix x(rows, cols);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) {
      const uint32_t bits = element(random, kind, r, c);
      x.at(r, c) = bf16_values ? bits & 0xFFFF0000u : bits;
    }
  return x;
}

adahop::matrix<float> to_floats(const independent::fp32_matrix& x) {
  adahop::matrix<float> out(x.rows, x.cols);
  for (size_t i = 0; i < x.bits.size(); ++i) out.data[i] = std::bit_cast<float>(x.bits[i]);
  return out;
}

adahop::matrix<adahop::bf16> to_bf16s(const independent::fp32_matrix& x) {
  adahop::matrix<adahop::bf16> out(x.rows, x.cols);
  for (size_t i = 0; i < x.bits.size(); ++i) out.data[i].bits = static_cast<uint16_t>(x.bits[i] >> 16);
  return out;
}

independent::fp32_matrix patterns_of(const adahop::matrix<float>& x) {
  independent::fp32_matrix out(static_cast<int>(x.rows), static_cast<int>(x.cols));
  for (size_t i = 0; i < x.data.size(); ++i) out.bits[i] = std::bit_cast<uint32_t>(x.data[i]);
  return out;
}

independent::fp32_matrix patterns_of(const adahop::matrix<adahop::bf16>& x) {
  independent::fp32_matrix out(static_cast<int>(x.rows), static_cast<int>(x.cols));
  for (size_t i = 0; i < x.data.size(); ++i) out.bits[i] = uint32_t{x.data[i].bits} << 16;
  return out;
}

adahop::mx_matrix packed(const independent::mx_tensor& x) {
  adahop::mx_matrix out(x.outer, x.inner);
  for (size_t i = 0; i < out.codes.size(); ++i)
    out.codes[i] = static_cast<uint8_t>(x.codes[2 * i] + 16 * x.codes[2 * i + 1]);
  out.scales = x.scales;
  return out;
}

independent::scale_rule rule_of(int32_t scale_rule) {
  switch (scale_rule) {
    case ADAHOP_SCALE_FLOOR: return independent::scale_rule::floor;
    case ADAHOP_SCALE_CEIL: return independent::scale_rule::ceil;
    case ADAHOP_SCALE_EVEN: return independent::scale_rule::even;
    case ADAHOP_SCALE_RCEIL: return independent::scale_rule::rceil;
    default: throw std::invalid_argument(fmt::format("scale rule {}", scale_rule));
  }
}

independent::pattern pattern_of(int32_t pattern) {
  switch (pattern) {
    case ADAHOP_PATTERN_NONE: return independent::pattern::none;
    case ADAHOP_PATTERN_ROW: return independent::pattern::row;
    case ADAHOP_PATTERN_COLUMN: return independent::pattern::column;
    default: throw std::invalid_argument(fmt::format("pattern {}", pattern));
  }
}

independent::rounding rounding_of(const adahop_policy& policy) {
  switch (policy.element_rounding) {
    case ADAHOP_ROUND_RNE: return {};
    case ADAHOP_ROUND_STOCHASTIC:
      return {independent::element_rounding::stochastic, policy.sr_bits, policy.sr_seed, policy.sr_offset};
    case ADAHOP_ROUND_GFX950_SR: return {independent::element_rounding::gfx950, 0, policy.sr_seed, 0};
    default: throw std::invalid_argument(fmt::format("element rounding {}", policy.element_rounding));
  }
}

independent::transform transform_of(const adahop_policy& policy) {
  return {policy.hadamard_size, policy.hadamard_signs == ADAHOP_SIGNS_RANDOM, policy.hadamard_seed,
          policy.hadamard_output == ADAHOP_BF16};
}

independent::mx_accumulation mx_accumulation_of(const adahop_policy& policy) {
  using model = independent::mx_model;
  switch (policy.gemm_model) {
    case ADAHOP_GEMM_BLOCK_RNE: return {model::block_rne, 0};
    case ADAHOP_GEMM_EXACT_SUM: return {model::exact_sum, 0};
    case ADAHOP_GEMM_MFMA_FUSED: return {model::mfma_fused, policy.gemm_model_param};
    case ADAHOP_GEMM_MFMA_SEQ: return {model::mfma_seq, 0};
    case ADAHOP_GEMM_CDNA3_TRFDPA: return {model::cdna3_trfdpa, policy.gemm_model_param};
    case ADAHOP_GEMM_CDNA3_GTRFDPA: return {model::cdna3_gtrfdpa, policy.gemm_model_param};
    case ADAHOP_GEMM_BLOCK_FIRST_FDPA: return {model::block_first_fdpa, policy.gemm_model_param};
    default: throw std::invalid_argument(fmt::format("gemm model {}", policy.gemm_model));
  }
}

independent::bf16_accumulation bf16_accumulation_of(const adahop_policy& policy) {
  switch (policy.bf16_gemm_model) {
    case ADAHOP_BF16_SEQ_FMA: return {independent::bf16_model::seq_fma, 0};
    case ADAHOP_BF16_EXACT_SUM: return {independent::bf16_model::exact_sum, 0};
    case ADAHOP_BF16_CDNA3_TRFDPA: return {independent::bf16_model::cdna3_trfdpa, policy.bf16_gemm_model_param};
    default: throw std::invalid_argument(fmt::format("BF16 gemm model {}", policy.bf16_gemm_model));
  }
}

independent::product_policy product_policy_of(const adahop_policy& policy) {
  independent::product_policy out;
  out.rule = rule_of(policy.scale_rule);
  out.min_scale_byte = policy.min_scale_byte;
  out.elements = rounding_of(policy);
  out.hadamard = transform_of(policy);
  out.mx = mx_accumulation_of(policy);
  out.bf16 = bf16_accumulation_of(policy);
  out.output_bf16 = policy.output == ADAHOP_BF16;
  out.oe_k = policy.oe_k;
  out.foid_window = policy.foid_window;
  out.left_oe_on_dw_is_iht = policy.left_oe_on_dw == ADAHOP_LEFT_OE_PORT;
  return out;
}

adahop_exec host_exec() {
  adahop_exec exec{};
  exec.struct_size = sizeof exec;
  exec.mode = ADAHOP_MODE_BITEXACT;
  exec.memory = ADAHOP_MEMORY_HOST;
  return exec;
}

adahop_policy policy_with(const std::string& settings) {
  adahop::result<adahop::policy> parsed = adahop::parse_policy(settings, adahop::default_policy());
  if (!parsed.ok()) throw std::invalid_argument(parsed.why().message());
  return parsed.value();
}

std::string difference(const std::vector<uint32_t>& got, const std::vector<uint32_t>& expected) {
  return first_difference(got, expected);
}

std::string difference(const std::vector<uint8_t>& got, const std::vector<uint8_t>& expected) {
  return first_difference(got, expected);
}

}  // namespace adahop_test
