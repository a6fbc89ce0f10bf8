// Assembling, filtering and naming the suites.
#include "conformance/suites/suite.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <openssl/evp.h>

#include <algorithm>
#include <unordered_set>

#include "conformance/suites/any_cases.h"
#include "conformance/suites/product_cases.h"

namespace adahop::conformance {
namespace {

// The first case of each name stays: `full` reaches some products of `mustpass` a second time, and so does a policy
// override.
void keep_unique(case_list& cases) {
  std::unordered_set<std::string> seen;
  std::erase_if(cases, [&](const test_case& c) { return !seen.insert(c.name).second; });
}

bool selected(const test_case& c, const suite_options& options) {
  if (!options.pairs.empty() &&
      (!c.pair || std::find(options.pairs.begin(), options.pairs.end(), *c.pair) == options.pairs.end()))
    return false;
  return options.filter.empty() || fnmatch(options.filter.c_str(), c.name.c_str(), 0) == 0;
}

}  // namespace

case_list build_suite(const suite_options& options) {
  case_list all;
  add_synthetic_products(options, all);
  add_policy_products(options, all);
  add_real_products(options, all);
  add_quantize_cases(all);
  add_hadamard_cases(all);
  add_product_edge_cases(all);
  add_selection_edge_cases(all);
  add_contract_cases(all);
  add_model_cases(all);
  add_rounding_cases(all);
  add_native_products(options, all);
  add_native_cases(all);
  add_device_memory_cases(all);
  add_wide_cases(options, all);
  add_path_cases(options, all);
  add_mutant_reference_cases(all);
  add_mutant_kernel_cases(all);
  add_mutant_gfx950_cases(options, all);
  keep_unique(all);
  std::erase_if(all, [&](const test_case& c) { return !selected(c, options); });

  case_list mine;
  for (size_t i = 0; i < all.size(); ++i)
    if (static_cast<int>(i % static_cast<size_t>(options.shards)) + 1 == options.shard)
      mine.push_back(std::move(all[i]));
  return mine;
}

std::string list_hash(std::span<const test_case> cases) {
  std::string names;
  for (const test_case& c : cases) names += c.name + "\n";
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  // EVP_Digest fails only in a library without SHA-256.
  if (EVP_Digest(names.data(), names.size(), digest, &length, EVP_sha256(), nullptr) != 1) return "unavailable";
  std::string hex;
  for (unsigned i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

std::string list_text(const std::string& suite, std::span<const test_case> cases) {
  std::string text = fmt::format("# adahop suite {}, version {}, {} cases; made by: adahop conform --suite {} --list\n",
                                 suite, kSuiteVersion, cases.size(), suite);
  for (const test_case& c : cases) text += c.name + "\n";
  return text;
}

}  // namespace adahop::conformance
