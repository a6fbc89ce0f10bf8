// Block dots, accumulation and both products against exact rationals.
#include <algorithm>
#include <bit>

#include "adahop/formats/e2m1.h"
#include "catch.h"
#include "independent_support.h"
#include "reference/accumulate/block_rne.h"
#include "reference/backend.h"
#include "reference/block_dot.h"

using namespace adahop_test;

namespace {

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

/// Splits a byte sum 0..508 into two finite bytes in one of three ways, which must not matter.
std::pair<uint8_t, uint8_t> split(int sum, int way) {
  const int low = std::max(0, sum - 254), high = std::min(254, sum);
  const int a = way == 0 ? low : way == 1 ? high : sum / 2;
  return {static_cast<uint8_t>(a), static_cast<uint8_t>(sum - a)};
}

struct accumulation_check {
  int64_t checked = 0, wrong = 0;
  uint32_t acc = 0, got = 0, expected = 0;
  int dot_x4 = 0, sa = 0, sb = 0;

  void compare(uint32_t acc_bits, int s, uint8_t a, uint8_t b) {
    const uint32_t result = std::bit_cast<uint32_t>(adahop::reference::accumulate_block_rne(
        std::bit_cast<float>(acc_bits), s, adahop::e8m0_of(a), adahop::e8m0_of(b)));
    const uint32_t right = independent::accumulate_block_rne(acc_bits, independent::rational(s).scaled(-2), a, b);
    ++checked;
    if (result == right) return;
    if (wrong++ == 0) {
      acc = acc_bits, got = result, expected = right;
      dot_x4 = s, sa = a, sb = b;
    }
  }
};

void report(const accumulation_check& check) {
  CAPTURE(check.acc, check.dot_x4, check.sa, check.sb, check.got, check.expected);
  CHECK(check.wrong == 0);
}

/// MX data with random codes and bytes around `centre`; now and then a NaN byte if asked.
independent::mx_tensor random_mx(source& random, int outer, int inner, int centre, int spread, bool with_nan) {
  independent::mx_tensor x;
  x.outer = outer;
  x.inner = inner;
  for (int i = 0; i < outer * inner; ++i) x.codes.push_back(static_cast<uint8_t>(random.between(0, 15)));
  for (int i = 0; i < outer * inner / 32; ++i) {
    const int byte = std::clamp(centre + random.between(-spread, spread), 0, 254);
    x.scales.push_back(with_nan && random.between(0, 15) == 0 ? independent::kNanScale : static_cast<uint8_t>(byte));
  }
  return x;
}

}  // namespace

TEST_CASE("block dots are exact integers, every pair of codes and random blocks", "[independent][spec:10.1]") {
  source random(14);
  int wrong = 0;
  const auto check = [&wrong](const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
    std::vector<uint8_t> packed_a, packed_b;
    for (size_t i = 0; i < 32; i += 2) {
      packed_a.push_back(static_cast<uint8_t>(a[i] + 16 * a[i + 1]));
      packed_b.push_back(static_cast<uint8_t>(b[i] + 16 * b[i + 1]));
    }
    const int32_t got = adahop::reference::block_dot_x4(packed_a.data(), packed_b.data());
    if (!(independent::rational(got).scaled(-2) == independent::block_dot(a.data(), b.data()))) ++wrong;
    if (got > 4608 || got < -4608) ++wrong;
  };
  for (int a = 0; a < 16; ++a)
    for (int b = 0; b < 16; ++b) {
      check(std::vector<uint8_t>(32, static_cast<uint8_t>(a)), std::vector<uint8_t>(32, static_cast<uint8_t>(b)));
      std::vector<uint8_t> lone(32, 0);
      lone[static_cast<size_t>((a * 16 + b) % 32)] = static_cast<uint8_t>(a);
      check(lone, std::vector<uint8_t>(32, static_cast<uint8_t>(b)));
    }
  for (int i = 0; i < 2000; ++i) {
    std::vector<uint8_t> a, b;
    for (int k = 0; k < 32; ++k) {
      a.push_back(static_cast<uint8_t>(random.between(0, 15)));
      b.push_back(static_cast<uint8_t>(random.between(0, 15)));
    }
    check(a, b);
  }
  CHECK(wrong == 0);
}

TEST_CASE("block_rne rounds the exact sum once: every byte sum, edge accumulators and block dots",
          "[independent][spec:10.2][spec:10.3][spec:10.4][spec:10.5][spec:10.6]") {
  constexpr uint32_t kAccumulators[] = {0x00000000u, 0x80000000u, 0x00000001u, 0x80000001u, 0x00000002u, 0x007FFFFFu,
                                        0x00800000u, 0x00800001u, 0x3F800000u, 0xBF800000u, 0x3F800001u, 0x3FFFFFFFu,
                                        0x4B800000u, 0x4B800001u, 0xCB7FFFFFu, 0x7F7FFFFFu, 0xFF7FFFFFu, 0x7F7FFFFEu,
                                        0x7F800000u, 0xFF800000u, 0x7FC00000u, 0xFFC00001u};
  source random(15);
  accumulation_check check;
  for (int sum = 0; sum <= 508; ++sum) {
    std::vector<int> dots = {0, 1, -1, 3, -3, 4, 4608, -4608, 2049, -4607};
    dots.push_back(random.between(-4608, 4608));
    for (const int dot : dots) {
      for (int way = 0; way < 3; ++way) {
        const auto [a, b] = split(sum, way);
        for (const uint32_t acc : kAccumulators) check.compare(acc, dot, a, b);
        for (int i = 0; i < 3; ++i) check.compare(random.fp32(0, 254), dot, a, b);
      }
    }
  }
  for (const uint8_t byte : {uint8_t{0}, uint8_t{127}, uint8_t{254}, uint8_t{255}}) {
    check.compare(0x3F800000u, 0, 255, byte);
    check.compare(0x7F800000u, 17, byte, 255);
  }
  CHECK(check.checked == 509 * 11 * 3 * (22 + 3) + 8);
  report(check);
}

