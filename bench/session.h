// One bench program's run: times two sides alternately on pinned cores, holds the bytes of both to what is expected, keeps
// the rows.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench/calls.h"
#include "bench/command_line.h"
#include "bench/operands.h"
#include "bench/placement.h"
#include "bench/row.h"

namespace adahop::bench {

/// What is timed.
struct side {
  std::string name;
  std::function<void()> run;
  double work = 0;             ///< bytes moved, or multiply-accumulates, of one call; where the ratio is one of times: 0
  std::vector<bytes> outputs;  ///< all that a run writes
  std::string expected;        ///< SHA-256 of the outputs as they must be: of ours by the scalar oracle
  int64_t calls = 1;           ///< in a run; times of a row are those of one call
};

/// What a comparison is called.
struct label {
  std::string id, part, shape;
  int threads = 1;
  std::string unit = {};  ///< of the rates: "GB/s", "GMAC/s"
  double core_hertz = 0;  ///< 0: cycles are not counted
};

class session {
 public:
  /// Throws failure where the instruction set that is asked for is not there.
  explicit session(options o);

  bool quick() const { return options_.quick; }
  bool wants(const std::string& id) const { return options_.wants(id); }
  const options& chosen() const { return options_; }

  /// 1, and 2 where there are two cores; a smoke test runs two threads on one core too.
  std::vector<int> thread_counts() const;

  /// The backend `simd` and the scalar oracle. They share the thread count.
  target simd, oracle;

  /// Runs the oracle once on all threads and gives the SHA-256 of `outputs`, which are overwritten.
  std::string expect(const std::function<void()>& run, const std::vector<bytes>& outputs) const;

  /// Seconds of at least 9 rounds in which each run is made once, in turn, after one that is not counted.
  struct timing {
    std::vector<double> seconds;  ///< the median of each run
    std::vector<double> least;    ///< the least of each run
    int rounds;
  };
  timing time(const std::vector<std::function<void()>>& runs) const;

  /// Adds a row: `measured` against `baseline`, both with `threads` set.
  void compare(const label& name, const side& measured, const side& baseline);
  /// The same with `name.threads` for `measured` and one thread for `baseline`.
  void compare_threads(const label& name, const side& measured, const side& baseline);
  void add(row r) { rows_.push_back(std::move(r)); }

  /// Prints the table and writes it where asked. 1 if a row is void, 2 if it could not be written, else 0.
  int finish() const;

 private:
  options options_;
  placement cores_;
  std::vector<row> rows_;
};

/// SHA-256, 64 lower-case hexadecimal digits.
std::string hash_of(const std::vector<bytes>& outputs);

/// Fills outputs with a pattern that no result has, so that bytes left from before are not taken for a result.
void spoil(const std::vector<bytes>& outputs);

/// main of a bench program: options, `body`, table; one line and status 2 for a failure.
int run(int argc, char** argv, const std::function<void(session&)>& body);

}  // namespace adahop::bench
