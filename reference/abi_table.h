// The C ABI table of a backend that computes in host memory: check, compute, report; no exception leaves it. The scalar
// oracle and its SIMD twins differ in what they compute with, not in what they accept. Implements SPEC 13.1-13.3,
// 13.12.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include "adahop/last_error.h"
#include "adahop/plan.h"
#include "reference/boundary.h"
#include "reference/capabilities.h"
#include "reference/fp_environment.h"
#include "reference/outliers.h"
#include "reference/pattern.h"
#include "reference/quantize.h"
#include "reference/scale_storage.h"

namespace adahop::reference {

/// `Backend` has kName, kDevice, the operations by the names and with the arguments of the scalar oracle's headers
/// (quantize, variances, scores ...), called when the arguments have been checked, `static status usable()`, asked before
/// every operation, and `static status set_option(std::string_view key, const char* value)`.
template <class Backend>
class abi_table {
 public:
  static constexpr adahop_backend make() {
    return {
        ADAHOP_ABI_VERSION,
        sizeof(adahop_backend),
        Backend::kName,
        Backend::kDevice,
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
  }

 private:
  static status run(const adahop_quantize_args& args) {
    const adahop_quantize_result found = Backend::quantize(*args.policy, args.x, args.out);
    if (args.result != nullptr) *args.result = found;
    return check_nonfinite(*args.policy, found, args.x.cols, "x");
  }

  static status run(const adahop_dequantize_args& args) {
    Backend::dequantize(*args.policy, args.x, args.out);
    return {};
  }

  static status run(const adahop_hadamard_args& args) {
    Backend::hadamard(*args.policy, args.x, args.out);
    return {};
  }

  static status run(const adahop_hadamard_quantize_args& args) {
    const std::span zeroed(args.zeroed, static_cast<size_t>(args.zeroed_count));
    const adahop_quantize_result found = Backend::hadamard_quantize(*args.policy, args.x, zeroed, args.out);
    if (args.result != nullptr) *args.result = found;
    return check_nonfinite(*args.policy, found, args.out.inner, "x, transformed");
  }

  static status run(const adahop_pattern_args& args) {
    const line_variances v = Backend::variances(args.x);
    *args.result = classify(*args.policy, v);
    if (args.row_variance != nullptr) std::copy(v.rows.begin(), v.rows.end(), args.row_variance);
    if (args.col_variance != nullptr) std::copy(v.cols.begin(), v.cols.end(), args.col_variance);
    return {};
  }

  static status run(const adahop_select_outliers_args& args) {
    const std::vector<float> score = Backend::scores(*args.policy, args.x);
    const std::vector<int32_t> chosen = top_k(score, args.policy->oe_k);
    if (args.scores != nullptr) std::copy(score.begin(), score.end(), args.scores);
    std::copy(chosen.begin(), chosen.end(), args.indices);
    *args.count = static_cast<int64_t>(chosen.size());
    return {};
  }

  static status run(const adahop_extract_outliers_args& args) {
    Backend::extract(args.x, std::span(args.indices, static_cast<size_t>(args.count)), args.out);
    return {};
  }

  static status run(const adahop_mx_gemm_args& args) {
    std::vector<uint8_t> a_scales, b_scales;
    const adahop_mx a = with_linear_scales(args.a, args.policy->scale_layout, a_scales);
    const adahop_mx b = with_linear_scales(args.b, args.policy->scale_layout, b_scales);
    Backend::mx_gemm(*args.policy, a, b, args.out);
    return {};
  }

  static status run(const adahop_bf16_gemm_args& args) {
    Backend::bf16_gemm(*args.policy, args.a, args.b, args.out);
    return {};
  }

  static status run(const adahop_scatter_add_args& args) {
    Backend::scatter_add(args.c, args.outlier, std::span(args.indices, static_cast<size_t>(args.count)),
                static_cast<adahop_side>(args.side), args.out);
    return {};
  }

  static status run(const adahop_matmul_args& args) {
    const pattern_pair pair{static_cast<adahop_pattern>(args.left_pattern),
                            static_cast<adahop_pattern>(args.right_pattern)};
    return Backend::matmul(*args.policy, args.level, pair, static_cast<adahop_path>(args.path), args.a, args.b, args.out);
  }

  // Fixed storage, so that reporting an out-of-memory needs no memory.
  static inline thread_local char last_message_[512] = "";

  struct short_line {
    char text[128];
  };
  static short_line of_backend(const char* what) {
    short_line line;
    *fmt::format_to_n(line.text, sizeof line.text - 1, "{}: {}", Backend::kName, what).out = '\0';
    return line;
  }

  static int32_t finish(adahop_status code, std::string_view message) {
    store_line(message, last_message_);
    return code;
  }

  template <class Work>
  static int32_t guarded(const Work& work) {
    try {
      const status s = work();
      return finish(s.code(), s.message());
    } catch (const std::bad_alloc&) {
      return finish(ADAHOP_OUT_OF_MEMORY, of_backend("not enough memory for the intermediate matrices").text);
    } catch (const std::exception& e) {
      return finish(ADAHOP_INTERNAL, e.what());
    } catch (...) {
      return finish(ADAHOP_INTERNAL, of_backend("unknown exception").text);
    }
  }

  // One entry of the table for each argument struct.
  template <class Args>
  static int32_t call(const adahop_exec* exec, const Args* args) {
    const default_fp_environment environment;
    return guarded([&]() -> status {
      ADAHOP_TRY(Backend::usable());
      ADAHOP_TRY(check_exec(exec));
      if (args == nullptr) return invalid_argument("args: is null");
      ADAHOP_TRY(check(*args));
      return run(*args);
    });
  }

  static int32_t workspace_size(int32_t op, const void*, uint64_t* bytes) {
    return guarded([&]() -> status {
      if (op < 0 || op >= ADAHOP_OP_COUNT)
        return invalid_argument(fmt::format("op: {}, expected 0 to {}", op, ADAHOP_OP_COUNT - 1));
      if (bytes == nullptr) return invalid_argument("bytes: is null");
      *bytes = 0;  // intermediate matrices are the backend's own
      return {};
    });
  }

  static int32_t set_option(const char* key, const char* value) {
    return guarded([&]() -> status {
      if (key == nullptr || value == nullptr) return invalid_argument("set_option: key or value is null");
      return Backend::set_option(key, value);
    });
  }

  static const char* last_error() { return last_message_; }
};

/// threads=1 to 1024, for every operation of the reference and of its SIMD twins.
status set_threads_option(const char* value);

}  // namespace adahop::reference
