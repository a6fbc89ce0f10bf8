// Stochastic rounding of whole matrices: which word each element gets, seeds and offsets, threads, views and splits,
// and the two operands of a product.
#include "adahop/formats/philox.h"
#include "adahop/plan.h"
#include "reference/quantize.h"
#include "reference/scale.h"
#include "reference/stochastic.h"
#include "reference_policies_support.h"

using namespace adahop;
using test::policy_with;
using test::quantized;

namespace {

policy stochastic(int bits, uint64_t seed, uint64_t offset, std::string_view more = "scale_rule=even") {
  return policy_with(fmt::format("element_rounding=stochastic({},{},{}),{}", bits, seed, offset, more));
}

// The codes of a quantization by the definition: scale from the block, word from the element's place.
std::vector<uint8_t> codes_by_definition(const policy& p, const matrix<float>& x, const mx_matrix& q) {
  std::vector<uint8_t> codes(q.codes.size());
  for (int64_t r = 0; r < x.rows; ++r)
    for (int64_t c = 0; c < x.cols; ++c) {
      const e8m0 scale = e8m0_of(q.scales[static_cast<size_t>(r * q.inner / 32 + c / 32)]);
      const uint64_t index = static_cast<uint64_t>(r * x.cols + c);
      e2m1 code{};
      if (p.element_rounding == ADAHOP_ROUND_STOCHASTIC) {
        const uint64_t at = p.sr_offset + index;
        const philox_words w =
            philox4x32_10(p.sr_seed, {{static_cast<uint32_t>(at), static_cast<uint32_t>(at >> 32), 0, 0}});
        code = reference::encode_e2m1_stochastic(x.at(r, c), scale, w.word[0] >> (32 - p.sr_bits), p.sr_bits);
      } else {
        const uint64_t pair = static_cast<uint64_t>(r * ((x.cols + 1) / 2) + c / 2);
        uint32_t word =
            philox4x32_10(p.sr_seed, {{static_cast<uint32_t>(pair), static_cast<uint32_t>(pair >> 32), 0, 2}}).word[0];
        if (c % 2 == 1) word = (word << 1) ^ (word >> 31 != 0 ? 197 : 0);
        code = reference::encode_e2m1_gfx950_sr(x.at(r, c), scale, word);
      }
      codes[static_cast<size_t>((r * q.inner + c) / 2)] |= static_cast<uint8_t>(code_of(code) << (c % 2 == 0 ? 0 : 4));
    }
  return codes;
}

constexpr std::string_view kModes[] = {"element_rounding=stochastic(8,1,0)", "element_rounding=stochastic(32,77,12345)",
                                       "element_rounding=stochastic(1,3,0)", "element_rounding=gfx950_sr(5)"};

}  // namespace

TEST_CASE("each element is rounded by the word of its position", "[spec:5.18][spec:5.20][spec:3.8]") {
  test::generator random(310);
  const matrix<float> x = test::random_f32(random, 37, 96);
  for (const std::string_view line : kModes)
    for (const std::string_view rule : {"floor", "even", "rceil"}) {
      const policy p = policy_with(fmt::format("{},scale_rule={}", line, rule));
      const quantized q = test::quantize(p, view_of(x));
      CAPTURE(line, rule);
      CHECK(q.data.codes == codes_by_definition(p, x, q.data));
      // Scales and clipped counts are those of nearest rounding.
      const quantized nearest = test::quantize(policy_with(fmt::format("scale_rule={}", rule)), view_of(x));
      CHECK(q.data.scales == nearest.data.scales);
      CHECK(q.found.clipped == nearest.found.clipped);
      CHECK(q.data.codes != nearest.data.codes);
    }
  // An unpadded row of 33 has odd positions in every second row, and 17 pairs.
  matrix<float> odd = test::random_f32(random, 9, 33);
  for (const std::string_view line : kModes) {
    const policy p = policy_with(fmt::format("{},pad=zero", line));
    const quantized q = test::quantize(p, view_of(odd));
    CHECK(q.data.codes == codes_by_definition(p, odd, q.data));
  }
}

