// Option trace while it is set: which launches have the wave, the limit over all of them, and where the text goes.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "adahop/status.h"
#include "device/device.h"
#include "sim/program.h"
#include "sim/trace_request.h"
#include "sim/trace_wave.h"

namespace adahop::hip::sim {

inline constexpr uint64_t kDefaultTraceLimit = 2000;

/// Safe for launches from several threads.
class trace_session {
 public:
  /// `file` empty: stdout, after each launch. Else the file appears when finish() is called, complete or not at all.
  /// `limit`: instructions shown over all launches.
  trace_session(trace_request wanted, std::string file, uint64_t limit)
      : wanted_(std::move(wanted)), file_(std::move(file)), limit_(limit) {}

  /// For a launch that is about to run; null where it is of another kernel, has no such wave, or the limit is reached.
  std::unique_ptr<wave_trace> begin(const program& code, const sim_kernel& kernel, extent3 groups, extent3 threads);
  /// After it.
  void end(const program& code, const sim_kernel& kernel, extent3 groups, extent3 threads, const wave_trace& trace);

  /// Writes the file. ADAHOP_INVALID_ARGUMENT where no launch had the wave, with what was launched.
  status finish();

 private:
  const std::vector<std::string>& sources_of(const program& code, const sim_kernel& kernel);

  std::mutex mutex_;
  trace_request wanted_;
  std::string file_;
  uint64_t limit_;
  uint64_t shown_ = 0;
  uint64_t left_out_ = 0;
  uint64_t traced_launches_ = 0;
  std::string largest_;                     ///< launch of the kernel, for people
  uint64_t largest_waves_ = 0;
  std::map<std::string, uint64_t> launched_;  ///< kernels, how often
  std::map<const sim_kernel*, std::vector<std::string>> sources_;
  std::string text_;                        ///< for the file
};

}  // namespace adahop::hip::sim
