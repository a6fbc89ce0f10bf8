// Stochastic conversions of the simulator: over all words that differ, the number that goes up is the fraction, exactly.
#include "sim/numerics/convert.h"
#include "sim_numerics_support.h"

using namespace adahop;
using namespace adahop::test;
using namespace adahop::hip::sim;

namespace {

const uint32_t kOne = bits_of(1);

// A value between two codes; `ups` of the words take it to the upper one.
struct between {
  double value;
  uint32_t lower;
  uint32_t ups;
};

}  // namespace

TEST_CASE("FP32: all 2^22 words give the exact probability", "[sim-numerics]") {
  // Steps of 0.5 below 2, 1 below 4, 2 below 6; of 2^22 words a fraction (value - lower) / step goes up.
  const between cases[] = {{1.25, 2, 1 << 21},      {1 + 0x1p-23, 2, 1},           {1.5 - 0x1p-23, 2, (1 << 22) - 1},
                           {2.75, 4, 3 << 20},      {4.125, 6, 1 << 18},           {1.75, 3, 1 << 21},
                           {3.5, 5, 1 << 21},       {0.75, 1, 1 << 21},            {0.125, 0, 1 << 20},
                           {0x1p-23, 0, 1},         {0.5 + 0x1p-23, 1, 1}};
  for (const between& c : cases) {
    uint32_t ups = 0, wrong = 0;
    for (uint32_t word = 0; word < 1u << 22; ++word) {
      const uint32_t bits = bits_of(static_cast<float>(c.value));
      const uint32_t code = cvt_scalef32_sr_pk_fp4_f32(0, bits, 0, word << 10 | (word & 0x3FF), kOne, 0) & 15;
      ups += code == c.lower + 1;
      wrong += code != c.lower && code != c.lower + 1;
    }
    INFO("value " << c.value);
    CHECK(ups == c.ups);
    CHECK(wrong == 0);
  }
}

TEST_CASE("values that E2M1 has never move; above 6 all are 6; tiny ones vanish", "[sim-numerics]") {
  for (uint32_t i = 0; i < 4096; ++i) {
    const uint32_t word = i * 0x000FFFFF + i;
    for (uint32_t code = 0; code < 16; ++code) {
      const uint32_t bits = bits_of(static_cast<float>(kFp4Value[code] * 0x1p-100));
      REQUIRE(cvt_scalef32_sr_pk_fp4_f32(0, bits, bits, word, bits_of(0x1p-100f), 0) == (code | code << 4));
    }
    for (const float large : {6.0f, 6.5f, 7.99f, 8.0f, 1e30f, float_of(0x7F800000)})
      REQUIRE(cvt_scalef32_sr_pk_fp4_f32(0, bits_of(large), bits_of(-large), word, kOne, 0) == 0xF7);
    REQUIRE(cvt_scalef32_sr_pk_fp4_f32(0, bits_of(0x1p-24f), bits_of(-0x1p-60f), word, kOne, 0) == 0x80);
  }
}

TEST_CASE("a carry goes to the next power of two", "[sim-numerics]") {
  // 1.75 + 0.25 of noise is 2: field 2, fraction 0. The word's top bit alone adds half a step of the kept bit.
  CHECK(cvt_scalef32_sr_pk_fp4_f32(0, bits_of(1.75f), 0, 0x80000000, kOne, 0) == 4);
  CHECK(cvt_scalef32_sr_pk_fp4_f32(0, bits_of(3.5f), 0, 0x80000000, kOne, 0) == 6);
  CHECK(cvt_scalef32_sr_pk_fp4_f32(0, bits_of(0.75f), 0, 0x80000000, kOne, 0) == 2);
  CHECK(cvt_scalef32_sr_pk_fp4_f32(0, bits_of(1.75f), 0, 0x7FFFFFFF, kOne, 0) == 3);
}

TEST_CASE("the second element uses the generator's next word", "[sim-numerics]") {
  // 0x80000000 takes 1.25 up to 1.5; its successor 197 does not.
  const uint32_t v = bits_of(1.25f);
  CHECK(cvt_scalef32_sr_pk_fp4_f32(0x11111111, v, v, 0x80000000, kOne, 3) == 0x23111111);
  // 0x40000000 does not, its successor 0x80000000 does.
  CHECK(cvt_scalef32_sr_pk_fp4_f32(0x11111111, v, v, 0x40000000, kOne, 2) == 0x11321111);
  CHECK(cvt_scalef32_sr_pk_fp4_bf16(0x11111111, 0x3FA03FA0, 0x40000000, kOne, 1) == 0x11113211);
  CHECK(cvt_scalef32_sr_pk_fp4_f16(0x11111111, 0x3D003D00, 0x40000000, kOne, 0) == 0x11111132);
}

