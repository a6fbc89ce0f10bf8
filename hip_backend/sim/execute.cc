// The execution loop. A wave that ended holds no barrier up, as on the hardware, which counts waves.
#include "sim/execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sim/coverage_counts.h"
#include "sim/fault.h"
#include "sim/opcode.h"
#include "sim/program.h"
#include "sim/register_checks.h"
#include "sim/trace_wave.h"
#include "sim/value_tracking.h"
#include "sim/waiting.h"

namespace adahop::hip::sim {
namespace {

// SplitMix64: a shuffle of its own for each workgroup and barrier.
uint64_t next_random(uint64_t& state) {
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

void shuffle(std::vector<uint32_t>& order, uint64_t seed) {
  for (size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[next_random(seed) % left]);
}

void check_barrier(const wave& w, const instruction& i) {
  if (!w.group->settings->check.divergence) return;
  const uint64_t missing = lanes_of_wave(w.group->threads, w.number) & ~w.exec();
  if (missing != 0)
    fail(w, i, "divergent barrier", fmt::format("s_barrier with {} lanes switched off", std::popcount(missing)),
         std::countr_zero(missing));
}

// From wave::pc to a barrier or the end; load_program() has seen to it that no path leaves the kernel. Checked: registers
// are watched. Observed: instructions are counted or traced.
template <bool Checked, bool Observed>
void run_wave(wave& w) {
  const instruction* const code = w.group->code->code.data();
  [[maybe_unused]] const checks& check = w.group->settings->check;
  const uint64_t budget = w.group->settings->instruction_budget;
  [[maybe_unused]] execution_counts* const counts = w.group->counts;
  while (w.state == wave_state::running) {
    const instruction& i = code[w.pc++];
    if constexpr (Observed) {
      if (counts != nullptr) counts->begin(i);
      if (w.trace != nullptr) w.trace->before(w, i);
    }
    if (w.executed++ == budget)
      fail(w, i, "runaway wave", fmt::format("{} instructions executed (option instruction_budget)", budget));
    if constexpr (Checked) {
      if (check.pending) check_pending(w, i);
      if (check.uninitialized) track_values(w, i);
    }
    i.run(w, i);
    if constexpr (Checked)
      if (check.uninitialized) mark_cross_lane(w, i);
    if constexpr (Observed) {
      if (counts != nullptr) counts->end(i, w.pc);
      if (w.trace != nullptr) w.trace->after(w, i);
    }
    if (w.state == wave_state::at_barrier) check_barrier(w, i);
  }
}

}  // namespace

uint64_t lanes_of_wave(uint32_t threads, uint32_t number) {
  const uint32_t before = number * kLanes;
  if (threads >= before + kLanes) return ~uint64_t{0};
  return threads <= before ? 0 : (uint64_t{1} << (threads - before)) - 1;
}

void run_workgroup(workgroup& group) {
  const checks& check = group.settings->check;
  const bool checked = check.uninitialized || check.pending;
  const bool observed =
      group.counts != nullptr || std::ranges::any_of(group.waves, [](const auto& w) { return w->trace != nullptr; });
  const auto run = observed ? (checked ? run_wave<true, true> : run_wave<false, true>)
                            : (checked ? run_wave<true, false> : run_wave<false, false>);
  std::vector<uint32_t> order(group.waves.size());
  std::iota(order.begin(), order.end(), 0u);
  uint64_t seed = group.settings->schedule_seed;
  if (seed != 0) seed += uint64_t{group.linear} << 32;
  while (true) {
    if (seed != 0) shuffle(order, seed + group.epoch);
    bool waiting = false;
    for (const uint32_t n : order) {
      wave& w = *group.waves[n];
      if (w.state == wave_state::running) run(w);
      waiting = waiting || w.state == wave_state::at_barrier;
    }
    if (!waiting) break;
    pass_barrier(group);
    for (const auto& w : group.waves)
      if (w->state == wave_state::at_barrier) w->state = wave_state::running;
  }
  // Stores under way when a wave ends arrive all the same; until here no other wave could count on them.
  for (const auto& w : group.waves) wait_for(*w, 0, 0);
}

}  // namespace adahop::hip::sim
