// The certificate and the error bound of the library against exact rationals: who is certified, that certified outputs
// are the same under every model and others are not, and that no model's error exceeds the bound.
#include <algorithm>
#include <bit>
#include <cmath>

#include "catch.h"
#include "independent/certificate.h"
#include "independent_models_support.h"
#include "reference/bound.h"
#include "reference/certificate.h"

using namespace adahop_test;

namespace {

constexpr uint32_t kAccumulators[] = {0u, 0x80000000u, 0x3F800000u, 0x00000001u, 0x4B000000u, 0x7F800000u, 0x7FC00000u};

std::vector<uint32_t> mx_outputs(const independent::mx_tensor& a, int m, const independent::mx_tensor& b, int n) {
  static const std::vector<independent::mx_accumulation> kModels = [] {
    std::vector<independent::mx_accumulation> models;
    for (const char* const model : kMxModels)
      models.push_back(mx_accumulation_of(policy_with(std::string("gemm_model=") + model)));
    return models;
  }();
  std::vector<uint32_t> outputs;
  for (const independent::mx_accumulation& model : kModels) outputs.push_back(independent::mx_dot(a, m, b, n, model));
  return outputs;
}

std::vector<uint32_t> bf16_outputs(const independent::fp32_matrix& a, int m, const independent::fp32_matrix& b, int n) {
  static const std::vector<independent::bf16_accumulation> kModels = [] {
    std::vector<independent::bf16_accumulation> models;
    for (const char* const model : kBf16Models)
      models.push_back(bf16_accumulation_of(policy_with(std::string("bf16_gemm_model=") + model)));
    return models;
  }();
  std::vector<uint32_t> outputs;
  for (const independent::bf16_accumulation& model : kModels)
    outputs.push_back(independent::bf16_dot(a, m, b, n, model));
  return outputs;
}

bool all_same(const std::vector<uint32_t>& outputs) {
  return std::all_of(outputs.begin(), outputs.end(), [&](uint32_t o) { return o == outputs.front(); });
}

/// What many outputs had to show.
struct tally {
  int outputs = 0, certified = 0, wrong_certificates = 0, certified_but_different = 0, different = 0;
  int bounded = 0, beyond_bound = 0;
  double closest = 0;  ///< the largest error / bound

  void note_certificate(bool got, bool right, bool same) {
    ++outputs;
    if (got != right) ++wrong_certificates;
    if (right) ++certified;
    if (right && !same) ++certified_but_different;
    if (!same) ++different;
  }

  void note_bound(double bound, const independent::rational& exact, const std::vector<uint32_t>& models) {
    if (!std::isfinite(bound)) return;
    ++bounded;
    const independent::rational limit = independent::rational::of_fp64(bound);
    const uint32_t rounded = independent::round_to_fp32(exact);
    for (const uint32_t output : models) {
      if (!independent::is_finite(output) || !independent::is_finite(rounded)) {
        ++beyond_bound;
        continue;
      }
      const independent::rational value = independent::value_of(output);
      const independent::rational error = std::max((value - exact).magnitude(),
                                                   (value - independent::value_of(rounded)).magnitude());
      if (error > limit) ++beyond_bound;
      if (limit.sign() > 0) closest = std::max(closest, (error / limit).to_fp64());
    }
  }
};

void check_mx(tally& t, const independent::mx_tensor& a, const independent::mx_tensor& b) {
  const adahop::mx_matrix pa = packed(a), pb = packed(b);
  for (int m = 0; m < a.outer; ++m)
    for (int n = 0; n < b.outer; ++n) {
      const adahop::reference::mx_rows rows(adahop::view_of(pa), m, adahop::view_of(pb), n);
      const std::vector<uint32_t> outputs = mx_outputs(a, m, b, n);
      for (const uint32_t c : kAccumulators)
        if (adahop::reference::certified(rows, std::bit_cast<float>(c)) != independent::mx_certified(a, m, b, n, c))
          ++t.wrong_certificates;
      t.note_certificate(adahop::reference::certified(rows), independent::mx_certified(a, m, b, n, 0),
                         all_same(outputs));
      const double bound = adahop::reference::error_bound(rows);
      if (independent::has_nan_scale(a, m, b, n)) {
        if (!std::isnan(bound)) ++t.beyond_bound;
      } else {
        t.note_bound(bound, independent::exact_sum(independent::mx_products(a, m, b, n)), outputs);
      }
    }
}

void check_bf16(tally& t, const independent::fp32_matrix& a, const independent::fp32_matrix& b) {
  const adahop::matrix<adahop::bf16> a16 = to_bf16s(a), b16 = to_bf16s(b);
  for (int m = 0; m < a.rows; ++m)
    for (int n = 0; n < b.rows; ++n) {
      const adahop::reference::bf16_rows rows(adahop::view_of(a16), m, adahop::view_of(b16), n);
      const std::vector<uint32_t> outputs = bf16_outputs(a, m, b, n);
      for (const uint32_t c : kAccumulators)
        if (adahop::reference::certified(rows, std::bit_cast<float>(c)) != independent::bf16_certified(a, m, b, n, c))
          ++t.wrong_certificates;
      t.note_certificate(adahop::reference::certified(rows), independent::bf16_certified(a, m, b, n, 0),
                         all_same(outputs));
      const std::vector<independent::product> products = independent::bf16_products(a, m, b, n);
      const bool finite =
          std::all_of(products.begin(), products.end(), [](const auto& p) { return !p.nonfinite.has_value(); });
      const double bound = adahop::reference::error_bound(rows);
      if (finite)
        t.note_bound(bound, independent::exact_sum(products), outputs);
      else if (std::isfinite(bound))
        ++t.beyond_bound;
    }
}

void report(const tally& t) {
  CAPTURE(t.outputs, t.certified, t.different, t.bounded, t.closest);
  CHECK(t.wrong_certificates == 0);
  CHECK(t.certified_but_different == 0);
  CHECK(t.beyond_bound == 0);
}

}  // namespace

