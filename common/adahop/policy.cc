// Text form, presets and validation of the policy record. Implements SPEC 4.1-4.6.
#include "adahop/policy.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace adahop {
namespace {

// One name of an enumerated field; `arguments` is how many integers stand in parentheses behind it.
struct choice {
  std::string_view name;
  int32_t value;
  int arguments = 0;
};

enum class kind { choice, integer, real };

// One field of the record: where it lives, what it may be.
struct field {
  std::string_view key;
  kind what;
  int32_t policy::*integer = nullptr;
  double policy::*real = nullptr;
  std::vector<choice> choices = {};
};

const std::vector<field>& fields() {
  static const std::vector<field> table = {
      {"scale_rule", kind::choice, &policy::scale_rule, nullptr,
       {{"floor", ADAHOP_SCALE_FLOOR}, {"ceil", ADAHOP_SCALE_CEIL}, {"even", ADAHOP_SCALE_EVEN}, {"rceil", ADAHOP_SCALE_RCEIL}}},
      {"min_scale_byte", kind::integer, &policy::min_scale_byte},
      {"element_rounding", kind::choice, &policy::element_rounding, nullptr,
       {{"rne", ADAHOP_ROUND_RNE}, {"stochastic", ADAHOP_ROUND_STOCHASTIC, 3}, {"gfx950_sr", ADAHOP_ROUND_GFX950_SR, 1}}},
      {"nonfinite", kind::choice, &policy::nonfinite, nullptr,
       {{"block_nan", ADAHOP_NONFINITE_BLOCK_NAN}, {"reject", ADAHOP_NONFINITE_REJECT}}},
      {"hadamard_size", kind::integer, &policy::hadamard_size},
      {"hadamard_signs", kind::choice, &policy::hadamard_signs, nullptr,
       {{"none", ADAHOP_SIGNS_NONE}, {"random", ADAHOP_SIGNS_RANDOM, 1}}},
      {"hadamard_output", kind::choice, &policy::hadamard_output, nullptr, {{"bf16", ADAHOP_BF16}, {"f32", ADAHOP_F32}}},
      {"gemm_model", kind::choice, &policy::gemm_model, nullptr,
       {{"block_rne", ADAHOP_GEMM_BLOCK_RNE}, {"exact_sum", ADAHOP_GEMM_EXACT_SUM}, {"mfma_fused", ADAHOP_GEMM_MFMA_FUSED, 1},
        {"mfma_seq", ADAHOP_GEMM_MFMA_SEQ}, {"cdna3_trfdpa", ADAHOP_GEMM_CDNA3_TRFDPA, 1},
        {"cdna3_gtrfdpa", ADAHOP_GEMM_CDNA3_GTRFDPA, 1}, {"block_first_fdpa", ADAHOP_GEMM_BLOCK_FIRST_FDPA, 1}}},
      {"bf16_gemm_model", kind::choice, &policy::bf16_gemm_model, nullptr,
       {{"seq_fma", ADAHOP_BF16_SEQ_FMA}, {"exact_sum", ADAHOP_BF16_EXACT_SUM}, {"cdna3_trfdpa", ADAHOP_BF16_CDNA3_TRFDPA, 1}}},
      {"output", kind::choice, &policy::output, nullptr, {{"bf16", ADAHOP_BF16}, {"f32", ADAHOP_F32}}},
      {"pattern_ratio", kind::real, nullptr, &policy::pattern_ratio},
      {"pattern_eps", kind::real, nullptr, &policy::pattern_eps},
      {"oe_k", kind::integer, &policy::oe_k},
      {"foid_window", kind::integer, &policy::foid_window},
      {"left_oe_on_dw", kind::choice, &policy::left_oe_on_dw, nullptr,
       {{"published", ADAHOP_LEFT_OE_PUBLISHED}, {"port", ADAHOP_LEFT_OE_PORT}}},
      {"pad", kind::choice, &policy::pad, nullptr, {{"error", ADAHOP_PAD_ERROR}, {"zero", ADAHOP_PAD_ZERO}}},
      {"nibble_order", kind::choice, &policy::nibble_order, nullptr,
       {{"linear", ADAHOP_NIBBLES_LINEAR}, {"ggml_split", ADAHOP_NIBBLES_GGML_SPLIT}}},
      {"scale_layout", kind::choice, &policy::scale_layout, nullptr,
       {{"linear", ADAHOP_LAYOUT_LINEAR}, {"gfx950_shuffle", ADAHOP_LAYOUT_GFX950_SHUFFLE}}},
  };
  return table;
}

template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// The parenthesised arguments of the choices that have some, in the record.
void get_arguments(const policy& p, std::string_view key, std::vector<uint64_t>& out) {
  if (key == "element_rounding" && p.element_rounding == ADAHOP_ROUND_STOCHASTIC)
    out = {static_cast<uint64_t>(p.sr_bits), p.sr_seed, p.sr_offset};
  else if (key == "element_rounding" && p.element_rounding == ADAHOP_ROUND_GFX950_SR)
    out = {p.sr_seed};
  else if (key == "hadamard_signs" && p.hadamard_signs == ADAHOP_SIGNS_RANDOM)
    out = {p.hadamard_seed};
  else if (key == "gemm_model" && p.gemm_model_param != 0)
    out = {static_cast<uint64_t>(p.gemm_model_param)};
  else if (key == "bf16_gemm_model" && p.bf16_gemm_model_param != 0)
    out = {static_cast<uint64_t>(p.bf16_gemm_model_param)};
}

// A 32-bit field from a parsed 64-bit argument; what does not fit becomes -1, which validate() refuses.
int32_t narrow(uint64_t v) { return v <= 0x7FFFFFFFu ? static_cast<int32_t>(v) : -1; }

void set_arguments(policy& p, std::string_view key, const std::vector<uint64_t>& in) {
  const auto argument = [&](size_t i) { return i < in.size() ? in[i] : uint64_t{0}; };
  if (key == "element_rounding") {
    const bool stochastic = p.element_rounding == ADAHOP_ROUND_STOCHASTIC;
    p.sr_bits = stochastic ? narrow(argument(0)) : 0;
    p.sr_seed = stochastic ? argument(1) : argument(0);
    p.sr_offset = argument(2);
  } else if (key == "hadamard_signs") {
    p.hadamard_seed = argument(0);
  } else if (key == "gemm_model") {
    p.gemm_model_param = narrow(argument(0));
  } else if (key == "bf16_gemm_model") {
    p.bf16_gemm_model_param = narrow(argument(0));
  }
}

std::string choice_names(const field& f) {
  std::string names;
  for (const choice& c : f.choices) {
    if (!names.empty()) names += ", ";
    names += c.name;
    if (c.arguments == 1) names += f.key == "gemm_model" || f.key == "bf16_gemm_model" ? "(n)" : "(seed)";
    if (c.arguments == 3) names += "(bits,seed,offset)";
  }
  return names;
}

// "key=value".
std::string text_of(const policy& p, const field& f) {
  if (f.what == kind::integer) return fmt::format("{}={}", f.key, p.*f.integer);
  if (f.what == kind::real) return fmt::format("{}={}", f.key, p.*f.real);
  std::string text = fmt::format("{}=", f.key);
  for (const choice& c : f.choices)
    if (c.value == p.*f.integer) text += c.name;
  std::vector<uint64_t> arguments;
  get_arguments(p, f.key, arguments);
  if (!arguments.empty()) text += fmt::format("({})", fmt::join(arguments, ","));
  return text;
}

status set_choice(policy& p, const field& f, std::string_view text) {
  std::vector<uint64_t> arguments;
  std::string_view head = text;
  const auto wrong = [&] {
    return invalid_argument(fmt::format("policy: {}={}: expected one of {}", f.key, text, choice_names(f)));
  };
  if (const size_t open = text.find('('); open != text.npos) {
    if (text.back() != ')') return wrong();
    head = text.substr(0, open);
    std::string_view inside = text.substr(open + 1, text.size() - open - 2);
    while (true) {
      const size_t comma = inside.find(',');
      const auto number = parse_number<uint64_t>(inside.substr(0, comma));
      if (!number) return wrong();
      arguments.push_back(*number);
      if (comma == inside.npos) break;
      inside.remove_prefix(comma + 1);
    }
  }
  for (const choice& c : f.choices) {
    if (c.name != head) continue;
    if (static_cast<size_t>(c.arguments) != arguments.size()) return wrong();
    p.*f.integer = c.value;
    set_arguments(p, f.key, arguments);
    return {};
  }
  return wrong();
}

status set_field(policy& p, std::string_view key, std::string_view text) {
  for (const field& f : fields()) {
    if (f.key != key) continue;
    switch (f.what) {
      case kind::choice: return set_choice(p, f, text);
      case kind::integer: {
        const auto number = parse_number<int32_t>(text);
        if (!number && parse_number<int64_t>(text))
          return invalid_argument(fmt::format("policy: {}={}: is out of range for a 32-bit integer", key, text));
        if (!number) return invalid_argument(fmt::format("policy: {}={}: expected an integer", key, text));
        p.*f.integer = *number;
        return {};
      }
      case kind::real: {
        const auto number = parse_number<double>(text);
        if (!number) return invalid_argument(fmt::format("policy: {}={}: expected a number", key, text));
        p.*f.real = *number;
        return {};
      }
    }
  }
  std::string keys;
  for (const field& f : fields()) keys += fmt::format("{}{}", keys.empty() ? "" : ", ", f.key);
  return invalid_argument(fmt::format("policy: unknown key '{}': expected one of {}", key, keys));
}

constexpr std::array<preset, 4> kPresets{{
    {"default", "", "EVEN scale, byte 0 allowed, RNE, NaN blocks, BF16 output"},
    {"ocp", "scale_rule=floor", "the OCP MX v1.0 rule: floor(log2 amax) - 2"},
    {"adahop_port", "min_scale_byte=1,left_oe_on_dw=port", "what AMD's port of AdaHOP does"},
    {"rceil", "scale_rule=rceil", "smallest scale that never clips"},
}};

}  // namespace

