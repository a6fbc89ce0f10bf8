// What every table of this backend does around a call of the C ABI: one call at a time on most devices, the caller's memory,
// stream and workspace, the float environment, errors; no exception leaves it. Implements SPEC 1.3, 13.1-13.3, 13.7.
#pragma once
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <string_view>

#include "adahop/backend.h"
#include "adahop/status.h"
#include "pipeline/capabilities.h"
#include "pipeline/context.h"

namespace adahop::hip {

/// A device and how the process wants it used. A call has it to itself, so that options cannot change under it; where the
/// device takes several calls at once, each goes by the options that it found.
struct backend_state {
  std::mutex mutex;
  device* target = nullptr;
  bool concurrent = false;  ///< the device takes several calls at once
  mx_tile tile = mx_tile::k16x16x128;
  bool has_tuned = false;  ///< the device has the kernels of gfx950 alone
  bool tuned = false;      ///< and they are to be used
  mfma_model mfma = {mfma_combine::fused, 0};  ///< of devices that emulate the matrix instruction
};

/// Keeps the line for last_error() and returns the code.
int32_t report(const status& s);

/// The calling thread's last error, for the table; never null.
const char* last_error();

/// The option mx_tile of every table: "16x16x128" or "32x32x64". The caller holds the mutex.
status set_mx_tile(backend_state& state, std::string_view value);

/// The option mx_gemm of every table: "tuned", where the device has those kernels, or "portable". The caller holds the
/// mutex.
status set_mx_gemm(backend_state& state, std::string_view value);

/// The device of a state and whether it has the tuned kernels, which then are used.
void set_target(backend_state& state, device& target);

/// Bytes of device memory for a call with ADAHOP_MEMORY_DEVICE, as the options of `state` (may be null) have it now.
int32_t workspace_size_of(backend_state* state, int32_t op, const void* args, uint64_t* bytes);

/// Runs `work`, a function that returns a status, and reports what it returns or throws.
template <class Work>
int32_t guarded(const Work& work) {
  try {
    return report(work());
  } catch (const std::bad_alloc&) {
    return report({ADAHOP_OUT_OF_MEMORY, "out of host memory"});
  } catch (const std::exception& e) {
    return report({ADAHOP_INTERNAL, e.what()});
  } catch (...) {
    return report({ADAHOP_INTERNAL, "unknown exception"});
  }
}

/// An operation on `state`. Instantiated for each argument struct of the C ABI.
template <class Args>
status run_call(backend_state& state, const adahop_exec* exec, const Args* args);

/// What device_allocate, device_release and stream_create do once the device is there, and the check of both copies.
status allocate_on(device& target, uint64_t bytes, void** memory);
status release_on(device& target, void* memory);
status create_stream_on(device& target, void** stream);
status check_copy(const void* to, const void* from, uint64_t bytes);

/// The table's function for an operation. `State` returns result<backend_state*>: the state, or why there is none.
template <auto State, class Args>
int32_t call(const adahop_exec* exec, const Args* args) {
  return guarded([&]() -> status {
    const result<backend_state*> state = State();
    if (!state.ok()) return state.why();
    return run_call(*state.value(), exec, args);
  });
}

/// workspace_size() of the table. Calls with host memory need none and touch none.
template <auto State>
int32_t workspace_size(int32_t op, const void* args, uint64_t* bytes) {
  const result<backend_state*> state = State();
  return workspace_size_of(state.ok() ? state.value() : nullptr, op, args, bytes);
}

/// Runs `work`, a function of the device that returns a status, alone on the device of `State`.
template <auto State, class Work>
int32_t on_device(const Work& work) {
  return guarded([&]() -> status {
    const result<backend_state*> state = State();
    if (!state.ok()) return state.why();
    const std::lock_guard lock(state.value()->mutex);
    return work(*state.value()->target);
  });
}

/// The table's functions for device memory and streams.
template <auto State>
int32_t device_allocate(uint64_t bytes, void** memory) {
  return on_device<State>([&](device& target) { return allocate_on(target, bytes, memory); });
}
template <auto State>
int32_t device_release(void* memory) {
  return on_device<State>([&](device& target) { return release_on(target, memory); });
}
template <auto State>
int32_t copy_to_device(void* to, const void* from, uint64_t bytes, void* stream) {
  return on_device<State>([&](device& target) -> status {
    ADAHOP_TRY(check_copy(to, from, bytes));
    return target.copy_to_device(to, from, bytes, stream);
  });
}
template <auto State>
int32_t copy_to_host(void* to, const void* from, uint64_t bytes, void* stream) {
  return on_device<State>([&](device& target) -> status {
    ADAHOP_TRY(check_copy(to, from, bytes));
    return target.copy_to_host(to, from, bytes, stream);
  });
}
template <auto State>
int32_t stream_create(void** stream) {
  return on_device<State>([&](device& target) { return create_stream_on(target, stream); });
}
template <auto State>
int32_t stream_release(void* stream) {
  return on_device<State>([&](device& target) -> status {
    if (stream == nullptr) return invalid_argument("stream: is null, and the default stream is not released");
    return target.release_stream(stream);
  });
}

template <auto State>
constexpr adahop_backend make_table(const char* name, const char* device_line,
                                    int32_t (*set_option)(const char*, const char*)) {
  return {
      ADAHOP_ABI_VERSION,
      sizeof(adahop_backend),
      name,
      device_line,
      kCapabilities,
      workspace_size<State>,
      call<State, adahop_quantize_args>,
      call<State, adahop_dequantize_args>,
      call<State, adahop_hadamard_args>,
      call<State, adahop_hadamard_quantize_args>,
      call<State, adahop_pattern_args>,
      call<State, adahop_select_outliers_args>,
      call<State, adahop_extract_outliers_args>,
      call<State, adahop_mx_gemm_args>,
      call<State, adahop_bf16_gemm_args>,
      call<State, adahop_scatter_add_args>,
      call<State, adahop_matmul_args>,
      device_allocate<State>,
      device_release<State>,
      copy_to_device<State>,
      copy_to_host<State>,
      stream_create<State>,
      stream_release<State>,
      set_option,
      last_error,
  };
}

}  // namespace adahop::hip