TEST_CASE("MX certificate and bound on outputs from far inside the certificate to far beyond it",
          "[independent][spec:10.20][spec:10.22][spec:10.23]") {
  source random(90);
  tally t;
  for (int round = 0; round < 36; ++round) {
    const int k = 32 * random.between(1, 6), spread = round % 9;
    const int centre = round % 3 == 0 ? random.between(52, 60) : random.between(60, 190);
    check_mx(t, random_mx(random, 3, k, centre, spread), random_mx(random, 3, k, centre, spread));
    check_mx(t, sparse_mx(random, 3, k, centre, 2 * spread), sparse_mx(random, 3, k, centre, 2 * spread));
    check_mx(t, cancelling_mx(random, 3, k, centre, spread), cancelling_mx(random, 3, k, centre, spread));
  }
  report(t);
  CHECK(t.certified > t.outputs / 7);
  CHECK(t.outputs - t.certified > t.outputs / 7);
  CHECK(t.different > 60);
  CHECK(t.bounded > t.outputs * 9 / 10);
  CHECK(t.closest > 1.0 / 64);
}

TEST_CASE("MX certificate and bound over all bytes, around overflow and underflow, and with NaN scales",
          "[independent][spec:10.3][spec:10.20][spec:10.23]") {
  source random(91);
  tally t;
  for (int round = 0; round < 10; ++round) {
    const int k = 32 * random.between(1, 6);
    check_mx(t, random_mx(random, 3, k, 127, 127), random_mx(random, 3, k, 127, 127));
    check_mx(t, random_mx(random, 3, k, 187, 4), random_mx(random, 3, k, 187, 4));
    check_mx(t, sparse_mx(random, 3, k, 189, 3), sparse_mx(random, 3, k, 189, 3));
    check_mx(t, random_mx(random, 3, k, 52, 4), random_mx(random, 3, k, 52, 4));
    check_mx(t, sparse_mx(random, 3, k, 50, 9), sparse_mx(random, 3, k, 50, 9));
    independent::mx_tensor a = random_mx(random, 3, k, 127, 3);
    a.scales[0] = independent::kNanScale;
    check_mx(t, a, random_mx(random, 2, k, 127, 3));
  }
  report(t);
}

