// Transposes: every small shape, strides, nothing written outside the transpose.
#include "simd_kernels_support.h"

namespace adahop::reference::simd {
namespace {

template <class T>
using transpose_kernel = void(const T*, int64_t, int64_t, int64_t, T*, int64_t);

template <class T>
void check_shape(transpose_kernel<T>* kernel, int64_t rows, int64_t cols, int64_t in_gap, int64_t out_gap) {
  const int64_t in_stride = cols + in_gap, out_stride = rows + out_gap;
  // Both end with the last element of the last row or column: what a stride adds behind it is not theirs.
  const int64_t in_count = rows * cols == 0 ? 0 : (rows - 1) * in_stride + cols;
  const int64_t out_count = rows * cols == 0 ? 0 : (cols - 1) * out_stride + rows;
  std::vector<T> input(static_cast<size_t>(in_count));
  for (size_t i = 0; i < input.size(); ++i) input[i] = static_cast<T>(0x9E3779B1u * (i + 1));
  std::vector<T> expected(static_cast<size_t>(out_count), static_cast<T>(0xA5A5A5A5u));
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c)
      expected[static_cast<size_t>(c * out_stride + r)] = input[static_cast<size_t>(r * in_stride + c)];
  fenced<T> in{std::span<const T>(input)}, out(out_count);
  kernel(in.data(), in_stride, rows, cols, out.data(), out_stride);
  INFO(rows << " x " << cols << ", strides " << in_stride << ", " << out_stride);
  CHECK(difference(out, expected) == "");
  CHECK(out.intact());
}

template <class T>
void check_transpose(transpose_kernel<T>* kernel) {
  test::case_picker some;
  for (int64_t rows = 0; rows <= 70; ++rows)
    for (int64_t cols = 0; cols <= 70; cols += 1 + (rows % 5 == 0 ? 0 : 6))
      if (some.runs()) check_shape(kernel, rows, cols, rows % 3, cols % 4);
  check_shape(kernel, 64, 512, 1000, 0);
  check_shape(kernel, 257, 64, 0, 33);
}

}  // namespace

void check_transpose_32(transpose_kernel<uint32_t>* kernel) { check_transpose(kernel); }
void check_transpose_16(transpose_kernel<uint16_t>* kernel) { check_transpose(kernel); }

}  // namespace adahop::reference::simd
