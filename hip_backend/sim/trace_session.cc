// Traces of launches put together.
#include "sim/trace_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "adahop/io/file.h"
#include "sim/report_place.h"

namespace adahop::hip::sim {
namespace {

uint32_t waves_of(extent3 threads) { return (threads.x * threads.y * threads.z + kLanes - 1) / kLanes; }

std::string size_text(extent3 groups, extent3 threads) {
  return fmt::format("{}x{}x{} workgroups of {} waves", groups.x, groups.y, groups.z, waves_of(threads));
}

}  // namespace

const std::vector<std::string>& trace_session::sources_of(const program& code, const sim_kernel& kernel) {
  std::vector<std::string>& sources = sources_[&kernel];
  if (sources.empty()) {
    std::vector<uint64_t> addresses;
    for (uint32_t n = kernel.entry; n < kernel.end; ++n) addresses.push_back(code.code[n].address);
    sources = source_places(code.image, addresses);
  }
  return sources;
}

std::unique_ptr<wave_trace> trace_session::begin(const program& code, const sim_kernel& kernel, extent3 groups,
                                                 extent3 threads) {
  const std::lock_guard lock(mutex_);
  ++launched_[kernel.name];
  if (kernel.name != wanted_.kernel) return nullptr;
  const uint64_t waves = uint64_t{groups.x} * groups.y * groups.z * waves_of(threads);
  if (waves > largest_waves_) {
    largest_waves_ = waves;
    largest_ = size_text(groups, threads);
  }
  if (wanted_.x >= groups.x || wanted_.y >= groups.y || wanted_.z >= groups.z || wanted_.wave >= waves_of(threads))
    return nullptr;
  ++traced_launches_;
  if (shown_ >= limit_) return nullptr;
  return std::make_unique<wave_trace>(wanted_, kernel, sources_of(code, kernel), limit_ - shown_);
}

void trace_session::end(const program& code, const sim_kernel& kernel, extent3 groups, extent3 threads,
                        const wave_trace& trace) {
  const std::lock_guard lock(mutex_);
  std::string lanes;
  for (const unsigned l : wanted_.lanes) lanes += fmt::format(" {}", l);
  std::string text = fmt::format("kernel {} of {}, {}, workgroup ({},{},{}), wave {}, lanes{}\n{}", kernel.name, code.name,
                                 size_text(groups, threads), wanted_.x, wanted_.y, wanted_.z, wanted_.wave, lanes,
                                 trace.text());
  if (trace.left_out() != 0)
    text += fmt::format("{} more instructions of this wave left out (trace_limit {})\n", trace.left_out(), limit_);
  shown_ += trace.shown();
  left_out_ += trace.left_out();
  if (!file_.empty()) {
    text_ += text;
    return;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

status trace_session::finish() {
  const std::lock_guard lock(mutex_);
  if (traced_launches_ == 0) {
    const uint64_t times = launched_[wanted_.kernel];
    if (times != 0)
      return invalid_argument(fmt::format("trace: kernel {} was launched {} times, never with workgroup ({},{},{}) wave {}; "
                                          "its largest launch has {}",
                                          wanted_.kernel, times, wanted_.x, wanted_.y, wanted_.z, wanted_.wave, largest_));
    launched_.erase(wanted_.kernel);
    std::string names;
    for (const auto& [name, count] : launched_) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    return invalid_argument(fmt::format("trace: kernel {} was not launched; launched were: {}", wanted_.kernel,
                                        names.empty() ? "none" : names));
  }
  if (file_.empty()) return {};
  return io::write_file(file_, {reinterpret_cast<const uint8_t*>(text_.data()), text_.size()});
}

}  // namespace adahop::hip::sim
