// The quantizing kernels of hip-cpu: every tail of the thread grid, both access orders, reports over many thread blocks.
#include "hip_kernels_support.h"

using namespace adahop;
using namespace adahop_test;

namespace {

// Row r, block b holds 4 * 2^((r + b) % 5) at element (r + 7 b) % 32, else zeros: under floor, even, ceil and rceil its
// byte is 127 + (r + b) % 5 and its one non-zero code 6, the code of 4.
void fill(matrix<float>& x) {
  for (int64_t r = 0; r < x.rows; ++r)
    for (int64_t b = 0; b < x.cols / 32; ++b) x.at(r, 32 * b + (r + 7 * b) % 32) = static_cast<float>(4 << ((r + b) % 5));
}

void check_filled(const mx_matrix& q) {
  for (int64_t r = 0; r < q.outer; ++r)
    for (int64_t b = 0; b < q.inner / 32; ++b) {
      INFO("row " << r << ", block " << b);
      REQUIRE(q.scales[static_cast<size_t>(r * q.inner / 32 + b)] == 127 + (r + b) % 5);
      const int64_t hot = (r + 7 * b) % 32;
      for (int64_t i = 0; i < 16; ++i) {
        const int expected = i == hot / 2 ? 6 << (4 * (hot % 2)) : 0;
        REQUIRE(int{q.codes[static_cast<size_t>(r * q.inner / 2 + 16 * b + i)]} == expected);
      }
    }
}

}  // namespace

TEST_CASE("quantize covers every tail of its grid in both access orders", "[hip-kernels][spec:3.1][spec:3.3]") {
  const policy p = default_policy();
  // Around the edges of 32 x 8 and 64 x 4 thread blocks.
  for (const int64_t rows : {1, 31, 32, 33, 63, 64, 65, 130})
    for (const int64_t blocks : {1, 3, 4, 5, 8, 9, 17}) {
      INFO(rows << " rows of " << blocks << " blocks");
      matrix<float> x(rows, 32 * blocks), t(32 * blocks, rows);
      fill(x);
      for (int64_t r = 0; r < x.rows; ++r)
        for (int64_t c = 0; c < x.cols; ++c) t.at(c, r) = x.at(r, c);
      for (const adahop_view& view : {view_of(x), transposed(view_of(t))}) {
        mx_matrix q(rows, 32 * blocks);
        adahop_quantize_result found{-7, -7};
        require_ok(hip_cpu().quantize, adahop_quantize_args{&p, view, view_of(q), &found});
        check_filled(q);
        REQUIRE(found.clipped == 0);
        REQUIRE(found.first_nonfinite == -1);
      }
    }
}

TEST_CASE("rows with gaps are read and written without touching the gaps", "[hip-kernels][spec:1.6]") {
  const policy p = default_policy();
  matrix<float> x(40, 64), wide(40, 3 * 64);
  fill(x);
  for (float& v : wide.data) v = float_of(0x7FC00000u);
  for (int64_t r = 0; r < x.rows; ++r)
    for (int64_t c = 0; c < x.cols; ++c) wide.at(r, 3 * c) = x.at(r, c);
  std::vector<uint8_t> codes(40 * 50, 0xAB), scales(40 * 5, 0xCD);
  const adahop_view view{wide.data.data(), ADAHOP_F32, 0, 40, 64, 3 * 64, 3};
  require_ok(hip_cpu().quantize, adahop_quantize_args{&p, view, {codes.data(), scales.data(), 40, 64, 50, 5}, nullptr});
  mx_matrix q(40, 64);
  for (size_t r = 0; r < 40; ++r) {
    std::copy_n(&codes[50 * r], 32, &q.codes[32 * r]);
    std::copy_n(&scales[5 * r], 2, &q.scales[2 * r]);
    for (size_t i = 32; i < 50; ++i) REQUIRE(codes[50 * r + i] == 0xAB);
    for (size_t i = 2; i < 5; ++i) REQUIRE(scales[5 * r + i] == 0xCD);
  }
  check_filled(q);
}

TEST_CASE("clipped counts and the first bad index add up over thread blocks in any order",
          "[hip-kernels][spec:5.9][spec:5.15][spec:1.2]") {
  policy p = default_policy();
  p.scale_rule = ADAHOP_SCALE_FLOOR;
  matrix<float> x(200, 320);
  // 7.5 over byte 127 clips: one element in each block of the rows that are multiples of 3.
  for (int64_t r = 0; r < 200; r += 3)
    for (int64_t b = 0; b < 10; ++b) x.at(r, 32 * b + r % 32) = r % 2 == 0 ? 7.5f : -7.5f;
  const int64_t clipping = 67 * 10;
  for_each_order([&] {
    mx_matrix q(200, 320);
    adahop_quantize_result found{};
    require_ok(hip_cpu().quantize, adahop_quantize_args{&p, view_of(x), view_of(q), &found});
    REQUIRE(found.clipped == clipping);
    REQUIRE(found.first_nonfinite == -1);

    matrix<float> bad = x;
    bad.at(199, 0) = float_of(0x7F800000u);
    bad.at(150, 69) = float_of(0x7F800001u);  // block 2 of a clipping row: its clipped element no longer counts
    bad.at(150, 71) = float_of(0xFF800000u);
    require_ok(hip_cpu().quantize, adahop_quantize_args{&p, view_of(bad), view_of(q), &found});
    REQUIRE(found.clipped == clipping - 1);
    REQUIRE(found.first_nonfinite == 150 * 320 + 69);
    REQUIRE(q.scales[150 * 10 + 2] == 0xFF);
    REQUIRE(std::vector<uint8_t>(&q.codes[150 * 160 + 32], &q.codes[150 * 160 + 48]) == std::vector<uint8_t>(16, 0));

    policy reject = p;
    reject.nonfinite = ADAHOP_NONFINITE_REJECT;
    found = {};
    REQUIRE(call(hip_cpu().quantize, adahop_quantize_args{&reject, view_of(bad), view_of(q), &found}) == ADAHOP_NONFINITE);
    REQUIRE(found.first_nonfinite == 150 * 320 + 69);
    REQUIRE(std::string(hip_cpu().last_error()).find("(150, 69)") != std::string::npos);
  });
}

