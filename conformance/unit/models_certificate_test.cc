// The certificate: its definition in other arithmetic, agreement of every model on what it certifies, and differences of
// every model from exact_sum just beyond it.
#include <algorithm>

#include "models_support.h"
#include "reference/certificate.h"
#include "repetitions.h"

using namespace adahop;
using namespace adahop::test;

namespace {

// SPEC 10.20 in doubles: the numbers here have few bits and lie close together, so sums are exact.
struct certificate_of {
  double sum = 0;
  int q = 10000;

  void add(double v) {
    if (v == 0) return;
    int exponent = 0;
    const auto significand = static_cast<int64_t>(std::ldexp(std::frexp(v, &exponent), 53));
    q = std::min(q, exponent - 53 + __builtin_ctzll(static_cast<uint64_t>(significand)));
    sum += std::abs(v);
  }
  bool holds(int bits) const { return sum == 0 || (q >= -149 && sum < std::min(std::ldexp(1.0, q + bits), 0x1p128)); }
  bool is_near(int bits) const { return holds(bits) && sum >= std::ldexp(1.0, q + bits - 1); }
};

double element(const uint8_t* codes, const uint8_t* scales, int64_t k) {
  const auto code = unpack_e2m1(codes[k / 2], static_cast<uint32_t>(k % 2));
  return std::ldexp(static_cast<double>(decode_e2m1(code)), scales[k / 32] - 127);
}

// Rows whose products lie in a window that is sometimes too wide.
mx_pair random_rows(generator& random) {
  const int64_t blocks = random.integer(1, 8);
  mx_pair p(32 * blocks);
  const int base = random.integer(0, 9) == 0   ? random.integer(-160, -135)
                   : random.integer(0, 9) == 0 ? random.integer(98, 122)
                                               : random.integer(-100, 80);
  const int window = random.integer(0, 2) == 0 ? random.integer(0, 16) : random.integer(9, 15),
            density = random.integer(1, 40);
  for (int64_t i = 0; i < blocks; ++i) p.set_scale(i, base + random.integer(0, window));
  for (int64_t k = 0; k < 32 * blocks; ++k)
    if (random.integer(0, 39) < density) p.set(k, random.bits() & 15u, random.bits() & 15u);
  return p;
}

// An accumulator on the grid of the rows' products.
float random_c(generator& random, const mx_pair& p) {
  if (random.integer(0, 2) != 0) return 0.0f;
  const double c = std::ldexp(random.integer(-4096, 4096), p.rows().term_exponent(0) + random.integer(0, 8));
  return std::abs(c) < 0x1p-100 || std::abs(c) > 0x1p126 ? 0.0f : static_cast<float>(c + 0.0);
}

}  // namespace

TEST_CASE("every MX model agrees on 100,000 certified outputs", "[spec:10.20][spec:10.22]") {
  generator random(710);
  const std::vector<policy> models = mx_models();
  int certified = 0, near = 0, with_c = 0, beyond = 0;
  std::vector<int> differences(models.size());  // of each model from exact_sum, on outputs just beyond the certificate
  while (certified < repetitions(100000)) {
    const mx_pair p = random_rows(random);
    const reference::mx_rows rows = p.rows();
    const float c = random_c(random, p);
    certificate_of expected;
    expected.add(c);
    for (int64_t k = 0; k < 32 * rows.blocks; ++k)
      expected.add(element(rows.a_codes, rows.a_scales, k) * element(rows.b_codes, rows.b_scales, k));
    const bool holds = reference::certified(rows, c);
    REQUIRE(holds == expected.holds(23));
    const uint32_t exact = bits_of(reference::mx_dot(models[1], rows, c));
    const auto agrees = [&](const policy& m) { return bits_of(reference::mx_dot(m, rows, c)) == exact; };
    if (!holds) {
      if (!expected.holds(26) || beyond == repetitions(20000)) continue;
      ++beyond;
      for (size_t i = 0; i < models.size(); ++i) differences[i] += agrees(models[i]) ? 0 : 1;
      continue;
    }
    for (const policy& m : models) {
      CAPTURE(canonical_line(m));
      REQUIRE(agrees(m));
    }
    ++certified;
    near += expected.is_near(23) ? 1 : 0;
    with_c += c != 0 ? 1 : 0;
  }
  INFO("near the limit: " << near << ", with C: " << with_c << ", just beyond: " << beyond);
  CHECK(near > repetitions(2000));
  CHECK(with_c > repetitions(10000));
  for (size_t i = 0; i < models.size(); ++i) {
    INFO(kMxModels[i] << " differs from exact_sum on " << differences[i] << " outputs just beyond the certificate");
    CHECK((differences[i] > 0) == (models[i].gemm_model != models[1].gemm_model));
  }
}

