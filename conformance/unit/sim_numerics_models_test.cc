// The accumulation models of the FP4 matrix instructions where they differ, each bit worked out by hand; and what all of
// them do with NaN, Inf and zeros.
#include "sim_numerics_support.h"

using namespace adahop;
using namespace adahop::test;
using namespace adahop::hip::sim;

namespace {

// D(0, 0) of a 16x16x128 (or 32x32x64) instruction: A(0, k) and B(k, 0) as set, all else 0.
struct one_output {
  fp4_instruction i;
  explicit one_output(float c, unsigned rows = 16) : i{rows} { i.c[i.at(0, 0)] = bits_of(c); }
  one_output& product(unsigned k, double a, double b = 1) {
    i.set_a(0, k, fp4_code(a));
    i.set_b(k, 0, fp4_code(b));
    return *this;
  }
  /// The products of block b are times 2^exponent; each scale takes half of it.
  one_output& block(unsigned b, int exponent) {
    i.set_scale_a(0, b, static_cast<uint32_t>(127 + exponent / 2));
    i.set_scale_b(0, b, static_cast<uint32_t>(127 + exponent - exponent / 2));
    return *this;
  }
  uint32_t under(const std::string& name) {
    i.run(model(name));
    return i.d[i.at(0, 0)];
  }
};

// Every model gives what the first entry that matches its name says; the last entry is for all others.
void expect(one_output output, const std::vector<std::pair<std::string, float>>& results) {
  for (const std::string& name : fp4_models())
    for (const auto& [which, value] : results)
      if (which == name || which == "others") {
        INFO(name << " gives " << float_of(output.under(name)) << " instead of " << value);
        CHECK(output.under(name) == bits_of(value));
        break;
      }
}

}  // namespace

TEST_CASE("half units of C: summed first, or one at a time", "[sim-numerics]") {
  // At 2^24 a unit is 2. Four blocks of 1: together +4; one at a time each is a tie that goes to the even 2^24.
  one_output four(0x1p24f);
  for (unsigned b = 0; b < 4; ++b) four.product(32 * b, 1);
  expect(four, {{"mfma_seq", 0x1p24f},
                {"cdna3_trfdpa(16)", 0x1p24f},
                {"cdna3_trfdpa(32)", 0x1p24f},
                {"cdna3_gtrfdpa(16)", 0x1p24f},
                {"cdna3_gtrfdpa(32)", 0x1p24f},
                {"block_first_fdpa(1)", 0x1p24f},
                {"others", 0x1p24f + 4}});
  // Two halves of one block: groups of 16 products are half a block.
  expect(one_output(0x1p24f).product(0, 1).product(16, 1),
         {{"cdna3_trfdpa(16)", 0x1p24f}, {"cdna3_gtrfdpa(16)", 0x1p24f}, {"others", 0x1p24f + 2}});
  // Blocks 1 and 2 are in different groups of 64 products and of 2 blocks.
  expect(one_output(0x1p24f).product(32, 1).product(64, 1),
         {{"mfma_fused", 0x1p24f + 2}, {"cdna3_trfdpa(128)", 0x1p24f + 2}, {"cdna3_gtrfdpa(128)", 0x1p24f + 2},
          {"block_first_fdpa(4)", 0x1p24f + 2}, {"others", 0x1p24f}});
}

TEST_CASE("C far below the products: floored, dropped or truncated", "[sim-numerics]") {
  // -2^-30 beside 1: exactly 1 - 2^-30, nearest 1. Floored to 24 fraction bits C is -2^-24, and 1 - 2^-24 is a number.
  // GTR-FDPA drops C below 2^-25, block_first truncates it to 0.
  const float below = 1 - 0x1p-24f;
  std::vector<std::pair<std::string, float>> floored;
  for (const char* size : {"16", "32", "64", "128"}) floored.emplace_back("cdna3_trfdpa(" + std::string(size) + ")", below);
  floored.emplace_back("others", 1.0f);
  expect(one_output(-0x1p-30f).product(0, 1), floored);
  // -2^-25 is not yet dropped: e_c = -25 is not below E - 25.
  std::vector<std::pair<std::string, float>> both;
  for (const char* size : {"16", "32", "64", "128"})
    for (const char* name : {"cdna3_trfdpa(", "cdna3_gtrfdpa("}) both.emplace_back(name + std::string(size) + ")", below);
  both.emplace_back("others", 1.0f);  // 1 - 2^-25 is a tie, to the even 1
  expect(one_output(-0x1p-25f).product(0, 1), both);
}

