// Laws of choosing, extracting and putting back outliers.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "catch.h"
#include "conformance/independent/outliers.h"
#include "reference/outliers.h"
#include "value_calls.h"

namespace adahop::property {
namespace {

constexpr uint32_t kSign = 0x80000000u;

// SPEC 9.4 by taking the best that is left, again and again.
std::vector<int32_t> naive_choice(const std::vector<uint32_t>& scores, int64_t k) {
  const auto is_nan = [](uint32_t bits) { return (bits & ~kSign) > 0x7F800000u; };
  const auto better = [&](uint32_t a, uint32_t b) {
    if (is_nan(a) || is_nan(b)) return is_nan(a) && !is_nan(b);
    return float_of(a) > float_of(b);
  };
  std::vector<bool> taken(scores.size());
  for (int64_t n = 0; n < k && n < static_cast<int64_t>(scores.size()); ++n) {
    size_t best = scores.size();
    for (size_t i = 0; i < scores.size(); ++i)
      if (!taken[i] && (best == scores.size() || better(scores[i], scores[best]))) best = i;
    taken[best] = true;
  }
  std::vector<int32_t> chosen;
  for (size_t i = 0; i < scores.size(); ++i)
    if (taken[i]) chosen.push_back(static_cast<int32_t>(i));
  return chosen;
}

// A tensor some of whose rows occur twice or more, so that scores tie.
tensor pick_with_ties(const tensor_choice& choice) {
  const tensor x = pick_tensor("x", choice);
  if (pick_integer("repeat rows", 0, 1) == 0) return x;
  std::vector<int64_t> rows;
  for (int64_t r = 0; r < x.rows + 3; ++r) rows.push_back(pick_integer("row", 0, x.rows - 1));
  return with_rows(x, rows);
}

TEST_CASE("the outliers are the naive choice", "[property][spec:9.4][spec:9.5]") {
  check_property("chosen = the best of the scores, one by one, ties to the lowest index", 1000, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.outliers = true});
    const tensor x = pick_with_ties({.max_rows = 24, .max_cols = 64, .nonfinite = true});
    const selection s = select_outliers(b, p, x);
    require(s.indices == naive_choice(s.scores, p.oe_k), "chosen rows");
    require(std::is_sorted(s.indices.begin(), s.indices.end()), "ascending");
  });
  check_property("top_k of any scores, equal ones, NaN and Inf among them", 2000, [] {
    std::vector<float> scores;
    std::vector<uint32_t> patterns;
    const int64_t n = pick_integer("scores", 1, 40), kinds = pick_integer("different scores", 1, 6);
    std::vector<uint32_t> drawn;
    for (int64_t i = 0; i < kinds; ++i) drawn.push_back(pick_value("score", {.nonfinite = true}) & ~kSign);
    for (int64_t i = 0; i < n; ++i) {
      patterns.push_back(drawn[static_cast<size_t>(pick_integer("which", 0, kinds - 1))]);
      scores.push_back(float_of(patterns.back()));
    }
    const int64_t k = pick_integer("k", 1, 45);
    require(reference::top_k(scores, k) == naive_choice(patterns, k), "chosen");
    if (k >= n) require_number(std::ssize(reference::top_k(scores, k)), n, "all of them");
  });
}

TEST_CASE("scores are the second implementation's and see the window alone",
          "[property][spec:9.1][spec:9.2][spec:9.3]") {
  check_property("scores = independent::outlier_scores, whatever lies beyond the window", 400, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.outliers = true});
    tensor x = pick_tensor("x", {.max_rows = 8, .max_cols = 128, .nonfinite = true});
    const selection s = select_outliers(b, p, x);
    const std::vector<uint32_t> wanted = independent::outlier_scores(independent_of(x), p.foid_window);
    for (size_t i = 0; i < wanted.size(); ++i) require_equal(s.scores[i], wanted[i], fmt::format("score {}", i));
    for (int64_t r = 0; r < x.rows; ++r)
      for (int64_t c = p.foid_window; c < x.cols; ++c) x.at(r, c) = 0x7FC00000u;
    const selection beyond = select_outliers(b, p, x);
    require(beyond.scores == s.scores && beyond.indices == s.indices, "elements beyond the window have an effect");
  });
}

