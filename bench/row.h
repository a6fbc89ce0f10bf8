// One line of the result: a ratio with everything it came from; as JSON, and as a line of a table.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "adahop/status.h"

namespace adahop::bench {

/// One size of a series (ids C1 to C5).
struct point {
  double size, work, seconds;
};

struct row {
  std::string id, part, what, shape;
  int threads = 1;
  double ratio = 0;                                      ///< of a void row: not written
  double seconds = 0, baseline_seconds = 0;              ///< medians
  double least_seconds = 0, baseline_least_seconds = 0;  ///< far below the medians where the machine was disturbed
  double cycles = 0;                                     ///< of the core in least_seconds; 0: not counted
  std::string measured, baseline;        ///< what was timed
  std::string unit;                      ///< of the rates: "GB/s", "GMAC/s"; empty: no rate
  double rate = 0, baseline_rate = 0;
  std::string hash, expected_hash, baseline_hash, baseline_expected_hash;  ///< SHA-256
  int rounds = 0;
  bool quick = false;
  std::vector<point> points;

  /// Both sides gave the bytes that were expected; otherwise the ratio is void.
  bool hash_equal() const { return hash == expected_hash && baseline_hash == baseline_expected_hash; }
};

/// What a run's rows have in common, in each of them.
struct machine {
  std::string cpu, cores, caches, compiler, flags, isa;
};

nlohmann::ordered_json to_json(const row& r, const machine& m);

/// Writes a list to a temporary file and renames it.
status write_rows(const std::string& path, const nlohmann::ordered_json& list);

/// ADAHOP_IO or ADAHOP_BAD_FILE, one line, where `path` is not what write_rows writes.
result<nlohmann::ordered_json> read_rows(const std::string& path);

/// The table for people: heading, a line for each row of the list, the machine below.
void print_rows(const nlohmann::ordered_json& list);

/// Whether every row's bytes were as expected.
bool all_equal(const nlohmann::ordered_json& list);

}  // namespace adahop::bench
