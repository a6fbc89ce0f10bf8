// scale_layout=gfx950_shuffle: offsets, round trips, pad bytes, and that no result looks at padding or strides.
#include <array>
#include <set>

#include "reference_policies_support.h"

using namespace adahop;
using test::policy_with;
using test::quantized;

namespace {

constexpr std::string_view kShuffle = "scale_layout=gfx950_shuffle";

// SPEC 3.5's formula, written out once more.
size_t offset_of(int64_t x, int64_t y, int64_t blocks) {
  const int64_t q = (blocks + 7) / 8 * 8;
  return static_cast<size_t>((x / 32) * 32 * q + (y / 8) * 256 + (y % 4) * 64 + (x % 16) * 4 + ((y % 8) / 4) * 2 +
                             (x % 32) / 16);
}

// The linear scales of a shuffled array.
std::vector<uint8_t> unshuffled(const mx_matrix& m) {
  std::vector<uint8_t> linear;
  for (int64_t r = 0; r < m.outer; ++r)
    for (int64_t b = 0; b < m.inner / 32; ++b) linear.push_back(m.scales[offset_of(r, b, m.inner / 32)]);
  return linear;
}

// Every pad byte of a shuffled matrix set to `byte`.
mx_matrix with_pad_bytes(mx_matrix m, uint8_t byte) {
  std::set<size_t> used;
  for (int64_t r = 0; r < m.outer; ++r)
    for (int64_t b = 0; b < m.inner / 32; ++b) used.insert(offset_of(r, b, m.inner / 32));
  for (size_t i = 0; i < m.scales.size(); ++i)
    if (!used.contains(i)) m.scales[i] = byte;
  return m;
}

}  // namespace

TEST_CASE("F11: offsets of the shuffled layout", "[spec:3.5]") {
  CHECK(shuffled_scale_offset(32, 0, 5) == 256);
  CHECK(shuffled_scale_offset(17, 4, 5) == 7);
  CHECK(shuffled_scale_offset(31, 4, 5) == 63);
  std::set<int64_t> seen;
  for (int64_t r = 0; r < 64; ++r)
    for (int64_t b = 0; b < 8; ++b) seen.insert(shuffled_scale_offset(r, b, 8));
  CHECK(seen.size() == 512);
  CHECK(*seen.rbegin() == 511);
  CHECK(shuffled_scale_bytes(1, 1) == 256);
  CHECK(shuffled_scale_bytes(33, 9) == 64 * 16);
}

TEST_CASE("quantizing calls write every byte of the shuffled array, padding 0x00", "[spec:3.5][spec:3.6]") {
  test::generator random(340);
  for (const int64_t rows : {1, 31, 32, 33})
    for (int64_t blocks = 1; blocks <= 9; ++blocks) {
      const matrix<bf16> x = test::random_bf16(random, rows, 32 * blocks);
      const policy p = policy_with(kShuffle), linear = default_policy();
      CAPTURE(rows, blocks);
      for (const bool fused : {false, true}) {
        const quantized q = fused ? test::hadamard_quantize(p, view_of(x)) : test::quantize(p, view_of(x));
        const quantized l = fused ? test::hadamard_quantize(linear, view_of(x)) : test::quantize(linear, view_of(x));
        CHECK(q.data.codes == l.data.codes);
        CHECK(unshuffled(q.data) == l.data.scales);
        CHECK(with_pad_bytes(q.data, 0x00).scales == q.data.scales);
        // Round trip: back through dequantize, whatever the padding holds.
        const std::vector<uint32_t> values = test::bits_of_all(test::dequantize(linear, l.data, 32 * blocks).data);
        for (const uint8_t byte : std::array<uint8_t, 3>{0x00, 0x7F, 0xFF}) {
          const mx_matrix padded = with_pad_bytes(q.data, byte);
          CHECK(test::bits_of_all(test::dequantize(p, padded, 32 * blocks).data) == values);
        }
      }
    }
}

