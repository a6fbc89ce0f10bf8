// fake_hip: a stand-in for HIP's runtime library (libamdhip64) for tests. It exports the C functions that HipDevice uses,
// checks every call, and runs launches on CpuDevice. What a stream was told to do happens when the stream is waited for,
// so that memory freed or read too early shows. This is its control panel; everything else is HIP's own C ABI.
//
// A program that loads it by ADAHOP_HIP_LIBRARY controls it by environment variables instead:
//   ADAHOP_FAKE_HIP_FAIL=N:E    call N of the process (from 1) returns hipError_t E
//   ADAHOP_FAKE_HIP_DEVICES=N   number of devices, 1 by default
//   ADAHOP_FAKE_HIP_ARCH=TEXT   gcnArchName, "gfx950:sramecc+:xnack-" by default
//   ADAHOP_FAKE_HIP_REPORT=FILE at the process's end: calls, launches, misuses with their text, what was never freed
#pragma once
#include <cstdint>

extern "C" {

/// Forgets the recorded calls and misuses and takes back fake_hip_fail_at(). What is live stays live.
void fake_hip_reset();

/// The `call`-th call from now (from 1) returns `error` without doing anything, except that one that releases something
/// has released it: HIP reports there what went wrong earlier. 0 for never.
void fake_hip_fail_at(int64_t call, int error);

/// Recorded calls since fake_hip_reset(), 100000 at most, hipGetErrorName and hipGetErrorString not counted.
int64_t fake_hip_call_count();
/// "hipMalloc(1024)"; arguments that are addresses are left out. Valid until fake_hip_reset().
const char* fake_hip_call(int64_t index);

/// Calls that broke HIP's rules since fake_hip_reset(), and faults of kernels.
int64_t fake_hip_misuse_count();
const char* fake_hip_misuse(int64_t index);

/// Allocations, modules, events and streams that are live now, and work not yet done.
int64_t fake_hip_live();

}  // extern "C"
