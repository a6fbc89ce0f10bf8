// The state of a wave of 64 lanes and of its workgroup. Decides nothing numeric.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "sim/instruction.h"
#include "sim/options.h"

namespace adahop::hip::sim {

inline constexpr unsigned kLanes = 64;
using lane_row = uint32_t[kLanes];

/// Of wave::sgpr_defined: the register has a value.
inline constexpr uint32_t kAllBits = 0xFFFFFFFF;

struct program;
struct workgroup;
class access_log;
class device_memory;
class execution_counts;
class launch_memory;
class lds_memory;
class wave_trace;

enum class wave_state : uint8_t { running, at_barrier, ended };

/// A memory instruction whose result has not been waited for.
struct pending_access {
  const instruction* by = nullptr;
  bool out_of_order = false;  ///< SMEM: only lgkmcnt(0) proves it done
  uint32_t lds_ticket = 0;    ///< of an access to LDS, in wave::log; 0: none
};

struct wave {
  alignas(64) uint32_t vgpr[kVectorRegisters][kLanes] = {};
  uint32_t sgpr[kScalarRegisters] = {};
  bool scc = false;
  uint32_t pc = 0;  ///< index of the next instruction; a handler of a branch sets it
  wave_state state = wave_state::running;
  uint32_t number = 0;  ///< in the workgroup
  uint64_t executed = 0;  ///< instructions since the launch
  workgroup* group = nullptr;
  wave_trace* trace = nullptr;  ///< of the wave that is traced

  // Kept by the checks.
  std::array<uint64_t, kVectorRegisters> vgpr_defined{};  ///< a bit a lane
  std::array<uint32_t, kScalarRegisters> sgpr_defined{};   ///< a bit a bit, since lane masks are put together from pieces
  bool scc_defined = false;
  std::array<uint16_t, kVectorRegisters> vgpr_pending{};  ///< loads under way into the register
  std::array<uint16_t, kScalarRegisters> sgpr_pending{};
  std::deque<pending_access> vm_pending, lgkm_pending;    ///< oldest first
  std::shared_ptr<access_log> log;                        ///< where they went, for the tickets

  uint64_t exec() const { return pair(kExecLow); }
  void set_exec(uint64_t value) { set_pair(kExecLow, value); }
  uint64_t vcc() const { return pair(kVccLow); }
  uint64_t pair(unsigned reg) const { return sgpr[reg] | uint64_t{sgpr[reg + 1]} << 32; }
  void set_pair(unsigned reg, uint64_t value) {
    sgpr[reg] = static_cast<uint32_t>(value);
    sgpr[reg + 1] = static_cast<uint32_t>(value >> 32);
  }
};

/// A workgroup under execution on one host thread.
struct workgroup {
  const program* code = nullptr;
  const options* settings = nullptr;
  launch_memory* global = nullptr;
  lds_memory* lds = nullptr;
  execution_counts* counts = nullptr;  ///< null: nothing is counted
  uint32_t x = 0, y = 0, z = 0;
  uint32_t linear = 0;   ///< number in the grid
  uint32_t threads = 0;  ///< work-items
  uint32_t epoch = 0;    ///< barriers passed
  std::vector<std::unique_ptr<wave>> waves;
};

}  // namespace adahop::hip::sim