TEST_CASE("dequantize gives hand-computed values at the ends of the scale range", "[hip-kernels][spec:2.5][spec:2.6]") {
  const policy p = default_policy();
  // Bytes around the bounds between the conversion instruction's range and integers, for codes 1 (0.5), 7 (6), 8 (-0).
  const struct {
    uint8_t byte;
    uint32_t half, six, minus_zero;
  } cases[] = {
      {0, 0x00200000u, 0x01400000u, 0x80000000u},   {1, 0x00400000u, 0x01C00000u, 0x80000000u},
      {2, 0x00800000u, 0x02400000u, 0x80000000u},   {127, 0x3F000000u, 0x40C00000u, 0x80000000u},
      {252, 0x7D800000u, 0x7F400000u, 0x80000000u}, {253, 0x7E000000u, 0x7F800000u, 0x80000000u},
      {254, 0x7E800000u, 0x7F800000u, 0x80000000u}, {255, 0x7FC00000u, 0x7FC00000u, 0x7FC00000u},
  };
  for (const auto& c : cases) {
    INFO("byte " << int{c.byte});
    mx_matrix q(1, 32);
    q.scales[0] = c.byte;
    q.codes[0] = 0x71;
    q.codes[15] = 0x80;
    matrix<float> f(1, 32);
    matrix<bf16> b(1, 32);
    require_ok(hip_cpu().dequantize, adahop_dequantize_args{&p, view_of(q), view_of(f)});
    require_ok(hip_cpu().dequantize, adahop_dequantize_args{&p, view_of(q), view_of(b)});
    REQUIRE(bits_of(f.at(0, 0)) == c.half);
    REQUIRE(bits_of(f.at(0, 1)) == c.six);
    REQUIRE(bits_of(f.at(0, 31)) == c.minus_zero);
    for (size_t i = 0; i < 32; ++i) REQUIRE(b.data[i].bits == bits_of(f.data[i]) >> 16);
  }
}

TEST_CASE("Hadamard+quantize takes zeroed rows as +0 and reports on what it transformed",
          "[hip-kernels][spec:6.7][spec:6.8][spec:6.9]") {
  const policy p = default_policy();
  matrix<bf16> x(70, 96);
  for (bf16& v : x.data) v = bf16_of(1.0f);  // a block of ones transforms to sqrt(32) and 31 zeros
  for (const int64_t r : {0, 33, 69}) x.at(r, 40) = {0x7FC1};
  const std::vector<int32_t> zeroed{0, 33, 69};
  mx_matrix q(70, 96);
  adahop_quantize_result found{};
  require_ok(hip_cpu().hadamard_quantize, adahop_hadamard_quantize_args{&p, view_of(x), zeroed.data(), 3, view_of(q), &found});
  REQUIRE(found.first_nonfinite == -1);
  for (size_t r = 0; r < 70; ++r)
    for (size_t b = 0; b < 3; ++b) {
      const bool zero = r == 0 || r == 33 || r == 69;
      // 5.656 rounds to BF16 5.65625: exponent field 129, under rule even byte 127; 5.65625 is code 7.
      REQUIRE(int{q.scales[3 * r + b]} == (zero ? 0 : 127));
      REQUIRE(int{q.codes[48 * r + 16 * b]} == (zero ? 0x00 : 0x07));
      for (size_t i = 1; i < 16; ++i) REQUIRE(int{q.codes[48 * r + 16 * b + i]} == 0);
    }
  // Without the list the NaN rows count, by the first element of the block that the NaN spreads over.
  require_ok(hip_cpu().hadamard_quantize, adahop_hadamard_quantize_args{&p, view_of(x), nullptr, 0, view_of(q), &found});
  REQUIRE(found.first_nonfinite == 32);
}

TEST_CASE("Hadamard of unit vectors in every lane of the grid", "[hip-kernels][spec:6.1][spec:6.3][spec:6.4]") {
  policy p = default_policy();
  p.hadamard_output = ADAHOP_F32;
  matrix<float> x(65, 288), y(65, 288);
  for (int64_t r = 0; r < x.rows; ++r)
    for (int64_t b = 0; b < 9; ++b) x.at(r, 32 * b + (r + b) % 32) = 1.0f;
  require_ok(hip_cpu().hadamard, adahop_hadamard_args{&p, view_of(x), view_of(y)});
  for (int64_t r = 0; r < x.rows; ++r)
    for (int64_t b = 0; b < 9; ++b)
      for (int64_t i = 0; i < 32; ++i) {
        const bool negative = __builtin_parityll(static_cast<uint64_t>(i & ((r + b) % 32))) != 0;
        REQUIRE(bits_of(y.at(r, 32 * b + i)) == (0x3E3504F3u | (negative ? 0x80000000u : 0u)));
      }
}
