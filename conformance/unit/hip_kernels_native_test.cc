// Native mode of the MX product by hand: a scale for each row and K block, both tile shapes, tails, and what the models
// of the emulated instruction do.
#include <array>

#include "hip_kernels_scales.h"
#include "hip_kernels_support.h"

using namespace adahop;
using namespace adahop_test;

namespace {

int32_t native_code(const policy& p, const adahop_mx& a, const adahop_mx& b, matrix<float>& c) {
  adahop_exec exec = host_exec();
  exec.mode = ADAHOP_MODE_NATIVE;
  const adahop_mx_gemm_args args{&p, a, b, view_of(c)};
  return hip_cpu().mx_gemm(&exec, &args);
}

// Terms codes[i] * 2^exponents[i] of K blocks in one output; codes are E2M1 patterns, the partner is 1.
float native_sum(const std::vector<uint8_t>& codes, const std::vector<int>& exponents) {
  const policy p = default_policy();
  const auto k = static_cast<int64_t>(32 * codes.size());
  mx_matrix a(1, k), b(1, k);
  for (size_t i = 0; i < codes.size(); ++i) {
    a.codes[16 * i] = codes[i];
    b.codes[16 * i] = 0x02;
    a.scales[i] = static_cast<uint8_t>(127 + exponents[i] / 2);
    b.scales[i] = static_cast<uint8_t>(127 + exponents[i] - exponents[i] / 2);
  }
  matrix<float> c(1, 1);
  REQUIRE(native_code(p, view_of(a), view_of(b), c) == ADAHOP_OK);
  return c.at(0, 0);
}

void restore() {
  set_option("mx_tile", "16x16x128");
  set_option("mfma_model", "mfma_fused");
}

}  // namespace

TEST_CASE("every row and K block has its own scale, in both tile shapes and every tail", "[hip-kernels][spec:10.24]") {
  const policy p = default_policy();
  for (const char* tile : {"16x16x128", "32x32x64"}) {
    set_option("mx_tile", tile);
    for (const auto& [m, n, k] :
         {std::array<int64_t, 3>{1, 1, 32}, {16, 16, 128}, {33, 17, 96}, {65, 63, 160}, {40, 70, 288}}) {
      INFO(tile << ", " << m << " x " << n << " x " << k);
      const scaled_ones x(m, n, k);
      matrix<float> first(m, n);
      REQUIRE(native_code(p, view_of(x.a), view_of(x.b), first) == ADAHOP_OK);
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) REQUIRE(first.at(i, j) == x.expected(i, j));
      for_each_order([&] {
        matrix<float> again(m, n);
        REQUIRE(native_code(p, view_of(x.a), view_of(x.b), again) == ADAHOP_OK);
        REQUIRE(bits(again) == bits(first));
      });
    }
  }
  restore();
}

TEST_CASE("the emulated instruction combines as mfma_model says",
          "[hip-kernels][spec:10.12][spec:10.13][spec:10.14][spec:10.17]") {
  // 2^24 + 1 + 1 + 1: blocks summed at once keep the ones, one by one each is a tie to even.
  const auto ones_after = [] { return native_sum({2, 2, 2, 2}, {24, 0, 0, 0}); };
  set_option("mfma_model", "mfma_fused");
  CHECK(ones_after() == 0x1p24f + 4);
  set_option("mfma_model", "mfma_seq");
  CHECK(ones_after() == 0x1p24f);
  set_option("mfma_model", "block_first_fdpa(1)");
  CHECK(ones_after() == 0x1p24f);
  set_option("mfma_model", "block_first_fdpa(4)");
  CHECK(ones_after() == 0x1p24f + 4);
  set_option("mfma_model", "mfma_fused");
  set_option("mx_tile", "32x32x64");
  CHECK(ones_after() == 0x1p24f + 2);  // 2^24 + 1 in one instruction is 2^24, 1 + 1 in the next counts
  set_option("mx_tile", "16x16x128");

  // A product 2^-26 of the largest is below the 24 fraction bits that alignment keeps: it is lost where it meets them in
  // a group, though the large ones cancel.
  const auto cancelling = [] { return native_sum({2, 10, 2}, {26, 26, 0}); };
  CHECK(cancelling() == 1);
  set_option("mfma_model", "cdna3_trfdpa(128)");
  CHECK(cancelling() == 0);
  set_option("mfma_model", "cdna3_trfdpa(32)");
  CHECK(cancelling() == 1);
  set_option("mfma_model", "block_first_fdpa(4)");
  CHECK(cancelling() == 0);

  // 1 - 2^-40: products are floored at 32 fraction bits, which the rounding to FP32 forgets; C at 24, which shows.
  set_option("mfma_model", "cdna3_trfdpa(32)");
  CHECK(native_sum({2, 10}, {0, -40}) == 1);
  CHECK(native_sum({10, 2}, {-40, 0}) == 0x1.fffffep-1f);  // C = -2^-40 becomes -2^-24
  set_option("mfma_model", "cdna3_gtrfdpa(32)");
  CHECK(native_sum({10, 2}, {-40, 0}) == 1);  // C below E - 25 counts as 0
  set_option("mfma_model", "mfma_fused");
  CHECK(native_sum({10, 2}, {-40, 0}) == 1);

  // Inf: a term of 2^130 counts as it is in the exact sum, as Inf where it is rounded or decides first.
  const auto overflowing = [] { return bits_of(native_sum({2, 10}, {130, 130})); };
  CHECK(overflowing() == 0);
  set_option("mfma_model", "mfma_seq");
  CHECK(overflowing() == 0x7FC00000u);
  set_option("mfma_model", "cdna3_trfdpa(128)");
  CHECK(overflowing() == 0x7FC00000u);
  restore();
}

