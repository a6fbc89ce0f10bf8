// Blocks and matrices to MXFP4 and back: hand vectors, known faults, non-finite values, round trips, views.
#include "reference/quantize.h"

#include <algorithm>
#include <array>

#include "reference/dequantize.h"
#include "reference_support.h"

using namespace adahop;
using test::policy_with;

namespace {

struct quantized {
  uint8_t scale = 0;
  std::array<uint8_t, kBlockBytes> bytes{};
  std::vector<uint32_t> codes;  ///< 32
  reference::block_report report;
};

// A block of 32, what is missing is +0.
quantized quantize_one(std::vector<float> values, std::string_view line) {
  values.resize(kBlockSize, 0.0f);
  quantized q;
  q.report = reference::quantize_block(policy_with(line), values.data(), {}, q.bytes.data(), &q.scale);
  for (uint32_t i = 0; i < kBlockSize; ++i) q.codes.push_back(code_of(unpack_e2m1(q.bytes[i / 2], i)));
  return q;
}

std::vector<uint32_t> first(const quantized& q, size_t n) { return {q.codes.begin(), q.codes.begin() + static_cast<long>(n)}; }

using codes = std::vector<uint32_t>;

constexpr std::string_view kRules[] = {"scale_rule=floor", "scale_rule=ceil", "scale_rule=even", "scale_rule=rceil"};

}  // namespace

TEST_CASE("F1: a block whose maximum is 5.5", "[spec:5.2][spec:5.3][spec:5.5][spec:5.11]") {
  std::vector<float> block(kBlockSize, 0.25f);
  block[0] = 5.5f;
  const quantized floor = quantize_one(block, "scale_rule=floor");
  CHECK(floor.scale == 127);
  CHECK(floor.codes == [] { codes c(32, 0); c[0] = 7; return c; }());
  CHECK(quantize_one(block, "scale_rule=rceil").scale == 127);
  CHECK(quantize_one(block, "scale_rule=ceil").scale == 128);
}

TEST_CASE("F3: clipping depends on the rule and is counted", "[spec:5.9][spec:5.12]") {
  const std::vector<float> block = {7.5f, -7.5f, 1.0f, 0.3f};
  const quantized floor = quantize_one(block, "scale_rule=floor");
  CHECK(floor.scale == 127);
  CHECK(first(floor, 4) == codes{7, 15, 2, 1});
  CHECK(floor.report.clipped == 2);
  for (const std::string_view rule : {kRules[1], kRules[2], kRules[3]}) {
    const quantized q = quantize_one(block, rule);
    CHECK(q.scale == 128);
    CHECK(first(q, 4) == codes{6, 14, 1, 0});
    CHECK(q.report.clipped == 0);
  }
}

TEST_CASE("ceil and rceil never clip, even and floor only in the top of their range", "[spec:5.9]") {
  test::generator random(6);
  for (int i = 0; i < 20000; ++i) {
    const int field = random.integer(0, 254);
    std::vector<float> block;
    for (int j = 0; j < kBlockSize; ++j) block.push_back(random.with_exponent(std::max(0, field - 3), field));
    CHECK(quantize_one(block, "scale_rule=ceil").report.clipped == 0);
    CHECK(quantize_one(block, "scale_rule=rceil").report.clipped == 0);
    for (const auto& [rule, below] : {std::pair{"scale_rule=even", 7.0}, std::pair{"scale_rule=floor", 8.0}}) {
      const quantized q = quantize_one(block, rule);
      int above_6 = 0;
      for (const float v : block) {
        const double a = std::ldexp(std::fabs(static_cast<double>(v)), 127 - q.scale);
        REQUIRE(a < below);
        above_6 += a > 6 ? 1 : 0;
      }
      REQUIRE(q.report.clipped == above_6);
    }
  }
}

TEST_CASE("F4: tiny blocks, all rules", "[spec:5.6][spec:5.8][spec:5.11]") {
  const struct {
    uint32_t bits, code;
  } single[] = {{0x00000200u, 0}, {0x00400000u, 2}, {0x00600000u, 3}, {0x00800000u, 4}, {0x01000000u, 6}};
  for (const std::string_view rule : kRules)
    for (const auto& s : single)
      for (const uint32_t sign : {0u, 0x80000000u}) {
        INFO(rule << " " << std::hex << s.bits);
        const quantized q = quantize_one({float_of(s.bits | sign)}, rule);
        CHECK(q.scale == 0);
        CHECK(q.codes[0] == (s.code | sign >> 28));
        if (s.code != 0) CHECK(decode_element_bits(e2m1_of(q.codes[0]), e8m0_of(q.scale)) == (s.bits | sign));
      }
  const quantized q = quantize_one({float_of(0x00800000u), float_of(0x00200000u), -float_of(0x00100000u)}, "");
  CHECK(q.scale == 0);
  CHECK(first(q, 3) == codes{4, 1, 8});
  CHECK(quantize_one({float_of(0x00400000u)}, "min_scale_byte=1").scale == 1);
  CHECK(quantize_one({float_of(0x00400000u)}, "min_scale_byte=1").codes[0] == 1);
}

