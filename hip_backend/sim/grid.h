// A grid's workgroups on the threads of the host. Decides their order and which of several faults is reported.
#pragma once
#include <cstdint>
#include <optional>

#include "adahop/status.h"
#include "sim/device_memory.h"
#include "sim/fault.h"
#include "sim/launch.h"
#include "sim/options.h"

namespace adahop::hip::sim {

struct grid_outcome {
  std::optional<fault> stopped;  ///< by the first workgroup, in their order, that had a fault
  status refused;                ///< why nothing or not everything ran: memory, arguments of the wrong size; else ok
  uint64_t wave_instructions = 0;
};

/// Who watches a launch.
struct grid_observers {
  wave_trace* trace = nullptr;         ///< null: no wave is traced
  execution_counts* counts = nullptr;  ///< of the launch's kernel; null: nothing is counted
};

/// Runs every workgroup of the launch, which check_launch() has passed. After a fault no later workgroup starts, but
/// earlier ones end: so which fault is reported does not depend on the number of threads, unless workgroups race.
grid_outcome run_grid(const grid_launch& launch, const argument_segment& arguments, const options& settings,
                      device_memory& memory, const grid_observers& observers = {});

}  // namespace adahop::hip::sim