TEST_CASE("BF16 sees 6 bits of the word, FP16 9", "[sim-numerics]") {
  for (const between& c : {between{1.25, 2, 32}, between{1 + 0x1p-7, 2, 1}, between{3.875, 5, 56}, between{0.625, 1, 16},
                           between{0.0625, 0, 8}}) {
    uint32_t ups = 0;
    for (uint32_t word = 0; word < 64; ++word)
      ups += (cvt_scalef32_sr_pk_fp4_bf16(0, bits_of(static_cast<float>(c.value)) >> 16, word << 26 | 0x3FFFFFF, kOne, 0) & 15) ==
             c.lower + 1;
    INFO("value " << c.value);
    CHECK(ups == c.ups);
  }
  uint32_t ups = 0;
  for (uint32_t word = 0; word < 512; ++word)  // 1 + 2^-10 * 5: 5 of 512
    ups += (cvt_scalef32_sr_pk_fp4_f16(0, 0x3C05, word << 23 | 0x7FFFFF, kOne, 0) & 15) == 3;
  CHECK(ups == 5);
}

TEST_CASE("the two models of 16-bit sources differ below 1 alone", "[sim-numerics]") {
  conversion_options widened;
  widened.sr = sr_model::widened;
  // 2^-9 as BF16: 7 fraction bits hold nothing of it at 0.5's place, so it always vanishes; as FP32, with the word's
  // top bits all set, 0.5 - 2^-23 + 2^-9 goes up.
  const uint32_t tiny = bits_of(0x1p-9f) >> 16;
  CHECK(cvt_scalef32_sr_pk_fp4_bf16(0, tiny, 0xFFFFFFFF, kOne, 0) == 0);
  CHECK(cvt_scalef32_sr_pk_fp4_bf16(0, tiny, 0xFFFFFFFF, kOne, 0, widened) == 1);
  for (uint32_t word = 0; word < 4096; ++word)
    for (const uint32_t v : {0x3F81u, 0x3FA7u, 0x4035u, 0x40A3u, 0x40BFu})
      REQUIRE(cvt_scalef32_sr_pk_fp4_bf16(0, v, word << 20, kOne, 0) ==
              cvt_scalef32_sr_pk_fp4_bf16(0, v, word << 20, kOne, 0, widened));
  CHECK(cvt_scalef32_sr_pk_fp4_f16(0, 0x1000, 0xFFFFFFFF, kOne, 0) == 0);  // 2^-11 has no place among 10 bits,
  CHECK(cvt_scalef32_sr_pk_fp4_f16(0, 0x1400, 0xFFFFFFFF, kOne, 0) == 1);  // 2^-10 has
  CHECK(cvt_scalef32_sr_pk_fp4_f16(0, 0x1000, 0xFFFFFFFF, kOne, 0, widened) == 1);
}

TEST_CASE("BF16 with the word's upper half: probability, carry, overflow, halves", "[sim-numerics]") {
  uint32_t ups = 0;
  for (uint32_t word = 0; word < 65536; ++word) ups += (cvt_sr_bf16_f32(0, 0x3F801234, word << 16, false) & 0xFFFF) == 0x3F81;
  CHECK(ups == 0x1234);
  CHECK(cvt_sr_bf16_f32(0xAAAABBBB, 0x3F801234, 0xFFFF0000, true) == 0x3F81BBBB);
  CHECK(cvt_sr_bf16_f32(0xAAAABBBB, 0x3F801234, 0x0000FFFF, false) == 0xAAAA3F80);
  CHECK(cvt_sr_bf16_f32(0, 0xBFFFFFFF, 0xFFFF0000, false) == 0xC000);
  CHECK(cvt_sr_bf16_f32(0, 0x7F7FFFFF, 0xFFFF0000, false) == 0x7F80);
  CHECK(cvt_sr_bf16_f32(0, 0x7F7F0000, 0xFFFF0000, false) == 0x7F7F);
  CHECK(cvt_sr_bf16_f32(0, 0xFF800000, 0xFFFF0000, false) == 0xFF80);
  CHECK(cvt_sr_bf16_f32(0, 0x7F800001, 0xFFFF0000, false) == 0x7F81);
  CHECK(cvt_sr_bf16_f32(0, 0x00000001, 0xFFFF0000, false) == 0x0001);
  conversion_options canonical;
  canonical.bf16 = bf16_nan::canonical;
  CHECK(cvt_sr_bf16_f32(0, 0xFF800001, 0, false, canonical) == 0x7FC0);
}
