// The policy record: defaults, canonical line, hash, presets, parsing and its errors.
#include <algorithm>

#include "reference_support.h"

using namespace adahop;
using test::policy_with;

namespace {

// SPEC 4.2, copied.
constexpr std::string_view kDefaults =
    "scale_rule=even,min_scale_byte=0,element_rounding=rne,nonfinite=block_nan,hadamard_size=32,hadamard_signs=none,"
    "hadamard_output=bf16,gemm_model=block_rne,bf16_gemm_model=seq_fma,output=bf16,pattern_ratio=2,pattern_eps=1e-08,"
    "oe_k=64,foid_window=64,left_oe_on_dw=published,pad=error,nibble_order=linear,scale_layout=linear";

constexpr std::string_view kPrefix = "adahop-policy/1 ";

// Every value of every enumerated field and edge values of the others.
constexpr std::string_view kItems[] = {
    "scale_rule=floor", "scale_rule=ceil", "scale_rule=even", "scale_rule=rceil", "min_scale_byte=0", "min_scale_byte=1",
    "element_rounding=rne", "element_rounding=stochastic(1,0,0)",
    "element_rounding=stochastic(32,18446744073709551615,18446744073709551615)", "element_rounding=gfx950_sr(7)",
    "nonfinite=block_nan", "nonfinite=reject", "hadamard_size=16", "hadamard_size=32", "hadamard_size=64",
    "hadamard_size=128", "hadamard_signs=none", "hadamard_signs=random(9)", "hadamard_output=bf16", "hadamard_output=f32",
    "gemm_model=block_rne", "gemm_model=exact_sum", "gemm_model=mfma_fused(2)", "gemm_model=mfma_fused(4)",
    "gemm_model=mfma_seq", "gemm_model=cdna3_trfdpa(16)", "gemm_model=cdna3_gtrfdpa(128)", "gemm_model=block_first_fdpa(4)",
    "bf16_gemm_model=seq_fma", "bf16_gemm_model=exact_sum", "bf16_gemm_model=cdna3_trfdpa(8)", "output=bf16", "output=f32",
    "pattern_ratio=1.5", "pattern_ratio=0.1", "pattern_eps=0", "pattern_eps=1e-300", "oe_k=1", "oe_k=2147483647",
    "foid_window=32", "foid_window=64", "left_oe_on_dw=published", "left_oe_on_dw=port", "pad=error", "pad=zero",
    "nibble_order=linear", "nibble_order=ggml_split", "scale_layout=linear", "scale_layout=gfx950_shuffle"};

}  // namespace

TEST_CASE("the defaults and their canonical line", "[spec:4.1][spec:4.2][spec:4.3]") {
  const policy p = default_policy();
  CHECK(canonical_line(p) == std::string(kPrefix) + std::string(kDefaults));
  CHECK(p.struct_size == sizeof(adahop_policy));
  CHECK(p.scale_rule == ADAHOP_SCALE_EVEN);
  CHECK(p.min_scale_byte == 0);
  CHECK(p.element_rounding == ADAHOP_ROUND_RNE);
  CHECK(p.nonfinite == ADAHOP_NONFINITE_BLOCK_NAN);
  CHECK(p.hadamard_size == 32);
  CHECK(p.hadamard_output == ADAHOP_BF16);
  CHECK(p.gemm_model == ADAHOP_GEMM_BLOCK_RNE);
  CHECK(p.bf16_gemm_model == ADAHOP_BF16_SEQ_FMA);
  CHECK(p.output == ADAHOP_BF16);
  CHECK(p.pattern_ratio == 2.0);
  CHECK(p.pattern_eps == 1e-8);
  CHECK(p.oe_k == 64);
  CHECK(p.foid_window == 64);
}

TEST_CASE("one field as the canonical line has it", "[spec:4.3]") {
  for (const std::string_view item : kItems) {
    const policy p = policy_with(item);
    const std::string text = field_text(p, item.substr(0, item.find('=')));
    CHECK(text == item);
    CHECK((canonical_line(p) + ',').find(text + ',') != std::string::npos);
  }
  CHECK(field_text(default_policy(), "model").empty());
}

TEST_CASE("the hash is the SHA-256 of the canonical line", "[spec:4.4]") {
  // From Python's hashlib over the line of the defaults.
  CHECK(policy_hash(default_policy()) == "365476d0edc76da9a2b49b87f7d2b9c877527a99143e1934e6b25fc88c501238");
  std::vector<std::string> hashes;
  for (const std::string_view item : kItems) hashes.push_back(policy_hash(policy_with(item)));
  std::sort(hashes.begin(), hashes.end());
  // 15 of the items say a default, so they share one hash.
  const auto distinct = std::unique(hashes.begin(), hashes.end()) - hashes.begin();
  CHECK(distinct == std::ssize(hashes) - 14);
}

