// Calls of the C ABI into the pipeline. Implements SPEC 1.3, 13.3, 13.7.
#include "abi_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "adahop/last_error.h"
#include "device/float_environment.h"
#include "pipeline/checks.h"
#include "pipeline/operations.h"
#include "pipeline/workspace.h"

namespace adahop::hip {
namespace {

// Fixed storage, so that reporting a lack of memory needs none.
thread_local char last_message[512] = "";

}  // namespace

int32_t report(const status& s) {
  store_line(s.message(), last_message);
  return s.code();
}

const char* last_error() { return last_message; }

status set_mx_tile(backend_state& state, std::string_view value) {
  if (value == "16x16x128")
    state.tile = mx_tile::k16x16x128;
  else if (value == "32x32x64")
    state.tile = mx_tile::k32x32x64;
  else
    return invalid_argument(fmt::format("set_option: mx_tile={}: expected 16x16x128 or 32x32x64", value));
  return {};
}

status set_mx_gemm(backend_state& state, std::string_view value) {
  if (value != "tuned" && value != "portable")
    return invalid_argument(fmt::format("set_option: mx_gemm={}: expected tuned or portable", value));
  if (value == "tuned" && !state.has_tuned)
    return unsupported("set_option: mx_gemm=tuned: expected portable, this device has no other kernels");
  state.tuned = value == "tuned";
  return {};
}

void set_target(backend_state& state, device& target) {
  state.target = &target;
  // A kernel that is there and cannot run is the call's error later, no reason to run another one.
  const auto lacks = [&](const kernel_entry& k) { return target.find_kernel(k.name).why().code() == ADAHOP_INTERNAL; };
  state.has_tuned = std::none_of(kEveryKernel.begin() + kKernels.size(), kEveryKernel.end(), lacks);
  state.tuned = state.has_tuned;
}

int32_t workspace_size_of(backend_state* state, int32_t op, const void* args, uint64_t* bytes) {
  return guarded([&]() -> status {
    if (op < 0 || op >= ADAHOP_OP_COUNT)
      return invalid_argument(fmt::format("op: {} is outside 0 to {}", op, ADAHOP_OP_COUNT - 1));
    if (args == nullptr) return invalid_argument("args: is null");
    if (bytes == nullptr) return invalid_argument("bytes: is null");
    bool tuned = false;
    if (state != nullptr) {
      const std::lock_guard lock(state->mutex);
      tuned = state->tuned;
    }
    ADAHOP_ASSIGN(needed, workspace_bytes(static_cast<adahop_op>(op), args, tuned));
    *bytes = needed;
    return {};
  });
}

status allocate_on(device& target, uint64_t bytes, void** memory) {
  if (memory == nullptr) return invalid_argument("memory: is null");
  if (bytes == 0) return invalid_argument("bytes: expected 1 or more, got 0");
  ADAHOP_ASSIGN(allocated, target.allocate(bytes));
  *memory = allocated;
  return {};
}

status release_on(device& target, void* memory) {
  if (memory == nullptr) return {};
  target.release(memory);
  return target.synchronize(nullptr);  // the next one tells what went wrong in release()
}

status create_stream_on(device& target, void** stream) {
  if (stream == nullptr) return invalid_argument("stream: is null");
  ADAHOP_ASSIGN(created, target.create_stream());
  *stream = created;
  return {};
}

status check_copy(const void* to, const void* from, uint64_t bytes) {
  if (bytes != 0 && (to == nullptr || from == nullptr))
    return invalid_argument("target or source: is null for a copy of more than 0 bytes");
  return {};
}

template <class Args>
status run_call(backend_state& state, const adahop_exec* exec, const Args* args) {
  const default_float_environment environment;  // the host steps of the pipeline compute too
  ADAHOP_TRY(check_exec(exec));
  if (args == nullptr) return invalid_argument("args: is null");
  std::unique_lock lock(state.mutex);
  context on{*state.target};
  on.tile = state.tile;
  on.tuned = state.tuned;
  on.mfma = state.mfma;
  on.mode = static_cast<adahop_mode>(exec->mode);
  if (state.concurrent) lock.unlock();
  std::optional<workspace> callers;
  if (exec->memory == ADAHOP_MEMORY_DEVICE) {
    on.memory = ADAHOP_MEMORY_DEVICE;
    on.stream = exec->stream;
    if (exec->workspace != nullptr) on.from = &callers.emplace(exec->workspace, exec->workspace_bytes);
  }
  return run(on, *args);
}

template status run_call(backend_state&, const adahop_exec*, const adahop_quantize_args*);
template status run_call(backend_state&, const adahop_exec*, const adahop_dequantize_args*);
template status run_call(backend_state&, const adahop_exec*, const adahop_hadamard_args*);
template status run_call(backend_state&, const adahop_exec*, const adahop_hadamard_quantize_args*);
template status run_call(backend_state&, const adahop_exec*, const adahop_pattern_args*);
template status run_call(backend_state&, const adahop_exec*, const adahop_select_outliers_args*);
template status run_call(backend_state&, const adahop_exec*, const adahop_extract_outliers_args*);
template status run_call(backend_state&, const adahop_exec*, const adahop_mx_gemm_args*);
template status run_call(backend_state&, const adahop_exec*, const adahop_bf16_gemm_args*);
template status run_call(backend_state&, const adahop_exec*, const adahop_scatter_add_args*);
template status run_call(backend_state&, const adahop_exec*, const adahop_matmul_args*);

}  // namespace adahop::hip
