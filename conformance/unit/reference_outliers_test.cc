// Scores, selection and extraction of chapter 9.
#include "reference/outliers.h"

#include <algorithm>

#include "reference_support.h"

using namespace adahop;
using reference::scores;
using reference::top_k;
using test::policy_with;

namespace {

using indices = std::vector<int32_t>;

// The tree as recursion: the sums of slots at half the length, then the same of those.
float tree(const std::vector<float>& slots) {
  if (slots.size() == 1) return slots[0];
  const size_t half = slots.size() / 2;
  std::vector<float> pairs;
  for (size_t i = 0; i < half; ++i) pairs.push_back(slots[i] + slots[i + half]);
  return tree(pairs);
}

float score(std::vector<float> v, size_t window) {
  window = std::min(window, v.size());
  v.resize(window);
  std::vector<float> slots = v;
  slots.resize(64, 0.0f);
  const float mean = std::ldexp(tree(slots), window == 64 ? -6 : -5);
  for (size_t i = 0; i < window; ++i) {
    const float d = v[i] - mean;
    slots[i] = d * d;
  }
  return tree(slots);
}

}  // namespace

TEST_CASE("scores are a tree over 64 slots", "[spec:9.1][spec:9.2][spec:9.3]") {
  test::generator random(40);
  for (const int64_t length : {32, 64, 96, 128})
    for (const int window : {32, 64}) {
      matrix<float> x(200, length);
      for (float& v : x.data) v = random.with_exponent(124, 130);
      const policy p = policy_with("foid_window=" + std::to_string(window));
      const std::vector<float> s = scores(p, view_of(x));
      int order_matters = 0;
      for (int64_t r = 0; r < x.rows; ++r) {
        std::vector<float> row;
        for (int64_t c = 0; c < length; ++c) row.push_back(x.at(r, c));
        INFO("length " << length << " window " << window << " row " << r);
        REQUIRE(bits_of(s[static_cast<size_t>(r)]) == bits_of(score(row, static_cast<size_t>(window))));
        std::sort(row.begin(), row.begin() + std::min<int64_t>(length, window));
        order_matters += bits_of(s[static_cast<size_t>(r)]) != bits_of(score(row, static_cast<size_t>(window))) ? 1 : 0;
      }
      CHECK(order_matters > 20);
    }
}

TEST_CASE("slots beyond the window hold +0 in both sums", "[spec:9.2]") {
  // Rows of 32 ones have mean 1 and score 0; slots counted as (0 - mean)^2 would give 32.
  matrix<float> x(2, 32);
  std::fill(x.data.begin(), x.data.end(), 1.0f);
  for (const float s : scores(default_policy(), view_of(x))) CHECK(bits_of(s) == 0u);
  // Only the first `window` elements count.
  matrix<float> y(1, 96);
  y.at(0, 64) = 100.0f;
  CHECK(scores(default_policy(), view_of(y))[0] == 0.0f);
  y.at(0, 40) = 4.0f;
  CHECK(scores(policy_with("foid_window=32"), view_of(y))[0] == 0.0f);
  // mean 1/16: 63 (1/16)^2 + (4 - 1/16)^2 = 16 - 2 * 4 / 16 + 64 / 256
  CHECK(scores(default_policy(), view_of(y))[0] == 15.75f);
}

TEST_CASE("non-finite rows score NaN, canonical", "[spec:9.1][spec:9.4][spec:1.4]") {
  test::generator random(41);
  matrix<float> x = test::random_f32(random, 6, 64);
  x.at(4, 3) = float_of(0xFFC00001u);
  x.at(1, 63) = -test::kInf;
  x.at(5, 0) = 0x1p100f;  // its square overflows: Inf, below NaN
  const std::vector<float> s = scores(default_policy(), view_of(x));
  CHECK(bits_of(s[4]) == 0x7FC00000u);
  CHECK(bits_of(s[1]) == 0x7FC00000u);
  CHECK(s[5] == test::kInf);
  CHECK(top_k(s, 2) == indices{1, 4});
  CHECK(top_k(s, 3) == indices{1, 4, 5});
  CHECK(top_k(s, 1) == indices{1});
}

