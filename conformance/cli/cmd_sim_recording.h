// Options of conform and explain that record what gfx950-sim executes: --trace, --coverage. They become options of the
// backend, so any backend that takes `trace` and `coverage` can serve them.
#pragma once
#include <string>

#include "adahop/backend.h"
#include "adahop/status.h"
#include "conformance/cli/command.h"

namespace adahop::cli {

struct recording_options {
  std::string trace;       ///< KERNEL:WORKGROUP.WAVE[:LANES]
  std::string trace_file;  ///< empty: stdout
  std::string trace_limit;
  std::string coverage;    ///< file

  bool any() const { return !trace.empty() || !coverage.empty(); }
};

/// --trace, --trace-file, --trace-limit and, where `with_coverage`, --coverage.
void add_recording_options(CLI::App& command, recording_options& o, bool with_coverage);

/// ADAHOP_INVALID_ARGUMENT where the options do not go together, among them a trace and JSON both on stdout.
status check_recording(const recording_options& o, bool json);

/// Sets the backend's options; its refusal names kernels that there are.
status begin_recording(const adahop_backend& backend, const recording_options& o);

/// Ends them: files are written; an error where the wave was never executed.
status end_recording(const adahop_backend& backend, const recording_options& o);

}  // namespace adahop::cli
