// Shuffled scales and padded inner dimensions through hip-cpu, by hand.
#include <algorithm>

#include "adahop/formats/scale_layout.h"
#include "hip_kernels_support.h"

using namespace adahop;
using namespace adahop_test;

namespace {

const policy kShuffled = parse_policy("scale_layout=gfx950_shuffle", default_policy()).value();

policy padded(const char* more = "") { return parse_policy(std::string("pad=zero") + more, default_policy()).value(); }

// Byte 100 + (5 row + 3 block) % 50 for each block: one element 4 * 2^(byte - 127).
int byte_at(int64_t row, int64_t block) { return static_cast<int>(100 + (5 * row + 3 * block) % 50); }

matrix<float> distinct_scales(int64_t rows, int64_t blocks) {
  matrix<float> x(rows, 32 * blocks);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t b = 0; b < blocks; ++b)
      x.at(r, 32 * b + (r + b) % 32) = float_of(static_cast<uint32_t>(byte_at(r, b) + 2) << 23);
  return x;
}

}  // namespace

TEST_CASE("scales are shuffled as view(P/32,2,16,Q/8,2,4).permute(0,3,5,2,4,1), pad bytes 0",
          "[hip-kernels][spec:3.5][spec:3.6]") {
  for (const auto& [rows, blocks] : {std::pair<int64_t, int64_t>{1, 1}, {32, 8}, {40, 9}, {70, 3}, {16, 17}}) {
    INFO(rows << " rows of " << blocks << " blocks");
    matrix<float> x = distinct_scales(rows, blocks);
    const int64_t p = round_up(rows, 32), q = round_up(blocks, 8);
    std::vector<uint8_t> codes(static_cast<size_t>(rows * blocks * 16)), scales(static_cast<size_t>(p * q) + 1, 0xEE);
    const adahop_mx out{codes.data(), scales.data(), rows, 32 * blocks, 16 * blocks, -1};
    require_ok(hip_cpu().quantize, adahop_quantize_args{&kShuffled, view_of(x), out, nullptr});
    size_t at = 0;
    for (int64_t row_group = 0; row_group < p / 32; ++row_group)
      for (int64_t block_group = 0; block_group < q / 8; ++block_group)
        for (int64_t block_low = 0; block_low < 4; ++block_low)
          for (int64_t row_low = 0; row_low < 16; ++row_low)
            for (int64_t block_half = 0; block_half < 2; ++block_half)
              for (int64_t row_half = 0; row_half < 2; ++row_half, ++at) {
                const int64_t row = 32 * row_group + 16 * row_half + row_low;
                const int64_t block = 8 * block_group + 4 * block_half + block_low;
                REQUIRE(int{scales[at]} == (row < rows && block < blocks ? byte_at(row, block) : 0));
              }
    REQUIRE(int{scales[at]} == 0xEE);

    // The codes are those of the linear layout, and what the pad bytes hold changes nothing that is read.
    mx_matrix linear(rows, 32 * blocks);
    const policy plain = default_policy();
    require_ok(hip_cpu().quantize, adahop_quantize_args{&plain, view_of(x), view_of(linear), nullptr});
    REQUIRE(codes == linear.codes);
    for (size_t i = 0; i < at; ++i)
      if (scales[i] == 0) scales[i] = 0xFF;
    matrix<float> back(rows, 32 * blocks), product(rows, rows), expected(rows, rows);
    require_ok(hip_cpu().dequantize, adahop_dequantize_args{&kShuffled, out, view_of(back)});
    REQUIRE(bits(back) == bits(x));
    for (const int32_t mode : {ADAHOP_MODE_BITEXACT, ADAHOP_MODE_NATIVE}) {
      adahop_exec exec = host_exec();
      exec.mode = mode;
      const adahop_mx_gemm_args shuffled{&kShuffled, out, out, view_of(product)};
      const adahop_mx_gemm_args unshuffled{&plain, view_of(linear), view_of(linear), view_of(expected)};
      REQUIRE(hip_cpu().mx_gemm(&exec, &shuffled) == ADAHOP_OK);
      REQUIRE(hip_cpu().mx_gemm(&exec, &unshuffled) == ADAHOP_OK);
      REQUIRE(bits(product) == bits(expected));
    }
  }
}