TEST_CASE("a small block beside blocks that cancel", "[sim-numerics]") {
  // +2^30 - 2^30 + 2^5: at exponent 30 the last place kept is 2^6.
  const auto make = [] {
    return one_output(0).product(0, 1).block(0, 30).product(32, -1).block(1, 30).product(64, 1).block(2, 5);
  };
  expect(make(), {{"cdna3_trfdpa(128)", 0.0f}, {"cdna3_gtrfdpa(128)", 0.0f}, {"block_first_fdpa(4)", 0.0f}, {"others", 32.0f}});
  // 2^6 survives.
  expect(make().block(2, 6), {{"others", 64.0f}});
}

TEST_CASE("a small negative product: truncated alone, floored as the odd half's sum", "[sim-numerics]") {
  // 1 - 1.5 * 2^-25, nearest 1 - 2^-24. Within a group products are truncated to 24 fraction bits at exponent 0, which makes
  // this one 0; GTR-FDPA keeps it in the odd products' own sum and floors that to -2^-24. In a later group than the 1 it
  // has 32 fraction bits, enough, but in block_first never more than 24.
  const float below = 1 - 0x1p-24f;
  std::vector<std::pair<std::string, float>> one = {{"block_first_fdpa(1)", 1.0f}, {"block_first_fdpa(2)", 1.0f},
                                                    {"block_first_fdpa(4)", 1.0f}, {"cdna3_trfdpa(128)", 1.0f}};
  const auto with = [&](std::vector<std::string> names) {
    auto results = one;
    for (const std::string& name : names) results.emplace_back(name, 1.0f);
    results.emplace_back("others", below);
    return results;
  };
  expect(one_output(0).product(0, 1).product(33, -1.5).block(1, -25), with({"cdna3_trfdpa(64)"}));
  // At an even k it is truncated in the even products' sum.
  expect(one_output(0).product(0, 1).product(34, -1.5).block(1, -25),
         with({"cdna3_trfdpa(64)", "cdna3_gtrfdpa(64)", "cdna3_gtrfdpa(128)"}));
  // Blocks 1 and 2 share no group of 64.
  expect(one_output(0).product(32, 1).product(64, -1.5).block(2, -25), with({"cdna3_gtrfdpa(128)"}));
}

TEST_CASE("the last places of the CDNA3 sums", "[sim-numerics]") {
  const auto at_64_and_128 = [](float value, float others) {
    std::vector<std::pair<std::string, float>> results;
    for (const char* name : {"cdna3_trfdpa(64)", "cdna3_trfdpa(128)", "cdna3_gtrfdpa(64)", "cdna3_gtrfdpa(128)"})
      results.emplace_back(name, value);
    results.emplace_back("others", others);
    return results;
  };
  const auto with_exact = [](std::vector<std::pair<std::string, float>> results, float exact) {
    results.insert(results.begin(), {"mfma_fused", exact});
    return results;
  };
  const auto make = [](float c, int first, int second) {
    return one_output(c).product(0, 1).block(0, first).product(32, 1).block(1, second);
  };
  // The sum of products has 32 fraction bits: -1 + 2^-25 is a tie, to -1; 2^-32 more decides it.
  expect(make(-1, -25, -32), with_exact(at_64_and_128(-1 + 0x1p-24f, -1), -1 + 0x1p-24f));
  // The normalized result has 31: 1 + 2^-24 is a tie, to 1; 2^-31 more decides it, 2^-32 is floored away.
  expect(make(1, -24, -31), with_exact(at_64_and_128(1 + 0x1p-23f, 1), 1 + 0x1p-23f));
  expect(make(1, -24, -32), with_exact(at_64_and_128(1, 1), 1 + 0x1p-23f));
  // The largest product, 36, beside two of 2^29 that cancel: the last place kept is 2^5, so 32 is left of it.
  expect(one_output(0).product(0, 1).product(1, -1).block(0, 29).product(32, 6, 6), at_64_and_128(32, 36));
  // Exponents are those of the fields: 6 * 6 has 4, 1 * 1 has 0, 0.5 * 0.5 has 0 as well. 1.5 * 2^-20 beside 36 has a last
  // place of 2^-20, beside 0.25 all of 2^-24.
  expect(one_output(0).product(0, 6, 6).product(2, -6, 6).product(32, 1.5).block(1, -20), at_64_and_128(0x1p-20f, 0x1.8p-20f));
  const auto quarters = [] { return one_output(0).product(0, .5, .5).product(2, -.5, .5).product(32, 1.5); };
  expect(quarters().block(1, -24), at_64_and_128(0x1p-24f, 0x1.8p-24f));
  expect(quarters().block(1, -23), {{"others", 0x1.8p-23f}});
}

