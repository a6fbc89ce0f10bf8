// Joins what the bench programs wrote: bench_table OUT IN... prints the table of all rows and writes them to OUT. Status 1
// where a row is void, 2 where a file is not as expected.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "bench/goals.h"
#include "bench/row.h"

int main(int argc, char** argv) {
  using namespace adahop::bench;
  const auto fail = [](const std::string& why) {
    fmt::print(stderr, "bench: {}\n", why);
    return 2;
  };
  if (argc < 3) return fail("usage: bench_table OUT IN...");
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (int i = 2; i < argc; ++i) {
    const auto list = read_rows(argv[i]);
    if (!list.ok()) return fail(list.why().message());
    all.insert(all.end(), list.value().begin(), list.value().end());
  }
  // In the order of the goals; of one goal as they came.
  nlohmann::ordered_json sorted = nlohmann::ordered_json::array();
  for (const goal& g : goals())
    for (const auto& row : all)
      if (row["id"] == g.id && row["part"] == g.part) sorted.push_back(row);
  print_rows(sorted);
  if (const adahop::status s = write_rows(argv[1], sorted); !s.ok()) return fail(s.message());
  return all_equal(sorted) ? 0 : 1;
}