TEST_CASE("a canonical line parses back to the same record", "[spec:4.3][spec:4.5]") {
  // Also from a base in which everything differs from the defaults.
  policy other = policy_with(
      "scale_rule=floor,min_scale_byte=1,element_rounding=stochastic(8,1,2),nonfinite=reject,hadamard_size=64,"
      "hadamard_signs=random(3),hadamard_output=f32,gemm_model=mfma_fused(4),bf16_gemm_model=cdna3_trfdpa(8),output=f32,"
      "pattern_ratio=3,pattern_eps=0,oe_k=1,foid_window=32,left_oe_on_dw=port,pad=zero,nibble_order=ggml_split,"
      "scale_layout=gfx950_shuffle");
  for (const std::string_view item : kItems) {
    INFO(item);
    const policy p = policy_with(item);
    const std::string line = canonical_line(p);
    CHECK(line.find(item) != std::string::npos);
    REQUIRE(line.starts_with(kPrefix));
    const result<policy> again = parse_policy(line.substr(kPrefix.size()), other);
    REQUIRE(again.ok());
    CHECK(canonical_line(again.value()) == line);
    CHECK(again->sr_seed == p.sr_seed);
    CHECK(again->sr_offset == p.sr_offset);
    CHECK(again->sr_bits == p.sr_bits);
    CHECK(again->hadamard_seed == p.hadamard_seed);
    CHECK(again->gemm_model_param == p.gemm_model_param);
    CHECK(again->bf16_gemm_model_param == p.bf16_gemm_model_param);
    CHECK(again->pattern_ratio == p.pattern_ratio);
    CHECK(again->pattern_eps == p.pattern_eps);
  }
}

TEST_CASE("the presets", "[spec:4.6]") {
  const auto line = [](std::string_view name) {
    const result<policy> p = preset_policy(name);
    REQUIRE(p.ok());
    return canonical_line(p.value());
  };
  CHECK(line("default") == canonical_line(default_policy()));
  CHECK(line("ocp") == canonical_line(policy_with("scale_rule=floor")));
  CHECK(line("adahop_port") == canonical_line(policy_with("min_scale_byte=1,left_oe_on_dw=port")));
  CHECK(line("rceil") == canonical_line(policy_with("scale_rule=rceil")));
  CHECK(presets().size() == 4);
  const result<policy> unknown = preset_policy("nvidia");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.why().code() == ADAHOP_INVALID_ARGUMENT);
  CHECK(unknown.why().message().find("adahop_port") != std::string::npos);
}

TEST_CASE("a wrong key, value or range is an error that says what was expected", "[spec:4.7][spec:1.7]") {
  const struct {
    std::string_view text, names;
  } cases[] = {
      {"scale_rul=even", "scale_rule"},
      {"scale_rule=nearest", "rceil"},
      {"scale_rule=", "floor"},
      {"scale_rule", "key=value"},
      {"scale_rule=even,", "last comma"},
      {"scale_rule=even(1)", "floor"},
      {"min_scale_byte=2", "0 or 1"},
      {"min_scale_byte=-1", "0 or 1"},
      {"min_scale_byte=1x", "integer"},
      {"element_rounding=stochastic(0,0,0)", "1 to 32"},
      {"element_rounding=stochastic(33,0,0)", "1 to 32"},
      {"element_rounding=stochastic(8,0)", "stochastic(bits,seed,offset)"},
      {"element_rounding=stochastic(8,0,0", "stochastic"},
      {"hadamard_size=48", "16, 32, 64 or 128"},
      {"gemm_model=mfma_fused(3)", "mfma_fused(2)"},
      {"gemm_model=cdna3_trfdpa(8)", "16, 32, 64 or 128"},
      {"gemm_model=block_first_fdpa(0)", "(1), (2) or (4)"},
      {"bf16_gemm_model=cdna3_trfdpa(4)", "cdna3_trfdpa(8)"},
      {"pattern_ratio=0", "above 0"},
      {"pattern_ratio=nan", "above 0"},
      {"pattern_ratio=inf", "above 0"},
      {"pattern_ratio=two", "number"},
      {"pattern_eps=-1e-8", "at least 0"},
      {"oe_k=0", "at least 1"},
      {"oe_k=2147483648", "out of range for a 32-bit integer"},
      {"oe_k=99999999999", "out of range for a 32-bit integer"},
      {"foid_window=48", "32 or 64"},
      {"output=fp8", "bf16, f32"},
  };
  for (const auto& c : cases) {
    const result<policy> p = parse_policy(c.text, default_policy());
    INFO(c.text << " -> " << p.why().message());
    REQUIRE_FALSE(p.ok());
    CHECK(p.why().code() == ADAHOP_INVALID_ARGUMENT);
    CHECK(p.why().message().find(c.names) != std::string::npos);
    CHECK(p.why().message().find('\n') == std::string::npos);
  }
  policy wrong_size = default_policy();
  wrong_size.struct_size -= 1;
  CHECK_FALSE(validate(wrong_size).ok());
  policy wrong_enum = default_policy();
  wrong_enum.scale_rule = 4;
  CHECK_FALSE(validate(wrong_enum).ok());
}
