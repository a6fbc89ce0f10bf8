// What the tests of rounding modes, transforms, padding and layouts share: calls through the reference's table.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "adahop/formats/scale_layout.h"
#include "adahop/plan.h"
#include "reference/backend.h"
#include "reference/extent.h"
#include "reference_support.h"

namespace adahop::test {

inline const adahop_backend& reference_backend() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }
inline constexpr adahop_exec kHostExec{
    sizeof(adahop_exec), ADAHOP_MODE_BITEXACT, ADAHOP_MEMORY_HOST, 0, nullptr, nullptr, 0};

/// Requires that a call went well, and shows its message if not.
inline void expect_ok(int32_t code) {
  INFO(reference_backend().last_error());
  REQUIRE(code == ADAHOP_OK);
}

/// A quantized matrix in the policy's layout and dimension, and what the call reported.
struct quantized {
  mx_matrix data;
  adahop_quantize_result found{0, -1};

  friend bool operator==(const quantized& a, const quantized& b) {
    return a.data.codes == b.data.codes && a.data.scales == b.data.scales && a.found.clipped == b.found.clipped &&
           a.found.first_nonfinite == b.found.first_nonfinite;
  }
};

/// Room for x under p, filled with a byte that no result leaves standing.
inline quantized room_for(const policy& p, const adahop_view& x) {
  quantized q;
  q.data = mx_matrix(x.rows, reference::extended_inner(p, x.cols));
  if (p.scale_layout == ADAHOP_LAYOUT_GFX950_SHUFFLE)
    q.data.scales.resize(static_cast<size_t>(shuffled_scale_bytes(q.data.outer, q.data.inner / kBlockSize)));
  std::fill(q.data.codes.begin(), q.data.codes.end(), uint8_t{0xA5});
  std::fill(q.data.scales.begin(), q.data.scales.end(), uint8_t{0xA5});
  return q;
}

inline quantized quantize(const policy& p, const adahop_view& x) {
  quantized q = room_for(p, x);
  const adahop_quantize_args args{&p, x, view_of(q.data), &q.found};
  expect_ok(reference_backend().quantize(&kHostExec, &args));
  return q;
}

inline quantized hadamard_quantize(const policy& p, const adahop_view& x, const std::vector<int32_t>& zeroed = {}) {
  quantized q = room_for(p, x);
  const adahop_hadamard_quantize_args args{
      &p, x, zeroed.data(), static_cast<int64_t>(zeroed.size()), view_of(q.data), &q.found};
  expect_ok(reference_backend().hadamard_quantize(&kHostExec, &args));
  return q;
}

/// The transform as FP32 values, whichever hadamard_output.
inline matrix<float> hadamard(const policy& p, const adahop_view& x) {
  matrix<float> wide(x.rows, reference::extended_inner(p, x.cols));
  matrix<bf16> narrow(wide.rows, wide.cols);
  const bool half = p.hadamard_output == ADAHOP_BF16;
  const adahop_hadamard_args args{&p, x, half ? view_of(narrow) : view_of(wide)};
  expect_ok(reference_backend().hadamard(&kHostExec, &args));
  if (half)
    for (size_t i = 0; i < wide.data.size(); ++i) wide.data[i] = decode_bf16(narrow.data[i]);
  return wide;
}

inline matrix<float> dequantize(const policy& p, const mx_matrix& x, int64_t cols) {
  matrix<float> out(x.outer, cols);
  const adahop_dequantize_args args{&p, view_of(x), view_of(out)};
  expect_ok(reference_backend().dequantize(&kHostExec, &args));
  return out;
}

inline matrix<float> mx_gemm(const policy& p, const mx_matrix& a, const mx_matrix& b) {
  matrix<float> out(a.outer, b.outer);
  const adahop_mx_gemm_args args{&p, view_of(a), view_of(b), view_of(out)};
  expect_ok(reference_backend().mx_gemm(&kHostExec, &args));
  return out;
}

/// The whole product with FP32 output; p.output must be f32.
inline matrix<float> matmul(const policy& p, pattern_pair pair, int level, const adahop_view& a, const adahop_view& b) {
  matrix<float> out(a.rows, b.rows);
  const adahop_matmul_args args{&p, level, pair.left, pair.right, ADAHOP_PATH_FORWARD, a, b, view_of(out)};
  expect_ok(reference_backend().matmul(&kHostExec, &args));
  return out;
}

/// m [rows x cols] with +0 columns up to `cols`.
template <class T>
matrix<T> widened(const matrix<T>& m, int64_t cols) {
  matrix<T> out(m.rows, cols);
  for (int64_t r = 0; r < m.rows; ++r)
    for (int64_t c = 0; c < m.cols; ++c) out.at(r, c) = m.at(r, c);
  return out;
}

/// A transposed, gappy copy of m, surrounded by NaN, and a view of it that equals m.
template <class T>
struct scattered {
  std::vector<T> storage;
  adahop_view view;

  explicit scattered(const matrix<T>& m) {
    const int64_t row_stride = 3, col_stride = 3 * m.rows + 5;
    storage.assign(static_cast<size_t>(m.cols * col_stride + 16), nan());
    for (int64_t r = 0; r < m.rows; ++r)
      for (int64_t c = 0; c < m.cols; ++c)
        storage[static_cast<size_t>(7 + r * row_stride + c * col_stride)] = m.at(r, c);
    view = view_of(m);
    view.data = storage.data() + 7;
    view.row_stride = row_stride;
    view.col_stride = col_stride;
  }

 private:
  static T nan() {
    if constexpr (std::is_same_v<T, bf16>) return bf16{0x7FC1};
    else return float_of(0x7FC00001u);
  }
};

}  // namespace adahop::test
