// The C ABI table of the reference: check, compute, report; no exception leaves it. Implements SPEC 13.1-13.3.
#include "reference/backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>

#include "adahop/last_error.h"
#include "reference/bf16_gemm.h"
#include "reference/boundary.h"
#include "reference/capabilities.h"
#include "reference/dequantize.h"
#include "reference/hadamard.h"
#include "reference/hadamard_quantize.h"
#include "reference/matmul.h"
#include "reference/mx_gemm.h"
#include "reference/outliers.h"
#include "reference/parallel.h"
#include "reference/pattern.h"
#include "reference/quantize.h"
#include "reference/scale_storage.h"
#include "reference/scatter_add.h"

namespace adahop::reference {
namespace {

// Fixed storage, so that reporting an out-of-memory needs no memory.
thread_local char last_message[512] = "";

int32_t finish(adahop_status code, std::string_view message) {
  store_line(message, last_message);
  return code;
}

template <class Work>
int32_t guarded(const Work& work) {
  try {
    const status s = work();
    return finish(s.code(), s.message());
  } catch (const std::bad_alloc&) {
    return finish(ADAHOP_OUT_OF_MEMORY, "reference: not enough memory for the intermediate matrices");
  } catch (const std::exception& e) {
    return finish(ADAHOP_INTERNAL, e.what());
  } catch (...) {
    return finish(ADAHOP_INTERNAL, "reference: unknown exception");
  }
}

status run(const adahop_quantize_args& args) {
  const adahop_quantize_result found = quantize(*args.policy, args.x, args.out);
  if (args.result != nullptr) *args.result = found;
  return check_nonfinite(*args.policy, found, args.x.cols, "x");
}

status run(const adahop_dequantize_args& args) {
  dequantize(*args.policy, args.x, args.out);
  return {};
}

status run(const adahop_hadamard_args& args) {
  hadamard(*args.policy, args.x, args.out);
  return {};
}

status run(const adahop_hadamard_quantize_args& args) {
  const std::span zeroed(args.zeroed, static_cast<size_t>(args.zeroed_count));
  const adahop_quantize_result found = hadamard_quantize(*args.policy, args.x, zeroed, args.out);
  if (args.result != nullptr) *args.result = found;
  return check_nonfinite(*args.policy, found, args.out.inner, "x, transformed");
}

status run(const adahop_pattern_args& args) {
  const line_variances v = variances(args.x);
  *args.result = classify(*args.policy, v);
  if (args.row_variance != nullptr) std::copy(v.rows.begin(), v.rows.end(), args.row_variance);
  if (args.col_variance != nullptr) std::copy(v.cols.begin(), v.cols.end(), args.col_variance);
  return {};
}

status run(const adahop_select_outliers_args& args) {
  const std::vector<float> score = scores(*args.policy, args.x);
  const std::vector<int32_t> chosen = top_k(score, args.policy->oe_k);
  if (args.scores != nullptr) std::copy(score.begin(), score.end(), args.scores);
  std::copy(chosen.begin(), chosen.end(), args.indices);
  *args.count = static_cast<int64_t>(chosen.size());
  return {};
}

status run(const adahop_extract_outliers_args& args) {
  extract(args.x, std::span(args.indices, static_cast<size_t>(args.count)), args.out);
  return {};
}

status run(const adahop_mx_gemm_args& args) {
  std::vector<uint8_t> a_scales, b_scales;
  const adahop_mx a = with_linear_scales(args.a, args.policy->scale_layout, a_scales);
  const adahop_mx b = with_linear_scales(args.b, args.policy->scale_layout, b_scales);
  mx_gemm(*args.policy, a, b, args.out);
  return {};
}

status run(const adahop_bf16_gemm_args& args) {
  bf16_gemm(*args.policy, args.a, args.b, args.out);
  return {};
}

status run(const adahop_scatter_add_args& args) {
  scatter_add(args.c, args.outlier, std::span(args.indices, static_cast<size_t>(args.count)),
              static_cast<adahop_side>(args.side), args.out);
  return {};
}

status run(const adahop_matmul_args& args) {
  const pattern_pair pair{static_cast<adahop_pattern>(args.left_pattern),
                          static_cast<adahop_pattern>(args.right_pattern)};
  return matmul(*args.policy, args.level, pair, static_cast<adahop_path>(args.path), args.a, args.b, args.out);
}

// One entry of the table for each argument struct.
template <class Args>
int32_t call(const adahop_exec* exec, const Args* args) {
  const default_fp_environment environment;
  return guarded([&]() -> status {
    ADAHOP_TRY(check_exec(exec));
    if (args == nullptr) return invalid_argument("args: is null");
    ADAHOP_TRY(check(*args));
    return run(*args);
  });
}

int32_t workspace_size(int32_t op, const void*, uint64_t* bytes) {
  return guarded([&]() -> status {
    if (op < 0 || op >= ADAHOP_OP_COUNT)
      return invalid_argument(fmt::format("op: {}, expected 0 to {}", op, ADAHOP_OP_COUNT - 1));
    if (bytes == nullptr) return invalid_argument("bytes: is null");
    *bytes = 0;  // intermediate matrices are the reference's own
    return {};
  });
}

int32_t set_option(const char* key, const char* value) {
  return guarded([&]() -> status {
    if (key == nullptr || value == nullptr) return invalid_argument("set_option: key or value is null");
    if (std::string_view(key) != "threads")
      return unsupported(fmt::format("set_option: unknown key '{}', expected threads", key));
    int count = 0;
    const char* end = value + std::strlen(value);
    const auto [stop, error] = std::from_chars(value, end, count);
    if (error != std::errc{} || stop != end || count < 1 || count > 1024)
      return invalid_argument(fmt::format("set_option: threads={}: expected an integer from 1 to 1024", value));
    set_threads(count);
    return {};
  });
}

const char* last_error() { return last_message; }

constexpr adahop_backend kBackend = {
    ADAHOP_ABI_VERSION,
    sizeof(adahop_backend),
    "reference",
    "scalar C++ on the host CPU, the oracle",
    kCapabilities,
    workspace_size,
    call<adahop_quantize_args>,
    call<adahop_dequantize_args>,
    call<adahop_hadamard_args>,
    call<adahop_hadamard_quantize_args>,
    call<adahop_pattern_args>,
    call<adahop_select_outliers_args>,
    call<adahop_extract_outliers_args>,
    call<adahop_mx_gemm_args>,
    call<adahop_bf16_gemm_args>,
    call<adahop_scatter_add_args>,
    call<adahop_matmul_args>,
    nullptr,  // device_allocate and the five after it: no device memory is claimed
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    set_option,
    last_error,
};

}  // namespace
}  // namespace adahop::reference

const adahop_backend* adahop_backend_reference(uint32_t abi_version) {
  return abi_version == ADAHOP_ABI_VERSION ? &adahop::reference::kBackend : nullptr;
}
