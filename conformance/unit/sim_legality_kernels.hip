// Kernels for the question what the checks of gfx950-sim must let pass and what not, in pairs: right_* is legal, wrong_* the
// same with one thing wrong. Workgroups have 256 work-items, 4 waves, unless a kernel says otherwise.
#include <stdint.h>

#define DEVICE __attribute__((device)) inline
#define SHARED static __attribute__((shared))
#define KERNEL(threads) \
  extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(threads, threads))) void

namespace {

DEVICE uint32_t item() { return __builtin_amdgcn_workitem_id_x(); }
DEVICE uint32_t group() { return __builtin_amdgcn_workgroup_id_x(); }

DEVICE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// Without a fence: the compiler neither moves memory accesses over it nor waits.
DEVICE void keep_order() { asm volatile("" ::: "memory"); }

}  // namespace

struct trial_args {
  const uint32_t* in;
  uint32_t* out;
};

/// Work-items exchange words through global memory; clang does not wait for the store before the barrier.
KERNEL(256) right_global_exchange(const trial_args args) {
  uint32_t* const mine = args.out + 256 * group();
  mine[item()] = args.in[item()] + 1;
  barrier();
  const uint32_t other = mine[255 - item()];
  barrier();
  mine[item()] = other;
}
KERNEL(256) wrong_global_exchange(const trial_args args) {
  uint32_t* const mine = args.out + 256 * group();
  mine[item()] = args.in[item()] + 1;
  keep_order();
  const uint32_t other = mine[255 - item()];
  barrier();
  mine[item()] = other;
}

/// A word of LDS goes from lane 62 to lane 63 of one wave, and from lane 63 to lane 64, which is another wave's.
template <uint32_t From, uint32_t To>
DEVICE void hand_over(const trial_args& args) {
  SHARED uint32_t staged[256];
  staged[item()] = item();
  barrier();
  if (item() == From) staged[7] = 1;
  keep_order();
  uint32_t got = 0;
  if (item() == To) {
    keep_order();
    got = staged[7];
    keep_order();
  }
  args.out[256 * group() + item()] = got;
}
KERNEL(256) right_two_lanes(const trial_args args) { hand_over<62, 63>(args); }
KERNEL(256) wrong_two_lanes(const trial_args args) { hand_over<63, 64>(args); }

/// A loop over LDS whose second round forgets the barrier behind its reads.
template <uint32_t Forgotten>
DEVICE void rounds(const trial_args& args) {
  SHARED uint32_t staged[256];
  uint32_t sum = 0;
#pragma unroll 1
  for (uint32_t round = 0; round < 3; ++round) {
    staged[item()] = args.in[item()] + round;
    barrier();
    sum += staged[255 - item()];
    keep_order();
    if (round != Forgotten) barrier();
  }
  args.out[256 * group() + item()] = sum;
}
KERNEL(256) right_rounds(const trial_args args) { rounds<3>(args); }
KERNEL(256) wrong_rounds(const trial_args args) { rounds<1>(args); }

/// Rows of 64 words and one of padding, which nobody writes.
template <uint32_t Shift>
DEVICE void padded(const trial_args& args) {
  SHARED uint32_t staged[4 * 65];
  const uint32_t row = item() / 64, column = item() % 64;
  staged[65 * row + column] = item();
  barrier();
  args.out[256 * group() + item()] = staged[65 * row + (column + 1) % (64 + Shift)];
}
KERNEL(256) right_padding(const trial_args args) { padded<0>(args); }
KERNEL(256) wrong_padding(const trial_args args) { padded<1>(args); }

/// A wave writes its words twice, then one byte of each.
KERNEL(256) right_twice(const trial_args args) {
  uint32_t* const mine = args.out + 256 * group() + item();
  *mine = 1;
  keep_order();
  *mine = 2;
  keep_order();
  reinterpret_cast<uint8_t*>(mine)[1] = 7;
}

/// All lanes of a wave write one word, with one value; with different ones; and two waves with one value.
KERNEL(64) right_broadcast(const trial_args args) {
  SHARED uint32_t word;
  word = group();
  barrier();
  args.out[64 * group() + item()] = word;
}
KERNEL(64) wrong_broadcast(const trial_args args) {
  SHARED uint32_t word;
  word = item();
  barrier();
  args.out[64 * group() + item()] = word;
}
KERNEL(128) wrong_broadcast_of_waves(const trial_args args) {
  SHARED uint32_t word;
  word = group();
  barrier();
  args.out[128 * group() + item()] = word;
}

/// Waves that have nothing to do end before the barrier; then some lanes of each wave.
KERNEL(256) right_early_end(const trial_args args) {
  SHARED uint32_t staged[64];
  if (__builtin_amdgcn_readfirstlane(static_cast<int>(item())) >= 64) return;
  staged[item()] = args.in[item()];
  barrier();
  args.out[64 * group() + item()] = staged[63 - item()];
}
KERNEL(256) wrong_early_end(const trial_args args) {
  SHARED uint32_t staged[256];
  if (item() % 64 >= 60) return;
  staged[item()] = args.in[item()];
  barrier();
  args.out[256 * group() + item()] = staged[item() / 64 * 64 + 59 - item() % 64];
}

/// Workgroups that share one word at their ends.
KERNEL(64) wrong_overlapping_groups(const trial_args args) { args.out[63 * group() + item()] = args.in[item()]; }
