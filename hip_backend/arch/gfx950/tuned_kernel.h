// How a tuned product is declared and runs. Decides order of work only.
#pragma once
#include "arch/gfx950/mx_store.h"

/// An extern "C" kernel of 256 threads with one POD argument struct whose waves share a SIMD two by two: 256 registers a
/// lane, AGPRs included.
#define ADAHOP_TUNED_KERNEL(name, args_struct)                                              \
  extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(256, 256))) \
  __attribute__((amdgpu_waves_per_eu(2, 2))) void name([[maybe_unused]] const args_struct args)

namespace adahop::hip {

/// The running kernel's arguments, loaded at this place: a kernel of several parts keeps its scalar registers free of what
/// another part needs.
template <class Args>
ADAHOP_DEVICE_FN Args load_arguments() {
  auto from = __builtin_amdgcn_kernarg_segment_ptr();
  asm volatile("" : "+s"(from));
  Args args;
  __builtin_memcpy(&args, (const void*)from, sizeof args);
  return args;
}

/// The 128 x 128 outputs of a thread block.
template <class Tile>
ADAHOP_DEVICE_FN void run_tuned_product(const mx_gemm_args& args) {
  static __attribute__((shared)) mx_stage stage_0, stage_1;
  static __attribute__((shared)) uint32_t votes[kStageWaves];
  const int64_t m0 = int64_t{block_x()} * kStageRows;
  const int64_t n0 = int64_t{block_y()} * kStageRows;
  Tile tile;
  tile.run(args, m0, n0, stage_0, stage_1, votes);
  store_tile(args, m0, n0, tile, stage_0, stage_1, as_it_is{});
}

}  // namespace adahop::hip
