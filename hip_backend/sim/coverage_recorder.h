// Option coverage while it is set: counts of every launch, by kernel and level, and the file in the end.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "adahop/status.h"
#include "sim/coverage.h"
#include "sim/program.h"

namespace adahop::hip::sim {

/// Safe for launches from several threads.
class coverage_recorder {
 public:
  explicit coverage_recorder(std::string file) : file_(std::move(file)) {}

  void add(std::string_view level, const std::shared_ptr<const program>& code, const sim_kernel& kernel,
           const execution_counts& counts);
  /// Its kernels are reported even where none was launched.
  void add_program(std::string_view level, const std::shared_ptr<const program>& code);
  /// Whether a kernel of the level was launched.
  bool has_level(std::string_view level) const;

  /// Writes the file: write_coverage().
  status finish();

 private:
  struct covered_program {
    std::string level;
    std::shared_ptr<const program> code;
    std::map<const sim_kernel*, execution_counts> counts;
  };
  covered_program& entry(std::string_view level, const std::shared_ptr<const program>& code);

  mutable std::mutex mutex_;
  std::string file_;
  std::vector<covered_program> programs_;
};

}  // namespace adahop::hip::sim