TEST_CASE("one bit beyond 2^(q+23) models differ", "[spec:10.20]") {
  // 0.5 * 0.5 has a field exponent two above its own, so aligned additions keep 22 bits below it.
  const auto pair = [](int x) {
    mx_pair p(64);
    p.set_scale(0, x);
    p.set(0, kHalf, kHalf);
    p.set(33, kOne, kOne);
    return p;
  };
  const mx_pair inside = pair(24), outside = pair(25);  // 2^22 + 1 and 2^23 + 1
  CHECK(reference::certified(inside.rows()));
  CHECK(!reference::certified(outside.rows()));
  for (const char* model : kMxModels) CHECK(inside.dot(model) == 0x1p22f + 1);
  CHECK(outside.dot("exact_sum") == 0x1p23f + 1);
  CHECK(outside.dot("cdna3_trfdpa(64)") == 0x1p23f);
}

TEST_CASE("what is never certified", "[spec:10.20][spec:10.21]") {
  mx_pair p(64);
  CHECK(reference::certified(p.rows()));  // only zeros
  CHECK(!reference::certified(p.rows(), -0.0f));
  CHECK(!reference::certified(p.rows(), kInf));
  CHECK(!reference::certified(p.rows(), std::nanf("")));
  CHECK(reference::certified(p.rows(), 0x1.fffffcp127f));                     // a multiple of 2^106, below 2^128
  CHECK(!reference::certified(p.rows(), std::numeric_limits<float>::max()));  // 24 bits
  p.set(0, kOne, kOne);
  p.set_scale(0, -149);
  CHECK(reference::certified(p.rows()));
  p.set_scale(0, -150);
  CHECK(!reference::certified(p.rows()));
  p.set_scale(0, 127);
  CHECK(reference::certified(p.rows()));
  p.set(40, kOne, kOne);
  p.set_scale(1, 127);
  CHECK(!reference::certified(p.rows()));  // 2^128
  p.set_scale(0, 0);
  p.set_scale(1, 0);
  p.a.scales[1] = 0xFF;
  CHECK(!reference::certified(p.rows()));
  matrix<bf16> a(1, 2), b(1, 2);
  a.data = {exact_bf16(1), exact_bf16(1)};
  b.data = {exact_bf16(1), exact_bf16(0)};
  const auto rows = [&] { return reference::bf16_rows(view_of(a), 0, view_of(b), 0); };
  CHECK(reference::certified(rows()));
  CHECK(!reference::certified(rows(), -0.0f));
  a.data[1] = exact_bf16(kInf);
  CHECK(!reference::certified(rows()));
  a.data[1] = {0x7FC0};
  CHECK(!reference::certified(rows()));
}

TEST_CASE("every BF16 model agrees on 100,000 certified outputs", "[spec:10.21][spec:10.22]") {
  generator random(711);
  const std::vector<policy> models = bf16_models();
  int certified = 0, near = 0, subnormal = 0;
  std::vector<int> normal_differences(models.size()), subnormal_differences(models.size());  // just beyond, as above
  while (certified < repetitions(100000)) {
    const int64_t k = random.integer(1, 40);
    matrix<bf16> a(1, k), b(1, k);
    const bool low = random.integer(0, 2) == 0;  // operands of a are subnormal, or nearly
    const int bits = random.integer(0, 4), window = random.integer(0, low ? 20 : 12);
    const auto mask = static_cast<uint16_t>(0x8000u | (0x7F80u | (0x7Fu << (7 - bits) & 0x7Fu)));
    certificate_of expected;
    bool all_normal = true;
    for (int64_t i = 0; i < k; ++i) {
      bf16& x = a.at(0, i);
      bf16& y = b.at(0, i);
      x = low && random.integer(0, 3) > 0
              ? bf16{static_cast<uint16_t>(random.bits() & (0x8000u | (0x7Fu >> random.integer(0, 6))))}
              : random.bf16_with_exponent(low ? 0 : 120, low ? 2 : 120 + window);
      y = random.bf16_with_exponent(low ? 200 : 120, (low ? 200 : 120) + window);
      if ((x.bits & 0x7F80u) != 0 || random.integer(0, 1) == 0) x.bits &= mask;  // else as far below its field exponent
      y.bits &= mask;
      if (random.integer(0, 4) == 0) x.bits &= 0x8000u;
      const double v = static_cast<double>(decode_bf16(x)) * static_cast<double>(decode_bf16(y));
      expected.add(v);
      if (v != 0 && (x.bits & 0x7F80u) == 0) all_normal = false;
    }
    const reference::bf16_rows rows(view_of(a), 0, view_of(b), 0);
    const bool holds = reference::certified(rows);
    const int limit = all_normal ? 24 : 18;
    REQUIRE(holds == expected.holds(limit));
    if (!expected.holds(limit + 3)) continue;
    const uint32_t exact = bits_of(reference::bf16_dot(models[1], rows));
    const auto agrees = [&](const policy& m) { return bits_of(reference::bf16_dot(m, rows)) == exact; };
    if (!holds) {
      std::vector<int>& differences = all_normal ? normal_differences : subnormal_differences;
      for (size_t i = 0; i < models.size(); ++i) differences[i] += agrees(models[i]) ? 0 : 1;
      continue;
    }
    for (const policy& m : models) {
      CAPTURE(canonical_line(m));
      REQUIRE(agrees(m));
    }
    ++certified;
    near += expected.is_near(limit) ? 1 : 0;
    subnormal += all_normal ? 0 : 1;
  }
  INFO("near the limit: " << near << ", with a subnormal operand: " << subnormal);
  CHECK(near > repetitions(500));
  CHECK(subnormal > repetitions(10000));
  for (size_t i = 0; i < models.size(); ++i) {
    INFO(kBf16Models[i] << " differs from exact_sum just beyond 2^(q+24) on " << normal_differences[i] <<
         ", just beyond 2^(q+18) on " << subnormal_differences[i]);
    CHECK((normal_differences[i] > 0) == (models[i].bf16_gemm_model != models[1].bf16_gemm_model));
    // 2^(q+18) is where aligned additions end; a chain of FMAs is exact to 24 bits there too.
    CHECK((subnormal_differences[i] > 0) == (std::string(kBf16Models[i]) == "cdna3_trfdpa(8)"));
  }
}