TEST_CASE("33 values are padded to two blocks and come back as 33", "[hip-kernels][spec:3.7][spec:3.8][spec:1.6]") {
  const policy p = padded();
  // Two rows of 33 with a gap of NaNs after each; element 32 is alone in its block.
  matrix<float> x(2, 40);
  for (float& v : x.data) v = float_of(0x7FC00000u);
  for (int64_t r = 0; r < 2; ++r)
    for (int64_t c = 0; c < 33; ++c) x.at(r, c) = c == 32 ? -0.5f : 1.0f;
  const adahop_view view{x.data.data(), ADAHOP_F32, 0, 2, 33, 40, 1};
  mx_matrix q(2, 64);
  adahop_quantize_result report{};
  require_ok(hip_cpu().quantize, adahop_quantize_args{&p, view, view_of(q), &report});
  REQUIRE(report.first_nonfinite == -1);
  for (size_t r = 0; r < 2; ++r) {
    REQUIRE(int{q.scales[2 * r]} == 125);  // amax 1: 127 - 2
    REQUIRE(int{q.scales[2 * r + 1]} == 124);
    for (size_t i = 0; i < 32; ++i) REQUIRE(int{q.codes[32 * r + i]} == (i < 16 ? 0x66 : i == 16 ? 0x0E : 0));
  }
  std::vector<float> out(2 * 35, 7.0f);
  require_ok(hip_cpu().dequantize, adahop_dequantize_args{&p, view_of(q), {out.data(), ADAHOP_F32, 0, 2, 33, 35, 1}});
  for (size_t i = 0; i < out.size(); ++i) REQUIRE(out[i] == (i % 35 < 32 ? 1.0f : i % 35 == 32 ? -0.5f : 7.0f));

  // Positions count the 33 where the tensor itself is quantized, the padded 64 where its transform is.
  x.at(1, 32) = float_of(0x7F800000u);
  require_ok(hip_cpu().quantize, adahop_quantize_args{&p, view, view_of(q), &report});
  REQUIRE(report.first_nonfinite == 33 + 32);
  require_ok(hip_cpu().hadamard_quantize, adahop_hadamard_quantize_args{&p, view, nullptr, 0, view_of(q), &report});
  REQUIRE(report.first_nonfinite == 64 + 32);

  mx_matrix wrong(2, 96);
  REQUIRE(call(hip_cpu().quantize, adahop_quantize_args{&p, view, view_of(wrong), nullptr}) == ADAHOP_INVALID_ARGUMENT);
  REQUIRE(std::string(hip_cpu().last_error()).find("expected 2 x 64") != std::string::npos);
}

TEST_CASE("padding reaches to the transform's size", "[hip-kernels][spec:3.7][spec:6.10]") {
  const policy p = padded(",hadamard_size=128,hadamard_output=f32");
  matrix<float> x(1, 33), y(1, 128);
  x.at(0, 32) = 1.0f;
  require_ok(hip_cpu().hadamard, adahop_hadamard_args{&p, view_of(x), view_of(y)});
  for (int64_t c = 0; c < 128; ++c) REQUIRE(bits_of(y.at(0, c)) == (0x3DB504F3u | ((c & 32) != 0 ? 0x80000000u : 0u)));
  const policy unpadded = parse_policy("hadamard_size=128,hadamard_output=f32", default_policy()).value();
  matrix<float> z(1, 96), w(1, 96);
  REQUIRE(call(hip_cpu().hadamard, adahop_hadamard_args{&unpadded, view_of(z), view_of(w)}) == ADAHOP_INVALID_ARGUMENT);
  REQUIRE(std::string(hip_cpu().last_error()).find("96 is not a multiple of 128") != std::string::npos);
}

TEST_CASE("a padded product is the product of the padded operands", "[hip-kernels][spec:3.7][spec:11.7]") {
  // With zeros written out to K = 128 and pad = error; outliers are scored over the same 64 places.
  for (const auto& [left, right] : {std::pair{ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE},
                                    {ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE},
                                    {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_COLUMN},
                                    {ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_COLUMN}}) {
    const policy p = padded(
        ",hadamard_size=64,oe_k=3,output=f32,element_rounding=stochastic(8,1,2),hadamard_signs=random(4)");
    policy whole = p;
    whole.pad = ADAHOP_PAD_ERROR;
    matrix<bf16> a(20, 77), b(35, 77), wide_a(20, 128), wide_b(35, 128);
    for (int64_t c = 0; c < 77; ++c) {
      for (int64_t r = 0; r < 20; ++r) {
        a.at(r, c) = bf16_of(static_cast<float>(pattern_value(r, c) * (r == 11 ? 32 : 1)));
        wide_a.at(r, c) = a.at(r, c);
      }
      for (int64_t r = 0; r < 35; ++r) {
        b.at(r, c) = bf16_of(static_cast<float>(pattern_value(c, r) * (r == 7 ? 64 : 1)));
        wide_b.at(r, c) = b.at(r, c);
      }
    }
    matrix<float> found(20, 35), expected(20, 35);
    require_ok(hip_cpu().matmul,
               adahop_matmul_args{&p, 2, left, right, ADAHOP_PATH_DX, view_of(a), view_of(b), view_of(found)});
    require_ok(hip_cpu().matmul, adahop_matmul_args{&whole, 2, left, right, ADAHOP_PATH_DX, view_of(wide_a),
                                                    view_of(wide_b), view_of(expected)});
    REQUIRE(bits(found) == bits(expected));
  }
}
