// The C ABI table "hip-cpu": the HIP kernels compiled for the host and run as fibers under checkers.
#pragma once
#include "adahop/backend.h"

/// The table for ADAHOP_ABI_VERSION, null for any other version. Options: "lane_seed" (0: natural order, else a shuffle),
/// "threads" (0: one a processor), "mx_tile" (16x16x128 or 32x32x64: which matrix instruction tiles the MX product),
/// "mx_gemm" (portable alone: the tuned products are gfx950 machine code),
/// "mfma_model" (mfma_fused, mfma_seq, cdna3_trfdpa(L), cdna3_gtrfdpa(L), block_first_fdpa(n): how that instruction
/// combines its K blocks with C in mode native; SPEC 10.12-10.17).
const adahop_backend* adahop_backend_hip_cpu(uint32_t abi_version);
