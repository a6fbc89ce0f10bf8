// Workgroups in turn on OpenMP threads, each with waves and LDS that it uses again for the next workgroup.
#include "sim/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "device/float_environment.h"
#include "device/shuffled_order.h"
#include "sim/coverage_counts.h"
#include "sim/execute.h"
#include "sim/launch_memory.h"
#include "sim/lds_memory.h"
#include "sim/output_footprint.h"
#include "sim/trace_wave.h"

namespace adahop::hip::sim {
namespace {

// Registers and LDS of a thread, kept from launch to launch: a wave is 130 KiB.
struct thread_state {
  std::vector<std::unique_ptr<wave>> waves;
  lds_memory lds;
};

thread_state& state_of_thread() {
  thread_local thread_state state;
  return state;
}

// A workgroup object whose waves are the thread's.
class group_runner {
 public:
  group_runner(const grid_launch& launch, const argument_segment& arguments, const options& settings, launch_memory& global,
               const grid_observers& observers)
      : launch_(launch), arguments_(arguments), trace_(observers.trace), state_(state_of_thread()) {
    if (observers.counts != nullptr) group_.counts = &counts_.emplace(*launch.kernel);
    group_.code = launch.code;
    group_.settings = &settings;
    group_.global = &global;
    group_.lds = &state_.lds;
    group_.threads = launch.threads.x * launch.threads.y * launch.threads.z;
    const uint32_t waves = (group_.threads + kLanes - 1) / kLanes;
    while (state_.waves.size() < waves) state_.waves.push_back(std::make_unique<wave>());
    for (uint32_t n = 0; n < waves; ++n) {
      group_.waves.push_back(std::move(state_.waves[n]));
      group_.waves[n]->number = n;
      group_.waves[n]->group = &group_;
    }
  }
  ~group_runner() {
    std::move(group_.waves.begin(), group_.waves.end(), state_.waves.begin());
  }
  group_runner(const group_runner&) = delete;
  group_runner& operator=(const group_runner&) = delete;

  // Throws fault. Returns wave instructions executed.
  uint64_t run(uint64_t index) {
    group_.x = static_cast<uint32_t>(index % launch_.groups.x);
    group_.y = static_cast<uint32_t>(index / launch_.groups.x % launch_.groups.y);
    group_.z = static_cast<uint32_t>(index / launch_.groups.x / launch_.groups.y);
    group_.linear = static_cast<uint32_t>(index);
    group_.epoch = 0;
    state_.lds.begin_workgroup(launch_.kernel->descriptor.lds_bytes);
    for (const auto& w : group_.waves) {
      start_wave(*w, launch_, reinterpret_cast<uint64_t>(arguments_.bytes.data()), arguments_);
      w->trace = trace_ != nullptr && trace_->wants(*w) ? trace_ : nullptr;
    }
    run_workgroup(group_);
    uint64_t executed = 0;
    for (const auto& w : group_.waves) executed += w->executed;
    return executed;
  }
  // The workgroup that was run stopped with this fault.
  void note(const fault& f) {
    for (const auto& w : group_.waves)
      if (w->trace != nullptr && f.wave_number == w->number) w->trace->stopped(f);
  }
  // What this thread's workgroups executed; empty where nothing is counted.
  const std::optional<execution_counts>& counts() const { return counts_; }

 private:
  const grid_launch& launch_;
  const argument_segment& arguments_;
  wave_trace* const trace_;
  std::optional<execution_counts> counts_;
  thread_state& state_;
  workgroup group_;
};

// What the threads of a launch share.
struct shared_progress {
  std::atomic<uint64_t> next_place{0};
  std::atomic<uint64_t> stop_place;
  std::atomic<uint64_t> wave_instructions{0};
  std::mutex mutex;
  grid_outcome outcome;
};

status no_memory(const grid_launch& launch) {
  return {ADAHOP_OUT_OF_MEMORY, fmt::format("gfx950-sim: no host memory to run kernel {}", launch.kernel->name)};
}

void run_places(const grid_launch& launch, const argument_segment& arguments, const options& settings,
                launch_memory& global, const grid_observers& observers, const shuffled_order& order, shared_progress& progress) {
  const default_float_environment floats;  // handlers use the host's floats
  try {
    group_runner runner(launch, arguments, settings, global, observers);
    uint64_t executed = 0;
    for (uint64_t place; (place = progress.next_place++) < progress.stop_place;) {
      try {
        executed += runner.run(order.at(place));
      } catch (fault& f) {
        runner.note(f);
        const std::lock_guard lock(progress.mutex);
        if (place < progress.stop_place) {
          progress.stop_place = place;
          progress.outcome.stopped = std::move(f);
        }
      }
    }
    progress.wave_instructions += executed;
    if (runner.counts()) {
      const std::lock_guard lock(progress.mutex);
      observers.counts->add(*runner.counts());
    }
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock(progress.mutex);
    progress.stop_place = 0;
    progress.outcome.refused = no_memory(launch);
  }
}

grid_outcome run_groups(const grid_launch& launch, const argument_segment& arguments, const options& settings,
                        device_memory& memory, const grid_observers& observers) {
  const uint64_t groups = uint64_t{launch.groups.x} * launch.groups.y * launch.groups.z;
  const auto bytes = std::span(arguments.bytes);
  shared_progress progress;
  std::optional<output_footprint> outputs;
  if (settings.check.outputs) {
    auto known = output_footprint::of(launch.kernel->name, bytes.first(arguments.given), launch.groups, memory.list());
    if (!known.ok()) {
      progress.outcome.refused = known.why();
      return std::move(progress.outcome);
    }
    outputs = std::move(known).value();
  }
  launch_memory global(memory, bytes.first(arguments.written), outputs ? &*outputs : nullptr, static_cast<uint32_t>(groups),
                       settings);
  const shuffled_order order(groups, settings.schedule_seed);
  progress.stop_place = groups;
  const uint32_t wanted = settings.threads != 0 ? settings.threads : std::max(1u, std::thread::hardware_concurrency());
  const int threads = static_cast<int>(std::min<uint64_t>(wanted, groups));
  if (threads <= 1) {
    run_places(launch, arguments, settings, global, observers, order, progress);
  } else {
#pragma omp parallel num_threads(threads)
    run_places(launch, arguments, settings, global, observers, order, progress);
  }
  progress.outcome.wave_instructions = progress.wave_instructions;
  return std::move(progress.outcome);
}

}  // namespace

grid_outcome run_grid(const grid_launch& launch, const argument_segment& arguments, const options& settings,
                      device_memory& memory, const grid_observers& observers) {
  try {
    return run_groups(launch, arguments, settings, memory, observers);
  } catch (const std::bad_alloc&) {  // of stamps and footprints
    grid_outcome outcome;
    outcome.refused = no_memory(launch);
    return outcome;
  }
}

}  // namespace adahop::hip::sim
