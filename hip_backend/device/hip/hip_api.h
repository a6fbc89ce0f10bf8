// The functions of HIP's runtime library that HipDevice uses, found at run time, and what their errors mean. The types
// are those of HIP's public C ABI, declared here so that no HIP header is needed at build time. Part of SPEC 13.6.
#pragma once
#include <cstddef>
#include <string>

#include "adahop/status.h"

namespace adahop::hip {

using hip_error = int;  ///< hipError_t
inline constexpr hip_error kHipSuccess = 0;
inline constexpr hip_error kHipErrorOutOfMemory = 2;
inline constexpr hip_error kHipErrorNoDevice = 100;
inline constexpr hip_error kHipErrorInvalidDevice = 101;
inline constexpr hip_error kHipErrorNotFound = 500;

inline constexpr int kHipMemcpyHostToDevice = 1;     ///< hipMemcpyKind
inline constexpr int kHipMemcpyDeviceToHost = 2;
inline constexpr int kHipDeviceAttributeWarpSize = 87;  ///< hipDeviceAttribute_t; the same number in HIP 5, 6 and 7

// Keys of hipModuleLaunchKernel's `extra` array.
inline void* const kHipLaunchParamBufferPointer = reinterpret_cast<void*>(1);
inline void* const kHipLaunchParamBufferSize = reinterpret_cast<void*>(2);
inline void* const kHipLaunchParamEnd = reinterpret_cast<void*>(3);

/// A loaded runtime library; it stays loaded until the process ends, as HIP expects.
struct hip_api {
  std::string library;  ///< the file name that was loaded

  const char* (*hipGetErrorName)(hip_error);
  const char* (*hipGetErrorString)(hip_error);
  hip_error (*hipInit)(unsigned flags);
  hip_error (*hipGetDeviceCount)(int* count);
  hip_error (*hipSetDevice)(int device);
  hip_error (*hipDeviceGetName)(char* name, int bytes, int device);
  hip_error (*hipDeviceGetAttribute)(int* value, int attribute, int device);
  hip_error (*hipModuleLoadData)(void** module, const void* image);
  hip_error (*hipModuleUnload)(void* module);
  hip_error (*hipModuleGetFunction)(void** function, void* module, const char* name);
  hip_error (*hipModuleLaunchKernel)(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                                     unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream,
                                     void** params, void** extra);
  hip_error (*hipMalloc)(void** memory, size_t bytes);
  hip_error (*hipFree)(void* memory);
  hip_error (*hipMemcpy)(void* target, const void* source, size_t bytes, int kind);
  hip_error (*hipMemsetAsync)(void* target, int value, size_t bytes, void* stream);
  hip_error (*hipStreamCreate)(void** stream);
  hip_error (*hipStreamDestroy)(void* stream);
  hip_error (*hipStreamSynchronize)(void* stream);
  hip_error (*hipEventCreate)(void** event);
  hip_error (*hipEventRecord)(void* event, void* stream);
  hip_error (*hipEventSynchronize)(void* event);
  hip_error (*hipEventElapsedTime)(float* milliseconds, void* start, void* stop);
  hip_error (*hipEventDestroy)(void* event);

  /// hipGetDeviceProperties writes a structure whose layout differs between HIP 5 and HIP 6; the symbol says which.
  hip_error (*get_properties)(void* properties, int device);
  size_t arch_name_offset;  ///< where gcnArchName, 256 characters, begins in it
};

/// Room for every known layout of hipDeviceProp_t (1472 bytes at most), and more.
inline constexpr size_t kHipPropertiesBytes = 8192;

/// Loads the file that the environment variable ADAHOP_HIP_LIBRARY names, or else the first of libamdhip64.so.7, .so.6,
/// .so.5 and .so that the system finds. ADAHOP_DEVICE with one line when there is none or it lacks a function.
result<hip_api> load_hip_api();

/// "hip: CALL: hipErrorOutOfMemory (2): out of memory" as ADAHOP_OUT_OF_MEMORY or ADAHOP_DEVICE.
status hip_failure(const hip_api& api, hip_error error, const std::string& call);

}  // namespace adahop::hip
