// Certificate, bound, and the two default models against formulas of another kind: exact rationals, FP64 and a loop.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>

#include "catch.h"
#include "conformance/independent/float32.h"
#include "conformance/suites/models.h"
#include "product_calls.h"
#include "product_pick.h"
#include "reference/bf16_gemm.h"
#include "reference/bound.h"
#include "reference/certificate.h"
#include "reference/mx_gemm.h"

using namespace adahop;
using namespace adahop::property;
using independent::rational;

namespace {

constexpr uint32_t kNan = 0x7FC00000u;

std::vector<policy> mx_policies() {
  std::vector<policy> all;
  for (const char* model : conformance::kMxModels) all.push_back(policy_of(fmt::format("gemm_model={}", model)));
  return all;
}

std::vector<policy> bf16_policies() {
  std::vector<policy> all;
  for (const char* model : conformance::kBf16Models) all.push_back(policy_of(fmt::format("bf16_gemm_model={}", model)));
  return all;
}

// Every pair of rows of an MX product, and of a BF16 one.
template <class Visit>
void for_each_output(const mx_product& x, const Visit& visit) {
  for (int64_t m = 0; m < x.a.outer; ++m)
    for (int64_t n = 0; n < x.b.outer; ++n) visit(reference::mx_rows(view_of(x.a), m, view_of(x.b), n));
}
template <class Visit>
void for_each_output(const bf16_product& x, const Visit& visit) {
  stored_tensor a(x.ab.a), b(x.ab.b);
  for (int64_t m = 0; m < x.ab.a.rows; ++m)
    for (int64_t n = 0; n < x.ab.b.rows; ++n) visit(reference::bf16_rows(a.view(), m, b.view(), n));
}

float dot(const policy& p, const reference::mx_rows& rows, float c) { return reference::mx_dot(p, rows, c); }
float dot(const policy& p, const reference::bf16_rows& rows, float c) { return reference::bf16_dot(p, rows, c); }

std::string model_of(const policy& p) { return field_text(p, "gemm_model") + "," + field_text(p, "bf16_gemm_model"); }

// All models agree where the certificate says so; how many outputs were certified.
template <class Product>
int agree_where_certified(const Product& x, const std::vector<policy>& models, float c) {
  int count = 0;
  for_each_output(x, [&](const auto& rows) {
    if (!reference::certified(rows, c)) return;
    ++count;
    const uint32_t wanted = bits_of(dot(models[0], rows, c));
    for (const policy& p : models) require_equal(bits_of(dot(p, rows, c)), wanted, "certified, under " + model_of(p));
  });
  return count;
}

// |model - exact_sum| <= bound in exact arithmetic; how many outputs have a finite bound.
template <class Product>
int stay_within_bound(const Product& x, const std::vector<policy>& models) {
  int count = 0;
  for_each_output(x, [&](const auto& rows) {
    const double bound = reference::error_bound(rows);
    const float exact = dot(models[1], rows, 0.0f);
    if (std::isnan(bound)) require(std::isnan(exact), "a NaN bound stands for NaN outputs");
    if (!std::isfinite(bound)) return;
    ++count;
    require(std::isfinite(exact), "exact_sum is finite where the bound is");
    for (const policy& p : models) {
      const float got = dot(p, rows, 0.0f);
      require(std::isfinite(got), fmt::format("{:X} under {} where the bound is finite", bits_of(got), model_of(p)));
      const rational apart = (independent::value_of(bits_of(got)) - independent::value_of(bits_of(exact))).magnitude();
      require(apart <= rational::of_fp64(bound),
              fmt::format("{:X} under {}, exact sum {:X}, bound {:a}", bits_of(got), model_of(p), bits_of(exact), bound));
    }
  });
  return count;
}

// An accumulator that meets the certificate now and then: a small multiple of a power of two.
float pick_accumulator() {
  const auto small = static_cast<float>(pick_integer("accumulator", 0, 40) - 20);
  return small == 0 ? 0.0f : std::ldexp(small, static_cast<int>(pick_integer("its power", 0, 60)) - 40);
}

// x + y rounded once to FP32, from FP64 alone: TwoSum finds what the FP64 sum lost, and where it lost something the sum is
// moved to its odd neighbour, so that the second rounding is never a false tie.
float add_once(double x, double y) {
  double sum = x + y;
  const double part = sum - x, lost = (x - (sum - part)) + (y - part);
  if (lost != 0 && (std::bit_cast<uint64_t>(sum) & 1u) == 0) sum = std::nextafter(sum, lost > 0 ? HUGE_VAL : -HUGE_VAL);
  return static_cast<float>(sum);
}

// SPEC 10.4 with the term of 10.2 in FP64, which holds it exactly.
float naive_block_rne(const mx_product& x, int64_t m, int64_t n) {
  static constexpr std::array<double, 8> kValues{0, 0.5, 1, 1.5, 2, 3, 4, 6};
  const auto value = [](uint32_t code) { return (code & 8u) != 0 ? -kValues[code & 7u] : kValues[code & 7u]; };
  float acc = 0;
  const int64_t blocks = x.a.inner / kBlockSize;
  for (int64_t k = 0; k < blocks; ++k) {
    const uint8_t sa = x.a.scales[static_cast<size_t>(m * blocks + k)], sb = x.b.scales[static_cast<size_t>(n * blocks + k)];
    if (sa == kE8m0Nan || sb == kE8m0Nan) return float_of(kNan);
    double dot = 0;
    for (int64_t i = k * kBlockSize; i < (k + 1) * kBlockSize; ++i)
      dot += value(code_at(x.a, m, i)) * value(code_at(x.b, n, i));
    const double term = std::ldexp(dot, sa + sb - 254);
    // An exact zero is +0 (SPEC 10.5); FP64 has -0 only for -0 + -0.
    acc = double{acc} + term == 0 ? 0.0f : add_once(double{acc}, term);
  }
  return acc;
}

}  // namespace