TEST_CASE("mx_gemm over shuffled scales is the linear one, whatever the padding and the stride",
          "[spec:3.5][spec:3.6][spec:10.3]") {
  test::generator random(341);
  for (const int64_t rows : {1, 31, 33})
    for (const int64_t blocks : {1, 5, 8, 9}) {
      matrix<bf16> a = test::random_bf16(random, rows, 32 * blocks);
      const matrix<bf16> b = test::random_bf16(random, 35, 32 * blocks);
      if (rows == 31) a.at(3, 32 * blocks - 1) = bf16{0x7F80};  // F20 (d): a NaN byte makes its row NaN, no other
      const policy p = policy_with(kShuffle), linear = default_policy();
      const quantized qa = test::quantize(p, view_of(a)), qb = test::quantize(p, view_of(b));
      const matrix<float> expected =
          test::mx_gemm(linear, test::quantize(linear, view_of(a)).data, test::quantize(linear, view_of(b)).data);
      CAPTURE(rows, blocks);
      for (int64_t n = 0; n < 35 && rows == 31; ++n) CHECK(bits_of(expected.at(3, n)) == 0x7FC00000u);
      for (const uint8_t byte : std::array<uint8_t, 3>{0x00, 0x7F, 0xFF}) {
        const mx_matrix pa = with_pad_bytes(qa.data, byte), pb = with_pad_bytes(qb.data, byte);
        matrix<float> c(rows, 35);
        adahop_mx_gemm_args args{&p, view_of(pa), view_of(pb), view_of(c)};
        for (const int64_t stride : {int64_t{0}, int64_t{-7}, int64_t{1} << 50}) {
          args.a.scales_stride = args.b.scales_stride = stride;
          test::expect_ok(test::reference_backend().mx_gemm(&test::kHostExec, &args));
          CHECK(test::bits_of_all(c.data) == test::bits_of_all(expected.data));
        }
      }
    }
}

TEST_CASE("a NaN scale over zero codes is NaN in the shuffled layout too", "[spec:2.6][spec:10.3][spec:3.5]") {
  const policy p = policy_with(kShuffle);
  mx_matrix a(2, 32), b(1, 32);
  a.scales.assign(256, 0);
  b.scales.assign(256, 0);
  a.scales[offset_of(1, 0, 1)] = 0xFF;
  const matrix<float> c = test::mx_gemm(p, a, b), back = test::dequantize(p, a, 32);
  CHECK(bits_of(c.at(0, 0)) == 0);
  CHECK(bits_of(c.at(1, 0)) == 0x7FC00000u);
  for (int64_t i = 0; i < 32; ++i) CHECK(bits_of(back.at(1, i)) == 0x7FC00000u);
}

TEST_CASE("layout, padding, signs and stochastic words together; a product's result does not depend on the layout",
          "[spec:3.5][spec:3.7][spec:1.2]") {
  test::generator random(342);
  const matrix<bf16> a = test::random_bf16(random, 33, 70), b = test::random_bf16(random, 9, 70);
  const std::string rest =
      "pad=zero,hadamard_size=64,hadamard_signs=random(1),element_rounding=stochastic(9,4,6),output=f32,oe_k=3";
  const policy linear = policy_with(rest), shuffled = policy_with(fmt::format("{},{}", rest, kShuffle));
  const quantized l = test::hadamard_quantize(linear, view_of(a), {2}),
                  s = test::hadamard_quantize(shuffled, view_of(a), {2});
  CHECK(l.data.codes == s.data.codes);
  CHECK(l.data.scales == unshuffled(s.data));
  const matrix<float> back = test::dequantize(shuffled, s.data, 70);
  CHECK(test::bits_of_all(back.data) == test::bits_of_all(test::dequantize(linear, l.data, 70).data));
  for (const pattern_pair pair : kAllPairs)
    CHECK(test::bits_of_all(test::matmul(linear, pair, 2, view_of(a), view_of(b)).data) ==
          test::bits_of_all(test::matmul(shuffled, pair, 2, view_of(a), view_of(b)).data));
}

TEST_CASE("a shuffled array ends where its size says", "[spec:1.6][spec:3.5]") {
  test::generator random(343);
  const matrix<float> x = test::random_f32(random, 33, 160);
  const policy p = policy_with(kShuffle);
  mx_matrix q(33, 160);
  std::vector<uint8_t> scales(64 * 8 + 40, 0xA5);
  adahop_mx out = view_of(q);
  out.scales = scales.data() + 20;
  const adahop_quantize_args args{&p, view_of(x), out, nullptr};
  test::expect_ok(test::reference_backend().quantize(&test::kHostExec, &args));
  for (size_t i = 0; i < 20; ++i) {
    CHECK(scales[i] == 0xA5);
    CHECK(scales[scales.size() - 1 - i] == 0xA5);
  }
  CHECK(scales[20 + offset_of(32, 4, 5)] == test::quantize(default_policy(), view_of(x)).data.scales[32 * 5 + 4]);
}
