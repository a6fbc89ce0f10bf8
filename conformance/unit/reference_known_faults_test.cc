// Known faults that touch the reference's roundings and models: division against a reciprocal (arch-com #905), and
// F20's accumulation by name, subnormals and NaN scales through the new paths.
#include "reference/pattern.h"
#include "reference/scale.h"
#include "reference/stochastic.h"
#include "reference_policies_support.h"

using namespace adahop;
using test::policy_with;

namespace {

// SPEC 7.1: chunks of 64 in order, then the chunk sums.
double two_level(const std::vector<double>& v) {
  double total = 0;
  for (size_t first = 0; first < v.size(); first += 64) {
    double chunk = 0;
    for (size_t i = first; i < std::min(first + 64, v.size()); ++i) chunk += v[i];
    total += chunk;
  }
  return total;
}

double variance_around(double mean, const std::vector<double>& v) {
  std::vector<double> squares;
  for (const double x : v) squares.push_back((x - mean) * (x - mean));
  return two_level(squares) / static_cast<double>(v.size() - 1);
}

}  // namespace

TEST_CASE("arch-com #905: the pattern's mean is a division, told from a reciprocal by inputs whose mean is exact",
          "[spec:7.2][spec:7.3]") {
  // Rows whose sum is n times an odd c, so that the quotient is exact. A rounded 1 / n times the sum misses c for some
  // n only; random sums would hide it, since their quotient is rounded anyway.
  test::generator random(360);
  int told_apart = 0, rows = 0;
  for (const int64_t n : {49, 96, 98, 103, 105, 117, 123, 234, 246, 384})
    for (int repeat = 0; repeat < 200; ++repeat) {
      const float c = static_cast<float>(2 * random.integer(0, 50000) + 1),
                  d = n % 2 == 0 && repeat % 2 == 1 ? 1.0f : 0.0f;
      matrix<float> x(1, n);
      std::vector<double> line;
      for (int64_t i = 0; i < n; ++i)
        line.push_back(static_cast<double>(x.data[static_cast<size_t>(i)] = i % 2 == 0 ? c + d : c - d));
      const double sum = two_level(line), mean = static_cast<double>(c);
      REQUIRE(sum == mean * static_cast<double>(n));
      REQUIRE(reference::variances(view_of(x)).rows[0] == variance_around(mean, line));
      told_apart += variance_around(sum * (1.0 / static_cast<double>(n)), line) != variance_around(mean, line) ? 1 : 0;
      ++rows;
    }
  CAPTURE(told_apart, rows);
  CHECK(told_apart > rows / 5);  // a reciprocal would fail in that many
}

TEST_CASE("arch-com #905: at ties of the grid an element is divided, not multiplied by a rounded reciprocal",
          "[spec:5.8][spec:5.11][spec:5.17]") {
  // Scales are powers of two, whose reciprocal is exact but for the byte's ends: 2^127 has none in FP32's normal range
  // and 2^-127 none at all. Ties there round as everywhere.
  const double ties[] = {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0};
  const uint32_t even[] = {0, 2, 2, 4, 4, 6, 6};
  for (const int byte : {0, 1, 127, 252})
    for (size_t i = 0; i < 7; ++i) {
      const double v = std::ldexp(ties[i], byte - 127);
      if (v > static_cast<double>(std::numeric_limits<float>::max())) continue;
      const float f = static_cast<float>(v);
      matrix<float> x(1, 32);
      x.data[0] = std::ldexp(1.5f, byte - 125);  // amax / scale = 6
      x.data[1] = f;
      x.data[2] = -f;
      const test::quantized q = test::quantize(policy_with("scale_rule=floor"), view_of(x));
      CAPTURE(byte, ties[i]);
      REQUIRE(q.data.scales[0] == byte);
      CHECK(code_of(unpack_e2m1(q.data.codes[0], 1)) == even[i]);
      CHECK(code_of(unpack_e2m1(q.data.codes[1], 0)) == (even[i] | 8));
      // Half of a gap is the fraction exactly: half of the words round up.
      const e8m0 scale = e8m0_of(static_cast<uint32_t>(byte));
      CHECK(reference::encode_e2m1_stochastic(f, scale, 127, 8) != reference::encode_e2m1_stochastic(f, scale, 128, 8));
    }
}

TEST_CASE("F20 (a): 2^24 and two ones, sequential or summed exactly, each by its name", "[spec:10.9][spec:10.18]") {
  matrix<bf16> a(1, 3), b(1, 3);
  a.data = {test::exact_bf16(0x1p24f), test::exact_bf16(1), test::exact_bf16(1)};
  b.data = {test::exact_bf16(1), test::exact_bf16(1), test::exact_bf16(1)};
  const auto product = [&](std::string_view model) {
    const policy p = policy_with(fmt::format("bf16_gemm_model={}", model));
    matrix<float> c(1, 1);
    const adahop_bf16_gemm_args args{&p, view_of(a), view_of(b), view_of(c)};
    test::expect_ok(test::reference_backend().bf16_gemm(&test::kHostExec, &args));
    return c.data[0];
  };
  CHECK(product("seq_fma") == 16777216.0f);
  CHECK(product("exact_sum") == 16777218.0f);
}

TEST_CASE("F20 (b): subnormal BF16 survives transforms of every size and stochastic rounding",
          "[spec:1.3][spec:6.10][spec:5.17]") {
  matrix<bf16> x(1, 128);
  x.data[0] = bf16{0x0008};  // 2^-130
  for (const int size : {16, 64}) {
    const policy p = policy_with(fmt::format("hadamard_size={},hadamard_output=f32", size));
    const matrix<float> y = test::hadamard(p, view_of(x));
    for (int64_t i = 0; i < 128; ++i)
      CHECK(bits_of(y.at(0, i)) == (i < size ? (size == 16 ? 0x20000u : 0x10000u) : 0u));
  }
  // 2^-130 under byte 0 is 1/8, a quarter of the first gap: the first 64 of 256 words round up.
  for (const uint32_t u : {0u, 63u, 64u, 255u})
    CHECK(code_of(reference::encode_e2m1_stochastic(decode_bf16(x.data[0]), e8m0_of(0), u, 8)) == (u < 64 ? 1u : 0u));
}

TEST_CASE("F20 (d): a NaN byte makes the product NaN under every layout, padding and rounding",
          "[spec:10.3][spec:3.6][spec:3.7]") {
  matrix<bf16> a(3, 33), b(2, 33);
  a.at(1, 32) = bf16{0x7FC0};
  for (const std::string_view layout : {"linear", "gfx950_shuffle"})
    for (const std::string_view rounding : {"rne", "stochastic(8,1,0)", "gfx950_sr(2)"}) {
      const policy p = policy_with(fmt::format("pad=zero,scale_layout={},element_rounding={}", layout, rounding));
      const matrix<float> c = test::mx_gemm(p, test::quantize(p, view_of(a)).data, test::quantize(p, view_of(b)).data);
      for (int64_t m = 0; m < 3; ++m)
        for (int64_t n = 0; n < 2; ++n) CHECK(bits_of(c.at(m, n)) == (m == 1 ? 0x7FC00000u : 0u));
    }
}