TEST_CASE("the bound holds where truncation drifts: a large start, then long runs of small terms of one sign",
          "[independent][spec:10.23]") {
  source random(93);
  tally mx, bf16;
  for (int round = 0; round < 36; ++round) {
    const int blocks = random.between(4, 16), centre = round % 9 == 0 ? 55 : random.between(70, 170);
    const int below = random.between(2, 36), sign = 8 * (round % 2);
    independent::mx_tensor a, b;
    a.outer = b.outer = 1;
    a.inner = b.inner = 32 * blocks;
    for (int i = 0; i < a.inner; ++i) {
      a.codes.push_back(static_cast<uint8_t>(random.between(i < 32 ? 1 : 0, 7) | (i < 32 ? 0 : sign)));
      b.codes.push_back(static_cast<uint8_t>(random.between(1, 7)));
    }
    for (int block = 0; block < blocks; ++block) {
      a.scales.push_back(static_cast<uint8_t>(block == 0 ? centre : centre - below / 2 - random.between(0, 2)));
      b.scales.push_back(static_cast<uint8_t>(block == 0 ? centre : centre - below / 2));
    }
    check_mx(mx, a, b);

    const int length = random.between(20, 120), field = random.between(70, 160);
    independent::fp32_matrix x(1, length), y(1, length);
    for (int k = 0; k < length; ++k) {
      const int at = k == 0 ? field : field - below / 2 - random.between(0, 1);
      x.at(0, k) = (random.fp32(at, at) & 0x7FFF0000u) | (k == 0 || sign == 0 ? 0u : 0x80000000u);
      y.at(0, k) = random.fp32(at, at) & 0x7FFF0000u;
    }
    check_bf16(bf16, x, y);
  }
  report(mx);
  report(bf16);
  CHECK(mx.bounded == 36);
  CHECK(bf16.bounded == 36);
  CHECK(mx.different > 10);
  CHECK(mx.closest > 1.0 / 16);
  CHECK(bf16.closest > 1.0 / 16);
}

TEST_CASE("the edge of the MX certificate: a sum of 2^(q+23) is not certified, one unit less is",
          "[independent][spec:10.20][spec:10.22]") {
  // One product of 0.25 * 2^0 sets q = -2; products of 1 * 2^(x) fill the rest up to just below 2^21, and to it.
  tally t;
  for (const int bulk : {126, 127, 128}) {
    independent::mx_tensor a, b;
    a.outer = b.outer = 1;
    a.inner = b.inner = 64;
    a.codes.assign(64, 0), b.codes.assign(64, 0);
    a.codes[0] = b.codes[0] = 1;                  // 0.25
    // 32 products of 2^(sa + sb - 254) = 2^16 at 127 + 143
    for (size_t k = 32; k < 64; ++k) a.codes[k] = b.codes[k] = 2;
    a.scales = {127, static_cast<uint8_t>(bulk)};
    b.scales = {127, 143};
    check_mx(t, a, b);
    CHECK(independent::mx_certified(a, 0, b, 0, 0) == (bulk == 126));
    b.codes[0] = 0;  // q is now that of the large products
    check_mx(t, a, b);
    CHECK(independent::mx_certified(a, 0, b, 0, 0));
  }
  // 31 products of 2^16 and sixteen halves of it leave no room for 0.25 below 2^21, but one product less does.
  independent::mx_tensor a, b;
  a.outer = b.outer = 1;
  a.inner = b.inner = 64;
  a.codes.assign(64, 0), b.codes.assign(64, 2);
  a.codes[0] = b.codes[0] = 1;
  for (size_t k = 32; k < 63; ++k) a.codes[k] = 2;
  a.scales = {127, 127}, b.scales = {127, 143};
  check_mx(t, a, b);
  CHECK(independent::mx_certified(a, 0, b, 0, 0));
  a.codes[63] = 2;
  check_mx(t, a, b);
  CHECK(!independent::mx_certified(a, 0, b, 0, 0));
  report(t);
}

TEST_CASE("BF16 certificate and bound over all contents, subnormals and long rows",
          "[independent][spec:10.21][spec:10.22][spec:10.23]") {
  source random(92);
  tally t;
  for (const content kind_a : kAllContents)
    for (const content kind_b : kAllContents)
      for (const int k : {1, 8, 21})
        check_bf16(t, make(random, 3, k, kind_a, true), make(random, 3, k, kind_b, true));
  report(t);
  CHECK(t.different > 50);

  // Integers of few bits, so that about half are certified: with normal operands, and with subnormal ones on one side.
  tally half;
  for (int round = 0; round < 120; ++round) {
    const int k = random.between(1, 20), bits = random.between(1, 7), shift = random.between(0, 30);
    independent::fp32_matrix a(3, k), b(3, k);
    for (size_t i = 0; i < a.bits.size(); ++i) {
      const auto draw = [&](int unit) {
        const independent::rational value(random.between(-(1 << bits), 1 << bits));
        return independent::widen_bf16(independent::round_to_bf16(value.scaled(unit + random.between(0, shift))));
      };
      a.bits[i] = draw(round % 2 == 0 ? 0 : -133);
      b.bits[i] = draw(0);
    }
    check_bf16(half, a, b);
  }
  report(half);
  CHECK(half.closest > 1.0 / 64);
  CHECK(half.certified > half.outputs / 6);
  CHECK(half.outputs - half.certified > half.outputs / 6);
}