TEST_CASE("NaN scales count in every model of the instruction", "[hip-kernels][spec:10.3]") {
  const policy p = default_policy();
  for (const char* model : {"mfma_fused", "mfma_seq", "cdna3_trfdpa(16)", "cdna3_gtrfdpa(64)", "block_first_fdpa(2)"}) {
    set_option("mfma_model", model);
    mx_matrix a(20, 128), b(20, 128);
    std::fill(a.scales.begin(), a.scales.end(), uint8_t{127});
    std::fill(b.scales.begin(), b.scales.end(), uint8_t{127});
    a.scales[4 * 17 + 2] = 0xFF;
    b.scales[4 * 3 + 1] = 0xFF;
    matrix<float> c(20, 20);
    REQUIRE(native_code(p, view_of(a), view_of(b), c) == ADAHOP_OK);
    for (int64_t i = 0; i < 20; ++i)
      for (int64_t j = 0; j < 20; ++j) REQUIRE(bits_of(c.at(i, j)) == (i == 17 || j == 3 ? 0x7FC00000u : 0u));
  }
  restore();
}

TEST_CASE("native mode ignores gemm_model, and refuses what the instruction cannot do",
          "[hip-kernels][spec:10.24][spec:1.7]") {
  const scaled_ones x(5, 6, 64);
  matrix<float> c(5, 6);
  for (const char* text : {"gemm_model=exact_sum", "gemm_model=cdna3_trfdpa(128)", "gemm_model=block_rne"}) {
    const policy p = parse_policy(text, default_policy()).value();
    REQUIRE(native_code(p, view_of(x.a), view_of(x.b), c) == ADAHOP_OK);
    REQUIRE(c.at(4, 5) == x.expected(4, 5));
  }
  const policy p = default_policy();
  for (const char* model : {"cdna3_trfdpa(128)", "cdna3_gtrfdpa(128)", "block_first_fdpa(4)"}) {
    set_option("mx_tile", "32x32x64");
    set_option("mfma_model", model);
    REQUIRE(native_code(p, view_of(x.a), view_of(x.b), c) == ADAHOP_UNSUPPORTED);
    REQUIRE(std::string(hip_cpu().last_error()).find("mfma_model") != std::string::npos);
    set_option("mx_tile", "16x16x128");
    REQUIRE(native_code(p, view_of(x.a), view_of(x.b), c) == ADAHOP_OK);
  }
  for (const char* wrong : {"", "mfma_fused(4)", "cdna3_trfdpa", "cdna3_trfdpa(8)", "cdna3_trfdpa(32", "seq",
                            "block_first_fdpa(3)"})
    REQUIRE(hip_cpu().set_option("mfma_model", wrong) == ADAHOP_INVALID_ARGUMENT);
  restore();
}

TEST_CASE("native matmul differs from bitexact in the MX part alone", "[hip-kernels][spec:10.24]") {
  // The terms of the eight blocks are up to 2^42 apart, so four at once round differently from one by one.
  policy p = default_policy();
  p.output = ADAHOP_F32;
  matrix<bf16> a(40, 256), b(40, 256);
  for (int64_t r = 0; r < 40; ++r)
    for (int64_t i = 0; i < 256; ++i) {
      a.at(r, i) = bf16_of(static_cast<float>(pattern_value(r, i)) * static_cast<float>(1 << (3 * (5 * (i / 32) % 8))));
      b.at(r, i) = bf16_of(static_cast<float>(pattern_value(i, r)) * static_cast<float>(1 << (3 * (3 * (i / 32) % 8))));
    }
  const auto run = [&](adahop_mode mode, int32_t level, adahop_pattern left, adahop_pattern right) {
    matrix<float> c(40, 40);
    adahop_exec exec = host_exec();
    exec.mode = mode;
    const adahop_matmul_args args{&p, level, left, right, ADAHOP_PATH_FORWARD, view_of(a), view_of(b), view_of(c)};
    REQUIRE(hip_cpu().matmul(&exec, &args) == ADAHOP_OK);
    return bits(c);
  };
  const auto differs = [&](int32_t level, adahop_pattern left, adahop_pattern right) {
    return run(ADAHOP_MODE_NATIVE, level, left, right) != run(ADAHOP_MODE_BITEXACT, level, left, right);
  };
  set_option("mfma_model", "cdna3_trfdpa(128)");
  CHECK(differs(1, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE));
  CHECK_FALSE(differs(2, ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_COLUMN));  // the BF16 route
  restore();
}
