// Variances and FOID scores against the oracle: every tail of a chunk, strides, cancellation, subnormals, NaN and Inf.
#include "reference/outliers.h"
#include "reference/parallel.h"
#include "reference/pattern.h"
#include "simd_kernels_support.h"

namespace adahop::reference::simd {
namespace {

template <class Element>
using variance_kernel = void(const Element*, int64_t, int64_t, int64_t, double*);
template <class Element>
using foid_kernel = void(const Element*, int64_t, int64_t, int64_t, int64_t, float*);

template <class Element>
adahop_view view_over(const Element* x, int64_t stride, int64_t rows, int64_t cols) {
  return {const_cast<Element*>(x), sizeof(Element) == 2 ? ADAHOP_BF16 : ADAHOP_F32, 0, rows, cols, stride, 1};
}

// What a matrix holds; each row and column has a share of every kind.
enum class content { ordinary, wide, subnormal, offset, nonfinite, zeros, kinds };

template <class Element>
std::vector<Element> matrix_of(test::generator& random, content what, size_t count) {
  std::vector<Element> x(count);
  for (Element& e : x) {
    float v = 0;
    switch (what) {
      case content::ordinary:
        v = random.with_exponent(121, 129);
        break;
      case content::wide:
        v = random.with_exponent(0, 254);
        break;
      case content::subnormal:
        v = random.with_exponent(0, 3);
        break;
      case content::offset:
        v = 1000.0f + random.with_exponent(110, 120);
        break;  // nearly all of it cancels
      case content::nonfinite:
        v = random.integer(0, 60) == 0 ? float_of(random.bits() | 0x7F800000u) : random.with_exponent(0, 254);
        if (random.integer(0, 60) == 0) v = test::kInf;
        break;
      case content::zeros:
        v = float_of(random.bits() & 0x80000000u);
        break;
      case content::kinds:
        v = float_of(random.bits());
        break;
    }
    e = element_of<Element>(v);
  }
  return x;
}

constexpr content kContents[] = {content::ordinary,  content::wide,  content::subnormal, content::offset,
                                 content::nonfinite, content::zeros, content::kinds};

template <class Element>
void check_variance(variance_kernel<Element>* kernel, bool of_rows, test::generator& random, content what, int64_t rows,
                    int64_t cols, int64_t gap) {
  const int64_t stride = cols + gap, lines = of_rows ? rows : cols;
  const int64_t count = rows * cols == 0 ? 0 : (rows - 1) * stride + cols;
  fenced<Element> x{std::span<const Element>(matrix_of<Element>(random, what, static_cast<size_t>(count)))};
  const line_variances v = variances(view_over(x.data(), stride, rows, cols));
  fenced<double> got(lines);
  kernel(x.data(), stride, rows, cols, got.data());
  INFO(rows << " x " << cols << ", stride " << stride << ", content " << static_cast<int>(what));
  CHECK(difference(got, of_rows ? v.rows : v.cols) == "");
  CHECK(got.intact());
}

template <class Element>
void check_variances(variance_kernel<Element>* kernel, bool of_rows) {
  set_threads(1);  // starting threads for the oracle's few lines would take most of the time
  test::generator random(600);
  test::case_picker some;
  // `length` elements a line; the chunks that a line has decide how a kernel groups them.
  const auto check = [&](content what, int64_t lines, int64_t length, int64_t gap) {
    if (!some.runs()) return;
    check_variance(kernel, of_rows, random, what, of_rows ? lines : length, of_rows ? length : lines, gap);
  };
  for (int64_t length = 0; length <= 200; ++length) check(kContents[length % 7], 1 + length % 37, length, length % 5);
  for (int64_t lines = 0; lines <= 140; ++lines) check(kContents[lines % 7], lines, 65 + lines % 3, lines % 7);
  for (const content what : kContents)
    for (const int64_t length : {2, 63, 64, 65, 192, 448, 512, 576, 960, 1024, 1025, 1088, 1599, 2048, 2111})
      for (const int64_t lines : {1, 5, 16, 33}) check(what, lines, length, 0);
}

template <class Element>
void check_scores(foid_kernel<Element>* kernel) {
  set_threads(1);
  test::generator random(601);
  test::case_picker some;
  policy p = default_policy();
  p.pad = ADAHOP_PAD_ZERO;
  p.hadamard_size = 64;  // extends every row to 64 slots at least, so that the window alone decides
  for (const int64_t window : {32, 64}) {
    p.foid_window = static_cast<int32_t>(window);
    for (int64_t present = 1; present <= window; ++present)
      for (const content what : kContents) {
        if (!some.runs()) continue;
        const int64_t rows = (present * 7 + static_cast<int64_t>(what) * 5) % 40, stride = present + present % 3;
        const int64_t count = rows == 0 ? 0 : (rows - 1) * stride + present;
        fenced<Element> x{std::span<const Element>(matrix_of<Element>(random, what, static_cast<size_t>(count)))};
        fenced<float> got(rows);
        kernel(x.data(), stride, rows, present, window, got.data());
        INFO(rows << " rows, " << present << " of " << window << ", content " << static_cast<int>(what));
        CHECK(difference(got, scores(p, view_over(x.data(), stride, rows, present))) == "");
        CHECK(got.intact());
      }
  }
}

}  // namespace

void check_row_variances_f32(variance_kernel<float>* kernel) { check_variances(kernel, true); }
void check_row_variances_bf16(variance_kernel<uint16_t>* kernel) { check_variances(kernel, true); }
void check_column_variances_f32(variance_kernel<float>* kernel) { check_variances(kernel, false); }
void check_column_variances_bf16(variance_kernel<uint16_t>* kernel) { check_variances(kernel, false); }
void check_foid_scores_f32(foid_kernel<float>* kernel) { check_scores(kernel); }
void check_foid_scores_bf16(foid_kernel<uint16_t>* kernel) { check_scores(kernel); }

}  // namespace adahop::reference::simd
