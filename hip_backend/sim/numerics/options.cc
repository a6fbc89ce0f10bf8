// The names of the accumulation models, as --option mfma_model and bf16_mfma_model spell them.
#include "sim/numerics/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace adahop::hip::sim {
namespace {

struct named_model {
  std::string_view name;
  mfma_combine combine;
  std::string_view groups;  ///< the sizes it takes, separated by blanks; empty: it takes none
};

constexpr named_model kModels[] = {
    {"mfma_fused", mfma_combine::fused, ""},
    {"mfma_seq", mfma_combine::seq, ""},
    {"cdna3_trfdpa", mfma_combine::trfdpa, "16 32 64 128"},
    {"cdna3_gtrfdpa", mfma_combine::gtrfdpa, "16 32 64 128"},
    {"block_first_fdpa", mfma_combine::block_first, "1 2 4"},
};

bool lists(std::string_view groups, std::string_view size) {
  for (size_t at = 0; at < groups.size();) {
    const size_t end = std::min(groups.find(' ', at), groups.size());
    if (groups.substr(at, end - at) == size) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

status set_mfma_model(mfma_options& into, std::string_view text) {
  const size_t open = text.find('(');
  const bool sized = open != std::string_view::npos && text.ends_with(')');
  const std::string_view name = text.substr(0, open);
  const std::string_view size = sized ? text.substr(open + 1, text.size() - open - 2) : std::string_view{};
  for (const named_model& model : kModels) {
    if (model.name != name || (open != std::string_view::npos) != !model.groups.empty()) continue;
    if (!model.groups.empty() && (size.empty() || !lists(model.groups, size))) continue;
    into.combine = model.combine;
    into.group = 0;
    if (!size.empty()) std::from_chars(size.data(), size.data() + size.size(), into.group);
    return {};
  }
  return invalid_argument(fmt::format("mfma_model '{}': expected mfma_fused, mfma_seq, cdna3_trfdpa(L) or cdna3_gtrfdpa(L) "
                                      "with L 16, 32, 64 or 128, or block_first_fdpa(n) with n 1, 2 or 4",
                                      text));
}

status set_bf16_model(mfma_options& into, std::string_view text) {
  if (text == "fma_chain") {
    into.bf16 = bf16_combine::fma_chain;
  } else if (text == "exact_sum") {
    into.bf16 = bf16_combine::exact_sum;
  } else if (text == "cdna3_trfdpa(8)") {
    into.bf16 = bf16_combine::trfdpa_8;
  } else {
    return invalid_argument(fmt::format("bf16_mfma_model '{}': expected fma_chain, exact_sum or cdna3_trfdpa(8)", text));
  }
  return {};
}

}  // namespace adahop::hip::sim