TEST_CASE("MX: certified outputs are the same under every model", "[property][spec:10.20][spec:10.22]") {
  const std::vector<policy> models = mx_policies();
  int certified = 0;
  check_property("mx: certificate and all models", 2000, [&] {
    const mx_product x = pick_mx_product("x", reach::wild);
    certified += agree_where_certified(x, models, pick_accumulator());
  });
  CHECK(certified > 0);
}

TEST_CASE("BF16: certified outputs are the same under every model", "[property][spec:10.21][spec:10.22]") {
  const std::vector<policy> models = bf16_policies();
  int certified = 0;
  check_property("bf16: certificate and all models", 2000, [&] {
    const bf16_product x = pick_bf16_product("x", reach::wild);
    certified += agree_where_certified(x, models, pick_accumulator());
  });
  CHECK(certified > 0);
}

TEST_CASE("MX: no model leaves the bound", "[property][spec:10.23]") {
  const std::vector<policy> models = mx_policies();
  int bounded = 0;
  check_property("mx: |model - exact_sum| <= bound", 1000, [&] {
    bounded += stay_within_bound(pick_mx_product("x", reach::wild), models);
  });
  CHECK(bounded > 0);
}

TEST_CASE("BF16: no model leaves the bound", "[property][spec:10.23]") {
  const std::vector<policy> models = bf16_policies();
  int bounded = 0;
  check_property("bf16: |model - exact_sum| <= bound", 1000, [&] {
    bounded += stay_within_bound(pick_bf16_product("x", reach::wild), models);
  });
  CHECK(bounded > 0);
}