TEST_CASE("F7 and F9: midpoints and signs through a block", "[spec:5.11][spec:5.13][spec:3.2]") {
  for (const float sign : {1.0f, -1.0f}) {
    std::vector<float> block = {0.25f, 0.75f, 1.25f, 1.75f, 2.5f, 3.5f, 5.0f};
    for (float& v : block) v *= sign;
    const uint32_t bit = sign < 0 ? 8 : 0;
    CHECK(first(quantize_one(block, "scale_rule=floor"), 7) == codes{0 | bit, 2 | bit, 2 | bit, 4 | bit, 4 | bit, 6 | bit, 6 | bit});
  }
  const quantized q = quantize_one({-0.0f, -0.2f, 0.2f, 4.0f}, "scale_rule=floor");
  CHECK(q.scale == 127);
  CHECK(first(q, 4) == codes{8, 8, 0, 6});
  CHECK(q.bytes[0] == 0x88);
  CHECK(q.bytes[1] == 0x60);
  CHECK(decode_element_bits(e2m1_of(8), e8m0_of(127)) == 0x80000000u);
}

TEST_CASE("an all-zero block keeps the signs of its zeros", "[spec:5.7][spec:5.13][spec:2.2]") {
  for (const std::string_view rule : kRules)
    for (const int minimum : {0, 1}) {
      std::vector<float> block(kBlockSize, 0.0f);
      for (size_t i = 0; i < block.size(); i += 3) block[i] = -0.0f;
      const quantized q = quantize_one(block, std::string(rule) + ",min_scale_byte=" + std::to_string(minimum));
      CHECK(q.scale == minimum);
      CHECK(q.report.clipped == 0);
      for (size_t i = 0; i < block.size(); ++i) CHECK(q.codes[i] == (i % 3 == 0 ? 8u : 0u));
    }
}

TEST_CASE("a NaN or Inf anywhere makes a NaN block", "[spec:5.14][spec:5.9][spec:2.6][spec:1.4]") {
  const uint32_t bad[] = {0x7F800000u, 0xFF800000u, 0x7F800001u, 0x7FC00000u, 0xFFFFFFFFu};
  for (int position = 0; position < kBlockSize; ++position)
    for (const uint32_t bits : bad) {
      matrix<float> x(1, kBlockSize);
      std::fill(x.data.begin(), x.data.end(), 7.5f);
      x.data[static_cast<size_t>(position)] = float_of(bits);
      mx_matrix q(1, kBlockSize);
      const adahop_quantize_result found = reference::quantize(policy_with("scale_rule=floor"), view_of(x), view_of(q));
      CHECK(found.first_nonfinite == position);
      CHECK(found.clipped == 0);
      CHECK(q.scales[0] == 0xFF);
      CHECK(std::all_of(q.codes.begin(), q.codes.end(), [](uint8_t c) { return c == 0; }));
      matrix<float> back(1, kBlockSize);
      matrix<bf16> back_bf16(1, kBlockSize);
      reference::dequantize(default_policy(), view_of(q), view_of(back));
      reference::dequantize(default_policy(), view_of(q), view_of(back_bf16));
      for (const float v : back.data) CHECK(bits_of(v) == 0x7FC00000u);
      for (const bf16 v : back_bf16.data) CHECK(v.bits == 0x7FC0u);
    }
}

TEST_CASE("reject names the first non-finite element in stored order", "[spec:5.15]") {
  test::generator random(7);
  matrix<float> x = test::random_f32(random, 6, 96);
  x.at(4, 1) = test::kInf;
  x.at(2, 90) = float_of(0x7F800001u);
  x.at(2, 91) = test::kInf;
  mx_matrix q(6, 96);
  const policy p = policy_with("nonfinite=reject");
  const adahop_quantize_result found = reference::quantize(p, view_of(x), view_of(q));
  CHECK(found.first_nonfinite == 2 * 96 + 90);
  const status s = reference::check_nonfinite(p, found, 96, "x");
  CHECK(s.code() == ADAHOP_NONFINITE);
  CHECK(s.message().find("(2, 90)") != std::string::npos);
  CHECK(reference::check_nonfinite(default_policy(), found, 96, "x").ok());
  // Stored order is that of the quantized view: along the other axis another element comes first.
  matrix<float> y(32, 64);
  y.at(3, 40) = test::kInf;
  y.at(5, 2) = test::kInf;
  mx_matrix qt(64, 32);
  CHECK(reference::quantize(p, transposed(view_of(y)), view_of(qt)).first_nonfinite == 2 * 32 + 5);
}

