// Runs one block of a kernel: a fiber per thread, waves of 64 lanes, one lane at a time on the calling OS thread.
// Decides who runs next, when a wave operation or a barrier is complete, and what is a fault. Implements SPEC 13.4,
// 13.5.
//
// A lane runs until it waits (wave operation, barrier) or ends; then the next lane of its wave runs. When no lane of a
// wave can run, the wave is settled: lanes at a wave operation go on together, else the wave waits at the barrier or
// has ended. With a seed, the lanes of a wave go on in a shuffled order, and the waves too.
//
// A fault abandons the fibers of the block where they stand: nothing on their stacks is destroyed, so a kernel's locals
// have to be trivially destructible, as on a GPU.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/cpu/fault.h"
#include "device/cpu/fiber.h"
#include "device/cpu/kernel.h"
#include "device/cpu/shared_shadow.h"
#include "device/cpu/stack_pool.h"
#include "device/cpu/wave.h"

namespace adahop::hip::cpu {

/// Why a block stopped.
struct block_fault {
  std::string line;
  /// Set for an access that the memory hardware refused: its address, to be told apart by who knows the allocations.
  bool memory_fault = false;
  const void* address = nullptr;
  fault_place place;
  source_site last_site;
};

/// Up to 64 lanes that exchange values.
struct wave_state {
  uint64_t ended = 0;
  uint64_t at_operation = 0;
  uint64_t at_barrier = 0;
  // Which of its two deposits each lane used last: a lane may deposit for its next operation before the others have
  // read the one before.
  uint64_t parity = 0;
  // The lanes that take part in the operation being read, and their parity when it was complete.
  uint64_t group = 0;
  uint64_t group_parity = 0;
  // The ballot of that operation, once a lane has counted it.
  uint64_t ballot = 0;
  bool ballot_known = false;
  // The lanes that can run, in order.
  uint32_t ready_count = 0;
  uint32_t ready_next = 0;
  uint8_t ready[kWaveLanes];
  alignas(64) std::byte deposits[2][kWaveLanes][kDepositBytes];

  bool can_run() const { return ready_next < ready_count; }
};

class block_execution {
 public:
  /// What the kernel language reads without a call.
  uint32_t thread = 0;
  uint32_t block_x = 0;
  uint32_t block_y = 0;
  shared_shadow shared;

  block_execution() = default;
  block_execution(const block_execution&) = delete;
  block_execution& operator=(const block_execution&) = delete;

  /// Prepares for blocks of `kernel`; false when there is no memory for the stacks.
  bool begin_kernel(const cpu_kernel& kernel, const void* args, uint64_t lane_seed);
  /// Runs block (x, y), the `index`-th of the grid; a value when it faulted.
  std::optional<block_fault> run(uint32_t x, uint32_t y, uint64_t index);

  /// Wave operation, first half: where the running lane leaves its value, ...
  std::byte* deposit();
  /// ... second half: returns when every live lane of the wave has arrived or waits elsewhere.
  void wait_for_wave(const source_site& site);
  /// The deposit of `lane` in the operation being read; a fault when it does not take part.
  const std::byte* deposit_of(uint32_t lane, const source_site& site) const {
    const wave_state& wave = *waves_[wave_];
    if (lane >= kWaveLanes || ((wave.group >> lane) & 1) == 0) fail_missing_lane(lane, site);
    return wave.deposits[(wave.group_parity >> lane) & 1][lane];
  }
  /// The lanes of the operation being read whose deposited uint32_t is not 0. Ended lanes count as 0; a lane that
  /// waits elsewhere is a fault.
  uint64_t ballot(const source_site& site);

  void barrier(const source_site& site);

  /// Stops the block; the fault is the running lane's unless another thread is named. Takes the text away from
  /// `detail`: the caller's frame is abandoned, so it must not own memory at that moment.
  [[noreturn]] void fail(std::string_view kind, const source_site& site, std::string&& detail);
  [[noreturn]] void fail(std::string_view kind, uint32_t at_thread, const source_site& site, std::string&& detail);
  /// The same for an access that raised a signal. Allocates nothing, so it can be called from the handler.
  [[noreturn]] void fail_on_address(const void* address);
  /// True while a lane runs, as opposed to the code around it.
  bool in_lane() const { return in_lane_; }

 private:
  struct lane_state {
    fiber flow;
    source_site site;
  };

  static void run_lane();
  [[noreturn]] void end_lane();
  void wait();
  uint32_t next_thread();
  void settle(wave_state& wave, uint32_t first_thread);
  void settle_barrier();
  uint32_t choose_wave();
  void make_ready(wave_state& wave, uint64_t lanes);
  uint64_t draw();
  [[noreturn]] void fail_missing_lane(uint32_t lane, const source_site& site) const;
  [[noreturn]] void stop_lane();
  std::string whereabouts(uint32_t other) const;

  const cpu_kernel* kernel_ = nullptr;
  const void* args_ = nullptr;
  uint64_t seed_ = 0;
  uint64_t random_ = 0;
  uint32_t threads_ = 0;
  uint32_t waves_in_block_ = 0;
  uint32_t wave_ = 0;
  bool in_lane_ = false;
  stack_pool stacks_;
  fiber scheduler_;
  std::unique_ptr<lane_state[]> lanes_;
  uint32_t lane_capacity_ = 0;
  std::vector<std::unique_ptr<wave_state>> waves_;
  std::optional<block_fault> fault_;
};

/// The block that the calling OS thread runs; null outside a launch.
extern constinit thread_local block_execution* running_block __attribute__((tls_model("initial-exec")));

}  // namespace adahop::hip::cpu
