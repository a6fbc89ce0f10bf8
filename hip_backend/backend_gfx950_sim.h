// The C ABI table "gfx950-sim": the gfx950 code objects of this build, executed instruction by instruction on the CPU under
// checkers. Implements SPEC 13.8-13.10.
#pragma once
#include "adahop/backend.h"

/// The table for ADAHOP_ABI_VERSION, null for any other version. It is there without code objects or LLVM's library too:
/// then every operation is ADAHOP_DEVICE with the line of adahop_backend_gfx950_sim_unavailable(). A code object is decoded
/// when the first of its kernels is launched. Calls from several threads run at once. Options:
///   level=O3|O2                 which code objects: those compiled at -O3 (default) or at -O2
///   code_object=FILE            kernels in this file replace those of the build that have their names; empty: none do
///   mx_gemm, mx_tile            which kernels of the MX product, as of hip
///   checks=all|none|LIST        of uninitialized,pending,races,alignment,outputs,divergence
///   mfma_model, bf16_mfma_model, mfma_nan, mfma_scale_ff, nan_to_fp4, scale_ff, widened_nan, sr_model, bf16_nan, rcp_ulp
///                               what hardware leaves undefined: sim/numerics/options.h
///   threads=N, schedule_seed=N, instruction_budget=N
///   trace=KERNEL:WAVE[:LANES]   every instruction of one wave with its operands, as hadamard:0,3.1:0-7 for wave 1 of workgroup
///                               (0,3); an empty value ends it. Goes to stdout or trace_file=FILE, at most trace_limit=N
///                               instructions
///   coverage=FILE               what is executed of each kernel; the file is written at the next value, as coverage=, and
///                               added to where it is JSON, named *.json
const adahop_backend* adahop_backend_gfx950_sim(uint32_t abi_version);

/// Null when code objects can be executed, else the reason why not, one line.
const char* adahop_backend_gfx950_sim_unavailable();

/// What gfx950-sim has executed in this process.
struct adahop_gfx950_sim_work {
  uint64_t launches, wave_instructions;
  double seconds; /* of launches, added up over the threads that made them */
};
struct adahop_gfx950_sim_work adahop_backend_gfx950_sim_executed();
