// One output of an MX or BF16 product, step by step, and what would explain the value that was got.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conformance/report/explain.h"
#include "reference/bf16_gemm.h"
#include "reference/mx_gemm.h"
#include "reference/round_bf16.h"

namespace adahop::conformance {
namespace {

constexpr int64_t kShownSteps = 6;       // of a long product, from each end
constexpr int64_t kMostSearched = 4096;  // products or blocks: each place is summed up anew, so time grows by the square

uint64_t as_output(float v, element kind) { return kind == element::bf16 ? reference::round_bf16(v).bits : bits_of(v); }

// Two rows as matrices of their own, so that a byte can be changed and the product taken again.
struct row_pair {
  mx_matrix a, b;

  row_pair(const adahop_mx& left, int64_t m, const adahop_mx& right, int64_t n) : a(1, left.inner), b(1, right.inner) {
    std::copy_n(left.codes + m * left.codes_stride, a.codes.size(), a.codes.begin());
    std::copy_n(left.scales + m * left.scales_stride, a.scales.size(), a.scales.begin());
    std::copy_n(right.codes + n * right.codes_stride, b.codes.size(), b.codes.begin());
    std::copy_n(right.scales + n * right.scales_stride, b.scales.size(), b.scales.begin());
  }
  // Over the first `blocks` blocks.
  float dot(const policy& p, int64_t blocks) const {
    adahop_mx left = view_of(a), right = view_of(b);
    left.inner = right.inner = blocks * kBlockSize;
    return reference::mx_dot(p, reference::mx_rows(left, 0, right, 0));
  }
  void clear_block(int64_t block) { std::fill_n(a.codes.begin() + block * kBlockBytes, kBlockBytes, uint8_t{0}); }
};

// Small changes that turn the right output into the one that was got.
std::vector<std::string> suspicions(const policy& p, const adahop_mx& a, const adahop_mx& b, int64_t m, int64_t n, element kind,
                                    uint64_t got) {
  std::vector<std::string> found;
  const row_pair right(a, m, b, n);
  const int64_t blocks = a.inner / kBlockSize;
  const auto note = [&](const row_pair& changed, int64_t count, std::string what) {
    if (as_output(changed.dot(p, count), kind) == got) found.push_back("got is what comes out " + what);
  };
  for (int64_t count = 0; count < blocks; ++count)
    note(right, count, fmt::format("after {} of {} blocks", count, blocks));
  for (int64_t block = 0; block < blocks; ++block) {
    row_pair without = right;
    without.clear_block(block);
    note(without, blocks, fmt::format("without block {}", block));
  }
  const auto swap_scales = [&](bool left, const uint8_t* scales, std::string what) {
    row_pair changed = right;
    mx_matrix& operand = left ? changed.a : changed.b;
    std::copy_n(scales, operand.scales.size(), operand.scales.begin());
    note(changed, blocks, std::move(what));
  };
  if ((m ^ 1) < a.outer) swap_scales(true, a.scales + (m ^ 1) * a.scales_stride, fmt::format("with the scales of row {} of A", m ^ 1));
  if ((n ^ 1) < b.outer) swap_scales(false, b.scales + (n ^ 1) * b.scales_stride, fmt::format("with the scales of row {} of B", n ^ 1));
  for (const bool left : {true, false}) {
    std::vector<uint8_t> first = left ? right.a.scales : right.b.scales;
    for (const int64_t group : {int64_t{2}, int64_t{4}, blocks}) {
      std::vector<uint8_t> bytes = first;
      for (int64_t block = 0; block < blocks && group > 0; ++block)
        bytes[static_cast<size_t>(block)] = first[static_cast<size_t>(block / group * group)];
      swap_scales(left, bytes.data(),
                  fmt::format("with the scale of the first of each {} blocks of {} for all of them", group, left ? "A" : "B"));
    }
  }
  return found;
}

}  // namespace

step explain_mx_output(const policy& p, const adahop_mx& a, const adahop_mx& b, int64_t m, int64_t n, element kind,
                       uint64_t got) {
  step s{fmt::format("MX product of row {} of A and row {} of B, {}", m, n, field_text(p, "gemm_model")),
         "10.1-10.8, 10.11-10.17", {}};
  const row_pair rows(a, m, b, n);
  const adahop_mx left = view_of(rows.a), right = view_of(rows.b);
  const reference::mx_rows view(left, 0, right, 0);
  for (int64_t block = 0; block < view.blocks; ++block) {
    const bool shown = view.blocks <= kMostSearched || block < kShownSteps || block >= view.blocks - kShownSteps;
    if (block == kShownSteps && !shown) s.lines.push_back("...");
    if (!shown) continue;
    const int32_t dot = view.dot_x4(block);
    s.lines.push_back(fmt::format("block {:>3}: S = {:>5}, bytes {} and {}, term S x 2^{} = {}, accumulator {}", block, dot,
                                  view.a_scales[block], view.b_scales[block], view.term_exponent(block),
                                  std::ldexp(static_cast<double>(dot), view.term_exponent(block)),
                                  f32_text(rows.dot(p, block + 1))));
  }
  const float result = rows.dot(p, view.blocks);
  s.lines.push_back(fmt::format("output {} = {}, got {} = {}", bits_text(kind, as_output(result, kind)),
                                value_text(kind, as_output(result, kind)), bits_text(kind, got), value_text(kind, got)));
  if (as_output(result, kind) != got && view.blocks <= kMostSearched)
    for (std::string& text : suspicions(p, a, b, m, n, kind, got)) s.lines.push_back(std::move(text));
  return s;
}

step explain_bf16_output(const policy& p, const adahop_view& a, const adahop_view& b, int64_t m, int64_t n, element kind,
                         uint64_t got) {
  step s{fmt::format("BF16 product of row {} of A and row {} of B", m, n), "10.7-10.9, 10.18, 10.19", {}};
  const auto prefix = [&](int64_t count) {
    adahop_view left = a, right = b;
    left.cols = right.cols = count;
    return reference::bf16_dot(p, reference::bf16_rows(left, m, right, n));
  };
  std::vector<std::string> found;
  for (int64_t k = 0; k < a.cols; ++k) {
    const bool shown = a.cols <= 2 * kShownSteps || k < kShownSteps || k >= a.cols - kShownSteps;
    if (k == kShownSteps && !shown) s.lines.push_back("...");
    if (!shown && a.cols > kMostSearched) continue;
    const float before = prefix(k), after = prefix(k + 1);
    if (as_output(before, kind) == got && as_output(after, kind) != got)
      found.push_back(fmt::format("got is the accumulator after {} of {} products", k, a.cols));
    if (!shown) continue;
    s.lines.push_back(fmt::format("k {:>4}: {} x {}, accumulator {}", k, value_text(element::f32, bits_of(load(a, m, k))),
                                  value_text(element::f32, bits_of(load(b, n, k))), f32_text(after)));
  }
  const uint64_t output = as_output(prefix(a.cols), kind);
  s.lines.push_back(fmt::format("output {} = {}, got {} = {}", bits_text(kind, output), value_text(kind, output),
                                bits_text(kind, got), value_text(kind, got)));
  if (output != got) s.lines.insert(s.lines.end(), found.begin(), found.end());
  return s;
}

}  // namespace adahop::conformance
