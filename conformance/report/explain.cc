// Which steps an operation has, and the simple ones.
#include "conformance/report/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "adahop/formats/scale_layout.h"
#include "adahop/tensor.h"
#include "reference/bf16_gemm.h"
#include "reference/extent.h"
#include "reference/hadamard.h"
#include "reference/hadamard_quantize.h"
#include "reference/mx_gemm.h"
#include "reference/outliers.h"

namespace adahop::conformance {
namespace {

using steps = std::vector<step>;

const saved_array& got_of(const saved_case& c) { return c.arrays.at("got." + c.output); }
const saved_array& expected_of(const saved_case& c) { return c.arrays.at("expected." + c.output); }
bool contains(std::span<const int32_t> list, int64_t i) { return std::find(list.begin(), list.end(), i) != list.end(); }
std::string bits_and_value(const saved_array& a, int64_t r, int64_t c) {
  return fmt::format("{} = {}", bits_text(a.kind, a.at(r, c)), value_text(a.kind, a.at(r, c)));
}

// The row and block that the differing element of a quantizing call belongs to; a count has none and shows the first.
std::pair<int64_t, int64_t> block_at(const saved_case& c, int64_t outer, int64_t blocks) {
  if (c.output == "codes") return {c.row, c.col / kBlockSize};
  if (c.output != "scales") return {0, 0};
  if (c.rules.scale_layout == ADAHOP_LAYOUT_LINEAR) return {c.row, c.col};
  for (int64_t r = 0; r < outer; ++r)
    for (int64_t b = 0; b < blocks; ++b)
      if (shuffled_scale_offset(r, b, blocks) == c.col) return {r, b};
  return {0, 0};  // a pad byte
}

// The codes of a block on either side, where the case has them.
std::vector<uint64_t> block_codes(const saved_case& c, const char* side, int64_t row, int64_t block) {
  const auto found = c.arrays.find(std::string(side) + ".codes");
  std::vector<uint64_t> codes;
  if (found == c.arrays.end() || row >= found->second.rows || (block + 1) * kBlockSize > found->second.cols) return codes;
  for (int64_t i = 0; i < kBlockSize; ++i) codes.push_back(found->second.at(row, block * kBlockSize + i));
  return codes;
}

// The policy's transform of the group that holds columns `first` on; `zero` replaces the row by +0.
step transform_step(const policy& p, const adahop_view& x, int64_t row, int64_t first, bool zero, float* values) {
  const int64_t group = reference::transform_multiple(p), start = first / group * group;
  for (int64_t i = 0; i < group; ++i) values[i] = zero ? 0.0f : reference::load_padded(x, row, start + i);
  step s{fmt::format("transform of row {}, elements {} to {}, hadamard_size {}{}", row, start, start + group - 1,
                     p.hadamard_size, zero ? ", a zeroed row" : ""),
         "6.1-6.5, 6.8, 6.10, 6.11", {}};
  std::vector<float> before(values, values + group);
  reference::hadamard_groups(p, values, start, group);
  for (int64_t i = 0; i < group; ++i)
    s.lines.push_back(fmt::format("{:>4}  {} becomes {}", start + i, f32_text(before[static_cast<size_t>(i)]), f32_text(values[i])));
  return s;
}

result<steps> explain_quantize(const saved_case& c) {
  const auto x = view_of_input(c, 0);
  if (!x.ok()) return x.why();
  const adahop_view& v = x->view;
  const int64_t inner = reference::extended_inner(c.rules, v.cols);
  if (inner == 0 || v.rows == 0) return bad_file("input.0: expected at least one block");
  const auto [row, block] = block_at(c, v.rows, inner / kBlockSize);
  if (row >= v.rows || block * kBlockSize >= inner) return bad_file("difference: outside the blocks of input.0");
  steps all;
  std::vector<float> values(static_cast<size_t>(reference::kMaxGroup));
  const float* of_block = values.data();
  const bool transforms = c.op == ADAHOP_OP_HADAMARD_QUANTIZE;
  if (transforms) {
    const auto zeroed = indices_of_input(c, 1);
    if (!zeroed.ok()) return zeroed.why();
    all.push_back(transform_step(c.rules, v, row, block * kBlockSize, contains(*zeroed->indices, row), values.data()));
    of_block += block * kBlockSize % reference::transform_multiple(c.rules);
  } else {
    for (int64_t i = 0; i < kBlockSize; ++i) values[static_cast<size_t>(i)] = reference::load_padded(v, row, block * kBlockSize + i);
  }
  all.push_back(explain_block(c.rules, of_block, row, block * kBlockSize, transforms ? inner : v.cols,
                              block_codes(c, "expected", row, block), block_codes(c, "got", row, block)));
  return all;
}

result<steps> explain_hadamard(const saved_case& c) {
  const auto x = view_of_input(c, 0);
  if (!x.ok()) return x.why();
  if (c.row >= x->view.rows || c.col >= reference::extended_inner(c.rules, x->view.cols))
    return bad_file("difference: outside input.0");
  std::vector<float> values(static_cast<size_t>(reference::kMaxGroup));
  return steps{transform_step(c.rules, x->view, c.row, c.col, false, values.data())};
}

result<steps> explain_dequantize(const saved_case& c) {
  const auto x = mx_of_input(c, 0, ADAHOP_LAYOUT_LINEAR);
  if (!x.ok()) return x.why();
  const adahop_mx& m = x->mx;
  if (c.row >= m.outer || c.col >= m.inner) return bad_file("difference: outside input.0");
  const uint8_t byte = m.scales[c.row * m.scales_stride + c.col / kBlockSize];
  const e2m1 code = unpack_e2m1(m.codes[c.row * m.codes_stride + c.col / 2], static_cast<uint32_t>(c.col % 2));
  return steps{{"one element", "2.1-2.6, 5.10",
                {fmt::format("code {} = {}, byte {} = {}, product {}", code_of(code), value_text(element::e2m1, code_of(code)),
                             byte, value_text(element::e8m0, byte), f32_text(decode_element(code, e8m0_of(byte))))}}};
}

result<steps> explain_selection(const saved_case& c) {
  const auto x = view_of_input(c, 0);
  if (!x.ok()) return x.why();
  const std::vector<float> scores = reference::scores(c.rules, x->view);
  const std::vector<int32_t> chosen = reference::top_k(scores, c.rules.oe_k);
  step s{fmt::format("scores of {} rows over their first {} elements, {} are chosen", scores.size(),
                     std::min<int64_t>(c.rules.foid_window, x->view.cols), chosen.size()),
         "9.1-9.5", {}};
  for (size_t i = 0; i < scores.size(); ++i)
    s.lines.push_back(fmt::format("row {:>4}: score {}{}{}", i, f32_text(scores[i]), contains(chosen, static_cast<int64_t>(i)) ? ", chosen" : "",
                                  c.output == "scores" && c.col == static_cast<int64_t>(i)
                                      ? fmt::format("  <-- got {}", bits_and_value(got_of(c), c.row, c.col)) : ""));
  return steps{s};
}

// C at one place, the outlier product's value there, their sum.
step scatter_step(const saved_case& c, float base, bool chosen, float outlier) {
  step s{fmt::format("scatter-add at row {}, column {}", c.row, c.col), "10.8, 10.10", {}};
  s.lines.push_back(fmt::format("MX part {}", f32_text(base)));
  if (chosen) s.lines.push_back(fmt::format("plus the outlier product {}: FP32 sum {}", f32_text(outlier), f32_text(base + outlier)));
  else s.lines.push_back("no outlier row or column: the MX part as it is");
  return s;
}

result<steps> explain_scatter(const saved_case& c) {
  const auto base = view_of_input(c, 0), outlier = view_of_input(c, 1);
  const auto list = indices_of_input(c, 2);
  if (!base.ok() || !outlier.ok()) return base.ok() ? outlier.why() : base.why();
  if (!list.ok()) return list.why();
  const bool rows = c.about == "rows";
  const auto at = std::find(list->indices->begin(), list->indices->end(), rows ? c.row : c.col);
  const int64_t place = at - list->indices->begin();
  const bool chosen = at != list->indices->end();
  const int64_t r = rows ? place : c.row, col = rows ? c.col : place;
  if (c.row >= base->view.rows || c.col >= base->view.cols || (chosen && (r >= outlier->view.rows || col >= outlier->view.cols)))
    return bad_file("difference: outside input.0 or input.1");
  return steps{scatter_step(c, load(base->view, c.row, c.col), chosen, chosen ? load(outlier->view, r, col) : 0.0f)};
}

result<steps> explain_matmul(const saved_case& c) {
  const auto a = view_of_input(c, 0), b = view_of_input(c, 1);
  if (!a.ok() || !b.ok()) return a.ok() ? b.why() : a.why();
  const auto what = product_of(c);
  if (!what.ok()) return what.why();
  const adahop_view &x = a->view, &y = b->view;
  const element kind = got_of(c).kind;
  const uint64_t got = got_of(c).at(c.row, c.col);
  if (c.row >= x.rows || c.col >= y.rows || x.dtype != ADAHOP_BF16 || y.dtype != ADAHOP_BF16 || x.cols < 1)
    return bad_file("input.0, input.1: expected BF16 operands that hold the differing element");
  const strategy how = strategy_of(what->level, {what->left, what->right}, what->path,
                                   static_cast<adahop_left_oe_on_dw>(c.rules.left_oe_on_dw));
  steps all{{fmt::format("strategy {} for {}", name(how), c.about), "8.1-8.6", {}}};
  if (how == strategy::bf16) {
    all.push_back(explain_bf16_output(c.rules, x, y, c.row, c.col, kind, got));
    return all;
  }
  std::vector<int32_t> chosen;
  const bool left = how == strategy::oe_left, extracts = left || how == strategy::oe_right;
  if (extracts) chosen = reference::top_k(reference::scores(c.rules, left ? x : y), c.rules.oe_k);
  const bool extracted = contains(chosen, left ? c.row : c.col);
  if (extracts)
    all.push_back({fmt::format("{} {} is {}among the {} extracted ones", left ? "row" : "column", left ? c.row : c.col,
                               extracted ? "" : "not ", chosen.size()), "9.1-9.8", {}});
  const int64_t k = reference::extended_inner(c.rules, x.cols);
  mx_matrix qa(x.rows, k), qb(y.rows, k);
  policy linear = c.rules;
  linear.scale_layout = ADAHOP_LAYOUT_LINEAR;
  policy right = linear;  // SPEC 5.22
  if (right.element_rounding == ADAHOP_ROUND_STOCHASTIC) right.sr_offset += static_cast<uint64_t>(x.rows * k);
  if (right.element_rounding == ADAHOP_ROUND_GFX950_SR) ++right.sr_seed;
  const std::vector<int32_t> none;
  reference::hadamard_quantize(linear, x, left && extracts ? chosen : none, view_of(qa));
  reference::hadamard_quantize(right, y, !left && extracts ? chosen : none, view_of(qb));
  all.push_back(explain_mx_output(linear, view_of(qa), view_of(qb), c.row, c.col, kind, got));
  if (!extracts) return all;
  float outlier = 0.0f;
  if (extracted) {
    all.push_back(explain_bf16_output(c.rules, x, y, c.row, c.col, kind, got));
    outlier = reference::bf16_dot(c.rules, reference::bf16_rows(x, c.row, y, c.col));
  }
  const adahop_mx ma = view_of(qa), mb = view_of(qb);
  all.push_back(scatter_step(c, reference::mx_dot(linear, reference::mx_rows(ma, c.row, mb, c.col)), extracted, outlier));
  return all;
}

result<steps> explain_product(const saved_case& c) {
  const uint64_t got = got_of(c).at(c.row, c.col);
  if (c.op == ADAHOP_OP_BF16_GEMM) {
    const auto a = view_of_input(c, 0), b = view_of_input(c, 1);
    if (!a.ok() || !b.ok()) return a.ok() ? b.why() : a.why();
    if (c.row >= a->view.rows || c.col >= b->view.rows || a->view.dtype != ADAHOP_BF16 || b->view.dtype != ADAHOP_BF16)
      return bad_file("input.0, input.1: expected BF16 operands that hold the differing element");
    return steps{explain_bf16_output(c.rules, a->view, b->view, c.row, c.col, got_of(c).kind, got)};
  }
  const auto a = mx_of_input(c, 0, ADAHOP_LAYOUT_LINEAR), b = mx_of_input(c, 1, ADAHOP_LAYOUT_LINEAR);
  if (!a.ok() || !b.ok()) return a.ok() ? b.why() : a.why();
  if (c.row >= a->mx.outer || c.col >= b->mx.outer || a->mx.inner != b->mx.inner)
    return bad_file("input.0, input.1: expected operands that hold the differing element");
  return steps{explain_mx_output(c.rules, a->mx, b->mx, c.row, c.col, got_of(c).kind, got)};
}

}  // namespace

result<steps> explain(const saved_case& saved) {
  saved_case c = saved;
  if (c.native) {  // judged from the exact sum
    c.rules.gemm_model = ADAHOP_GEMM_EXACT_SUM;
    c.rules.gemm_model_param = 0;
  }
  switch (c.op) {
    case ADAHOP_OP_QUANTIZE:
    case ADAHOP_OP_HADAMARD_QUANTIZE: return explain_quantize(c);
    case ADAHOP_OP_HADAMARD: return explain_hadamard(c);
    case ADAHOP_OP_DEQUANTIZE: return explain_dequantize(c);
    case ADAHOP_OP_SELECT_OUTLIERS: return explain_selection(c);
    case ADAHOP_OP_SCATTER_ADD: return explain_scatter(c);
    case ADAHOP_OP_MX_GEMM:
    case ADAHOP_OP_BF16_GEMM: return explain_product(c);
    case ADAHOP_OP_MATMUL: return explain_matmul(c);
    default: break;
  }
  // Pattern statistics and extraction: the values themselves say it.
  return steps{{fmt::format("{} at row {}, column {}", c.output, c.row, c.col), c.clauses,
                {fmt::format("expected {}, got {}", bits_and_value(expected_of(c), c.row, c.col), bits_and_value(got_of(c), c.row, c.col))}}};
}

}  // namespace adahop::conformance
