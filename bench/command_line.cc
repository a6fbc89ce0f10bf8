// The options that every bench program takes, without a library: there are four.
#include "bench/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "bench/goals.h"

namespace adahop::bench {
namespace {

[[noreturn]] void bad_usage(const std::string& why) {
  fmt::print(stderr, "bench: {}\n", why);
  std::exit(2);
}

std::vector<std::string> known_ids(std::string_view list) {
  std::vector<std::string> ids;
  while (true) {
    const size_t comma = list.find(',');
    const std::string id(list.substr(0, comma));
    if (find_goal(id) == nullptr) bad_usage(fmt::format("--only: '{:.20}' is no ratio's id, expected {}", id, all_ids()));
    ids.push_back(id);
    if (comma == std::string_view::npos) return ids;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

bool options::wants(const std::string& id) const {
  return only.empty() || std::find(only.begin(), only.end(), id) != only.end();
}

options parse_options(int argc, char** argv) {
  options o;
  for (int i = 1; i < argc; ++i) {
    const std::string_view key = argv[i];
    if (key == "--quick") {
      o.quick = true;
      continue;
    }
    if (key != "--json" && key != "--plot" && key != "--only")
      bad_usage(fmt::format("'{:.40}': expected --json FILE, --plot FILE, --quick or --only ID,ID", key));
    if (i + 1 == argc || *argv[i + 1] == '\0') bad_usage(fmt::format("{}: a value is missing", key));
    const char* const value = argv[++i];
    if (key == "--json") o.json = value;
    if (key == "--plot") o.plot = value;
    if (key == "--only") o.only = known_ids(value);
  }
  return o;
}

}  // namespace adahop::bench
