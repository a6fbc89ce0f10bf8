// Calls through a backend's C ABI table with owned results, for tests.
#include <algorithm>
#include <bit>

#include "independent_support.h"

namespace adahop_test {
namespace {

/// Runs `call(view)` on a fresh output of rows x cols and dtype, and widens what it wrote.
template <class Call>
matrix_call with_output(int64_t rows, int64_t cols, int32_t dtype, Call call) {
  if (dtype == ADAHOP_BF16) {
    adahop::matrix<adahop::bf16> out(rows, cols);
    const int32_t status = call(adahop::view_of(out));
    return {status, patterns_of(out)};
  }
  adahop::matrix<float> out(rows, cols);
  const int32_t status = call(adahop::view_of(out));
  return {status, patterns_of(out)};
}

}  // namespace

quantize_call quantize(const adahop_backend& backend, const adahop_policy& policy, const adahop_view& x) {
  quantize_call call{ADAHOP_OK, adahop::mx_matrix(x.rows, x.cols), {}};
  const adahop_exec exec = host_exec();
  const adahop_quantize_args args{&policy, x, adahop::view_of(call.mx), &call.result};
  call.status = backend.quantize(&exec, &args);
  return call;
}

quantize_call hadamard_quantize(const adahop_backend& backend, const adahop_policy& policy, const adahop_view& x,
                                const std::vector<int32_t>& zeroed) {
  quantize_call call{ADAHOP_OK, adahop::mx_matrix(x.rows, x.cols), {}};
  const adahop_exec exec = host_exec();
  const adahop_hadamard_quantize_args args{&policy,
                                           x,
                                           zeroed.empty() ? nullptr : zeroed.data(),
                                           static_cast<int64_t>(zeroed.size()),
                                           adahop::view_of(call.mx),
                                           &call.result};
  call.status = backend.hadamard_quantize(&exec, &args);
  return call;
}

matrix_call dequantize(const adahop_backend& backend, const adahop_policy& policy, const adahop::mx_matrix& x,
                       int32_t dtype) {
  const adahop_exec exec = host_exec();
  return with_output(x.outer, x.inner, dtype, [&](const adahop_view& out) {
    const adahop_dequantize_args args{&policy, adahop::view_of(x), out};
    return backend.dequantize(&exec, &args);
  });
}

matrix_call hadamard(const adahop_backend& backend, const adahop_policy& policy, const adahop_view& x) {
  const adahop_exec exec = host_exec();
  return with_output(x.rows, x.cols, policy.hadamard_output, [&](const adahop_view& out) {
    const adahop_hadamard_args args{&policy, x, out};
    return backend.hadamard(&exec, &args);
  });
}

matrix_call mx_gemm(const adahop_backend& backend, const adahop_policy& policy, const adahop::mx_matrix& a,
                    const adahop::mx_matrix& b, int32_t dtype) {
  const adahop_exec exec = host_exec();
  return with_output(a.outer, b.outer, dtype, [&](const adahop_view& out) {
    const adahop_mx_gemm_args args{&policy, adahop::view_of(a), adahop::view_of(b), out};
    return backend.mx_gemm(&exec, &args);
  });
}

matrix_call bf16_gemm(const adahop_backend& backend, const adahop_policy& policy, const adahop_view& a,
                      const adahop_view& b, int32_t dtype) {
  const adahop_exec exec = host_exec();
  return with_output(a.rows, b.rows, dtype, [&](const adahop_view& out) {
    const adahop_bf16_gemm_args args{&policy, a, b, out};
    return backend.bf16_gemm(&exec, &args);
  });
}

matrix_call matmul(const adahop_backend& backend, const adahop_policy& policy, int level, adahop_pattern left,
                   adahop_pattern right, adahop_path path, const adahop_view& a, const adahop_view& b) {
  const adahop_exec exec = host_exec();
  return with_output(a.rows, b.rows, policy.output, [&](const adahop_view& out) {
    const adahop_matmul_args args{&policy, level, left, right, path, a, b, out};
    return backend.matmul(&exec, &args);
  });
}

outliers_call select_outliers(const adahop_backend& backend, const adahop_policy& policy, const adahop_view& x) {
  std::vector<float> scores(static_cast<size_t>(x.rows));
  outliers_call call{ADAHOP_OK, {}, std::vector<int32_t>(static_cast<size_t>(std::min<int64_t>(policy.oe_k, x.rows)))};
  int64_t count = -1;
  const adahop_exec exec = host_exec();
  const adahop_select_outliers_args args{&policy, x, scores.data(), call.indices.data(), &count};
  call.status = backend.select_outliers(&exec, &args);
  for (const float score : scores) call.scores.push_back(std::bit_cast<uint32_t>(score));
  // A count other than the promised one shows as a list of another length.
  call.indices.resize(static_cast<size_t>(std::clamp<int64_t>(count, 0, x.rows)), -1);
  return call;
}

}  // namespace adahop_test
