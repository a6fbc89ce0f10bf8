// Outlier scores in exact-then-rounded FP32, and the choice by counting who comes first. Implements SPEC 9.1 to 9.5.
#include "outliers.h"

#include <algorithm>

namespace independent {
namespace {

constexpr size_t kSlots = 64;

uint32_t tree_sum(std::array<uint32_t, kSlots> slots) {
  for (size_t distance = kSlots / 2; distance >= 1; distance /= 2)
    for (size_t i = 0; i < distance; ++i) slots[i] = add(slots[i], slots[i + distance]);
  return slots[0];
}

uint32_t score_of_row(const uint32_t* row, size_t w) {
  std::array<uint32_t, kSlots> slots{};
  for (size_t i = 0; i < w; ++i) slots[i] = row[i];
  const uint32_t one_over_w = round_to_fp32(power_of_two(w == 64 ? -6 : -5));
  const uint32_t mean = multiply(tree_sum(slots), one_over_w);
  for (size_t i = 0; i < w; ++i) {
    const uint32_t deviation = subtract(row[i], mean);
    slots[i] = multiply(deviation, deviation);
  }
  return tree_sum(slots);
}

/// Whether score a at index i is chosen before score b at index j.
bool precedes(uint32_t a, size_t i, uint32_t b, size_t j) {
  if (is_nan(a) != is_nan(b)) return is_nan(a);
  if (is_nan(a) || a == b) return i < j;
  // Scores are sums of squares: never negative, Inf above all others.
  if (is_inf(a) != is_inf(b)) return is_inf(a);
  const rational x = value_of(a), y = value_of(b);
  return x == y ? i < j : x > y;
}

}  // namespace

std::vector<uint32_t> outlier_scores(const fp32_matrix& x, int window) {
  const size_t w = static_cast<size_t>(std::min(window, x.cols));
  std::vector<uint32_t> scores;
  for (int row = 0; row < x.rows; ++row)
    scores.push_back(score_of_row(&x.bits[x.index(row, 0)], w));
  return scores;
}

std::vector<int> choose_outliers(const std::vector<uint32_t>& scores, int k) {
  std::vector<int> chosen;
  for (size_t i = 0; i < scores.size(); ++i) {
    int before = 0;
    for (size_t j = 0; j < scores.size(); ++j)
      if (j != i && precedes(scores[j], j, scores[i], i)) ++before;
    if (before < k) chosen.push_back(static_cast<int>(i));
  }
  return chosen;
}

}  // namespace independent
