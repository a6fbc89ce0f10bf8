// Options of SimDevice: the level, and what is recorded for people: traces and coverage.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "sim/coverage_file.h"
#include "sim/sim_device.h"

namespace adahop::hip {

status SimDevice::set_option(std::string_view key, std::string_view value) {
  const std::lock_guard lock(mutex_);
  if (key == "level") return set_level(value);
  if (key == "trace") return set_trace(value);
  if (key == "trace_limit") return set_trace_limit(value);
  if (key == "coverage") return set_coverage(value);
  if (key != "trace_file") return sim::set_option(settings_, key, value);
  trace_file_ = value;
  return {};
}

status SimDevice::set_level(std::string_view value) {
  std::string names;
  for (size_t n = 0; n < levels_.size(); ++n) {
    if (levels_[n].name == value) {
      level_ = n;
      return {};
    }
    names += fmt::format("{}{}", names.empty() ? "" : " or ", levels_[n].name);
  }
  return invalid_argument(fmt::format("set_option: level={}: expected {}", value, names));
}

status SimDevice::set_trace(std::string_view value) {
  if (const auto ended = std::exchange(trace_, nullptr)) ADAHOP_TRY(ended->finish());
  if (value.empty()) return {};
  ADAHOP_ASSIGN(wanted, sim::parse_trace_request(value));
  bool known = replacement_ != nullptr && replacement_->find(wanted.kernel) != nullptr;
  std::string names;
  for (const lazy_program& lazy : levels_[level_].programs) {
    for (const std::string_view name : lazy.object->kernels) {
      known = known || name == wanted.kernel;
      names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    }
  }
  if (!known) return invalid_argument(fmt::format("trace: no kernel {}; there are: {}", wanted.kernel, names));
  trace_ = std::make_shared<sim::trace_session>(std::move(wanted), trace_file_, trace_limit_);
  return {};
}

status SimDevice::set_trace_limit(std::string_view value) {
  uint64_t limit = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), limit);
  if (error != std::errc{} || end != value.data() + value.size() || limit == 0)
    return invalid_argument(fmt::format("set_option: trace_limit={}: expected an integer from 1 to 2^64 - 1", value));
  trace_limit_ = limit;
  return {};
}

status SimDevice::set_coverage(std::string_view value) {
  if (coverage_ != nullptr) {
    const status ended = finish_coverage();
    coverage_ = nullptr;
    ADAHOP_TRY(ended);
  }
  if (value.empty()) return {};
  const std::string file(value);
  // What cannot be added to is found out before the work rather than after it.
  std::error_code unknown;  // a file that cannot be looked at is met again when it is written
  if (file.ends_with(".json") && std::filesystem::exists(file, unknown)) ADAHOP_TRY(sim::read_coverage(file).why());
  coverage_ = std::make_shared<sim::coverage_recorder>(file);
  return {};
}

status SimDevice::finish_coverage() {
  // Of a level that was used, every kernel is listed.
  for (size_t n = 0; n < levels_.size(); ++n) {
    loaded_level& level = levels_[n];
    if (n != level_ && !coverage_->has_level(level.name)) continue;
    for (lazy_program& lazy : level.programs) {
      ADAHOP_ASSIGN(code, decoded(lazy));
      coverage_->add_program(level.name, code);
    }
  }
  return coverage_->finish();
}

}  // namespace adahop::hip