TEST_CASE("rows are judged wherever they stand", "[property][spec:1.2][spec:9.4][spec:9.8]") {
  check_property("permuting rows permutes scores, and the choice where no tie crosses its edge", 600, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.outliers = true});
    const tensor x = pick_tensor("x", {.max_rows = 16, .max_cols = 64});
    const std::vector<int64_t> order = pick_permutation("rows", x.rows);
    const selection plain = select_outliers(b, p, x), moved = select_outliers(b, p, with_rows(x, order));
    std::multiset<uint32_t> chosen, chosen_moved, left;
    std::set<int64_t> from;
    for (int64_t r = 0; r < x.rows; ++r) {
      require_equal(moved.scores[static_cast<size_t>(r)],
                    plain.scores[static_cast<size_t>(order[static_cast<size_t>(r)])], "score");
      const bool in = std::binary_search(plain.indices.begin(), plain.indices.end(), r);
      (in ? chosen : left).insert(plain.scores[static_cast<size_t>(r)]);
    }
    for (const int32_t i : moved.indices) {
      chosen_moved.insert(moved.scores[static_cast<size_t>(i)]);
      from.insert(order[static_cast<size_t>(i)]);
    }
    require(chosen_moved == chosen, "scores of the chosen");
    const bool tie = std::any_of(chosen.begin(), chosen.end(), [&](uint32_t score) { return left.contains(score); });
    if (!tie) require(from == std::set<int64_t>(plain.indices.begin(), plain.indices.end()), "chosen rows");
  });
  check_property("columns through the transposed view, at any strides", 400, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.outliers = true});
    tensor x = pick_tensor("x", {.max_rows = 16, .max_cols = 64, .nonfinite = true});
    x.where.transposed = true;
    const selection placed = select_outliers(b, p, x);
    x.where = {};
    const selection plain = select_outliers(reference_backend(), p, x);
    require(placed.scores == plain.scores && placed.indices == plain.indices, "placed");
  });
}

TEST_CASE("outliers and residual are the tensor in two parts", "[property][spec:9.6][spec:9.7]") {
  check_property("each row is in exactly one part, its bits unchanged, +0 in the other", 600, [] {
    const adahop_backend& b = pick_backend();
    const tensor x = pick_tensor("x", {.dtype = ADAHOP_BF16, .max_rows = 16, .nonfinite = true});
    const std::vector<int32_t> indices = pick_subset("rows", x.rows, x.rows);
    discard_unless(!indices.empty());
    const tensor taken = extract(b, x, indices);
    stored_tensor memory(x);
    const matrix<bf16> residual = reference::zero(memory.view(), indices);
    int64_t next = 0;
    for (int64_t r = 0; r < x.rows; ++r) {
      const bool chosen = std::binary_search(indices.begin(), indices.end(), r);
      for (int64_t c = 0; c < x.cols; ++c) {
        if (chosen) require_equal(taken.at(next, c), x.at(r, c), fmt::format("outlier ({}, {})", r, c));
        require_equal(residual.at(r, c).bits, chosen ? 0u : x.at(r, c) >> 16, fmt::format("residual ({}, {})", r, c));
      }
      next += chosen ? 1 : 0;
    }
  });
}

TEST_CASE("scatter-add puts each line back once", "[property][spec:10.8][spec:10.10]") {
  check_property("extract, then scatter-add to +0: the rows, -0 as +0; elsewhere C, rounded once", 600, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.output = true});
    const operands o =
        pick_operands("C and outliers",
                      {.dtype = ADAHOP_F32, .max_rows = 16, .min_cols = 1, .max_cols = 40, .col_multiple = 1}, 1, 16);
    const bool right = pick_integer("side", 0, 1) == 1;
    const std::vector<int32_t> indices = pick_subset("lines", o.a.rows, std::min(o.a.rows, o.b.rows));
    discard_unless(!indices.empty());
    tensor c = o.a, lines(ADAHOP_F32, static_cast<int64_t>(indices.size()), c.cols);
    lines.where = o.b.where;
    for (int64_t i = 0; i < lines.rows; ++i)
      for (int64_t j = 0; j < c.cols; ++j) lines.at(i, j) = o.b.at(i, j);
    const tensor out = right ? transpose(scatter_add(b, p, transpose(c), transpose(lines), indices, ADAHOP_SIDE_RIGHT))
                             : scatter_add(b, p, c, lines, indices, ADAHOP_SIDE_LEFT);
    for (int64_t r = 0; r < c.rows; ++r) {
      const auto at = std::lower_bound(indices.begin(), indices.end(), r);
      const bool chosen = at != indices.end() && *at == r;
      for (int64_t j = 0; j < c.cols; ++j) {
        const float sum = chosen ? c.value(r, j) + lines.value(at - indices.begin(), j) : c.value(r, j);
        const uint32_t fp32 = bits_of(sum);
        const uint32_t wanted = p.output == ADAHOP_BF16 ? uint32_t{independent::bf16_of(fp32)} << 16 : fp32;
        require_equal(out.at(r, j), wanted, fmt::format("element ({}, {})", r, j));
      }
    }
  });
}

}  // namespace
}  // namespace adahop::property
