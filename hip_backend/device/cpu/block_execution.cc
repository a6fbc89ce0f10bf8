// The scheduler of one block. Implements SPEC 13.4, 13.5.
#include "device/cpu/block_execution.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

namespace adahop::hip::cpu {
namespace {

constexpr uint32_t kNobody = ~0u;

constexpr uint64_t bit_of(uint32_t lane) { return uint64_t{1} << lane; }
uint32_t lowest(uint64_t lanes) { return static_cast<uint32_t>(std::countr_zero(lanes)); }

// One step of splitmix64.
uint64_t mix(uint64_t& state) {
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

constinit thread_local block_execution* running_block = nullptr;

bool block_execution::begin_kernel(const cpu_kernel& kernel, const void* args, uint64_t lane_seed) {
  // Another table can hold another kernel at this address, so arrays are kept within a launch only.
  shared.begin_kernel();
  kernel_ = &kernel;
  args_ = args;
  seed_ = lane_seed;
  threads_ = kernel.threads;
  waves_in_block_ = kernel.threads / kWaveLanes;
  if (lane_capacity_ < threads_) {
    lanes_ = std::make_unique<lane_state[]>(threads_);
    lane_capacity_ = threads_;
  }
  while (waves_.size() < waves_in_block_) waves_.push_back(std::make_unique<wave_state>());
  return stacks_.reserve(threads_);
}

std::optional<block_fault> block_execution::run(uint32_t x, uint32_t y, uint64_t index) {
  block_x = x;
  block_y = y;
  random_ = seed_ ^ (index * 0xD6E8FEB86659FD93u);
  fault_.reset();
  shared.begin_block();
  for (uint32_t t = 0; t < threads_; t++) {
    // Equal frames of neighbouring stacks begin in different cache lines.
    const size_t offset = (t % 16) * 256;
    prepare_fiber(lanes_[t].flow, stacks_.bottom(t), stack_pool::stack_bytes(), offset, &run_lane);
    lanes_[t].site = {};
  }
  for (uint32_t w = 0; w < waves_in_block_; w++) {
    wave_state& wave = *waves_[w];
    wave.ended = wave.at_operation = wave.at_barrier = wave.group = 0;
    make_ready(wave, kAllLanes);
  }
  wave_ = 0;
  wave_ = choose_wave();
  adopt_thread(scheduler_);
  running_block = this;
  thread = next_thread();
  in_lane_ = true;
  switch_fiber(scheduler_, lanes_[thread].flow);
  in_lane_ = false;
  running_block = nullptr;
  if (fault_) {
    for (uint32_t t = 0; t < threads_; t++) clean_stack(stacks_.bottom(t), stack_pool::stack_bytes());
    uint32_t overflowed = 0;
    if (fault_->memory_fault && stacks_.in_guard(fault_->address, overflowed)) {
      fault_->memory_fault = false;
      fault_->line = fault_line("stack overflow", fault_->place, text_after(fault_->last_site),
                                fmt::format("a thread has {} bytes of stack", stack_pool::stack_bytes()));
    }
  }
  return std::exchange(fault_, std::nullopt);
}

void block_execution::run_lane() {
  enter_fiber();
  block_execution& block = *running_block;
  block.kernel_->entry(block.args_);
  block.end_lane();
}

void block_execution::end_lane() {
  waves_[wave_]->ended |= bit_of(thread % kWaveLanes);
  const uint32_t me = thread;
  const uint32_t next = next_thread();
  if (next == kNobody) leave_fiber(lanes_[me].flow, scheduler_);
  thread = next;
  leave_fiber(lanes_[me].flow, lanes_[next].flow);
}

void block_execution::wait() {
  const uint32_t me = thread;
  const uint32_t next = next_thread();
  if (next == me) return;
  thread = next;
  switch_fiber(lanes_[me].flow, lanes_[next].flow);
}

// The thread that runs next, or kNobody when all have ended.
uint32_t block_execution::next_thread() {
  for (;;) {
    wave_state& wave = *waves_[wave_];
    if (wave.can_run()) return wave_ * kWaveLanes + wave.ready[wave.ready_next++];
    settle(wave, wave_ * kWaveLanes);
    uint32_t next = choose_wave();
    if (next == kNobody) {
      settle_barrier();
      next = choose_wave();
      if (next == kNobody) return kNobody;
    }
    wave_ = next;
  }
}

// Decides what happens to a wave none of whose lanes can run.
void block_execution::settle(wave_state& wave, uint32_t first_thread) {
  if (wave.at_operation != 0) {
    // Lanes that diverged wait at different operations. The one that stands first in the source goes on, so that the
    // lanes inside a branch catch up with those behind it.
    const lane_state* lanes = &lanes_[first_thread];
    uint64_t group = 0;
    source_site site;
    for (uint64_t rest = wave.at_operation; rest != 0; rest &= rest - 1) {
      const uint32_t lane = lowest(rest);
      if (group != 0 && lanes[lane].site == site) {
        group |= bit_of(lane);
      } else if (group == 0 || lanes[lane].site < site) {
        group = bit_of(lane);
        site = lanes[lane].site;
      }
    }
    wave.at_operation &= ~group;
    wave.group = group;
    wave.group_parity = wave.parity;
    wave.ballot_known = false;
    make_ready(wave, group);
    return;
  }
  if (wave.at_barrier == 0) return;
  const uint32_t waiting = first_thread + lowest(wave.at_barrier);
  const source_site& site = lanes_[waiting].site;
  for (uint32_t t = first_thread; t < first_thread + kWaveLanes; t++) {
    if ((wave.ended & bit_of(t - first_thread)) != 0 || !(lanes_[t].site == site)) {
      fail("divergent barrier", waiting, site, whereabouts(t));
    }
  }
}

// Every wave has ended or waits at a barrier. Hardware would let ended waves out of the barrier; __syncthreads asks
// every thread of the block to come, and so do we.
void block_execution::settle_barrier() {
  uint32_t waiting = kNobody;
  for (uint32_t w = 0; w < waves_in_block_ && waiting == kNobody; w++) {
    if (waves_[w]->at_barrier != 0) waiting = w * kWaveLanes;
  }
  if (waiting == kNobody) return;
  const source_site& site = lanes_[waiting].site;
  for (uint32_t w = 0; w < waves_in_block_; w++) {
    const uint32_t first = w * kWaveLanes;
    if (waves_[w]->ended != 0 || !(lanes_[first].site == site)) {
      fail("divergent barrier", waiting, site, whereabouts(first));
    }
  }
  shared.barrier();
  wave_ = 0;
  for (uint32_t w = 0; w < waves_in_block_; w++) {
    waves_[w]->at_barrier = 0;
    make_ready(*waves_[w], kAllLanes);
  }
}

uint32_t block_execution::choose_wave() {
  if (seed_ == 0) {
    for (uint32_t i = 0; i < waves_in_block_; i++) {
      const uint32_t w = (wave_ + i) % waves_in_block_;
      if (waves_[w]->can_run()) return w;
    }
    return kNobody;
  }
  uint32_t able[kMaxThreads / kWaveLanes];
  uint32_t count = 0;
  for (uint32_t w = 0; w < waves_in_block_; w++) {
    if (waves_[w]->can_run()) able[count++] = w;
  }
  return count == 0 ? kNobody : able[draw() % count];
}

void block_execution::make_ready(wave_state& wave, uint64_t lanes) {
  uint32_t count = 0;
  for (; lanes != 0; lanes &= lanes - 1) wave.ready[count++] = static_cast<uint8_t>(lowest(lanes));
  if (seed_ != 0) {
    for (uint32_t i = count; i > 1; i--) std::swap(wave.ready[i - 1], wave.ready[draw() % i]);
  }
  wave.ready_count = count;
  wave.ready_next = 0;
}

uint64_t block_execution::draw() { return mix(random_); }

std::byte* block_execution::deposit() {
  wave_state& wave = *waves_[wave_];
  const uint32_t lane = thread % kWaveLanes;
  wave.parity ^= bit_of(lane);
  return wave.deposits[(wave.parity >> lane) & 1][lane];
}

void block_execution::wait_for_wave(const source_site& site) {
  lanes_[thread].site = site;
  waves_[wave_]->at_operation |= bit_of(thread % kWaveLanes);
  wait();
}

uint64_t block_execution::ballot(const source_site& site) {
  wave_state& wave = *waves_[wave_];
  if (!wave.ballot_known) {
    const uint64_t elsewhere = kAllLanes & ~wave.group & ~wave.ended;
    if (elsewhere != 0) deposit_of(lowest(elsewhere), site);
    wave.ballot = 0;
    for (uint64_t rest = wave.group; rest != 0; rest &= rest - 1) {
      const uint32_t lane = lowest(rest);
      const std::byte* vote = wave.deposits[(wave.group_parity >> lane) & 1][lane];
      if (*reinterpret_cast<const uint32_t*>(vote) != 0) wave.ballot |= bit_of(lane);
    }
    wave.ballot_known = true;
  }
  return wave.ballot;
}

void block_execution::barrier(const source_site& site) {
  lanes_[thread].site = site;
  waves_[wave_]->at_barrier |= bit_of(thread % kWaveLanes);
  wait();
}

// Where a thread that should be here is instead.
std::string block_execution::whereabouts(uint32_t other) const {
  const bool ended = (waves_[other / kWaveLanes]->ended & bit_of(other % kWaveLanes)) != 0;
  return lane_text(other) + (ended ? std::string(" has ended") : " waits at " + text_of(lanes_[other].site));
}

void block_execution::fail_missing_lane(uint32_t lane, const source_site& site) const {
  std::string detail = lane < kWaveLanes ? whereabouts(thread - thread % kWaveLanes + lane)
                                         : fmt::format("asks for lane {} of {}", lane, kWaveLanes);
  running_block->fail("read of a missing lane", site, std::move(detail));
}

void block_execution::fail(std::string_view kind, const source_site& site, std::string&& detail) {
  fail(kind, thread, site, std::move(detail));
}

void block_execution::fail(std::string_view kind, uint32_t at_thread, const source_site& site, std::string&& detail) {
  fault_.emplace();
  fault_->place = {kernel_->name, block_x, block_y, at_thread};
  fault_->line = fault_line(kind, fault_->place, "at " + text_of(site), detail);
  std::string().swap(detail);
  stop_lane();
}

void block_execution::fail_on_address(const void* address) {
  fault_.emplace();
  fault_->place = {kernel_->name, block_x, block_y, thread};
  fault_->memory_fault = true;
  fault_->address = address;
  fault_->last_site = lanes_[thread].site;
  stop_lane();
}

void block_execution::stop_lane() { leave_fiber(lanes_[thread].flow, scheduler_); }

}  // namespace adahop::hip::cpu
