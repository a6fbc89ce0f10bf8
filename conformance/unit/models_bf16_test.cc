// The BF16 models: non-finite products, subnormal operands, groups of eight.
#include "models_support.h"

using namespace adahop;
using namespace adahop::test;

namespace {

float dot(const char* model, const std::vector<float>& a, const std::vector<float>& b, float c = 0.0f) {
  const auto k = static_cast<int64_t>(a.size());
  matrix<bf16> x(1, k), y(1, k);
  for (size_t i = 0; i < a.size(); ++i) {
    x.data[i] = exact_bf16(a[i]);
    y.data[i] = exact_bf16(b[i]);
  }
  return reference::bf16_dot(bf16_model(model), {view_of(x), 0, view_of(y), 0}, c);
}

}  // namespace

TEST_CASE("BF16 exact_sum and TR-FDPA: NaN and Inf among the operands", "[spec:10.18][spec:10.19][spec:1.4]") {
  const float nan = float_of(0xFFC10000u);
  for (const char* model : {"exact_sum", "cdna3_trfdpa(8)"}) {
    CAPTURE(model);
    CHECK(bits_of(dot(model, {nan, 1}, {0, 1})) == kCanonicalNan);
    CHECK(bits_of(dot(model, {1, kInf}, {1, 0})) == kCanonicalNan);
    CHECK(bits_of(dot(model, {-0.0f, 1}, {kInf, 1})) == kCanonicalNan);
    CHECK(bits_of(dot(model, {kInf, 1}, {-1, kInf})) == kCanonicalNan);
    CHECK(dot(model, {kInf, 1}, {-1, 5}) == -kInf);
    CHECK(dot(model, {kInf, kInf}, {kInf, 0x1p-133f}) == kInf);
    CHECK(dot(model, {0x1p127f, 0x1p127f}, {1, 1}) == kInf);
  }
  // Across groups: a later Inf meets an earlier one in the accumulator, and a NaN stays.
  std::vector<float> a(24, 1), b(24, 1);
  a[3] = kInf;
  CHECK(dot("cdna3_trfdpa(8)", a, b) == kInf);
  a[20] = -kInf;
  CHECK(bits_of(dot("cdna3_trfdpa(8)", a, b)) == kCanonicalNan);
  CHECK(bits_of(dot("exact_sum", a, b)) == kCanonicalNan);
}

TEST_CASE("BF16 exact_sum cancels where TR-FDPA overflows", "[spec:10.18][spec:10.15]") {
  CHECK(dot("exact_sum", {0x1p100f, 1, -0x1p100f}, {0x1p100f, 3, 0x1p100f}) == 3);
  CHECK(bits_of(dot("cdna3_trfdpa(8)", {0x1p100f, 1, -0x1p100f}, {0x1p100f, 3, 0x1p100f})) == kCanonicalNan);
  CHECK(dot("cdna3_trfdpa(8)", {0x1p64f}, {0x1p64f}) == kInf);
  // 2^-266 to 2^256: the whole range of products.
  const float low = float_of(0x00010000u);
  CHECK(bits_of(dot("exact_sum", {low, 0x1p127f, 0x1p127f}, {low, 0x1p127f, -0x1p127f})) == 0u);
  CHECK(dot("exact_sum", {0x1p-74f, 0x1p-75f, low}, {0x1p-75f, 0x1p-75f, low}) == 0x1p-148f);  // 1.5 units and a bit
  CHECK(dot("exact_sum", {0x1p-75f, low}, {0x1p-75f, low}) == 0x1p-149f);                      // half a unit and a bit
  CHECK(bits_of(dot("exact_sum", {-low}, {low})) == 0x80000000u);
  CHECK(dot("exact_sum", {1, 1}, {0x1p24f, 1}, 0.0f) == 0x1p24f);
  CHECK(dot("exact_sum", {1, 1, 1}, {0x1p24f, 1, 1}) == 0x1p24f + 2);
  CHECK(dot("seq_fma", {1, 1, 1}, {0x1p24f, 1, 1}) == 0x1p24f);
}

TEST_CASE("BF16 TR-FDPA: a subnormal operand has the exponent -126", "[spec:10.19][spec:10.15]") {
  const float low = float_of(0x00010000u);  // 2^-133, significand 2^-7
  // 2^-133 * 2^126 = 2^-7 has the field exponent 0, so 2^-25 beside it is cut off though 2^-25 / 2^-7 = 2^-18.
  CHECK(dot("cdna3_trfdpa(8)", {low, 0x1p-25f, -low}, {0x1p126f, 1, 0x1p126f}) == 0);
  CHECK(dot("cdna3_trfdpa(8)", {low, 0x1p-24f, -low}, {0x1p126f, 1, 0x1p126f}) == 0x1p-24f);
  CHECK(dot("exact_sum", {low, 0x1p-25f, -low}, {0x1p126f, 1, 0x1p126f}) == 0x1p-25f);
  CHECK(dot("cdna3_trfdpa(8)", {low, low, low}, {1, 1, 1}) == 3 * low);
}

TEST_CASE("BF16 TR-FDPA: groups of eight from k = 0, each rounded", "[spec:10.19]") {
  // 2^24 in the first group; eight ones in a group are kept, one in a group of its own is a tie to even.
  std::vector<float> a(17, 0), b(17, 1);
  a[0] = 0x1p24f;
  a[1] = 1;
  CHECK(dot("cdna3_trfdpa(8)", a, b) == 0x1p24f);
  a[2] = 1;
  CHECK(dot("cdna3_trfdpa(8)", a, b) == 0x1p24f + 2);
  a[2] = 0;
  a[8] = 1;
  a[16] = 1;
  CHECK(dot("cdna3_trfdpa(8)", a, b) == 0x1p24f);
  CHECK(dot("exact_sum", a, b) == 0x1p24f + 4);  // 2^24 + 3
}

TEST_CASE("BF16 exact_sum equals a double's sum where that is exact", "[spec:10.18]") {
  generator random(704);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const auto k = static_cast<size_t>(random.integer(1, 40));
    std::vector<float> a(k), b(k);
    double sum = 0;
    for (size_t i = 0; i < k; ++i) {
      a[i] = decode_bf16(random.bf16_with_exponent(122, 132));
      b[i] = decode_bf16(random.bf16_with_exponent(122, 132));
      sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    }
    REQUIRE(bits_of(dot("exact_sum", a, b)) == bits_of(static_cast<float>(sum)));
  }
}
