// The kernel language on gfx950: clang -x hip, freestanding, waves of 64 lanes. Decides nothing numeric.
#pragma once
#include <stdint.h>

#define ADAHOP_DEVICE_FN __attribute__((device)) __attribute__((always_inline)) inline

/// An extern "C" kernel with one POD argument struct; `threads` is the only block size it may be launched with.
#define ADAHOP_KERNEL(name, args_struct, threads)                                                            \
  extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(threads, threads))) void name( \
      const args_struct args)

/// A block-shared array at function scope.
#define ADAHOP_SHARED(type, name, count)                               \
  static __attribute__((shared)) type name##_storage[count];           \
  const ::adahop::hip::shared_array<type> name { name##_storage }

/// Waits for every thread of the block and orders their shared-memory accesses.
#define ADAHOP_BARRIER()                                     \
  do {                                                       \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");   \
    __builtin_amdgcn_s_barrier();                            \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");   \
  } while (0)

namespace adahop::hip {

inline constexpr int kWave = 64;

ADAHOP_DEVICE_FN uint32_t thread_x() { return __builtin_amdgcn_workitem_id_x(); }
ADAHOP_DEVICE_FN uint32_t block_x() { return __builtin_amdgcn_workgroup_id_x(); }
ADAHOP_DEVICE_FN uint32_t block_y() { return __builtin_amdgcn_workgroup_id_y(); }
ADAHOP_DEVICE_FN uint32_t lane() { return thread_x() % kWave; }

template <class T>
struct shared_array {
  T* storage;
  ADAHOP_DEVICE_FN T& at(uint32_t i) const { return storage[i]; }
};

/// The value of `v` in lane `source` of the wave; 4 or 8 bytes.
template <class T>
ADAHOP_DEVICE_FN T shfl(T v, uint32_t source) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  struct words {
    int w[sizeof(T) / 4];
  };
  words in = __builtin_bit_cast(words, v);
  for (int& w : in.w) w = __builtin_amdgcn_ds_bpermute(static_cast<int>(source * 4), w);
  return __builtin_bit_cast(T, in);
}

template <class T>
ADAHOP_DEVICE_FN T shfl_xor(T v, uint32_t mask) {
  return shfl(v, lane() ^ mask);
}

/// Bit l is the predicate of lane l; lanes that are not there give 0.
ADAHOP_DEVICE_FN uint64_t ballot(bool predicate) { return __builtin_amdgcn_ballot_w64(predicate); }

}  // namespace adahop::hip
