// pad=zero: the same bytes as from a tensor that the caller extended by +0, with the logical length kept and nothing
// read past the end.
#include "reference_policies_support.h"

using namespace adahop;
using test::policy_with;
using test::quantized;

namespace {

// The same policy for a caller who extends the tensor.
policy without_padding(policy p) {
  p.pad = ADAHOP_PAD_ERROR;
  return p;
}

constexpr int64_t kLengths[] = {1, 5, 16, 31, 32, 33, 63, 64, 65, 96, 100, 127, 128, 129, 200};

}  // namespace

TEST_CASE("F13: 33 values", "[spec:3.7][spec:5.1]") {
  matrix<float> x(1, 33);
  for (float& v : x.data) v = 1.0f;
  x.data[32] = 3.0f;
  const policy p = policy_with("pad=zero,scale_rule=floor");
  const quantized q = test::quantize(p, view_of(x));
  CHECK(q.data.inner == 64);
  CHECK(q.data.scales == std::vector<uint8_t>{125, 126});
  std::vector<uint8_t> codes(32, 0);
  std::fill_n(codes.begin(), 16, uint8_t{0x66});
  codes[16] = 0x07;
  CHECK(q.data.codes == codes);
  CHECK(test::dequantize(p, q.data, 33).data == x.data);  // length 33, values back
  // A negative, tiny or NaN last block is its own too.
  x.data[32] = -0x1p-100f;
  CHECK(test::quantize(p, view_of(x)).data.scales == std::vector<uint8_t>{125, 25});
  x.data[32] = test::kInf;
  const quantized bad = test::quantize(p, view_of(x));
  CHECK(bad.data.scales == std::vector<uint8_t>{125, 0xFF});
  CHECK(bad.found.first_nonfinite == 32);
}

TEST_CASE("quantize, hadamard and both fused: as if the caller had extended the tensor", "[spec:3.7][spec:6.10]") {
  test::generator random(330);
  for (const int64_t length : kLengths)
    for (const int size : {16, 32, 64, 128})
      for (const std::string_view more :
           {"scale_rule=even", "scale_rule=rceil,min_scale_byte=1,hadamard_signs=random(5)"}) {
        const policy p = policy_with(fmt::format("pad=zero,hadamard_size={},{}", size, more));
        const matrix<bf16> x = test::random_bf16(random, 5, length);
        const int64_t multiple = size == 16 ? 32 : size, extended = (length + multiple - 1) / multiple * multiple;
        const matrix<bf16> wide = test::widened(x, extended);
        const policy plain = without_padding(p);
        CAPTURE(length, size, more);
        const test::scattered apart(x);  // NaN on all sides
        CHECK(test::quantize(p, apart.view) == test::quantize(plain, view_of(wide)));
        CHECK(test::hadamard_quantize(p, apart.view, {1, 4}) == test::hadamard_quantize(plain, view_of(wide), {1, 4}));
        const matrix<float> h = test::hadamard(p, apart.view);
        CHECK(h.cols == extended);
        CHECK(test::bits_of_all(h.data) == test::bits_of_all(test::hadamard(plain, view_of(wide)).data));
        const quantized q = test::quantize(p, apart.view);
        const matrix<float> back = test::dequantize(p, q.data, length), all = test::dequantize(plain, q.data, extended);
        for (int64_t r = 0; r < 5; ++r)
          for (int64_t c = 0; c < extended; ++c) {
            if (c < length) REQUIRE(bits_of(back.at(r, c)) == bits_of(all.at(r, c)));
            else REQUIRE(bits_of(all.at(r, c)) == 0);
          }
      }
}