TEST_CASE("block_rne at exact halves, just beside them, and in the subnormal range",
          "[independent][spec:10.4][spec:10.5]") {
  source random(16);
  accumulation_check check;
  for (int i = 0; i < 60000; ++i) {
    // The term's lowest bit lies from 12 places above to 14 below the accumulator's last one: ties, near ties and
    // cancellation.
    const int field = random.between(0, 254);
    const uint32_t acc = random.fp32(field, field);
    const int unit = std::max(field, 1) - 150;  // exponent of acc's last place
    const int sum = unit - random.between(-12, 14) + 256;
    if (sum < 0 || sum > 508) continue;
    const int magnitude = random.between(0, 3) == 0 ? 1 << random.between(0, 12) : random.between(1, 4608);
    const auto [a, b] = split(sum, random.between(0, 2));
    check.compare(acc, random.between(0, 1) != 0 ? magnitude : -magnitude, a, b);
  }
  for (int sum = 60; sum <= 130; ++sum)  // S * 2^(sum - 256) around 2^-150: zero, half and one subnormal unit
    for (const uint32_t acc : {0x00000000u, 0x80000000u, 0x00000001u, 0x80000001u, 0x00000002u, 0x80000003u})
      for (int dot = -130; dot <= 130; ++dot) {
        const auto [a, b] = split(sum, 2);
        check.compare(acc, dot, a, b);
      }
  report(check);
}

TEST_CASE("small MX products equal the independent ones",
          "[independent][spec:10.3][spec:10.4][spec:10.8][spec:1.2]") {
  source random(17);
  struct shape { int m, k, n; };
  for (const shape& s : {shape{33, 64, 40}, shape{1, 32, 1}, shape{5, 160, 7}, shape{17, 256, 3}})
    for (const int centre : {127, 1, 30, 66, 240, 253})
      for (const bool with_nan : {false, true})
        for (const int32_t dtype : {ADAHOP_F32, ADAHOP_BF16}) {
          const independent::mx_tensor a = random_mx(random, s.m, s.k, centre, 3, with_nan);
          const independent::mx_tensor b = random_mx(random, s.n, s.k, centre, 12, with_nan);
          independent::fp32_matrix expected = independent::mx_gemm(a, b);
          if (dtype == ADAHOP_BF16) expected = independent::to_bf16(expected);
          const matrix_call call = mx_gemm(reference(), adahop::default_policy(), packed(a), packed(b), dtype);
          CAPTURE(s.m, s.k, s.n, centre, with_nan, dtype);
          REQUIRE(call.status == ADAHOP_OK);
          CHECK(difference(call.out.bits, expected.bits) == "");
        }
}

TEST_CASE("small BF16 products equal the independent ones", "[independent][spec:10.8][spec:10.9][spec:1.3][spec:1.4]") {
  source random(18);
  for (const content kind_a : kAllContents)
    for (const content kind_b : kAllContents)
      for (const int32_t dtype : {ADAHOP_F32, ADAHOP_BF16}) {
        const independent::fp32_matrix a = make(random, 9, 64, kind_a, true), b = make(random, 11, 64, kind_b, true);
        independent::fp32_matrix expected = independent::bf16_gemm(a, b);
        if (dtype == ADAHOP_BF16) expected = independent::to_bf16(expected);
        const adahop::matrix<adahop::bf16> a16 = to_bf16s(a), b16 = to_bf16s(b);
        const matrix_call call =
            bf16_gemm(reference(), adahop::default_policy(), adahop::view_of(a16), adahop::view_of(b16), dtype);
        CAPTURE(name(kind_a), name(kind_b), dtype);
        REQUIRE(call.status == ADAHOP_OK);
        CHECK(difference(call.out.bits, expected.bits) == "");
      }
}

TEST_CASE("an empty inner dimension gives +0", "[independent][spec:10.7]") {
  for (const int32_t dtype : {ADAHOP_F32, ADAHOP_BF16}) {
    const adahop::mx_matrix a(3, 0), b(5, 0);
    const matrix_call mx = mx_gemm(reference(), adahop::default_policy(), a, b, dtype);
    REQUIRE(mx.status == ADAHOP_OK);
    CHECK(difference(mx.out.bits, std::vector<uint32_t>(15, 0)) == "");
    const adahop::matrix<adahop::bf16> a16(3, 0), b16(5, 0);
    const matrix_call bf16 =
        bf16_gemm(reference(), adahop::default_policy(), adahop::view_of(a16), adahop::view_of(b16), dtype);
    REQUIRE(bf16.status == ADAHOP_OK);
    CHECK(difference(bf16.out.bits, std::vector<uint32_t>(15, 0)) == "");
  }
}
