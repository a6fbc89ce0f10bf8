// The 32-point transform: order, rounding sequence, exactness, special values; and the fused operation.
#include "reference/hadamard.h"

#include <algorithm>
#include <array>
#include <bit>

#include "reference/hadamard_quantize.h"
#include "reference/quantize.h"
#include "reference/round_bf16.h"
#include "reference_support.h"

using namespace adahop;
using test::policy_with;

namespace {

using block = std::array<float, kBlockSize>;

int sign_of(int row, int column) { return std::popcount(static_cast<unsigned>(row & column)) % 2 == 0 ? 1 : -1; }

}  // namespace

TEST_CASE("the matrix is Sylvester's", "[spec:6.1]") {
  test::generator random(20);
  for (int repeat = 0; repeat < 200; ++repeat) {
    block x;
    std::array<int, kBlockSize> integers;
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(integers[i] = random.integer(-10000, 10000));
    reference::hadamard_butterflies(x.data(), 32);
    for (int i = 0; i < kBlockSize; ++i) {
      int expected = 0;
      for (int j = 0; j < kBlockSize; ++j) expected += sign_of(i, j) * integers[static_cast<size_t>(j)];
      REQUIRE(x[static_cast<size_t>(i)] == static_cast<float>(expected));
    }
  }
}

TEST_CASE("the stages run from stride 1 to 16, one rounding each", "[spec:6.2][spec:6.3][spec:1.5]") {
  test::generator random(21);
  int differs_from_descending = 0;
  for (int repeat = 0; repeat < 2000; ++repeat) {
    std::vector<float> x;
    for (int i = 0; i < kBlockSize; ++i) x.push_back(random.with_exponent(100, 140));
    const std::vector<float> expected = test::sylvester(x);
    std::vector<float> y = x;
    reference::hadamard_butterflies(y.data(), 32);
    REQUIRE(test::bits_of_all(y) == test::bits_of_all(expected));
    std::vector<float> scaled = x;
    reference::hadamard_transform(scaled.data(), 32);
    for (size_t i = 0; i < scaled.size(); ++i) REQUIRE(bits_of(scaled[i]) == bits_of(expected[i] * float_of(0x3E3504F3u)));
    for (int stride = 16; stride > 0; stride /= 2)
      for (size_t i = 0; i < x.size(); ++i)
        if ((i & static_cast<size_t>(stride)) == 0) {
          const float a = x[i], b = x[i + static_cast<size_t>(stride)];
          x[i] = a + b;
          x[i + static_cast<size_t>(stride)] = a - b;
        }
    differs_from_descending += test::bits_of_all(x) != test::bits_of_all(expected) ? 1 : 0;
  }
  CHECK(differs_from_descending > 1000);  // so the inputs do tell the orders apart
}

TEST_CASE("F15: unit vectors and the ramp", "[spec:6.1][spec:6.6]") {
  for (size_t unit = 0; unit < kBlockSize; ++unit) {
    block x{};
    x[unit] = 1.0f;
    reference::hadamard_butterflies(x.data(), 32);
    reference::hadamard_butterflies(x.data(), 32);
    for (size_t i = 0; i < kBlockSize; ++i) REQUIRE(bits_of(x[i]) == bits_of(i == unit ? 32.0f : 0.0f));
  }
  block ramp;
  for (size_t i = 0; i < kBlockSize; ++i) ramp[i] = static_cast<float>(i);
  reference::hadamard_butterflies(ramp.data(), 32);
  block expected{};
  expected[0] = 496, expected[1] = -16, expected[2] = -32, expected[4] = -64, expected[8] = -128, expected[16] = -256;
  CHECK(ramp == expected);
}

TEST_CASE("H H x is 32 x where the sums are exact", "[spec:6.6]") {
  test::generator random(22);
  for (int repeat = 0; repeat < 5000; ++repeat) {
    const int q = random.integer(-149, 90);
    // |x_i| <= 2^19 units of 2^q each, so the sum stays at most 2^(q+24).
    block x;
    for (float& v : x) v = static_cast<float>(std::ldexp(random.integer(-(1 << 19), 1 << 19), q));
    block y = x;
    reference::hadamard_butterflies(y.data(), 32);
    reference::hadamard_butterflies(y.data(), 32);
    for (size_t i = 0; i < kBlockSize; ++i) REQUIRE(y[i] == 32.0f * x[i]);
  }
}

TEST_CASE("F16: e_0, NaN and Inf", "[spec:6.3][spec:6.5][spec:1.4]") {
  block e0{};
  e0[0] = 1.0f;
  reference::hadamard_transform(e0.data(), 32);
  for (const float v : e0) CHECK(bits_of(v) == 0x3E3504F3u);
  for (int position = 0; position < kBlockSize; ++position) {
    for (const uint32_t nan : {0x7F800001u, 0xFFC01234u}) {
      block x{};
      x[static_cast<size_t>(position)] = float_of(nan);
      reference::hadamard_transform(x.data(), 32);
      for (const float v : x) CHECK(bits_of(v) == 0x7FC00000u);
    }
    block x{};
    x[static_cast<size_t>(position)] = test::kInf;
    reference::hadamard_transform(x.data(), 32);
    for (int i = 0; i < kBlockSize; ++i)
      CHECK(x[static_cast<size_t>(i)] == static_cast<float>(sign_of(i, position)) * test::kInf);
  }
  // 1/sqrt(32) is 5.657 units of 2^-5 and rounds to 6 there.
  matrix<float> unit(1, kBlockSize);
  unit.at(0, 0) = 1.0f;
  mx_matrix q(1, kBlockSize);
  reference::hadamard_quantize(policy_with("scale_rule=floor"), view_of(unit), {}, view_of(q));
  CHECK(q.scales[0] == 122);
  for (const uint8_t byte : q.codes) CHECK(byte == 0x77);
}