TEST_CASE("MX: block_rne is a sum of FP64 terms, each addition rounded once", "[property][spec:10.2][spec:10.4][spec:10.6]") {
  check_property("mx: block_rne and its formula in FP64", 2000, [] {
    mx_product x = pick_mx_product("x", reach::wild);
    x.rules = policy_of("output=f32");
    output_bits wanted(x.a.outer, x.b.outer);
    for (int64_t m = 0; m < wanted.rows; ++m)
      for (int64_t n = 0; n < wanted.cols; ++n) wanted.at(m, n) = bits_of(naive_block_rne(x, m, n));
    require_same(product_of(the_reference(), x), wanted, "block_rne");
  });
}

TEST_CASE("MX: exact_sum is the rational sum, rounded once", "[property][spec:10.2][spec:10.11]") {
  check_property("mx: exact_sum and rational numbers", 400, [] {
    mx_product x = pick_mx_product("x", reach::wild);
    x.rules = policy_of("output=f32,gemm_model=exact_sum");
    const output_bits c = product_of(the_reference(), x);
    const int64_t blocks = x.a.inner / kBlockSize;
    for (int64_t m = 0; m < c.rows; ++m)
      for (int64_t n = 0; n < c.cols; ++n) {
        rational sum;
        bool nan = false;
        for (int64_t i = 0; i < x.a.inner; ++i) {
          const uint8_t sa = x.a.scales[static_cast<size_t>(m * blocks + i / kBlockSize)];
          const uint8_t sb = x.b.scales[static_cast<size_t>(n * blocks + i / kBlockSize)];
          nan = nan || sa == kE8m0Nan || sb == kE8m0Nan;
          const auto twice = [](uint32_t code) { return long{value_x2(e2m1_of(code))}; };
          sum = sum + rational(twice(code_at(x.a, m, i)) * twice(code_at(x.b, n, i))).scaled(sa + sb - 256);
        }
        require_equal(c.at(m, n), nan ? kNan : independent::round_to_fp32(sum), fmt::format("C[{}][{}]", m, n));
      }
  });
}

TEST_CASE("BF16: seq_fma is a loop of fma", "[property][spec:10.9][spec:1.4]") {
  check_property("bf16: seq_fma and a loop", 2000, [] {
    bf16_product x = pick_bf16_product("x", reach::wild);
    x.rules = policy_of("output=f32");
    output_bits wanted(x.ab.a.rows, x.ab.b.rows);
    for (int64_t m = 0; m < wanted.rows; ++m)
      for (int64_t n = 0; n < wanted.cols; ++n) {
        float acc = 0;
        for (int64_t k = 0; k < x.ab.a.cols; ++k) acc = std::fma(x.ab.a.value(m, k), x.ab.b.value(n, k), acc);
        wanted.at(m, n) = std::isnan(acc) ? kNan : bits_of(acc);
      }
    require_same(product_of(the_reference(), x), wanted, "seq_fma");
  });
}

TEST_CASE("BF16: exact_sum is the rational sum, rounded once", "[property][spec:10.18]") {
  check_property("bf16: exact_sum and rational numbers", 400, [] {
    bf16_product x = pick_bf16_product("x", reach::wild);
    x.rules = policy_of("output=f32,bf16_gemm_model=exact_sum");
    const output_bits c = product_of(the_reference(), x);
    for (int64_t m = 0; m < c.rows; ++m)
      for (int64_t n = 0; n < c.cols; ++n) {
        rational sum;
        float special = 0;  // IEEE 754 adds what is not finite as 10.18 says
        for (int64_t k = 0; k < x.ab.a.cols; ++k) {
          const float a = x.ab.a.value(m, k), b = x.ab.b.value(n, k);
          if (!std::isfinite(a) || !std::isfinite(b))
            special += a * b;
          else
            sum = sum + independent::value_of(bits_of(a)) * independent::value_of(bits_of(b));
        }
        const uint32_t wanted = std::isnan(special) ? kNan : special != 0 ? bits_of(special) : independent::round_to_fp32(sum);
        require_equal(c.at(m, n), wanted, fmt::format("C[{}][{}]", m, n));
      }
  });
}