TEST_CASE("MMA-Sim's published vector, carried over to blocks", "[sim-numerics]") {
  // -2^23 - 0.5 - 0.25 - 0.125 + 2^23: -0.875 exactly; CDNA3 gives -0.5 for BF16 (TR-FDPA) and -1 for BF8 (GTR-FDPA, the
  // same parities as here).
  const auto make = [] {
    return one_output(0x1p23f).product(0, -1).block(0, 23).product(33, -1).product(34, -0.5).block(1, -1).product(65, -0.5)
        .block(2, -2);
  };
  expect(make(), {{"cdna3_trfdpa(128)", -0.5f}, {"cdna3_gtrfdpa(128)", -1.0f}, {"block_first_fdpa(4)", -0.5f},
                  {"block_first_fdpa(2)", -0.625f},  // -2^23 and -0.75 truncated to -0.5, then -0.125 exactly
                  {"cdna3_trfdpa(64)", -0.625f}, {"cdna3_gtrfdpa(64)", -0.625f}, {"others", -0.875f}});
}

TEST_CASE("products beyond FP32", "[sim-numerics]") {
  const float inf = float_of(0x7F800000), nan = float_of(0x7FC00000);
  const auto pair = [&](double second) {
    return one_output(1).product(0, 1).block(0, 200).product(32, second).block(1, 200);
  };
  // 2^200 - 2^200 + 1: exact 1; aligned at 2^200 nothing of C is left; as FP32 terms Inf - Inf; CDNA3 takes both for Inf.
  expect(pair(-1), {{"mfma_fused", 1.0f}, {"block_first_fdpa(4)", 0.0f}, {"block_first_fdpa(2)", 0.0f},
                    {"block_first_fdpa(1)", inf},  // after the first block, and Inf stays
                    {"others", nan}});
  expect(pair(1), {{"others", inf}});
  // Just below and at 2^128: 4 * 2^125 < 2^128, 4 * 2^126 = 2^128. With -4 * 2^126 beside it the sum is 0.
  const auto edge = [&](int exponent) {
    return one_output(0).product(0, 4).product(1, -4).block(0, exponent);
  };
  expect(edge(125), {{"others", 0.0f}});
  std::vector<std::pair<std::string, float>> infinite;
  for (const std::string& name : fp4_models())
    if (name.starts_with("cdna3")) infinite.emplace_back(name, nan);
  infinite.emplace_back("others", 0.0f);
  expect(edge(126), infinite);
}

TEST_CASE("an overflow within a chain stays, or meets the other Inf", "[sim-numerics]") {
  const float inf = float_of(0x7F800000);
  // C at the largest number and a block of 2^127: Inf in every model; then -2^127 (a finite term, a finite product).
  const auto chain = [&] { return one_output(0x1.fffffep127f).product(0, 1).block(0, 127).product(32, -1).block(1, 127); };
  expect(chain(), {{"mfma_fused", 0x1.fffffep127f}, {"cdna3_trfdpa(64)", 0x1.fffffep127f}, {"cdna3_trfdpa(128)", 0x1.fffffep127f},
                   {"cdna3_gtrfdpa(64)", 0x1.fffffep127f}, {"cdna3_gtrfdpa(128)", 0x1.fffffep127f},
                   {"block_first_fdpa(2)", 0x1.fffffep127f}, {"block_first_fdpa(4)", 0x1.fffffep127f}, {"others", inf}});
  // Then a product of -2^128: an Inf of the other sign where products can be Inf or terms are rounded.
  one_output other = chain().block(1, 128);
  CHECK(other.under("mfma_seq") == 0x7FC00000);
  CHECK(other.under("cdna3_trfdpa(32)") == 0x7FC00000);
  CHECK(other.under("cdna3_gtrfdpa(16)") == 0x7FC00000);
  CHECK(other.under("cdna3_trfdpa(128)") == 0xFF800000);
  CHECK(other.under("block_first_fdpa(1)") == 0x7F800000);
}

