// The bound: it holds for every model on random outputs of mixed kinds, and is not idle. `[.million]` is a test
// of its own, since it takes long under sanitizers.
#include <algorithm>
#include <cstdio>

#include "models_support.h"
#include "reference/bound.h"

using namespace adahop;
using namespace adahop::test;

namespace {

struct tally {
  int64_t outputs = 0, bounded = 0, violations = 0;
  double worst = 0;  // |model - exact| / bound

  void note(float got, float exact, double bound) {
    if (!reference::is_within_bound(got, exact, bound)) ++violations;
    if (bound > 0 && std::isfinite(bound))
      worst = std::max(worst, std::abs(static_cast<double>(got) - static_cast<double>(exact)) / bound);
  }
};

// Scales spread over 0 to 40 binades around a base that is sometimes near either end of FP32; half of the matrices
// cancel: their second half is the first with the signs of a turned, but for a few codes.
mx_matrix random_matrix(generator& random, int64_t outer, int64_t inner, int base, int spread, int density) {
  mx_matrix m(outer, inner);
  for (uint8_t& c : m.codes) c = random.integer(0, 15) < density ? static_cast<uint8_t>(random.bits()) : uint8_t{0};
  for (uint8_t& s : m.scales) s = static_cast<uint8_t>(std::clamp(base + random.integer(0, spread), 0, 254));
  return m;
}

void mirror(generator& random, mx_matrix& m, uint8_t signs) {
  const int64_t half_codes = m.inner / 4, half_scales = m.inner / 64;
  for (int64_t r = 0; r < m.outer; ++r) {
    uint8_t* codes = m.codes.data() + r * m.inner / 2;
    uint8_t* scales = m.scales.data() + r * m.inner / 32;
    for (int64_t i = 0; i < half_codes; ++i)
      codes[half_codes + i] = random.integer(0, 63) == 0 ? static_cast<uint8_t>(random.bits()) : codes[i] ^ signs;
    std::copy_n(scales, half_scales, scales + half_scales);
  }
}

tally check_mx(uint64_t seed, int64_t outputs) {
  generator random(seed);
  const std::vector<policy> models = mx_models();
  constexpr int kLengths[] = {32, 64, 96, 128, 160, 192, 256, 320, 512, 1024};
  tally all;
  while (all.outputs < outputs) {
    // Long rows are rarer, so that most of the time goes into many outputs.
    const int64_t k = kLengths[std::min(random.integer(0, 9), random.integer(0, 9))];
    const int spread = random.integer(0, 3) == 0 ? random.integer(0, 40) : random.integer(0, 14);
    const int where = random.integer(0, 9);
    const int base = where == 0   ? random.integer(40, 62)
                     : where == 1 ? random.integer(165, 185)
                                  : random.integer(90, 140);
    const int density = random.integer(0, 2) == 0 ? random.integer(1, 15) : 15;
    mx_matrix a = random_matrix(random, 12, k, base, spread, density);
    mx_matrix b = random_matrix(random, 12, k, base, random.integer(0, 1) == 0 ? 0 : spread, density);
    if (k >= 64 && k % 64 == 0 && random.integer(0, 1) == 0) {
      mirror(random, a, 0x88);
      mirror(random, b, 0);
    }
    for (int64_t m = 0; m < a.outer; ++m)
      for (int64_t n = 0; n < b.outer; ++n) {
        const reference::mx_rows rows(view_of(a), m, view_of(b), n);
        const double bound = reference::error_bound(rows);
        const float exact = reference::mx_dot(models[1], rows);
        ++all.outputs;
        all.bounded += std::isfinite(bound) ? 1 : 0;
        for (const policy& p : models) all.note(reference::mx_dot(p, rows), exact, bound);
      }
  }
  return all;
}

tally check_bf16(uint64_t seed, int64_t outputs) {
  generator random(seed);
  const std::vector<policy> models = bf16_models();
  tally all;
  while (all.outputs < outputs) {
    const int64_t k = random.integer(1, random.integer(0, 3) == 0 ? 300 : 40);
    const int spread = random.integer(0, 30), where = random.integer(0, 9);
    const int low = where == 0 ? 0 : where == 1 ? 55 : where == 2 ? 160 : 110;
    matrix<bf16> a(8, k), b(8, k);
    for (bf16& v : a.data) v = random.bf16_with_exponent(low, low + spread);
    for (bf16& v : b.data) v = random.bf16_with_exponent(where == 0 ? 130 : low, (where == 0 ? 130 : low) + spread / 2);
    for (int64_t m = 0; m < 8; ++m)
      for (int64_t n = 0; n < 8; ++n) {
        const reference::bf16_rows rows(view_of(a), m, view_of(b), n);
        const double bound = reference::error_bound(rows);
        const float exact = reference::bf16_dot(models[1], rows);
        ++all.outputs;
        all.bounded += std::isfinite(bound) ? 1 : 0;
        for (const policy& p : models) all.note(reference::bf16_dot(p, rows), exact, bound);
      }
  }
  return all;
}

void report(const char* what, const tally& t) {
  std::printf("%s: %lld outputs, %lld with a finite bound, worst error %.3f of the bound\n", what,
              static_cast<long long>(t.outputs), static_cast<long long>(t.bounded), t.worst);
  CHECK(t.violations == 0);
  CHECK(t.bounded > t.outputs * 9 / 10);
  CHECK(t.worst >= 1.0 / 64);
}

}  // namespace