policy default_policy() {
  policy p{};
  p.struct_size = sizeof(policy);
  p.scale_rule = ADAHOP_SCALE_EVEN;
  p.hadamard_size = 32;
  p.hadamard_output = ADAHOP_BF16;
  p.output = ADAHOP_BF16;
  p.pattern_ratio = 2.0;
  p.pattern_eps = 1e-8;
  p.oe_k = 64;
  p.foid_window = 64;
  return p;
}

std::span<const preset> presets() { return kPresets; }

result<policy> preset_policy(std::string_view name) {
  std::string known;
  for (const preset& p : kPresets) {
    if (p.name == name) return parse_policy(p.line, default_policy());
    known += fmt::format("{}{}", known.empty() ? "" : ", ", p.name);
  }
  return invalid_argument(fmt::format("preset '{}': expected one of {}", name, known));
}

result<policy> parse_policy(std::string_view text, const policy& base) {
  policy p = base;
  while (!text.empty()) {
    // A comma inside parentheses separates arguments, not fields.
    size_t end = 0;
    for (int depth = 0; end < text.size() && (depth > 0 || text[end] != ','); ++end)
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    const std::string_view item = text.substr(0, end);
    const size_t equals = item.find('=');
    if (equals == item.npos) return invalid_argument(fmt::format("policy: '{}': expected key=value", item));
    if (status s = set_field(p, item.substr(0, equals), item.substr(equals + 1)); !s.ok()) return s;
    if (end < text.size() && end + 1 == text.size()) return invalid_argument("policy: nothing follows the last comma");
    text.remove_prefix(end < text.size() ? end + 1 : end);
  }
  if (status s = validate(p); !s.ok()) return s;
  return p;
}

