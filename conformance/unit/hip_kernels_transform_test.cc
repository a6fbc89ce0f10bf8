// Transforms of every size, random signs and random rounding through hip-cpu, expected values from their definitions.
#include <cmath>

#include "adahop/formats/philox.h"
#include "hip_kernels_support.h"

using namespace adahop;
using namespace adahop_test;

namespace {

uint32_t factor_bits(int32_t size) {
  return size == 16 ? 0x3E800000u : size == 32 ? 0x3E3504F3u : size == 64 ? 0x3E000000u : 0x3DB504F3u;
}

bool negative_sign(const policy& p, int64_t index) {
  if (p.hadamard_signs == ADAHOP_SIGNS_NONE) return false;
  return (philox4x32_10(p.hadamard_seed, {{static_cast<uint32_t>(index), 0, 0, 1}}).word[0] >> 31) != 0;
}

policy sized(int32_t size, bool signs) {
  policy p = default_policy();
  p.hadamard_size = size;
  p.hadamard_output = ADAHOP_F32;
  if (signs) {
    p.hadamard_signs = ADAHOP_SIGNS_RANDOM;
    p.hadamard_seed = 0x123456789ABCDEFu;
  }
  return p;
}

}  // namespace

TEST_CASE("the first word of Philox decides the first element", "[hip-kernels][spec:5.18]") {
  // Key 0, counter 0 gives 6627e8d5 e169c58d bc57ac4c 9b00dbd8: u is 0x66 = 102 at 8 bits.
  const policy p = parse_policy("element_rounding=stochastic(8,0,0)", default_policy()).value();
  for (const int above : {102, 103}) {
    matrix<float> x(1, 32);
    x.at(0, 0) = 2.0f + static_cast<float>(above) / 256.0f;
    x.at(0, 1) = 4.0f;  // the scale is 2^0
    mx_matrix q(1, 32);
    require_ok(hip_cpu().quantize, adahop_quantize_args{&p, view_of(x), view_of(q), nullptr});
    REQUIRE(int{q.scales[0]} == 127);
    REQUIRE(int{q.codes[0]} == (above == 103 ? 0x65 : 0x64));
  }
}

TEST_CASE("unit vectors and the ramp for every size, with and without signs",
          "[hip-kernels][spec:6.1][spec:6.3][spec:6.10][spec:6.11]") {
  for (const int32_t size : {16, 32, 64, 128})
    for (const bool signs : {false, true}) {
      const policy p = sized(size, signs);
      for (const int64_t rows : {1, 33, 70}) {
        const int64_t cols = 384;
        INFO("size " << size << ", signs " << signs << ", " << rows << " rows");
        // Row r has its 1 at place (7 r + g) % size of group g.
        matrix<float> x(rows, cols), t(cols, rows), y(rows, cols);
        const auto place = [&](int64_t r, int64_t group) { return (7 * r + group) % size; };
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t group = 0; group < cols / size; ++group) {
            x.at(r, group * size + place(r, group)) = 1;
            t.at(group * size + place(r, group), r) = 1;
          }
        for (const adahop_view& view : {view_of(x), transposed(view_of(t))}) {
          require_ok(hip_cpu().hadamard, adahop_hadamard_args{&p, view, view_of(y)});
          for (int64_t r = 0; r < rows; ++r)
            for (int64_t c = 0; c < cols; ++c) {
              const int64_t from = c / size * size + place(r, c / size);
              const bool odd = __builtin_parityll(static_cast<uint64_t>(c & from & (size - 1))) != 0;
              REQUIRE(bits_of(y.at(r, c)) == (factor_bits(size) | (odd != negative_sign(p, from) ? 0x80000000u : 0u)));
            }
        }
      }
    }
  // 0, 1, ..., n - 1: the sum n (n - 1) / 2 in place 0, -n / 2 * 2^k in place 2^k, nothing elsewhere.
  for (const int32_t size : {16, 32, 64, 128}) {
    const policy p = sized(size, false);
    matrix<bf16> x(1, 128);
    matrix<float> y(1, 128);
    for (int64_t c = 0; c < 128; ++c) x.at(0, c) = bf16_of(static_cast<float>(c % size));
    require_ok(hip_cpu().hadamard, adahop_hadamard_args{&p, view_of(x), view_of(y)});
    for (int32_t c = 0; c < 128; ++c) {
      const int32_t at = c % size;
      const int32_t sum = at == 0 ? size * (size - 1) / 2 : (at & (at - 1)) == 0 ? -size / 2 * at : 0;
      REQUIRE(bits_of(y.at(0, c)) == bits_of(static_cast<float>(sum) * float_of(factor_bits(size))));
    }
  }
}