TEST_CASE("the bound holds on 100,000 MX outputs under every model", "[spec:10.23]") {
  report("MX", check_mx(720, 100000));
}
TEST_CASE("the bound holds on 100,000 BF16 outputs under every model", "[spec:10.23]") {
  report("BF16", check_bf16(721, 100000));
}
TEST_CASE("the bound holds on a million MX outputs under every model", "[.million][spec:10.23]") {
  report("MX", check_mx(722, 1000000));
}
TEST_CASE("the bound holds on a million BF16 outputs under every model", "[.million][spec:10.23]") {
  report("BF16", check_bf16(723, 1000000));
}

TEST_CASE("the bound at its ends", "[spec:10.23]") {
  mx_pair p(64);
  CHECK(reference::error_bound(p.rows()) == 0);  // only zeros
  CHECK(reference::error_bound(mx_pair(0).rows()) == 0);
  p.set(0, kOne, kOne);
  p.set_scale(0, 126);
  CHECK(std::isfinite(reference::error_bound(p.rows())));
  p.set(32, kHalf, kOne);
  p.set_scale(1, 127);
  CHECK(std::isinf(reference::error_bound(p.rows())));  // 2^126 + 2^126
  p.set(32, kHalf, kOne | kMinus);
  CHECK(std::isinf(reference::error_bound(p.rows())));  // magnitudes count, not the sum
  p.set_scale(0, 0);
  p.b.scales[0] = 0xFF;
  CHECK(std::isnan(reference::error_bound(p.rows())));
  matrix<bf16> a(1, 1), b(1, 1);
  a.data = {exact_bf16(kInf)};
  b.data = {exact_bf16(1)};
  CHECK(std::isinf(reference::error_bound(reference::bf16_rows(view_of(a), 0, view_of(b), 0))));
  const matrix<double> all = reference::error_bounds(view_of(mx_matrix(2, 32)), view_of(mx_matrix(3, 32)));
  CHECK(all.rows == 2);
  CHECK(all.cols == 3);
  CHECK(reference::error_bounds_bf16(view_of(a), view_of(b)).at(0, 0) == static_cast<double>(kInf));
}

TEST_CASE("a wrong scale exceeds the bound, one unit of the last place does not", "[spec:10.23][spec:10.24]") {
  generator random(724);
  mx_matrix a = random_matrix(random, 8, 512, 110, 14, 15), b = random_matrix(random, 8, 512, 110, 14, 15);
  int caught = 0;
  for (int64_t m = 0; m < 8; ++m)
    for (int64_t n = 0; n < 8; ++n) {
      const reference::mx_rows rows(view_of(a), m, view_of(b), n);
      const float exact = reference::mx_dot(mx_model("exact_sum"), rows);
      const double bound = reference::error_bound(rows);
      CHECK(reference::is_within_bound(std::nextafter(exact, kInf), exact, bound));
      mx_matrix wrong = a;
      uint8_t& scale = wrong.scales[static_cast<size_t>(m * 16 + 7)];
      scale = static_cast<uint8_t>(scale + 1);
      const float got = reference::mx_dot(mx_model("block_rne"), reference::mx_rows(view_of(wrong), m, view_of(b), n));
      caught += reference::is_within_bound(got, exact, bound) ? 0 : 1;
    }
  CHECK(caught > 55);
}

TEST_CASE("within the bound is decided exactly", "[spec:10.23]") {
  using reference::is_within_bound;
  CHECK(is_within_bound(1.5f, 1.0f, 0.5));
  CHECK(!is_within_bound(1.5f, 1.0f, std::nextafter(0.5, 0.0)));
  CHECK(is_within_bound(-1.0f, 1.0f, 2.0));
  CHECK(!is_within_bound(-1.0f, 1.0f, std::nextafter(2.0, 0.0)));
  // The difference 2^60 + 2^-10 needs more bits than a double has.
  CHECK(!is_within_bound(0x1p60f, -0x1p-10f, 0x1p60));
  CHECK(is_within_bound(0x1p60f, 0x1p-10f, 0x1p60));
  CHECK(!is_within_bound(kInf, std::numeric_limits<float>::max(), 0x1p120));
  CHECK(is_within_bound(kInf, 1.0f, static_cast<double>(kInf)));
  CHECK(is_within_bound(float_of(0xFFC00001u), std::nanf(""), std::nan("")));
  CHECK(!is_within_bound(0.0f, std::nanf(""), std::nan("")));
  CHECK(!is_within_bound(std::nanf(""), 1.0f, 1.0));
  // BF16: the rounding of exact +- bound, ties included.
  CHECK(is_within_bound(exact_bf16(1.0f), 1.0f, 0.0));
  CHECK(is_within_bound(exact_bf16(1.0f), 1.0f + 0x1p-8f, 0.0));
  CHECK(is_within_bound(exact_bf16(1.0f + 0x1p-7f), 1.0f + 0x1p-8f, 0x1p-23));
  CHECK(!is_within_bound(exact_bf16(1.0f + 0x1p-7f), 1.0f, 0x1p-9));
  CHECK(is_within_bound(bf16{0x7F80}, std::numeric_limits<float>::max(), 0.0));
  CHECK(!is_within_bound(bf16{0x7FC0}, 1.0f, 1.0));
  CHECK(is_within_bound(bf16{0xFFC1}, std::nanf(""), std::nan("")));
}