TEST_CASE("blocks with a full code quantize back to themselves", "[spec:5.16]") {
  test::generator random(8);
  for (const std::string_view rule : {"scale_rule=floor", "scale_rule=even", "scale_rule=rceil"})
    for (uint32_t byte = 0; byte <= 252; ++byte)
      for (const uint32_t full : {6u, 7u, 14u, 15u}) {
        codes wanted;
        for (int i = 0; i < kBlockSize; ++i) wanted.push_back(random.bits() & 15u);
        wanted[random.bits() % kBlockSize] = full;
        std::vector<float> values;
        for (const uint32_t c : wanted) values.push_back(decode_element(e2m1_of(c), e8m0_of(byte)));
        const quantized q = quantize_one(values, rule);
        INFO(rule << " byte " << byte);
        REQUIRE(q.scale == byte);
        REQUIRE(q.codes == wanted);
      }
}

TEST_CASE("BF16 and FP32 of the same values give the same bytes", "[spec:5.11]") {
  test::generator random(9);
  matrix<bf16> narrow(8, 64);
  matrix<float> wide(8, 64);
  for (size_t i = 0; i < narrow.data.size(); ++i) {
    narrow.data[i] = random.bf16_with_exponent(0, 254);
    wide.data[i] = decode_bf16(narrow.data[i]);
  }
  mx_matrix a(8, 64), b(8, 64);
  reference::quantize(default_policy(), view_of(narrow), view_of(a));
  reference::quantize(default_policy(), view_of(wide), view_of(b));
  CHECK(a.codes == b.codes);
  CHECK(a.scales == b.scales);
}

TEST_CASE("one rounding only: FP32 is not narrowed first", "[spec:5.11]") {
  // 1.25 + 2^-20 would be the tie 1.25 in BF16 and go down to 1.
  CHECK(quantize_one({4.0f, 1.25f + 0x1p-20f}, "scale_rule=floor").codes[1] == 3);
}

TEST_CASE("dequantizing gives code times scale", "[spec:5.10][spec:2.5][spec:2.6][spec:3.1][spec:3.2]") {
  // All 256 bytes with all 16 codes, in a padded layout.
  constexpr int64_t kCodesStride = 37, kScalesStride = 5;
  std::vector<uint8_t> packed(256 * kCodesStride, 0xEE), scales(256 * kScalesStride, 0xEE);
  for (int64_t r = 0; r < 256; ++r) {
    for (int64_t i = 0; i < 32; ++i)
      packed[static_cast<size_t>(r * kCodesStride + i)] = static_cast<uint8_t>((2 * i) % 16 | ((2 * i + 1) % 16) << 4);
    scales[static_cast<size_t>(r * kScalesStride)] = static_cast<uint8_t>(r);
    scales[static_cast<size_t>(r * kScalesStride + 1)] = static_cast<uint8_t>(255 - r);
  }
  const adahop_mx x{packed.data(), scales.data(), 256, 64, kCodesStride, kScalesStride};
  matrix<float> f(256, 64);
  matrix<bf16> b(256, 64);
  reference::dequantize(default_policy(), x, view_of(f));
  reference::dequantize(default_policy(), x, view_of(b));
  for (int64_t r = 0; r < 256; ++r)
    for (int64_t c = 0; c < 64; ++c) {
      const uint32_t byte = static_cast<uint32_t>(c < 32 ? r : 255 - r);
      const uint32_t expected = decode_element_bits(e2m1_of(static_cast<uint32_t>(c)), e8m0_of(byte));
      REQUIRE(bits_of(f.at(r, c)) == expected);
      REQUIRE((expected & 0xFFFFu) == 0);  // so BF16 is exact
      REQUIRE(b.at(r, c).bits == expected >> 16);
    }
}

TEST_CASE("quantizing along axis 0 is quantizing the transposed view", "[spec:3.3][spec:3.1]") {
  test::generator random(10);
  matrix<float> x = test::random_f32(random, 64, 5), xt(5, 64);
  for (int64_t r = 0; r < 64; ++r)
    for (int64_t c = 0; c < 5; ++c) xt.at(c, r) = x.at(r, c);
  mx_matrix a(5, 64), b(5, 64);
  const adahop_quantize_result ra = reference::quantize(policy_with("scale_rule=floor"), transposed(view_of(x)), view_of(a));
  const adahop_quantize_result rb = reference::quantize(policy_with("scale_rule=floor"), view_of(xt), view_of(b));
  CHECK(a.codes == b.codes);
  CHECK(a.scales == b.scales);
  CHECK(ra.clipped == rb.clipped);
  CHECK(ra.clipped > 0);
}
