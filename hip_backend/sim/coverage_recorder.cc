// Counts of launches kept until the file is written.
#include "sim/coverage_recorder.h"

#include <algorithm>

#include "sim/coverage_file.h"

namespace adahop::hip::sim {

coverage_recorder::covered_program& coverage_recorder::entry(std::string_view level,
                                                             const std::shared_ptr<const program>& code) {
  const auto at = std::ranges::find_if(programs_, [&](const covered_program& p) { return p.level == level && p.code == code; });
  if (at != programs_.end()) return *at;
  return programs_.emplace_back(covered_program{std::string(level), code, {}});
}

void coverage_recorder::add(std::string_view level, const std::shared_ptr<const program>& code, const sim_kernel& kernel,
                            const execution_counts& counts) {
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = entry(level, code).counts.try_emplace(&kernel, counts);
  if (!is_new) at->second.add(counts);
}

void coverage_recorder::add_program(std::string_view level, const std::shared_ptr<const program>& code) {
  const std::lock_guard lock(mutex_);
  entry(level, code);
}

bool coverage_recorder::has_level(std::string_view level) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(programs_, [&](const covered_program& p) { return p.level == level; });
}

status coverage_recorder::finish() {
  const std::lock_guard lock(mutex_);
  coverage all;
  for (const covered_program& p : programs_) {
    coverage kernels;
    for (const sim_kernel& k : p.code->kernels) {
      kernels.push_back(empty_coverage(p.level, *p.code, k));
      if (const auto at = p.counts.find(&k); at != p.counts.end()) sim::add(kernels.back(), at->second);
    }
    add_sources(kernels, p.code->image);
    ADAHOP_TRY(merge(all, kernels));
  }
  return write_coverage(file_, std::move(all));
}

}  // namespace adahop::hip::sim
