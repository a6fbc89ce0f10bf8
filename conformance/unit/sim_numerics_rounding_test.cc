// Rounding and exact sums of the simulator against the host's conversions and integers of 128 bits.
#include "sim/numerics/mfma_models.h"
#include "sim/numerics/round.h"
#include "sim_numerics_support.h"

using namespace adahop;
using namespace adahop::test;
using namespace adahop::hip::sim;

TEST_CASE("round_to gives what the host's conversion of a double gives", "[sim-numerics]") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300000; ++i) {
    const int narrower = 11 + static_cast<int>(random() % 40);
    const uint64_t significand = random() >> narrower;
    const int exponent = static_cast<int>(random() % 330) - 200;
    const double value = std::ldexp(static_cast<double>(significand), exponent);  // exact: at most 53 bits
    const bool negative = random() % 2 != 0;
    const auto expected = bits_of(static_cast<float>(negative ? -value : value));
    INFO(significand << " * 2^" << exponent);
    REQUIRE(round_to(kF32, negative, significand, exponent) == expected);
    REQUIRE(round_to(kF32, negative, wide_uint{significand}, exponent) == expected);
    REQUIRE(round_to(kF32, negative, wide_uint{significand} << 70, exponent - 70) == expected);
  }
}

TEST_CASE("round_to: ties, stickies and the ends of the range", "[sim-numerics]") {
  const auto f32 = [](uint64_t m, int e, bool sticky = false) { return round_to(kF32, false, m, e, sticky); };
  CHECK(f32(0, 100) == 0);
  CHECK(round_to(kF32, true, uint64_t{0}, 100) == 0x80000000);
  CHECK(f32(1, -149) == 1);
  CHECK(f32(1, -150) == 0);          // half of the least subnormal: to even
  CHECK(f32(3, -151) == 1);
  CHECK(f32(1, -10000) == 0);
  CHECK(f32(3, -150) == 2);          // 1.5 least: to even
  CHECK(f32(0xFFFFFF, -149 - 1) == 0x800000);  // rounds up into the normal numbers
  CHECK(f32(0xFFFFFF, 104) == 0x7F7FFFFF);
  CHECK(f32(0x1FFFFFE, 103) == 0x7F7FFFFF);
  CHECK(f32(0x1FFFFFF, 103) == 0x7F800000);    // the tie above the largest
  CHECK(f32(1, 128) == 0x7F800000);
  CHECK(f32(uint64_t{1} << 63, -63) == 0x3F800000);
  CHECK(f32(0x2000002, 0, false) == 0x4C000000);         // 2^25 + 2: a tie, even below
  CHECK(f32(0x4000004, -1, true) == 0x4C000001);         // the same tie, and a little more
  CHECK(round_to(kF64, false, (wide_uint{1} << 127) + 1, -127) == 0x3FF0000000000000);
  CHECK(round_to(kF32, false, wide_uint{1} << 127, -150 - 127) == 0);             // drop == 128 bits, a tie
  CHECK(round_to(kF32, false, (wide_uint{1} << 127) + 1, -150 - 127) == 1);
  CHECK(round_to(kF16, false, uint64_t{65519}, 0) == 0x7BFF);
  CHECK(round_to(kF16, false, uint64_t{65520}, 0) == 0x7C00);
  CHECK(round_to(kBf16, false, uint64_t{0x101}, 0) == 0x4380);  // 257: a tie of BF16
}

TEST_CASE("unpack tells the classes and keeps subnormals", "[sim-numerics]") {
  CHECK(unpack(kF32, 0x7FC00001).kind == float_class::nan);
  CHECK(unpack(kF32, 0xFF800000).kind == float_class::infinite);
  CHECK(unpack(kF32, 0x80000000).kind == float_class::zero);
  CHECK(unpack(kF32, 0x80000000).negative);
  const unpacked least = unpack(kF32, 1);
  CHECK((least.significand == 1 && least.exponent == -149 && least.field == 0));
  const unpacked one = unpack(kF64, 0x3FF0000000000000);
  CHECK((one.significand == uint64_t{1} << 52 && one.exponent == -52 && one.field == 1023));
}

