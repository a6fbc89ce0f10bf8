// Correct kernels for the tests of the hip-cpu executor.
#include "hip_cpu_kernels.h"

#include <array>

#include "arch/lang.h"

namespace adahop::hip::test {
namespace {

ADAHOP_DEVICE_FN uint32_t global_thread(uint32_t threads) { return block_x() * threads + thread_x(); }

}  // namespace

// out[b] = sum of block b's 256 elements, by a tree with a barrier a step.
ADAHOP_KERNEL(block_sum, trial, 256) {
  ADAHOP_SHARED(uint32_t, part, 256);
  const uint32_t t = thread_x();
  part.at(t) = args.in[global_thread(256)];
  ADAHOP_BARRIER();
  for (uint32_t d = 128; d > 0; d /= 2) {
    if (t < d) part.at(t) = part.at(t) + part.at(t + d);
    ADAHOP_BARRIER();
  }
  if (t == 0) args.out[block_x()] = part.at(0);
}

// out[w] = sum of wave w's 64 elements, by butterflies.
ADAHOP_KERNEL(wave_sum, trial, 256) {
  uint32_t v = args.in[global_thread(256)];
  for (uint32_t d = 1; d < 64; d *= 2) v += shfl_xor(v, d);
  if (lane() == 0) args.out[global_thread(256) / 64] = v;
}

// out[t] = element of the lane that in[t] names, exchanged as 8 bytes.
ADAHOP_KERNEL(permute, trial, 128) {
  const uint32_t t = global_thread(128);
  const uint64_t mine = uint64_t{t} << 32 | lane();
  const uint64_t got = shfl(mine, args.in[t] % 64);
  args.out[t] = static_cast<uint32_t>(got >> 32) * 64 + static_cast<uint32_t>(got);
}

// Ballots of all lanes, of the first n lanes after the others have ended, and of the odd ones among these.
ADAHOP_KERNEL(ballots, trial, 128) {
  const uint64_t all = ballot(args.in[thread_x()] != 0);
  if (lane() >= args.n) return;
  const uint64_t some = ballot(true);
  const uint64_t odd = ballot(lane() % 2 == 1);
  if (lane() != 0) return;
  const uint64_t votes[3] = {all, some, odd};
  for (uint32_t i = 0; i < 3; i++) {
    args.out[thread_x() / 64 * 6 + 2 * i] = static_cast<uint32_t>(votes[i]);
    args.out[thread_x() / 64 * 6 + 2 * i + 1] = static_cast<uint32_t>(votes[i] >> 32);
  }
}

// Lanes below n exchange among themselves in a branch, then all lanes do behind it.
ADAHOP_KERNEL(branch_shuffle, trial, 64) {
  uint32_t v = lane();
  if (lane() < args.n) v = 100 + shfl_xor(v, 1);
  args.out[lane()] = shfl(v, 63 - lane());
}

// Deposits of 256 bytes, read crosswise: out[t] = sum of column `lane` of the wave's 64 x 64 matrix.
struct matrix_row {
  uint32_t element[64];
};
ADAHOP_KERNEL(column_sum, trial, 256) {
  const uint32_t t = global_thread(256);
  matrix_row mine;
  for (uint32_t i = 0; i < 64; i++) mine.element[i] = args.in[t] * (i + 1);
  args.out[t] = wave_op(mine, [](const auto& get) {
    uint32_t sum = 0;
    for (uint32_t l = 0; l < 64; l++) sum += get(l).element[lane()];
    return sum;
  });
}

// Waves of a block hand results to each other through two arrays, n rounds; blocks form a grid of two dimensions.
ADAHOP_KERNEL(relay, trial, 192) {
  ADAHOP_SHARED(uint32_t, even, 192);
  ADAHOP_SHARED(uint64_t, odd, 192);
  const uint32_t t = thread_x();
  even.at(t) = t + 1000 * block_x() + 100000 * block_y();
  ADAHOP_BARRIER();
  for (uint32_t round = 0; round < args.n; round++) {
    const uint32_t v = even.at((t * 5 + round) % 192);
    odd.at(t) = uint64_t{v} * 3 + ballot(v % 2 == 0) % 7;
    ADAHOP_BARRIER();
    even.at(t) = static_cast<uint32_t>(odd.at(191 - t)) + shfl(t, (t + round) % 64);
    ADAHOP_BARRIER();
  }
  args.out[(block_y() * 4 + block_x()) * 192 + t] = even.at(t);
}

// Notes in which order the threads of a block get to run: only for one OS thread and one block.
ADAHOP_KERNEL(arrival, trial, 256) { args.out[thread_x()] = args.out[256]++; }

// The subnormal 2^-149 + 2^-149 in FP32.
ADAHOP_KERNEL(subnormal, trial, 64) {
  const float v = __builtin_bit_cast(float, args.in[lane()]);
  args.out[lane()] = __builtin_bit_cast(uint32_t, v + v);
}

// Copies an element of a shared array to another without naming its value.
ADAHOP_KERNEL(shared_copy, trial, 64) {
  ADAHOP_SHARED(uint32_t, from, 64);
  ADAHOP_SHARED(uint32_t, to, 64);
  from.at(lane()) = args.in[lane()];
  ADAHOP_BARRIER();
  to.at(lane()) = from.at(63 - lane());
  args.out[lane()] = to.at(lane());
}

std::span<const cpu_kernel> good_kernels() {
  static const std::array kernels{
      ADAHOP_CPU_KERNEL(block_sum),      ADAHOP_CPU_KERNEL(wave_sum),   ADAHOP_CPU_KERNEL(permute),
      ADAHOP_CPU_KERNEL(ballots),        ADAHOP_CPU_KERNEL(relay),      ADAHOP_CPU_KERNEL(column_sum),
      ADAHOP_CPU_KERNEL(branch_shuffle), ADAHOP_CPU_KERNEL(arrival),    ADAHOP_CPU_KERNEL(subnormal),
      ADAHOP_CPU_KERNEL(shared_copy),
  };
  return kernels;
}

}  // namespace adahop::hip::test