TEST_CASE("indices under pad=zero: unpadded in quantize, of the transformed tensor in the fused operation",
          "[spec:3.8][spec:6.9]") {
  matrix<float> x(4, 33);
  x.at(2, 32) = float_of(0x7F800000u);
  CHECK(test::quantize(policy_with("pad=zero"), view_of(x)).found.first_nonfinite == 2 * 33 + 32);
  CHECK(test::hadamard_quantize(policy_with("pad=zero"), view_of(x)).found.first_nonfinite == 2 * 64 + 32);
  CHECK(test::hadamard_quantize(policy_with("pad=zero,hadamard_size=128"), view_of(x)).found.first_nonfinite ==
        2 * 128);
  const policy reject = policy_with("pad=zero,nonfinite=reject");
  mx_matrix q(4, 64);
  adahop_quantize_result found{};
  const adahop_quantize_args args{&reject, view_of(x), view_of(q), &found};
  CHECK(test::reference_backend().quantize(&test::kHostExec, &args) == ADAHOP_NONFINITE);
  CHECK(found.first_nonfinite == 98);
  CHECK(std::string(test::reference_backend().last_error()).find("(2, 32)") != std::string::npos);
  const adahop_hadamard_quantize_args fused{&reject, view_of(x), nullptr, 0, view_of(q), &found};
  CHECK(test::reference_backend().hadamard_quantize(&test::kHostExec, &fused) == ADAHOP_NONFINITE);
  CHECK(std::string(test::reference_backend().last_error()).find("(2, 32)") != std::string::npos);
}

TEST_CASE("outlier selection under pad=zero scores the extended rows", "[spec:3.7][spec:9.1]") {
  test::generator random(331);
  for (const int64_t length : kLengths)
    for (const int size : {32, 128})
      for (const int window : {32, 64}) {
        const policy p = policy_with(fmt::format("pad=zero,hadamard_size={},foid_window={},oe_k=5", size, window));
        const matrix<bf16> x = test::random_bf16(random, 20, length);
        const matrix<bf16> wide = test::widened(x, (length + size - 1) / size * size);
        const policy plain = without_padding(p);
        std::vector<float> scores(20), wide_scores(20);
        std::vector<int32_t> chosen(5), wide_chosen(5);
        int64_t count = 0;
        const test::scattered apart(x);
        const adahop_select_outliers_args a{&p, apart.view, scores.data(), chosen.data(), &count};
        const adahop_select_outliers_args b{&plain, view_of(wide), wide_scores.data(), wide_chosen.data(), &count};
        test::expect_ok(test::reference_backend().select_outliers(&test::kHostExec, &a));
        test::expect_ok(test::reference_backend().select_outliers(&test::kHostExec, &b));
        CAPTURE(length, size, window);
        CHECK(test::bits_of_all(scores) == test::bits_of_all(wide_scores));
        CHECK(chosen == wide_chosen);
      }
}

TEST_CASE("whole products of any K: every strategy equals the extended operands' product",
          "[spec:3.7][spec:11.7][spec:11.4]") {
  test::generator random(332);
  for (const int64_t k : {1, 31, 33, 64, 100})
    for (const int size : {16, 32, 128})
      for (const std::string_view signs : {"none", "random(2)"}) {
        const policy p =
            policy_with(fmt::format("pad=zero,output=f32,oe_k=2,hadamard_size={},hadamard_signs={}", size, signs));
        const matrix<bf16> a = test::random_bf16(random, 7, k), b = test::random_bf16(random, 6, k);
        const int64_t extended = (k + 127) / 128 * 128;  // a multiple of every size; more zeros do no harm
        const matrix<bf16> wide_a = test::widened(a, extended), wide_b = test::widened(b, extended);
        for (const pattern_pair pair : kAllPairs) {
          CAPTURE(k, size, signs, static_cast<int>(pair.left), static_cast<int>(pair.right));
          const matrix<float> c = test::matmul(p, pair, 2, test::scattered(a).view, test::scattered(b).view);
          const matrix<float> d = test::matmul(without_padding(p), pair, 2, view_of(wide_a), view_of(wide_b));
          // A window of 64 sees more zeros in the wider tensor, which may change the choice of outliers.
          const bool extracts = strategy_of(2, pair, ADAHOP_PATH_FORWARD, ADAHOP_LEFT_OE_PUBLISHED) != strategy::iht &&
                                pair != pattern_pair{ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_COLUMN};
          if (!extracts || k > 32 || size == 128) CHECK(test::bits_of_all(c.data) == test::bits_of_all(d.data));
        }
      }
}

