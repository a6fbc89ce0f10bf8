// Quantization of one block, step by step.
#include <fmt/format.h>

#include <cmath>

#include "conformance/report/explain.h"
#include "reference/quantize.h"
#include "reference/scale.h"
#include "reference/stochastic.h"

namespace adahop::conformance {
namespace {

std::string rule_text(const policy& p, uint32_t amax) {
  const uint32_t exponent = amax >> 23, mantissa = amax & 0x7FFFFFu;
  switch (p.scale_rule) {
    case ADAHOP_SCALE_FLOOR: return fmt::format("floor: b = {} - 2 (SPEC 5.2)", exponent);
    case ADAHOP_SCALE_CEIL: return fmt::format("ceil: b = {} - 2 + {} (SPEC 5.3)", exponent, mantissa != 0 ? 1 : 0);
    case ADAHOP_SCALE_RCEIL: return fmt::format("rceil: b = {} - 2 + {} (SPEC 5.5)", exponent, mantissa > 0x400000u ? 1 : 0);
    default: return fmt::format("even: b = ((0x{:08X} + 0x200000) >> 23) - 2 (SPEC 5.4)", amax);
  }
}

// The random word of an element, where the policy rounds with one.
std::string word_text(const policy& p, int64_t row, int64_t col, int64_t inner) {
  const auto index = static_cast<uint64_t>(row * inner + col);
  if (p.element_rounding == ADAHOP_ROUND_STOCHASTIC)
    return fmt::format(", u = {} of {} bits", reference::stochastic_bits(p.sr_seed, p.sr_offset + index, p.sr_bits), p.sr_bits);
  if (p.element_rounding != ADAHOP_ROUND_GFX950_SR) return {};
  const auto pair = static_cast<uint64_t>(row * ((inner + 1) / 2) + col / 2);
  const reference::gfx950_words words = reference::gfx950_sr_words(p.sr_seed, pair);
  return fmt::format(", word 0x{:08X}", col % 2 == 0 ? words.even : words.odd);
}

std::string code_text(uint64_t code) { return fmt::format("{} ({})", code, value_text(element::e2m1, code)); }

}  // namespace

std::string f32_text(float v) { return fmt::format("0x{:08X} = {}", bits_of(v), value_text(element::f32, bits_of(v))); }

step explain_block(const policy& p, const float* values, int64_t row, int64_t first, int64_t inner,
                   const std::vector<uint64_t>& expected, const std::vector<uint64_t>& got) {
  step s{fmt::format("block {} of row {}: elements {} to {}", first / kBlockSize, row, first, first + kBlockSize - 1),
         "5.1-5.21", {}};
  uint8_t codes[kBlockBytes] = {}, scale = 0;
  reference::quantize_block(p, values, {row, first, inner}, codes, &scale);
  const uint32_t amax = reference::amax_bits(values);
  s.lines.push_back(fmt::format("amax   {} (SPEC 5.1)", f32_text(float_of(amax))));
  if (amax >= 0x7F800000u)
    s.lines.push_back("scale  0xFF and codes 0, as the block holds a NaN or an Inf (SPEC 5.14)");
  else
    s.lines.push_back(fmt::format("scale  byte {} = {}, the larger of min_scale_byte {} and b; rule {}", scale,
                                  value_text(element::e8m0, scale), p.min_scale_byte, rule_text(p, amax)));
  const bool judged = expected.size() == static_cast<size_t>(kBlockSize) && got.size() == expected.size();
  for (int64_t i = 0; i < kBlockSize; ++i) {
    const uint64_t code = code_of(unpack_e2m1(codes[i / 2], static_cast<uint32_t>(i % 2)));
    std::string line = fmt::format("{:>4}  {}", i, f32_text(values[i]));
    if (amax < 0x7F800000u)
      line += fmt::format(", |v| / scale = {}{}", std::ldexp(std::fabs(static_cast<double>(values[i])), 127 - scale),
                          word_text(p, row, first + i, inner));
    line += fmt::format(", code {}", code_text(code));
    if (judged && expected[static_cast<size_t>(i)] != got[static_cast<size_t>(i)])
      line += fmt::format("  <-- got code {}", code_text(got[static_cast<size_t>(i)]));
    s.lines.push_back(std::move(line));
  }
  return s;
}

}  // namespace adahop::conformance
