// The options that every bench program takes.
#pragma once
#include <string>
#include <vector>

namespace adahop::bench {

struct options {
  std::string json;               ///< where the rows are written; empty: only printed
  std::string plot;               ///< where bench_scaling writes its SVG; empty: nowhere
  bool quick = false;             ///< tiny shapes, one round: a smoke test of everything but the speed
  std::vector<std::string> only;  ///< ids of the table in goals.cc; empty: all

  /// Whether rows of this id are asked for.
  bool wants(const std::string& id) const;
};

/// --json FILE, --plot FILE, --quick, --only ID,ID. On bad usage prints one line and exits with status 2.
options parse_options(int argc, char** argv);

}  // namespace adahop::bench
