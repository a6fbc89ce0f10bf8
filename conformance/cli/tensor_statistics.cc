// The statistics behind `inspect`. Explains SPEC 7.6, 7.7 in words; decides nothing itself.
#include "conformance/cli/tensor_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "adahop/io/mx_file.h"

namespace adahop::cli {
namespace {

// BF16 subnormals, zeros and specials keep their kind when widened to FP32, so one test serves both.
template <class Word>
value_counts count_values(const Word* x, int64_t n, int shift) {
  constexpr uint32_t kInf = 0x7F800000u;
  // Tallies of 32 bits over pieces: loops that vectorize.
  constexpr int64_t kPiece = int64_t{1} << 20;
  value_counts counts;
  uint32_t amax = 0;
  for (int64_t first = 0; first < n; first += kPiece) {
    uint32_t zeros = 0, subnormals = 0, nans = 0, infs = 0;
    for (int64_t i = first; i < std::min(first + kPiece, n); ++i) {
      const uint32_t magnitude = (uint32_t{x[i]} << shift) & 0x7FFFFFFFu;
      nans += magnitude > kInf ? 1 : 0;
      infs += magnitude == kInf ? 1 : 0;
      zeros += magnitude == 0 ? 1 : 0;
      subnormals += magnitude - 1 < 0x007FFFFFu ? 1 : 0;
      // Magnitudes order like their bits.
      amax = std::max(amax, magnitude < kInf ? magnitude : 0);
    }
    counts.zeros += zeros, counts.subnormals += subnormals, counts.nans += nans, counts.infs += infs;
  }
  counts.amax = float_of(amax);
  return counts;
}

value_counts count_values(const adahop_view& v) {
  const int64_t n = v.rows * v.cols;
  return v.dtype == ADAHOP_BF16 ? count_values(static_cast<const uint16_t*>(v.data), n, 16)
                                : count_values(static_cast<const uint32_t*>(v.data), n, 0);
}

std::string explain(const tensor_statistics& s, const policy& p) {
  const double row = s.pattern.cv_row, column = s.pattern.cv_col;
  switch (s.pattern.pattern) {
    case ADAHOP_PATTERN_ROW:
      return fmt::format("row variances spread {:.4g} times as much as column variances, above {}", s.row_over_column,
                         p.pattern_ratio);
    case ADAHOP_PATTERN_COLUMN:
      return fmt::format("column variances spread {:.4g} times as much as row variances, above {}", s.column_over_row,
                         p.pattern_ratio);
    default: break;
  }
  if (s.rows <= 1 || s.cols <= 1) return "a dimension of 1 has no variance";
  if (s.values.nans + s.values.infs > 0) return "the tensor holds NaN or Inf";
  if (std::isnan(row) || std::isnan(column)) return "CVrow or CVcol is NaN";
  return fmt::format("neither spread is more than {} times the other (row/column {:.4g}, column/row {:.4g})",
                     p.pattern_ratio, s.row_over_column, s.column_over_row);
}

// Whether the operations on blocks along the last dimension take x.
bool has_blocks(const policy& p, const adahop_view& x) {
  return x.rows > 0 && x.cols > 0 && (p.pad == ADAHOP_PAD_ZERO || x.cols % kBlockSize == 0);
}

result<std::vector<scored_index>> top_scores(const conformance::caller& backend, policy p, const adahop_view& x,
                                             int32_t top) {
  std::vector<scored_index> out;
  if (!has_blocks(p, x) || top < 1) return out;
  p.oe_k = static_cast<int32_t>(std::min<int64_t>(top, x.rows));
  std::vector<float> scores(static_cast<size_t>(x.rows));
  std::vector<int32_t> indices(static_cast<size_t>(p.oe_k));
  int64_t count = 0;
  const adahop_select_outliers_args args{&p, x, scores.data(), indices.data(), &count};
  if (status s = backend.run(args); !s.ok()) return s;
  for (int64_t i = 0; i < count; ++i) {
    const int32_t index = indices[static_cast<size_t>(i)];
    out.push_back({index, scores[static_cast<size_t>(index)]});
  }
  std::stable_sort(out.begin(), out.end(), [](const scored_index& a, const scored_index& b) {
    if (std::isnan(a.score) || std::isnan(b.score)) return std::isnan(a.score) && !std::isnan(b.score);
    return a.score > b.score;
  });
  return out;
}

// The part of x from (row, col) on, at most rows x cols.
adahop_view part_of(adahop_view x, int64_t row, int64_t col, int64_t rows, int64_t cols) {
  const int64_t at = (row * x.row_stride + col * x.col_stride) * dtype_size(x.dtype);
  x.data = static_cast<uint8_t*>(x.data) + at;
  x.rows = std::min(rows, x.rows - row);
  x.cols = std::min(cols, x.cols - col);
  return x;
}

// Part by part, since blocks are counted each by itself and the codes of a whole tensor would take memory for nothing.
result<clipped_counts> count_clipped(const conformance::caller& backend, policy p, const adahop_view& x) {
  if (!has_blocks(p, x)) return clipped_counts{};
  constexpr int64_t kElements = int64_t{1} << 22, kColumns = int64_t{1} << 13;
  static_assert(kColumns % kBlockSize == 0);
  p.nonfinite = ADAHOP_NONFINITE_BLOCK_NAN;
  p.scale_layout = ADAHOP_LAYOUT_LINEAR;
  p.hadamard_size = static_cast<int32_t>(kBlockSize);  // pad=zero then extends to whole blocks, and no further
  const int64_t cols = std::min(x.cols, kColumns), rows = std::min(x.rows, kElements / cols);
  io::mx_buffer scratch = io::make_mx_buffer(p, rows, cols);
  std::array<int64_t, 4> counts{};
  for (int64_t row = 0; row < x.rows; row += rows)
    for (int64_t col = 0; col < x.cols; col += cols)
      for (const int32_t rule : {ADAHOP_SCALE_FLOOR, ADAHOP_SCALE_CEIL, ADAHOP_SCALE_EVEN, ADAHOP_SCALE_RCEIL}) {
        const adahop_view part = part_of(x, row, col, rows, cols);
        adahop_mx out = view_of(scratch);
        out.outer = part.rows;
        out.inner = (part.cols + kBlockSize - 1) / kBlockSize * kBlockSize;
        p.scale_rule = rule;
        adahop_quantize_result r{0, -1};
        if (status s = backend.run(adahop_quantize_args{&p, part, out, &r}); !s.ok()) return s;
        counts[static_cast<size_t>(rule)] += r.clipped;
      }
  return clipped_counts{counts};
}

}  // namespace

result<tensor_statistics> analyse(const conformance::caller& backend, const policy& p, const operand& x, int32_t top) {
  const adahop_view rows = x.view(), columns = transposed(rows);
  tensor_statistics s;
  s.rows = rows.rows;
  s.cols = rows.cols;
  s.values = count_values(rows);
  if (s.rows > 0 && s.cols > 0) {
    if (status why = backend.run(adahop_pattern_args{&p, rows, nullptr, nullptr, &s.pattern}); !why.ok()) return why;
  }
  s.row_over_column = s.pattern.cv_row / (s.pattern.cv_col + p.pattern_eps);
  s.column_over_row = s.pattern.cv_col / (s.pattern.cv_row + p.pattern_eps);
  s.reason = explain(s, p);

  auto top_rows = top_scores(backend, p, rows, top);
  if (!top_rows.ok()) return top_rows.why();
  s.top_rows = std::move(top_rows).value();
  auto top_columns = top_scores(backend, p, columns, top);
  if (!top_columns.ok()) return top_columns.why();
  s.top_columns = std::move(top_columns).value();
  auto axis1 = count_clipped(backend, p, rows);
  if (!axis1.ok()) return axis1.why();
  s.clipped_axis1 = axis1.value();
  auto axis0 = count_clipped(backend, p, columns);
  if (!axis0.ok()) return axis0.why();
  s.clipped_axis0 = axis0.value();
  return s;
}

}  // namespace adahop::cli