TEST_CASE("subnormal results: kept, rounded to even, their sign stays", "[sim-numerics]") {
  expect(one_output(0).product(5, 1).block(0, -149), {{"others", 0x1p-149f}});
  expect(one_output(0).product(5, 1).block(0, -150), {{"others", 0.0f}});
  // In the last group, for a later step makes it +0; mfma_seq adds the rounded term -0 to +0.
  expect(one_output(0).product(127, -1).block(3, -150), {{"mfma_seq", 0.0f}, {"others", -0.0f}});
  // C = 0 aligns at 2^-126, so block_first keeps 2^-150 and rounds that tie to 0.
  expect(one_output(0).product(5, 1.5).block(0, -150),
         {{"block_first_fdpa(1)", 0.0f}, {"block_first_fdpa(2)", 0.0f}, {"block_first_fdpa(4)", 0.0f}, {"others", 0x1p-149f}});
  expect(one_output(0x1p-149f).product(5, 1).block(0, -149), {{"others", 0x1p-148f}});
  expect(one_output(-0x1p-149f).product(5, 1).block(0, -149), {{"others", 0.0f}});
}

TEST_CASE("far apart: the exact sum of both ends", "[sim-numerics]") {
  // 2^24 + 1 is a tie; 2^-200 more decides it, under the exact model alone.
  const auto make = [](double last) {
    return one_output(0).product(0, 1).block(0, 24).product(32, 1).block(1, 0).product(64, last).block(2, -200);
  };
  CHECK(make(1).under("mfma_fused") == bits_of(0x1p24f + 2));
  CHECK(make(-1).under("mfma_fused") == bits_of(0x1p24f));
  CHECK(make(1).under("mfma_seq") == bits_of(0x1p24f));
  CHECK(make(1).under("block_first_fdpa(4)") == bits_of(0x1p24f));
}

TEST_CASE("zero sums are +0, whatever signs made them", "[sim-numerics]") {
  expect(one_output(-0.0f), {{"others", 0.0f}});
  expect(one_output(-0.0f).product(0, -0.0), {{"others", 0.0f}});
  expect(one_output(1).product(0, -1), {{"others", 0.0f}});
  expect(one_output(0).product(0, 2).product(1, -2), {{"others", 0.0f}});
  // Zero elements under a huge scale set no exponent: C comes out unchanged.
  expect(one_output(0x1.23p-130f).block(0, 250).block(1, 254), {{"others", 0x1.23p-130f}});
}

TEST_CASE("NaN and Inf in C, NaN scales, and their options", "[sim-numerics]") {
  for (const unsigned rows : {16u, 32u})
    for (const std::string& name : fp4_models()) {
      INFO(name << ", rows " << rows);
      one_output o(0, rows);
      o.product(0, 1);
      o.i.c[o.i.at(0, 0)] = 0xFFC12345;
      o.i.c[o.i.at(0, 1)] = 0x7F800000;
      o.i.c[o.i.at(3, 0)] = 0xFF800000;
      o.i.set_scale_a(2, 1, 255);  // zero elements all the same
      o.i.set_scale_b(5, o.i.blocks() - 1, 255);
      mfma_options options = model(name);
      o.i.run(options);
      for (unsigned m = 0; m < rows; ++m)
        for (unsigned n = 0; n < rows; ++n) {
          const bool nan = m == 2 || n == 5 || (m == 0 && n == 0);
          const uint32_t expected = nan ? 0x7FC00000 : m == 0 && n == 1 ? 0x7F800000 : m == 3 && n == 0 ? 0xFF800000 : 0;
          REQUIRE(o.i.d[o.i.at(m, n)] == expected);
        }
      options.nan = 0x7FFFFFFF;
      o.i.run(options);
      CHECK(o.i.d[o.i.at(2, 7)] == 0x7FFFFFFF);
      options.nan_scale = mfma_nan_scale::power_of_two;
      o.i.run(options);
      CHECK(o.i.d[o.i.at(2, 7)] == 0);
      CHECK(o.i.d[o.i.at(0, 0)] == 0x7FFFFFFF);
      one_output power(0, rows);  // 2^(255 - 127) * 2^(120 - 127)
      power.product(0, 1.5);
      power.i.set_scale_a(0, 0, 255);
      power.i.set_scale_b(0, 0, 120);
      power.i.run(options);
      CHECK(power.i.d[power.i.at(0, 0)] == bits_of(0x1.8p121f));
    }
}

TEST_CASE("a group longer than the instruction is the whole instruction", "[sim-numerics]") {
  one_output two(0x1p24f, 32);
  two.product(0, 1).product(32, 1);
  CHECK(two.under("cdna3_trfdpa(128)") == bits_of(0x1p24f + 2));
  CHECK(two.under("cdna3_gtrfdpa(64)") == bits_of(0x1p24f + 2));
  CHECK(two.under("block_first_fdpa(4)") == bits_of(0x1p24f + 2));
  CHECK(two.under("cdna3_trfdpa(32)") == bits_of(0x1p24f));
  CHECK(two.under("block_first_fdpa(1)") == bits_of(0x1p24f));
}