TEST_CASE("one bit beyond 2^(q+24) and 2^(q+18) BF16 models differ", "[spec:10.21]") {
  const auto check = [](std::vector<float> a, std::vector<float> b, bool certified, bool agree) {
    matrix<bf16> x(1, static_cast<int64_t>(a.size())), y(1, x.cols);
    for (size_t i = 0; i < a.size(); ++i) {
      x.data[i] = exact_bf16(a[i]);
      y.data[i] = exact_bf16(b[i]);
    }
    const reference::bf16_rows rows(view_of(x), 0, view_of(y), 0);
    CHECK(reference::certified(rows) == certified);
    const uint32_t exact = bits_of(reference::bf16_dot(bf16_model("exact_sum"), rows));
    bool same = true;
    for (const policy& m : bf16_models()) same = same && bits_of(reference::bf16_dot(m, rows)) == exact;
    CHECK(same == agree);
  };
  check({0x1p12f, 1, 1}, {0x1p11f, 1, 1}, true, true);    // 2^23 + 2
  check({0x1p12f, 1, 1}, {0x1p12f, 1, 1}, false, false);  // 2^24 + 2: seq_fma loses both ones
  const float low = float_of(0x00010000u);                // 2^-133, field exponent -126
  check({low, 0x1p-24f}, {0x1p126f, 1}, true, true);      // 2^17 + 1 units of 2^-24
  check({low, 0x1p-25f}, {0x1p126f, 1}, false, false);    // 2^18 + 1 units of 2^-25
}

TEST_CASE("certificates of a whole product are those of its outputs", "[spec:10.20][spec:10.21][spec:1.2]") {
  generator random(712);
  mx_matrix a(5, 96), b(7, 96);
  for (mx_matrix* m : {&a, &b}) {
    for (uint8_t& c : m->codes) c = static_cast<uint8_t>(random.bits());
    for (uint8_t& s : m->scales) s = static_cast<uint8_t>(random.integer(121, 133));
  }
  const matrix<uint8_t> all = reference::certify(view_of(a), view_of(b));
  matrix<bf16> x(6, 40), y(4, 40);
  for (matrix<bf16>* m : {&x, &y})
    for (bf16& v : m->data) v = {static_cast<uint16_t>(random.bf16_with_exponent(125, 128).bits & 0xFFE0u)};
  const matrix<uint8_t> all_bf16 = reference::certify_bf16(view_of(x), view_of(y));
  int count = 0;
  for (int64_t m = 0; m < 5; ++m)
    for (int64_t n = 0; n < 7; ++n) {
      REQUIRE(all.at(m, n) == (reference::certified(reference::mx_rows(view_of(a), m, view_of(b), n)) ? 1 : 0));
      count += all.at(m, n);
    }
  CHECK(count > 0);
  CHECK(count < 35);
  for (int64_t m = 0; m < 6; ++m)
    for (int64_t n = 0; n < 4; ++n)
      REQUIRE(all_bf16.at(m, n) == (reference::certified(reference::bf16_rows(view_of(x), m, view_of(y), n)) ? 1 : 0));
}
