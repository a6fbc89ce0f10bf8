// The C ABI table "hip": the HIP kernels on an AMD gfx950 GPU. Implements SPEC 13.6, 13.7.
#pragma once
#include "adahop/backend.h"

/// The table for ADAHOP_ABI_VERSION, null for any other version. It is there without a GPU too: then every operation is
/// ADAHOP_DEVICE with the line of adahop_backend_hip_unavailable(). The first use of the backend loads the runtime
/// library (libamdhip64.so.7, .so.6 or .so.5, or the file that the environment variable ADAHOP_HIP_LIBRARY names) and
/// the code objects; what that gave holds until the process ends. Calls make device 0 the thread's current device;
/// HIP_VISIBLE_DEVICES chooses which one that is. Options: "mx_tile" (16x16x128 or 32x32x64)
/// and "mx_gemm" (tuned, the default, or portable).
const adahop_backend* adahop_backend_hip(uint32_t abi_version);

/// Null when a gfx950 GPU is ready, else the reason why there is none, one line.
const char* adahop_backend_hip_unavailable();
