// Calls through a backend's C ABI table; a failed call ends the bench.
#pragma once
#include <string>

#include "adahop/backend.h"

namespace adahop::bench {

/// One line for the person who ran the bench.
struct failure {
  std::string line;
};

/// A backend in host memory. Calls throw failure where the backend returns an error.
class target {
 public:
  explicit target(const adahop_backend* table) : table_(table) {}

  void operator()(const adahop_quantize_args& args) const { call(table_->quantize, args); }
  void operator()(const adahop_dequantize_args& args) const { call(table_->dequantize, args); }
  void operator()(const adahop_hadamard_args& args) const { call(table_->hadamard, args); }
  void operator()(const adahop_hadamard_quantize_args& args) const { call(table_->hadamard_quantize, args); }
  void operator()(const adahop_pattern_args& args) const { call(table_->pattern, args); }
  void operator()(const adahop_select_outliers_args& args) const { call(table_->select_outliers, args); }
  void operator()(const adahop_mx_gemm_args& args) const { call(table_->mx_gemm, args); }
  void operator()(const adahop_bf16_gemm_args& args) const { call(table_->bf16_gemm, args); }
  void operator()(const adahop_scatter_add_args& args) const { call(table_->scatter_add, args); }
  void operator()(const adahop_matmul_args& args) const { call(table_->matmul, args); }

  /// Threads of later calls.
  void threads(int count) const { finish(table_->set_option("threads", std::to_string(count).c_str())); }

 private:
  template <class Args>
  void call(int32_t (*function)(const adahop_exec*, const Args*), const Args& args) const {
    adahop_exec exec{};
    exec.struct_size = sizeof exec;
    finish(function(&exec, &args));
  }
  void finish(int32_t code) const {
    if (code != ADAHOP_OK) throw failure{std::string(table_->name) + ": " + table_->last_error()};
  }

  const adahop_backend* table_;
};

}  // namespace adahop::bench
