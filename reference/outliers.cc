// FOID scores, selection, extraction. Implements SPEC chapter 9.
#include "reference/outliers.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "reference/extent.h"
#include "reference/output.h"
#include "reference/parallel.h"

namespace adahop::reference {
namespace {

constexpr int64_t kSlots = 64;

// The sum of 64 slots as a binary tree: pairs at distance 32, then 16, 8, 4, 2, 1 (SPEC 9.2).
float tree_sum(float* slots) {
  for (int64_t distance = kSlots / 2; distance > 0; distance /= 2)
    for (int64_t i = 0; i < distance; ++i) slots[i] += slots[i + distance];
  return slots[0];
}

float score_of_row(const adahop_view& x, int64_t row, int64_t window) {
  float v[kSlots] = {}, slots[kSlots] = {};
  for (int64_t i = 0; i < window; ++i) slots[i] = v[i] = load_padded(x, row, i);
  const float mean = tree_sum(slots) * (1.0f / static_cast<float>(window));  // window is 32 or 64: an exact power of two
  std::fill_n(slots, kSlots, 0.0f);
  for (int64_t i = 0; i < window; ++i) {
    const float d = v[i] - mean;
    slots[i] = d * d;
  }
  return canonical(tree_sum(slots));
}

const bf16& element(const adahop_view& x, int64_t r, int64_t c) {
  return static_cast<const bf16*>(x.data)[r * x.row_stride + c * x.col_stride];
}

}  // namespace

std::vector<float> scores(const policy& p, const adahop_view& x) {
  const int64_t window = std::min<int64_t>(p.foid_window, extended_inner(p, x.cols));
  std::vector<float> result(static_cast<size_t>(x.rows));
  for_each_index(x.rows, 2 * kSlots, [&](int64_t r) { result[static_cast<size_t>(r)] = score_of_row(x, r, window); });
  return result;
}

std::vector<int32_t> top_k(std::span<const float> scores, int64_t k) {
  // A score is never negative, so it orders like its bits; any NaN goes above Inf.
  const auto rank = [&](int32_t i) {
    const uint32_t bits = bits_of(scores[static_cast<size_t>(i)]);
    return bits > 0x7F800000u ? std::numeric_limits<uint32_t>::max() : bits;
  };
  std::vector<int32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int32_t i, int32_t j) { return rank(i) != rank(j) ? rank(i) > rank(j) : i < j; });
  order.resize(std::min(static_cast<size_t>(k), order.size()));
  std::sort(order.begin(), order.end());
  return order;
}

void extract(const adahop_view& x, std::span<const int32_t> indices, const adahop_view& out) {
  for (size_t i = 0; i < indices.size(); ++i)
    for (int64_t c = 0; c < x.cols; ++c)
      static_cast<bf16*>(out.data)[static_cast<int64_t>(i) * out.row_stride + c * out.col_stride] =
          element(x, indices[i], c);
}

matrix<bf16> zero(const adahop_view& x, std::span<const int32_t> indices) {
  matrix<bf16> residual(x.rows, x.cols);
  for (int64_t r = 0; r < x.rows; ++r) {
    const bool chosen = std::binary_search(indices.begin(), indices.end(), r);
    for (int64_t c = 0; c < x.cols; ++c) residual.at(r, c) = chosen ? bf16{0} : element(x, r, c);
  }
  return residual;
}

}  // namespace adahop::reference