TEST_CASE("zeros and overflow", "[spec:6.5]") {
  block zero;
  zero.fill(-0.0f);
  reference::hadamard_transform(zero.data(), 32);
  CHECK(bits_of(zero[0]) == 0x80000000u);  // the sum of 32 negative zeros
  for (size_t i = 1; i < kBlockSize; ++i) CHECK(bits_of(zero[i]) == 0u);  // -0 - -0 = +0
  block large;
  large.fill(std::numeric_limits<float>::max());
  reference::hadamard_transform(large.data(), 32);
  CHECK(large[0] == test::kInf);
  // The first stage gives (Inf, +0) pairs; later ones subtract Inf from Inf at the even places.
  for (size_t i = 1; i < kBlockSize; ++i) CHECK(bits_of(large[i]) == (i % 2 == 0 ? kCanonicalNan : 0u));
}

TEST_CASE("the output is rounded to BF16 or not", "[spec:6.4][spec:6.1]") {
  test::generator random(23);
  const matrix<float> x = test::random_f32(random, 3, 96);
  matrix<float> f(3, 96);
  matrix<bf16> b(3, 96);
  reference::hadamard(policy_with("hadamard_output=f32"), view_of(x), view_of(f));
  reference::hadamard(default_policy(), view_of(x), view_of(b));
  int inexact = 0;
  for (int64_t r = 0; r < 3; ++r)
    for (int64_t c = 0; c < 96; c += kBlockSize) {
      block alone;
      for (int64_t i = 0; i < kBlockSize; ++i) alone[static_cast<size_t>(i)] = x.at(r, c + i);
      reference::hadamard_transform(alone.data(), 32);
      for (int64_t i = 0; i < kBlockSize; ++i) {
        const float v = alone[static_cast<size_t>(i)];
        CHECK(bits_of(f.at(r, c + i)) == bits_of(v));
        CHECK(b.at(r, c + i).bits == reference::round_bf16(v).bits);
        inexact += decode_bf16(b.at(r, c + i)) != v ? 1 : 0;
      }
    }
  CHECK(inexact > 200);
}

TEST_CASE("the fused operation is the Hadamard, then quantize", "[spec:6.7][spec:6.9]") {
  test::generator random(24);
  for (const std::string_view line : {"", "hadamard_output=f32", "scale_rule=floor", "scale_rule=floor,hadamard_output=f32",
                                      "scale_rule=rceil,min_scale_byte=1", "scale_rule=ceil"}) {
    const policy p = policy_with(line);
    matrix<bf16> x = test::random_bf16(random, 64, 96);
    x.at(9, 40) = {0x7F81};  // one NaN block
    matrix<float> f(64, 96);
    matrix<bf16> b(64, 96);
    const adahop_view transformed = p.hadamard_output == ADAHOP_BF16 ? view_of(b) : view_of(f);
    reference::hadamard(p, view_of(x), transformed);
    mx_matrix fused(64, 96), separate(64, 96);
    const adahop_quantize_result one = reference::hadamard_quantize(p, view_of(x), {}, view_of(fused));
    const adahop_quantize_result two = reference::quantize(p, transformed, view_of(separate));
    INFO(line);
    CHECK(fused.codes == separate.codes);
    CHECK(fused.scales == separate.scales);
    CHECK(one.clipped == two.clipped);
    CHECK(one.first_nonfinite == two.first_nonfinite);
    CHECK(one.first_nonfinite == 9 * 96 + 32);  // the transform spreads the NaN over its block
    if (p.scale_rule == ADAHOP_SCALE_FLOOR) CHECK(one.clipped > 0);
  }
}

TEST_CASE("rows in `zeroed` count as +0, whatever they hold", "[spec:6.8]") {
  test::generator random(25);
  matrix<bf16> x = test::random_bf16(random, 10, 64);
  const std::vector<int32_t> zeroed = {0, 3, 9};
  matrix<bf16> cleared = x;
  for (const int32_t r : zeroed)
    for (int64_t c = 0; c < 64; ++c) {
      cleared.at(r, c) = {0};
      x.at(r, c) = {static_cast<uint16_t>(c % 2 == 0 ? 0x7F80 : 0xFFFF)};
    }
  const policy p = policy_with("nonfinite=reject,min_scale_byte=1");
  mx_matrix a(10, 64), b(10, 64);
  const adahop_quantize_result found = reference::hadamard_quantize(p, view_of(x), zeroed, view_of(a));
  reference::hadamard_quantize(p, view_of(cleared), {}, view_of(b));
  CHECK(found.first_nonfinite == -1);
  CHECK(a.codes == b.codes);
  CHECK(a.scales == b.scales);
  for (const int32_t r : zeroed) {
    CHECK(a.scales[static_cast<size_t>(2 * r)] == 1);
    for (int64_t i = 0; i < 32; ++i) CHECK(a.codes[static_cast<size_t>(32 * r + i)] == 0);
  }
}
