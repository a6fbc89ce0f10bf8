// Known faults in scale computation: F1 to F4.
#include <algorithm>
#include <bit>
#include <cmath>

#include "catch.h"
#include "known_faults_support.h"

using namespace adahop_test;

namespace {

independent::fp32_matrix block_of_bits(std::initializer_list<uint32_t> bits) {
  independent::fp32_matrix block(1, 32);
  std::copy(bits.begin(), bits.end(), block.bits.begin());
  return block;
}

/// The byte that quantizing a block with this amax and zeros gives.
uint32_t byte_of_amax(const adahop_backend& backend, adahop_scale_rule rule, uint32_t amax) {
  adahop_policy policy = adahop::default_policy();
  policy.scale_rule = rule;
  const adahop::matrix<float> block = to_floats(block_of_bits({0, amax}));
  const quantize_call call = quantize(backend, policy, adahop::view_of(block));
  REQUIRE(call.status == ADAHOP_OK);
  return call.mx.scales[0];
}

}  // namespace

TEST_CASE("F1: the scale exponent is not a truncated log2 of amax / 6",
          "[known_fault][spec:5.2][spec:5.3][spec:5.4][spec:5.5]") {
  for_each_backend([](const adahop_backend& backend) {
    independent::fp32_matrix block = block_of({5.5f});
    for (size_t i = 1; i < 32; ++i) block.bits[i] = std::bit_cast<uint32_t>(0.25f);
    check_block(backend, ADAHOP_SCALE_FLOOR, block, {127, {7}});  // 0.25 is a tie between 0 and 0.5
    check_block(backend, ADAHOP_SCALE_RCEIL, block, {127, {7}});
    check_block(backend, ADAHOP_SCALE_EVEN, block, {127, {7}});
    check_block(backend, ADAHOP_SCALE_CEIL, block, {128, {5}});
    check_quantized(backend, at_every_exponent(block));
  });
}

TEST_CASE("F2: rule even steps at mantissa 1.75", "[known_fault][spec:5.4]") {
  struct amax_case { uint32_t amax; adahop_scale_rule rule; uint32_t byte; };
  constexpr amax_case kCases[] = {
      {0x40DFFFFFu, ADAHOP_SCALE_FLOOR, 127}, {0x40DFFFFFu, ADAHOP_SCALE_EVEN, 127},
      {0x40DFFFFFu, ADAHOP_SCALE_CEIL, 128},  {0x40DFFFFFu, ADAHOP_SCALE_RCEIL, 128},
      {0x40E00000u, ADAHOP_SCALE_FLOOR, 127}, {0x40E00000u, ADAHOP_SCALE_EVEN, 128},
      {0x40E00000u, ADAHOP_SCALE_CEIL, 128},  {0x40E00000u, ADAHOP_SCALE_RCEIL, 128},
      {0x3FDFFFFFu, ADAHOP_SCALE_EVEN, 125},  {0x3FE00000u, ADAHOP_SCALE_EVEN, 126},
  };
  for_each_backend([&](const adahop_backend& backend) {
    for (const amax_case& c : kCases) {
      CAPTURE(c.amax, c.rule);
      CHECK(byte_of_amax(backend, c.rule, c.amax) == c.byte);
      CHECK(byte_of_amax(backend, c.rule, c.amax | 0x80000000u) == c.byte);
    }
    for (const uint32_t amax : {0x3FDFFFFFu, 0x3FE00000u, 0x3FE00001u, 0x3FC00000u, 0x3FC00001u, 0x3F800001u})
      check_quantized(backend, at_every_exponent(block_of_bits({amax, 0x3F000000u, 0xBF400000u})));
  });
}

TEST_CASE("F3: every backend follows the rule asked for, and clipping is reported",
          "[known_fault][spec:5.9][spec:5.12]") {
  for_each_backend([](const adahop_backend& backend) {
    const independent::fp32_matrix block = block_of({7.5f, -7.5f, 1.0f, 0.3f});
    check_block(backend, ADAHOP_SCALE_FLOOR, block, {127, {7, 0xF, 2, 1}, 2});
    check_block(backend, ADAHOP_SCALE_CEIL, block, {128, {6, 0xE, 1, 0}});
    check_block(backend, ADAHOP_SCALE_RCEIL, block, {128, {6, 0xE, 1, 0}});
    check_block(backend, ADAHOP_SCALE_EVEN, block, {128, {6, 0xE, 1, 0}});
    check_quantized(backend, at_every_exponent(block));
    check_quantized(backend, at_every_exponent(block_of_bits({0x40C00000u, 0x40C00001u, 0x40BFFFFFu, 0xC0C00001u})));
  });
}

TEST_CASE("F3: rceil and ceil never clip", "[known_fault][spec:5.5][spec:5.9]") {
  source random(31);
  const independent::fp32_matrix x = make(random, 400, 32, content::mixed_blocks, false);
  for_each_backend([&](const adahop_backend& backend) {
    for (const adahop_scale_rule rule : {ADAHOP_SCALE_RCEIL, ADAHOP_SCALE_CEIL}) {
      adahop_policy policy = adahop::default_policy();
      policy.scale_rule = rule;
      const adahop::matrix<float> floats = to_floats(x);
      const quantize_call call = quantize(backend, policy, adahop::view_of(floats));
      REQUIRE(call.status == ADAHOP_OK);
      CHECK(call.result.clipped == 0);
    }
  });
}

TEST_CASE("F4: blocks of tiny values divide by the clamped scale and give no NaN",
          "[known_fault][spec:5.6][spec:5.8][spec:1.3]") {
  struct tiny_case { float v; uint8_t code; };
  const tiny_case cases[] = {{std::ldexp(1.0f, -140), 0},
                             {std::ldexp(1.0f, -127), 2},
                             {std::ldexp(1.5f, -127), 3},
                             {std::ldexp(1.0f, -126), 4},
                             {std::ldexp(1.0f, -125), 6}};
  for_each_backend([&](const adahop_backend& backend) {
    for (const adahop_scale_rule rule : {ADAHOP_SCALE_FLOOR, ADAHOP_SCALE_RCEIL}) {
      for (const tiny_case& c : cases) {
        CAPTURE(c.v);
        check_block(backend, rule, block_of({c.v}), {0, {c.code}});
        check_block(backend, rule, block_of({-c.v}), {0, {static_cast<uint8_t>(c.code | 8)}});
      }
      check_block(backend, rule, block_of({std::ldexp(1.0f, -126), std::ldexp(1.0f, -128), -std::ldexp(1.0f, -129)}),
                  {0, {4, 1, 8}});
    }
    // Every power of two and every subnormal with few bits, under all rules and both smallest bytes.
    check_quantized(backend, at_every_exponent(block_of({1.0f, 0.5f, -0.25f, 1.5f})));
    independent::fp32_matrix subnormals(256, 32);
    source random(32);
    for (uint32_t& bits : subnormals.bits) bits = random.bits() & 0x807FFFFFu >> (random.bits() % 23);
    check_quantized(backend, subnormals);
  });
}
