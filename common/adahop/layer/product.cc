// The order of stages for each kind of product. Implements SPEC 11.1 to 11.4, 11.9 and 5.22 over a backend's
// operations; nothing here rounds.
#include "adahop/layer/product.h"

#include <fmt/format.h>

#include <algorithm>

#include "adahop/formats/scale_layout.h"
#include "adahop/layer/backend_call.h"

namespace adahop::layer {
namespace {

constexpr int64_t kBytesOfBlock = 17, kBytesOfBf16 = 2, kBytesOfIndex = 4;  // SPEC 11.11

// The inner dimension of a quantized operand (SPEC 3.7).
int64_t quantized_dimension(const policy& p, int64_t k) {
  return p.pad == ADAHOP_PAD_ZERO ? round_up(k, std::max<int64_t>(kBlockSize, p.hadamard_size)) : k;
}

mx_matrix allocate_mx(const policy& p, int64_t outer, int64_t k) {
  const int64_t inner = quantized_dimension(p, k);
  mx_matrix m(outer, inner);
  if (p.scale_layout == ADAHOP_LAYOUT_GFX950_SHUFFLE)
    m.scales.resize(static_cast<size_t>(shuffled_scale_bytes(outer, inner / kBlockSize)));
  return m;
}

// The policy for the right operand of a product with M rows on the left (SPEC 5.22); `k` as quantized (SPEC 3.8).
policy right_policy(policy p, int64_t m, int64_t k) {
  if (p.element_rounding == ADAHOP_ROUND_STOCHASTIC) p.sr_offset += static_cast<uint64_t>(m) * static_cast<uint64_t>(k);
  if (p.element_rounding == ADAHOP_ROUND_GFX950_SR) p.sr_seed += 1;
  return p;
}

// Quantizes `x` without its rows `zeroed`, transformed for every kind but mxfp4.
result<mx_matrix> quantize(const adahop_backend& on, const policy& p, product_kind kind, const adahop_view& x,
                           const std::vector<int32_t>& zeroed) {
  // Codes and scales are whole blocks, so this is checked before they get memory.
  if (quantized_dimension(p, x.cols) % kBlockSize != 0)
    return invalid_argument(fmt::format("inner dimension: expected a multiple of {}, found {}", kBlockSize, x.cols));
  mx_matrix q = allocate_mx(p, x.rows, x.cols);
  status s;
  if (kind == product_kind::mxfp4)
    s = call(on, "quantize", &adahop_backend::quantize, adahop_quantize_args{&p, x, view_of(q), nullptr});
  else
    s = call(on, "hadamard_quantize", &adahop_backend::hadamard_quantize,
             adahop_hadamard_quantize_args{&p, x, zeroed.empty() ? nullptr : zeroed.data(),
                                           static_cast<int64_t>(zeroed.size()), view_of(q), nullptr});
  if (!s.ok()) return s;
  return q;
}

struct extracted {
  std::vector<int32_t> indices;
  matrix<bf16> rows;
};

// The outlier rows of `x` and their indices (SPEC chapter 9).
result<extracted> extract(const adahop_backend& on, const policy& p, const adahop_view& x) {
  extracted out;
  out.indices.resize(static_cast<size_t>(std::min<int64_t>(p.oe_k, x.rows)));
  int64_t count = 0;
  if (status s = call(on, "select_outliers", &adahop_backend::select_outliers,
                      adahop_select_outliers_args{&p, x, nullptr, out.indices.data(), &count});
      !s.ok())
    return s;
  if (count < 0 || count > static_cast<int64_t>(out.indices.size()))
    return status(ADAHOP_INTERNAL, fmt::format("{}: select_outliers: expected at most {} indices, found {}", on.name,
                                               out.indices.size(), count));
  out.indices.resize(static_cast<size_t>(count));
  out.rows = matrix<bf16>(count, x.cols);
  if (status s = call(on, "extract_outliers", &adahop_backend::extract_outliers,
                      adahop_extract_outliers_args{x, out.indices.data(), count, view_of(out.rows)});
      !s.ok())
    return s;
  return out;
}

matrix<bf16> copy_of(const adahop_view& x) {
  matrix<bf16> m(x.rows, x.cols);
  const auto* data = static_cast<const bf16*>(x.data);
  for (int64_t r = 0; r < x.rows; ++r)
    for (int64_t c = 0; c < x.cols; ++c) m.at(r, c) = data[r * x.row_stride + c * x.col_stride];
  return m;
}

status check_operand(const adahop_view& x, const char* what) {
  ADAHOP_TRY(check_view(x, what));
  if (x.dtype != ADAHOP_BF16) return invalid_argument(fmt::format("{}: dtype: expected BF16, found F32", what));
  return {};
}

status mx_gemm(const adahop_backend& on, const policy& p, const mx_matrix& a, const mx_matrix& b,
               const adahop_view& out) {
  return call(on, "mx_gemm", &adahop_backend::mx_gemm, adahop_mx_gemm_args{&p, view_of(a), view_of(b), out});
}

status bf16_gemm(const adahop_backend& on, const policy& p, const adahop_view& a, const adahop_view& b,
                 const adahop_view& out) {
  return call(on, "bf16_gemm", &adahop_backend::bf16_gemm, adahop_bf16_gemm_args{&p, a, b, out});
}

status scatter_add(const adahop_backend& on, const policy& p, const matrix<float>& mx_part,
                   const matrix<float>& outlier_part, const std::vector<int32_t>& indices, adahop_side side,
                   const adahop_view& out) {
  return call(on, "scatter_add", &adahop_backend::scatter_add,
              adahop_scatter_add_args{&p, view_of(mx_part), view_of(outlier_part), indices.data(),
                                      static_cast<int64_t>(indices.size()), side, 0, out});
}

// Outlier rows of the left operand, found now; the right one is there quantized and as it was (SPEC 11.2).
status multiply_oe_left(const adahop_backend& on, const policy& p, const adahop_view& left,
                        const prepared_operand& right, const adahop_view& out) {
  const result<extracted> outliers = extract(on, p, left);
  if (!outliers.ok()) return outliers.why();
  const result<mx_matrix> residual = quantize(on, p, right.kind, left, outliers->indices);
  if (!residual.ok()) return residual.why();
  matrix<float> mx_part(left.rows, right.rows), outlier_part(outliers->rows.rows, right.rows);
  ADAHOP_TRY(mx_gemm(on, p, residual.value(), right.quantized, view_of(mx_part)));
  ADAHOP_TRY(bf16_gemm(on, p, view_of(outliers->rows), view_of(right.operand), view_of(outlier_part)));
  return scatter_add(on, p, mx_part, outlier_part, outliers->indices, ADAHOP_SIDE_LEFT, out);
}

// Outlier columns of B were taken out when it was prepared (SPEC 11.3).
status multiply_oe_right(const adahop_backend& on, const policy& p, const adahop_view& left, const mx_matrix& quantized,
                         const prepared_operand& right, const adahop_view& out) {
  matrix<float> mx_part(left.rows, right.rows), outlier_part(left.rows, right.outliers.rows);
  ADAHOP_TRY(mx_gemm(on, p, quantized, right.quantized, view_of(mx_part)));
  ADAHOP_TRY(bf16_gemm(on, p, left, view_of(right.outliers), view_of(outlier_part)));
  return scatter_add(on, p, mx_part, outlier_part, right.indices, ADAHOP_SIDE_RIGHT, out);
}

}  // namespace

byte_count bytes_of(const prepared_operand& x) {
  byte_count n;
  n.quantized = kBytesOfBlock * (x.quantized.outer * x.quantized.inner / kBlockSize);
  n.outliers = kBytesOfBf16 * x.outliers.rows * x.outliers.cols;
  n.indices = kBytesOfIndex * static_cast<int64_t>(x.indices.size());
  n.operand = kBytesOfBf16 * x.operand.rows * x.operand.cols;
  return n;
}

byte_count bytes_of(const policy& p, product_kind kind, int64_t n, int64_t k) {
  byte_count bytes;
  if (kind != product_kind::bf16) bytes.quantized = kBytesOfBlock * (n * quantized_dimension(p, k) / kBlockSize);
  if (kind == product_kind::oe_right) {
    const int64_t count = std::min<int64_t>(p.oe_k, n);
    bytes.outliers = kBytesOfBf16 * count * k;
    bytes.indices = kBytesOfIndex * count;
  }
  if (kind == product_kind::oe_left || kind == product_kind::bf16) bytes.operand = kBytesOfBf16 * n * k;
  return bytes;
}

result<prepared_operand> prepare_right(const adahop_backend& on, const policy& p, product_kind kind, int64_t m,
                                       const adahop_view& right) {
  if (status s = check_operand(right, "right operand"); !s.ok()) return s;
  prepared_operand out;
  out.kind = kind;
  out.rows = right.rows;
  out.cols = right.cols;
  if (kind == product_kind::oe_left || kind == product_kind::bf16) out.operand = copy_of(right);
  if (kind == product_kind::bf16) return out;
  if (kind == product_kind::oe_right) {
    result<extracted> outliers = extract(on, p, right);
    if (!outliers.ok()) return outliers.why();
    out.indices = std::move(outliers->indices);
    out.outliers = std::move(outliers->rows);
  }
  const int64_t k = kind == product_kind::mxfp4 ? right.cols : quantized_dimension(p, right.cols);
  result<mx_matrix> quantized = quantize(on, right_policy(p, m, k), kind, right, out.indices);
  if (!quantized.ok()) return quantized.why();
  out.quantized = std::move(quantized).value();
  return out;
}

status multiply(const adahop_backend& on, const policy& p, const adahop_view& left, const prepared_operand& right,
                const adahop_view& out) {
  ADAHOP_TRY(check_operand(left, "left operand"));
  ADAHOP_TRY(check_view(out, "out"));
  if (left.cols != right.cols)
    return invalid_argument(fmt::format("left operand: expected inner dimension {}, found {}", right.cols, left.cols));
  if (out.rows != left.rows || out.cols != right.rows)
    return invalid_argument(
        fmt::format("out: expected shape {} x {}, found {} x {}", left.rows, right.rows, out.rows, out.cols));
  if (right.kind == product_kind::bf16) return bf16_gemm(on, p, left, view_of(right.operand), out);
  if (right.kind == product_kind::oe_left) return multiply_oe_left(on, p, left, right, out);
  const result<mx_matrix> quantized = quantize(on, p, right.kind, left, {});
  if (!quantized.ok()) return quantized.why();
  if (right.kind == product_kind::oe_right) return multiply_oe_right(on, p, left, quantized.value(), right, out);
  return mx_gemm(on, p, quantized.value(), right.quantized, out);
}

}  // namespace adahop::layer
