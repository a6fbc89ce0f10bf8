// The text form of the simulator's options, as set_option() of the C ABI passes them on.
#include "sim/options.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

namespace adahop::hip::sim {
namespace {

template <class T>
std::optional<T> number(std::string_view text, int base = 10) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

status wrong(std::string_view key, std::string_view value, std::string_view expected) {
  return invalid_argument(fmt::format("set_option: {}={}: expected {}", key, value, expected));
}

template <class T, size_t N>
status choose(T& into, std::string_view key, std::string_view value,
              const std::array<std::pair<std::string_view, T>, N>& choices) {
  std::string names;
  for (const auto& [name, choice] : choices) {
    if (value == name) {
      into = choice;
      return {};
    }
    names += fmt::format("{}{}", names.empty() ? "" : " or ", name);
  }
  return wrong(key, value, names);
}

constexpr std::array<std::pair<std::string_view, bool checks::*>, 6> kChecks{{{"uninitialized", &checks::uninitialized},
                                                                              {"pending", &checks::pending},
                                                                              {"races", &checks::races},
                                                                              {"alignment", &checks::alignment},
                                                                              {"outputs", &checks::outputs},
                                                                              {"divergence", &checks::divergence}}};

status set_checks(options& o, std::string_view value) {
  checks chosen;
  for (const auto& [name, member] : kChecks) chosen.*member = value == "all";
  if (value != "all" && value != "none") {
    for (std::string_view rest = value;;) {
      const size_t comma = rest.find(',');
      const std::string_view wanted = rest.substr(0, comma);
      bool known = false;
      for (const auto& [name, member] : kChecks) {
        if (name != wanted) continue;
        chosen.*member = known = true;
      }
      if (!known)
        return wrong("checks", value, "all, none, or a list of uninitialized,pending,races,alignment,outputs,divergence");
      if (comma == rest.npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  o.check = chosen;
  return {};
}

status set_threads(options& o, std::string_view value) {
  const auto threads = number<uint32_t>(value);
  if (!threads || *threads < 1 || *threads > 1024) return wrong("threads", value, "an integer from 1 to 1024");
  o.threads = *threads;
  return {};
}

status set_schedule_seed(options& o, std::string_view value) {
  const auto seed = number<uint64_t>(value);
  if (!seed) return wrong("schedule_seed", value, "an integer from 0 to 2^64 - 1");
  o.schedule_seed = *seed;
  return {};
}

status set_budget(options& o, std::string_view value) {
  const auto budget = number<uint64_t>(value);
  if (!budget || *budget == 0) return wrong("instruction_budget", value, "an integer from 1 to 2^64 - 1");
  o.instruction_budget = *budget;
  return {};
}

status set_rcp_ulp(options& o, std::string_view value) {
  const auto ulps = number<int32_t>(value);
  if (!ulps || *ulps < -1 || *ulps > 1) return wrong("rcp_ulp", value, "-1, 0 or 1");
  o.division.reciprocal_ulps = *ulps;
  return {};
}

status set_mfma_nan(options& o, std::string_view value) {
  const bool hex = value.starts_with("0x");
  const auto pattern = number<uint32_t>(hex ? value.substr(2) : value, hex ? 16 : 10);
  if (!pattern || (*pattern & 0x7FFFFFFFu) <= 0x7F800000u)
    return wrong("mfma_nan", value, "the pattern of an FP32 NaN, as 0x7FC00000");
  o.matrix.nan = *pattern;
  return {};
}

struct setting {
  std::string_view key;
  status (*set)(options&, std::string_view value);
};

constexpr setting kSettings[] = {
    {"checks", set_checks},
    {"threads", set_threads},
    {"schedule_seed", set_schedule_seed},
    {"instruction_budget", set_budget},
    {"mfma_model", [](options& o, std::string_view v) { return set_mfma_model(o.matrix, v); }},
    {"bf16_mfma_model", [](options& o, std::string_view v) { return set_bf16_model(o.matrix, v); }},
    {"mfma_nan", set_mfma_nan},
    {"mfma_scale_ff",
     [](options& o, std::string_view v) {
       return choose(o.matrix.nan_scale, "mfma_scale_ff", v,
                     std::array<std::pair<std::string_view, mfma_nan_scale>, 2>{
                         {{"result_nan", mfma_nan_scale::result_nan}, {"power_of_two", mfma_nan_scale::power_of_two}}});
     }},
    {"nan_to_fp4",
     [](options& o, std::string_view v) {
       return choose(o.conversion.nan, "nan_to_fp4", v,
                     std::array<std::pair<std::string_view, nan_to_fp4>, 2>{
                         {{"sign_7", nan_to_fp4::sign_7}, {"plus_zero", nan_to_fp4::plus_zero}}});
     }},
    {"scale_ff",
     [](options& o, std::string_view v) {
       return choose(o.conversion.nan_scale, "scale_ff", v,
                     std::array<std::pair<std::string_view, nan_scale_to_fp4>, 2>{
                         {{"sign_7", nan_scale_to_fp4::sign_7},
                          {"keep_destination", nan_scale_to_fp4::keep_destination}}});
     }},
    {"widened_nan",
     [](options& o, std::string_view v) {
       return choose(o.conversion.widening, "widened_nan", v,
                     std::array<std::pair<std::string_view, widened_nan>, 2>{
                         {{"canonical", widened_nan::canonical}, {"hip_host", widened_nan::hip_host}}});
     }},
    {"sr_model",
     [](options& o, std::string_view v) {
       return choose(o.conversion.sr, "sr_model", v,
                     std::array<std::pair<std::string_view, sr_model>, 2>{
                         {{"hip_host", sr_model::hip_host}, {"widened", sr_model::widened}}});
     }},
    {"bf16_nan",
     [](options& o, std::string_view v) {
       return choose(o.conversion.bf16, "bf16_nan", v,
                     std::array<std::pair<std::string_view, bf16_nan>, 2>{
                         {{"keep_payload", bf16_nan::keep_payload}, {"canonical", bf16_nan::canonical}}});
     }},
    {"rcp_ulp", set_rcp_ulp},
};

}  // namespace

status set_option(options& into, std::string_view key, std::string_view value) {
  std::string keys;
  for (const setting& s : kSettings) {
    if (s.key == key) return s.set(into, value);
    keys += fmt::format("{}{}", keys.empty() ? "" : ", ", s.key);
  }
  return unsupported(fmt::format("set_option: unknown key '{}': expected one of {}", key, keys));
}

}  // namespace adahop::hip::sim