TEST_CASE("exact_sum equals a sum of 128-bit integers, rounded once", "[sim-numerics]") {
  __extension__ using wide_int = __int128;
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const int base = static_cast<int>(random() % 300) - 230;
    exact_sum sum;
    wide_int expected = 0;
    for (int n = 0; n < 6; ++n) {
      const int narrower = 2 + static_cast<int>(random() % 60);
      const auto term = static_cast<int64_t>(random()) >> narrower;
      const int shift = static_cast<int>(random() % 60);
      sum.add(term, base + shift);
      expected += wide_int{term} << shift;
      if (n == 4 && random() % 4 == 0) {  // cancel all but what follows
        for (int part = 0; part < 3; ++part) sum.add(-static_cast<int64_t>(expected >> (40 * part) & ((wide_int{1} << 40) - 1)),
                                                     base + 40 * part);
        const auto rest = static_cast<int64_t>(expected >> 120);
        sum.add(-rest, base + 120);
        expected = 0;
      }
    }
    const bool negative = expected < 0;
    const auto magnitude = static_cast<wide_uint>(negative ? -expected : expected);
    REQUIRE(sum.round_f32() == round_to(kF32, negative, magnitude, base));
  }
}

TEST_CASE("exact_sum over its whole range", "[sim-numerics]") {
  for (const int top : {-100, 0, 100, 200}) {
    exact_sum sum;
    sum.add(1, top);
    sum.add(3, -149);
    sum.add(-1, top);
    CHECK(sum.round_f32() == 3);
    sum.add(-3, -149);
    CHECK(sum.round_f32() == 0);
    sum.add(-1, -149);
    CHECK(sum.round_f32() == 0x80000001);
  }
  exact_sum tie;  // 2^24 + 1 and a little, from far below
  tie.add((1 << 24) + 1, 0);
  CHECK(tie.round_f32() == bits_of(0x1p24f));
  tie.add(1, -300);
  CHECK(tie.round_f32() == bits_of(0x1p24f + 2));
  tie.add(-2, -300);
  CHECK(tie.round_f32() == bits_of(0x1p24f));
}

TEST_CASE("model names: what they choose, and others are refused by name", "[sim-numerics]") {
  const auto chosen = [](const char* name, mfma_combine combine, uint32_t group) {
    mfma_options options;
    return set_mfma_model(options, name).ok() && options.combine == combine && options.group == group;
  };
  CHECK(chosen("mfma_fused", mfma_combine::fused, 0));
  CHECK(chosen("mfma_seq", mfma_combine::seq, 0));
  CHECK(chosen("cdna3_trfdpa(64)", mfma_combine::trfdpa, 64));
  CHECK(chosen("cdna3_gtrfdpa(16)", mfma_combine::gtrfdpa, 16));
  CHECK(chosen("block_first_fdpa(2)", mfma_combine::block_first, 2));
  for (const char* wrong : {"", "fused", "mfma_fused(4)", "mfma_seq(1)", "cdna3_trfdpa", "cdna3_trfdpa()", "cdna3_trfdpa(8)",
                            "cdna3_trfdpa(16", "cdna3_trfdpa(6)", "cdna3_gtrfdpa(1)", "block_first_fdpa(3)",
                            "block_first_fdpa( 1)"}) {
    mfma_options options;
    const status s = set_mfma_model(options, wrong);
    INFO(wrong);
    CHECK_FALSE(s.ok());
    CHECK_THAT(s.message(), Catch::Contains("expected mfma_fused"));
  }
  mfma_options options;
  CHECK((set_bf16_model(options, "cdna3_trfdpa(8)").ok() && options.bf16 == bf16_combine::trfdpa_8));
  CHECK((set_bf16_model(options, "exact_sum").ok() && options.bf16 == bf16_combine::exact_sum));
  CHECK((set_bf16_model(options, "fma_chain").ok() && options.bf16 == bf16_combine::fma_chain));
  CHECK_FALSE(set_bf16_model(options, "cdna3_trfdpa(16)").ok());
}