TEST_CASE("stages between lanes run after those within, one rounding each", "[hip-kernels][spec:6.2][spec:6.10]") {
  const policy p = sized(128, false);
  matrix<float> x(3, 256), y(3, 256);
  for (int64_t r = 0; r < 3; ++r)
    for (int64_t c = 0; c < 256; ++c)
      x.at(r, c) = (c % 3 == 0 ? -1.0f : 1.0f) * std::ldexp(1.0f + static_cast<float>((37 * r + 11 * c) % 97) / 97.0f,
                                                            static_cast<int>((5 * c + r) % 23));
  require_ok(hip_cpu().hadamard, adahop_hadamard_args{&p, view_of(x), view_of(y)});
  for (int64_t r = 0; r < 3; ++r)
    for (int64_t first = 0; first < 256; first += 128) {
      std::vector<float> v(&x.at(r, first), &x.at(r, first) + 128), next(128);
      for (size_t stride = 1; stride < 128; stride *= 2) {
        for (size_t i = 0; i < 128; ++i)
          next[i] = (i & stride) == 0 ? v[i] + v[i + stride] : v[i - stride] - v[i];
        v = next;
      }
      for (size_t i = 0; i < 128; ++i)
        REQUIRE(bits_of(y.at(r, first + static_cast<int64_t>(i))) == bits_of(v[i] * float_of(0x3DB504F3u)));
    }
}

TEST_CASE("fused results of every rounding and size are those of the two steps, in any order",
          "[hip-kernels][spec:6.7][spec:1.2][spec:13.5]") {
  matrix<bf16> x(70, 256);
  uint32_t seed = 5;
  for (bf16& v : x.data) {
    seed = seed * 1664525u + 1013904223u;
    v = {static_cast<uint16_t>(((seed >> 13) & 0x8000u) | ((122 + (seed >> 29)) << 7) | ((seed >> 16) & 0x7Fu))};
  }
  std::vector<std::vector<uint8_t>> seen;
  for (const char* rounding : {"rne", "stochastic(5,77,18446744073709551000)", "gfx950_sr(3)"})
    for (const int32_t size : {16, 64, 128}) {
      policy p = parse_policy(std::string("element_rounding=") + rounding, sized(size, true)).value();
      p.hadamard_output = size == 64 ? ADAHOP_F32 : ADAHOP_BF16;
      INFO(rounding << ", size " << size);
      matrix<float> f(70, 256);
      matrix<bf16> b(70, 256);
      const adahop_view between = size == 64 ? view_of(f) : view_of(b);
      mx_matrix steps(70, 256);
      require_ok(hip_cpu().hadamard, adahop_hadamard_args{&p, view_of(x), between});
      require_ok(hip_cpu().quantize, adahop_quantize_args{&p, between, view_of(steps), nullptr});
      for_each_order([&] {
        mx_matrix fused(70, 256);
        require_ok(hip_cpu().hadamard_quantize,
                   adahop_hadamard_quantize_args{&p, view_of(x), nullptr, 0, view_of(fused), nullptr});
        REQUIRE(fused.scales == steps.scales);
        REQUIRE(fused.codes == steps.codes);
      });
      seen.push_back(steps.codes);
    }
  // Nine different computations.
  for (size_t i = 0; i < seen.size(); ++i)
    for (size_t j = i + 1; j < seen.size(); ++j) REQUIRE(seen[i] != seen[j]);
}

TEST_CASE("the operands of a product are rounded by different words", "[hip-kernels][spec:5.22]") {
  // a and b hold the same values; their codes, seen through a product with unit rows, come from other words.
  for (const char* rounding : {"stochastic(8,9,1000)", "gfx950_sr(9)"}) {
    const policy p = parse_policy(std::string("output=f32,element_rounding=") + rounding, default_policy()).value();
    policy right = p;
    if (p.element_rounding == ADAHOP_ROUND_STOCHASTIC)
      right.sr_offset += 3 * 64;
    else
      right.sr_seed += 1;
    matrix<bf16> a(3, 64), b(5, 64);
    for (int64_t i = 0; i < 64; ++i)
      for (int64_t r = 0; r < 5; ++r) {
        b.at(r, i) = bf16_of(static_cast<float>(pattern_value(r, i)) + 0.375f);
        if (r < 3) a.at(r, i) = b.at(r, i);
      }
    mx_matrix qa(3, 64), qb(5, 64), plain(5, 64);
    const auto transformed = [](const policy& with, matrix<bf16>& x, mx_matrix& q) {
      require_ok(hip_cpu().hadamard_quantize,
                 adahop_hadamard_quantize_args{&with, view_of(x), nullptr, 0, view_of(q), nullptr});
    };
    transformed(p, a, qa);
    transformed(right, b, qb);
    transformed(p, b, plain);
    REQUIRE(plain.codes != qb.codes);
    matrix<float> expected(3, 5), found(3, 5);
    require_ok(hip_cpu().mx_gemm, adahop_mx_gemm_args{&p, view_of(qa), view_of(qb), view_of(expected)});
    require_ok(hip_cpu().matmul,
               adahop_matmul_args{&p, 1, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE, ADAHOP_PATH_FORWARD, view_of(a),
                                  view_of(b), view_of(found)});
    REQUIRE(bits(found) == bits(expected));
  }
}