TEST_CASE("BF16 products keep the unpadded dimension: a -0 stays", "[spec:3.7][spec:10.9]") {
  // -2^-133 * 2^-133 rounds to -0; one more +0 * +0 would turn it into +0.
  const policy p = policy_with("pad=zero,output=f32");
  matrix<bf16> a(1, 1), b(1, 1);
  a.data[0] = bf16{0x8001};
  b.data[0] = bf16{0x0001};
  const matrix<float> c = test::matmul(p, {ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_COLUMN}, 2, view_of(a), view_of(b));
  CHECK(bits_of(c.data[0]) == 0x80000000u);
}

TEST_CASE("padding is per row: a tensor of many rows quantizes like each of its rows", "[spec:3.7]") {
  // F12's fault: padding computed for the flattened size.
  test::generator random(333);
  for (const int64_t length : {17, 48, 130}) {
    const policy p = policy_with("pad=zero");
    const matrix<float> x = test::random_f32(random, 34, length);
    const quantized whole = test::quantize(p, view_of(x));
    for (int64_t r = 0; r < 34; ++r) {
      adahop_view row = view_of(x);
      row.data = static_cast<float*>(row.data) + r * length;
      row.rows = 1;
      const quantized alone = test::quantize(p, row);
      const int64_t bytes = whole.data.inner / 2, blocks = whole.data.inner / 32;
      REQUIRE(std::equal(alone.data.codes.begin(), alone.data.codes.end(), whole.data.codes.begin() + r * bytes));
      REQUIRE(std::equal(alone.data.scales.begin(), alone.data.scales.end(), whole.data.scales.begin() + r * blocks));
    }
  }
}

TEST_CASE("an output of another dimension than the extended one is refused", "[spec:3.7][spec:3.4]") {
  const policy p = policy_with("pad=zero,hadamard_output=f32");
  matrix<float> x(2, 33), out(2, 96);
  mx_matrix wrong(2, 96), right(2, 64);
  const adahop_backend& r = test::reference_backend();
  const auto refused = [&](int32_t code, std::string_view says) {
    CHECK(code == ADAHOP_INVALID_ARGUMENT);
    CHECK(std::string(r.last_error()).find(says) != std::string::npos);
  };
  const adahop_quantize_args q{&p, view_of(x), view_of(wrong), nullptr};
  refused(r.quantize(&test::kHostExec, &q), "out: shape 2 x 96, expected 2 x 64");
  const adahop_hadamard_args h{&p, view_of(x), view_of(out)};
  refused(r.hadamard(&test::kHostExec, &h), "expected 2 x 64");
  const adahop_hadamard_quantize_args hq{&p, view_of(x), nullptr, 0, view_of(wrong), nullptr};
  refused(r.hadamard_quantize(&test::kHostExec, &hq), "expected 2 x 64");
  for (const int64_t cols : {32, 65}) {
    adahop_view values = view_of(out);
    values.cols = cols;
    const adahop_dequantize_args d{&p, view_of(right), values};
    refused(r.dequantize(&test::kHostExec, &d), "pad=zero extends to 64");
  }
  matrix<bf16> empty(2, 0);
  matrix<float> c(2, 2);
  policy f32 = policy_with("pad=zero,output=f32");
  const adahop_matmul_args m{&f32, 1, 0, 0, 0, view_of(empty), view_of(empty), view_of(c)};
  refused(r.matmul(&test::kHostExec, &m), "inner dimension 0");
}