TEST_CASE("F17: 1024 values of 1.25 under byte 127 become 1 or 1.5, by seed and offset",
          "[spec:5.17][spec:5.18][spec:1.2]") {
  matrix<float> x(34, 32);  // the first element of each block sets byte 127
  for (float& v : x.data) v = 1.25f;
  for (int64_t r = 0; r < x.rows; ++r) x.at(r, 0) = 4.0f;
  const auto ups = [&](const policy& p) {
    const quantized q = test::quantize(p, view_of(x));
    int up = 0;
    for (int64_t i = 0; i < 34 * 32; ++i) {
      const uint32_t code =
          code_of(unpack_e2m1(q.data.codes[static_cast<size_t>(i / 2)], static_cast<uint32_t>(i % 2)));
      if (i % 32 == 0) {
        REQUIRE(code == 6);
        REQUIRE(q.data.scales[static_cast<size_t>(i / 32)] == 127);
        continue;
      }
      REQUIRE((code == 2 || code == 3));
      up += code == 3 ? 1 : 0;
    }
    return up;
  };
  for (const std::string_view line : kModes) {
    const int up = ups(policy_with(line));  // of 1054, half expected, standard deviation 16
    CAPTURE(line, up);
    CHECK(up > 527 - 80);
    CHECK(up < 527 + 80);
  }
  const auto codes = [&](const policy& p) { return test::quantize(p, view_of(x)).data.codes; };
  CHECK(codes(stochastic(8, 1, 7)) == codes(stochastic(8, 1, 7)));
  CHECK(codes(stochastic(8, 1, 7)) != codes(stochastic(8, 2, 7)));
  CHECK(codes(stochastic(8, 1, 7)) != codes(stochastic(8, 1, 8)));
  CHECK(codes(stochastic(8, 1, 7)) != codes(stochastic(8, uint64_t{1} + (uint64_t{1} << 32), 7)));
  CHECK(codes(stochastic(8, 1, 7)) != codes(stochastic(8, 1, 7 + (uint64_t{1} << 32))));
  CHECK(codes(policy_with("element_rounding=gfx950_sr(1)")) != codes(policy_with("element_rounding=gfx950_sr(2)")));
  CHECK(codes(policy_with("element_rounding=gfx950_sr(1)")) == codes(policy_with("element_rounding=gfx950_sr(1)")));
}

TEST_CASE("F17: exact values do not move under any seed", "[spec:5.19]") {
  matrix<float> x(1, 32);
  const float values[] = {3.0f, 0.5f, -6.0f, 0.0f, -0.0f, 1.5f, -4.0f, 2.0f};
  for (size_t i = 0; i < 32; ++i) x.data[i] = values[i % 8];
  const quantized nearest = test::quantize(policy_with("scale_rule=floor"), view_of(x));
  REQUIRE(nearest.data.scales[0] == 127);
  for (uint64_t seed = 0; seed < 500; ++seed) {
    REQUIRE(test::quantize(stochastic(8, seed, 0, "scale_rule=floor"), view_of(x)) == nearest);
    REQUIRE(test::quantize(policy_with(fmt::format("element_rounding=gfx950_sr({}),scale_rule=floor", seed)),
                           view_of(x)) == nearest);
  }
}

TEST_CASE("stochastic bytes do not depend on threads, views or the split of a matrix",
          "[spec:1.2][spec:5.18][spec:1.6]") {
  test::generator random(311);
  const matrix<float> x = test::random_f32(random, 150, 192);
  const matrix<bf16> half = test::random_bf16(random, 150, 192);
  for (const std::string_view line : kModes) {
    const policy p = policy_with(line);
    CAPTURE(line);
    REQUIRE(test::reference_backend().set_option("threads", "1") == ADAHOP_OK);
    const quantized one = test::quantize(p, view_of(x)), fused_one = test::hadamard_quantize(p, view_of(half));
    REQUIRE(test::reference_backend().set_option("threads", "2") == ADAHOP_OK);
    CHECK(test::quantize(p, view_of(x)) == one);
    CHECK(test::hadamard_quantize(p, view_of(half)) == fused_one);
    CHECK(test::quantize(p, test::scattered(x).view) == one);
    CHECK(test::hadamard_quantize(p, test::scattered(half).view) == fused_one);
  }
  // Rows from 40 on, as a matrix of their own whose offset counts what stands before them.
  const policy p = stochastic(8, 9, 1000);
  const quantized whole = test::quantize(p, view_of(x));
  adahop_view tail = view_of(x);
  tail.data = static_cast<float*>(tail.data) + 40 * 192;
  tail.rows = 110;
  const quantized part = test::quantize(stochastic(8, 9, 1000 + 40 * 192), tail);
  CHECK(std::equal(part.data.codes.begin(), part.data.codes.end(), whole.data.codes.begin() + 40 * 96));
}