TEST_CASE("F18: ties go to the lower index, exactly k are chosen", "[spec:9.4][spec:9.5]") {
  const std::vector<float> s = {3, 2, 3, 2, 1, 1};
  CHECK(top_k(s, 1) == indices{0});
  CHECK(top_k(s, 2) == indices{0, 2});
  CHECK(top_k(s, 3) == indices{0, 1, 2});
  CHECK(top_k(s, 5) == indices{0, 1, 2, 3, 4});
  CHECK(top_k(s, 6) == indices{0, 1, 2, 3, 4, 5});
  CHECK(top_k(s, 7) == indices{0, 1, 2, 3, 4, 5});
  CHECK(top_k(std::vector<float>(64, 5.0f), 4) == indices{0, 1, 2, 3});
  CHECK(top_k(std::vector<float>(64, 0.0f), 64).size() == 64);
  CHECK(top_k(std::vector<float>{}, 4).empty());
}

TEST_CASE("selection is by rank, ascending and unique, for any scores and k", "[spec:9.4][spec:9.5]") {
  test::generator random(42);
  for (int repeat = 0; repeat < 500; ++repeat) {
    const int n = random.integer(1, 80), k = random.integer(1, 90);
    std::vector<float> s;
    for (int i = 0; i < n; ++i) {
      const int kind = random.integer(0, 9);
      s.push_back(kind == 0   ? float_of(kCanonicalNan)
                  : kind == 1 ? test::kInf
                  : kind == 2 ? float_of(static_cast<uint32_t>(random.integer(0, 3)))  // subnormals
                              : static_cast<float>(random.integer(0, 6)));
    }
    // Take the best that is left, k times, by walking the list.
    indices expected;
    std::vector<bool> taken(s.size(), false);
    for (int round = 0; round < std::min(n, k); ++round) {
      int best = -1;
      for (int i = 0; i < n; ++i) {
        if (taken[static_cast<size_t>(i)]) continue;
        if (best < 0) { best = i; continue; }
        const float here = s[static_cast<size_t>(i)], there = s[static_cast<size_t>(best)];
        if ((std::isnan(here) && !std::isnan(there)) || here > there) best = i;
      }
      taken[static_cast<size_t>(best)] = true;
      expected.push_back(best);
    }
    std::sort(expected.begin(), expected.end());
    REQUIRE(top_k(s, k) == expected);
  }
}

TEST_CASE("extraction copies bits, the residual holds +0", "[spec:9.6][spec:9.7]") {
  matrix<bf16> x(70, 33);
  for (size_t i = 0; i < x.data.size(); ++i) x.data[i] = {static_cast<uint16_t>(i * 37 + 0x7F00)};  // NaN payloads, too
  const indices chosen = {0, 8, 41, 69};
  matrix<bf16> compact(4, 33);
  reference::extract(view_of(x), chosen, view_of(compact));
  const matrix<bf16> residual = reference::zero(view_of(x), chosen);
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t c = 0; c < 33; ++c) CHECK(compact.at(i, c).bits == x.at(chosen[static_cast<size_t>(i)], c).bits);
  for (int64_t r = 0; r < 70; ++r) {
    const bool gone = std::find(chosen.begin(), chosen.end(), r) != chosen.end();
    for (int64_t c = 0; c < 33; ++c) CHECK(residual.at(r, c).bits == (gone ? 0 : x.at(r, c).bits));
  }
}

TEST_CASE("columns of a matrix are rows of its transposed view", "[spec:9.8][spec:3.3]") {
  test::generator random(43);
  const matrix<bf16> b = test::random_bf16(random, 64, 20);
  matrix<bf16> bt(20, 64);
  for (int64_t r = 0; r < 64; ++r)
    for (int64_t c = 0; c < 20; ++c) bt.at(c, r) = b.at(r, c);
  const std::vector<float> strided = scores(default_policy(), transposed(view_of(b)));
  const std::vector<float> dense = scores(default_policy(), view_of(bt));
  CHECK(test::bits_of_all(strided) == test::bits_of_all(dense));
  const indices chosen = top_k(strided, 3);
  matrix<bf16> from_strided(3, 64), from_dense(3, 64);
  reference::extract(transposed(view_of(b)), chosen, view_of(from_strided));
  reference::extract(view_of(bt), chosen, view_of(from_dense));
  CHECK(test::bits_of_all(from_strided.data) == test::bits_of_all(from_dense.data));
}