std::string canonical_line(const policy& p) {
  std::string line = "adahop-policy/1 ";
  bool first = true;
  for (const field& f : fields()) {
    if (!first) line += ',';
    first = false;
    line += text_of(p, f);
  }
  return line;
}

std::string field_text(const policy& p, std::string_view key) {
  for (const field& f : fields())
    if (f.key == key) return text_of(p, f);
  return {};
}

std::string policy_hash(const policy& p) {
  const std::string line = canonical_line(p);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  // EVP_Digest fails only when the library has no SHA-256 at all; the hash of such a build would be a lie, so stop.
  if (EVP_Digest(line.data(), line.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) std::abort();
  std::string hex;
  for (unsigned i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

status validate(const policy& p) {
  const auto wrong = [](std::string_view key, std::string_view expected) {
    return invalid_argument(fmt::format("policy: {}: expected {}", key, expected));
  };
  if (p.struct_size != sizeof(policy)) return wrong("struct_size", "the size of adahop_policy");
  for (const field& f : fields()) {
    if (f.what != kind::choice) continue;
    bool known = false;
    for (const choice& c : f.choices) known = known || c.value == p.*f.integer;
    if (!known) return wrong(f.key, choice_names(f));
  }
  if (p.min_scale_byte != 0 && p.min_scale_byte != 1) return wrong("min_scale_byte", "0 or 1");
  if (p.element_rounding == ADAHOP_ROUND_STOCHASTIC && (p.sr_bits < 1 || p.sr_bits > 32))
    return wrong("element_rounding", "1 to 32 random bits");
  const int32_t h = p.hadamard_size;
  if (h != 16 && h != 32 && h != 64 && h != 128) return wrong("hadamard_size", "16, 32, 64 or 128");
  const int32_t n = p.gemm_model_param;
  switch (p.gemm_model) {
    case ADAHOP_GEMM_MFMA_FUSED:
      if (n != 2 && n != 4) return wrong("gemm_model", "mfma_fused(2) or mfma_fused(4)");
      break;
    case ADAHOP_GEMM_CDNA3_TRFDPA:
    case ADAHOP_GEMM_CDNA3_GTRFDPA:
      if (n != 16 && n != 32 && n != 64 && n != 128) return wrong("gemm_model", "a group length of 16, 32, 64 or 128");
      break;
    case ADAHOP_GEMM_BLOCK_FIRST_FDPA:
      if (n != 1 && n != 2 && n != 4) return wrong("gemm_model", "block_first_fdpa(1), (2) or (4)");
      break;
    default:
      // 0 is what backend.h asks for; the text form has no place for another (SPEC 4.5, 4.7).
      if (n != 0) return wrong("gemm_model", "no number with this model");
      break;
  }
  const int32_t length = p.bf16_gemm_model_param;
  if (p.bf16_gemm_model == ADAHOP_BF16_CDNA3_TRFDPA && length != 8) return wrong("bf16_gemm_model", "cdna3_trfdpa(8)");
  if (p.bf16_gemm_model != ADAHOP_BF16_CDNA3_TRFDPA && length != 0)
    return wrong("bf16_gemm_model", "no number with this model");
  if (!(p.pattern_ratio > 0) || !std::isfinite(p.pattern_ratio)) return wrong("pattern_ratio", "a finite number above 0");
  if (!(p.pattern_eps >= 0) || !std::isfinite(p.pattern_eps)) return wrong("pattern_eps", "a finite number, at least 0");
  if (p.oe_k < 1) return wrong("oe_k", "at least 1");
  if (p.foid_window != 32 && p.foid_window != 64) return wrong("foid_window", "32 or 64");
  return {};
}

}  // namespace adahop