TEST_CASE("offset and index are added modulo 2^64", "[spec:5.18]") {
  test::generator random(312);
  const matrix<float> x = test::random_f32(random, 2, 64);
  const policy p = stochastic(16, 4, ~uint64_t{0} - 63);  // row 0 uses the last 64 positions, row 1 starts at 0
  const quantized q = test::quantize(p, view_of(x));
  CHECK(q.data.codes == codes_by_definition(p, x, q.data));
  adahop_view second = view_of(x);
  second.data = static_cast<float*>(second.data) + 64;
  second.rows = 1;
  const quantized alone = test::quantize(stochastic(16, 4, 0), second);
  CHECK(std::equal(alone.data.codes.begin(), alone.data.codes.end(), q.data.codes.begin() + 32));
}

TEST_CASE("the fused operation is the Hadamard, then quantize, stochastically too", "[spec:6.7][spec:3.8]") {
  test::generator random(313);
  const matrix<bf16> x = test::random_bf16(random, 11, 100);
  for (const std::string_view line : kModes)
    for (const int size : {16, 32, 64, 128})
      for (const std::string_view output : {"bf16", "f32"}) {
        const policy p =
            policy_with(fmt::format("{},pad=zero,hadamard_signs=random(6),hadamard_size={},hadamard_output={}", line,
                                    size, output));
        const matrix<float> transformed = test::hadamard(p, view_of(x));
        CAPTURE(line, size, output);
        CHECK(test::hadamard_quantize(p, view_of(x)) == test::quantize(p, view_of(transformed)));
      }
}

TEST_CASE("a NaN block and a clipped block are stochastic in nothing", "[spec:5.14][spec:5.9][spec:5.17]") {
  matrix<float> x(1, 96);
  for (float& v : x.data) v = 1.3f;
  x.data[5] = float_of(0x7FC00001u);
  x.data[40] = 7.5f;
  for (const std::string_view line : kModes) {
    const quantized q = test::quantize(policy_with(fmt::format("{},scale_rule=floor", line)), view_of(x));
    CHECK(q.data.scales[0] == 0xFF);
    CHECK(std::all_of(q.data.codes.begin(), q.data.codes.begin() + 16, [](uint8_t c) { return c == 0; }));
    CHECK(q.found.first_nonfinite == 5);
    CHECK(q.found.clipped == 1);
    CHECK(code_of(unpack_e2m1(q.data.codes[20], 0)) == 7);
  }
}

TEST_CASE("a product rounds its operands with different words", "[spec:5.22]") {
  test::generator random(314);
  const matrix<bf16> a = test::random_bf16(random, 6, 64), b = test::random_bf16(random, 5, 64);
  const pattern_pair none{ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE};
  const auto product = [&](const policy& left, const policy& right) {
    return test::mx_gemm(left, test::hadamard_quantize(left, view_of(a)).data,
                         test::hadamard_quantize(right, view_of(b)).data);
  };
  const auto check = [&](const policy& p, const policy& right, const policy& wrong) {
    const std::vector<uint32_t> bits = test::bits_of_all(test::matmul(p, none, 1, view_of(a), view_of(b)).data);
    CHECK(bits == test::bits_of_all(product(p, right).data));
    CHECK(bits != test::bits_of_all(product(p, wrong).data));
  };
  check(stochastic(8, 3, 50, "output=f32"), stochastic(8, 3, 50 + 6 * 64), stochastic(8, 3, 50));
  check(policy_with("element_rounding=gfx950_sr(3),output=f32"), policy_with("element_rounding=gfx950_sr(4)"),
        policy_with("element_rounding=gfx950_sr(3)"));
  // Under pad=zero the offset counts what is quantized: 128 a row here, not 64.
  check(stochastic(8, 3, 50, "output=f32,pad=zero,hadamard_size=128"),
        stochastic(8, 3, 50 + 6 * 128, "pad=zero,hadamard_size=128"),
        stochastic(8, 3, 50 + 6 * 64, "pad=zero,hadamard_size=128"));
}
