// Kernels for the tests of SimDevice: correct ones, and one for each way in which a launch must stop.
#include <stdint.h>

#define DEVICE __attribute__((device)) inline
#define CONSTANT_MEMORY __attribute__((address_space(4)))
#define KERNEL(threads) \
  extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(threads, threads))) void

namespace {

DEVICE uint32_t global_x(uint32_t threads) { return __builtin_amdgcn_workgroup_id_x() * threads + __builtin_amdgcn_workitem_id_x(); }

DEVICE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

}  // namespace

struct trial_args {
  const uint32_t* in;
  uint32_t* out;
  uint32_t count;
  uint32_t extra;
};

/// out[i] = in[i] + extra, bounds checked.
KERNEL(256) add_extra(const trial_args args) {
  const uint32_t i = global_x(256);
  if (i < args.count) args.out[i] = args.in[i] + args.extra;
}

/// out[i] = in[count - 1 - i] within a workgroup, through LDS.
KERNEL(256) reverse(const trial_args args) {
  static __attribute__((shared)) uint32_t staged[256];
  const uint32_t t = __builtin_amdgcn_workitem_id_x();
  staged[t] = args.in[global_x(256)];
  barrier();
  args.out[global_x(256)] = staged[255 - t];
}

/// The same with the barrier forgotten.
KERNEL(256) reverse_without_barrier(const trial_args args) {
  static __attribute__((shared)) uint32_t staged[256];
  const uint32_t t = __builtin_amdgcn_workitem_id_x();
  staged[t] = args.in[global_x(256)];
  asm volatile("" ::: "memory");
  args.out[global_x(256)] = staged[255 - t];
}

/// Writes one element beyond count from the last workgroup only.
KERNEL(256) one_too_many(const trial_args args) {
  const uint32_t i = global_x(256);
  if (i <= args.count) args.out[i] = args.in[i < args.count ? i : 0];
}

/// Every workgroup from number `extra` on reads element count, which nobody wrote.
KERNEL(64) reads_unwritten(const trial_args args) {
  const uint32_t group = __builtin_amdgcn_workgroup_id_x();
  args.out[global_x(64)] = group < args.extra ? args.in[global_x(64)] : args.in[args.count];
}

/// Loops until in[0] is not zero.
KERNEL(64) waits_for_ever(const trial_args args) {
  while (__builtin_nontemporal_load(args.in) == 0) __builtin_amdgcn_s_sleep(1);
  args.out[0] = 1;
}

/// Ids and sizes of a grid in three dimensions: workgroups and work-items are numbered x fastest.
extern "C" __attribute__((global)) void places(uint32_t* out) {
  const auto* hidden = (const CONSTANT_MEMORY uint32_t*)__builtin_amdgcn_implicitarg_ptr();
  const auto* sizes = (const CONSTANT_MEMORY uint16_t*)(hidden + 3);
  const uint32_t group = __builtin_amdgcn_workgroup_id_x() +
                         hidden[0] * (__builtin_amdgcn_workgroup_id_y() + hidden[1] * __builtin_amdgcn_workgroup_id_z());
  const uint32_t item = __builtin_amdgcn_workitem_id_x() +
                        sizes[0] * (__builtin_amdgcn_workitem_id_y() + sizes[1] * __builtin_amdgcn_workitem_id_z());
  const uint32_t items = uint32_t{sizes[0]} * sizes[1] * sizes[2];
  out[group * items + item] = group << 16 | item;
}
