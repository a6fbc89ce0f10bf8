// --trace and --coverage as options of a backend.
#include "conformance/cli/cmd_sim_recording.h"

#include <fmt/format.h>

namespace adahop::cli {
namespace {

status set(const adahop_backend& backend, const char* key, const std::string& value) {
  if (backend.set_option == nullptr)
    return unsupported(fmt::format("backend {}: has no option {}; gfx950-sim does", backend.name, key));
  if (backend.set_option(key, value.c_str()) == ADAHOP_OK) return {};
  return invalid_argument(fmt::format("backend {}: {}", backend.name, backend.last_error()));
}

}  // namespace

void add_recording_options(CLI::App& command, recording_options& o, bool with_coverage) {
  command.add_option("--trace", o.trace,
                     "gfx950-sim: print each instruction of one wave with its operands: KERNEL:WORKGROUP.WAVE[:LANES], as "
                     "hadamard_bf16:0,3.1:0-7");
  command.add_option("--trace-file", o.trace_file, "File for the trace instead of stdout");
  command.add_option("--trace-limit", o.trace_limit, "Instructions to show, over all launches (2000)");
  if (with_coverage)
    command.add_option("--coverage", o.coverage,
                       "gfx950-sim: write which instructions, blocks and branches of each kernel were executed; a file named "
                       "*.json is added to (see `adahop sim coverage`)");
}

status check_recording(const recording_options& o, bool json) {
  if (o.trace.empty() && (!o.trace_file.empty() || !o.trace_limit.empty()))
    return invalid_argument("--trace-file and --trace-limit: expected with --trace");
  if (json && !o.trace.empty() && o.trace_file.empty())
    return invalid_argument("--trace with --json: expected --trace-file, since both would go to stdout");
  return {};
}

status begin_recording(const adahop_backend& backend, const recording_options& o) {
  if (!o.trace.empty()) {
    ADAHOP_TRY(set(backend, "trace_file", o.trace_file));
    if (!o.trace_limit.empty()) ADAHOP_TRY(set(backend, "trace_limit", o.trace_limit));
    ADAHOP_TRY(set(backend, "trace", o.trace));
  }
  if (!o.coverage.empty()) ADAHOP_TRY(set(backend, "coverage", o.coverage));
  return {};
}

status end_recording(const adahop_backend& backend, const recording_options& o) {
  const status traced = o.trace.empty() ? status{} : set(backend, "trace", "");
  const status covered = o.coverage.empty() ? status{} : set(backend, "coverage", "");
  return traced.ok() ? covered : traced;
}

}  // namespace adahop::cli
