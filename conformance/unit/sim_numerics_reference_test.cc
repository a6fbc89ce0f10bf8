// The simulator's numerics and the reference, written apart from different texts, on random operands without any exactness:
// a difference is a misreading on one side.
#include "models_support.h"
#include "reference/encode.h"
#include "reference/round_bf16.h"
#include "reference/stochastic.h"
#include "sim/numerics/convert.h"
#include "sim_numerics_support.h"

using namespace adahop;
using namespace adahop::hip::sim;
using test::fp4_instruction;
using test::model;

namespace {

uint32_t random_word(std::mt19937& random) { return static_cast<uint32_t>(random()); }

// How far apart scales and C lie, and how many elements are zero.
struct spread {
  uint32_t scales;   // bytes around 127 - scales / 2 to 127 + scales / 2
  int c;             // exponents of C around 0
  uint32_t zeros;    // of 8 elements
};
const spread kSpreads[] = {{4, 8, 0}, {24, 24, 6}, {60, 40, 6}, {254, 126, 7}};

float random_c(std::mt19937& random, int exponents) {
  const int exponent = static_cast<int>(random() % static_cast<unsigned>(2 * exponents + 1)) - exponents;
  const uint32_t fraction = random() % 3 == 0 ? random_word(random) & 0x7 : random_word(random) & 0x7FFFFF;
  return test::float_of((random_word(random) & 0x80000000) | static_cast<uint32_t>(exponent + 127) << 23 | fraction);
}

mx_matrix random_rows(std::mt19937& random, int64_t rows, int64_t inner, const spread& s) {
  mx_matrix out(rows, inner);
  for (uint8_t& byte : out.codes) {
    uint32_t codes = random_word(random) & 0xFF;
    if (random() % 8 < s.zeros) codes &= 0xF8;
    if (random() % 8 < s.zeros) codes &= 0x8F;
    byte = static_cast<uint8_t>(codes);
  }
  for (uint8_t& byte : out.scales) byte = static_cast<uint8_t>(127 - s.scales / 2 + random() % (s.scales + 1));
  return out;
}

// The reference's name of an instruction's model: mfma_fused has the blocks of the shape.
std::string reference_name(const std::string& name, unsigned blocks) {
  return name == "mfma_fused" ? "mfma_fused(" + std::to_string(blocks) + ")" : name;
}

}  // namespace

TEST_CASE("one FP4 matrix instruction is the reference's dot product with C, under every model", "[sim-numerics-reference]") {
  std::mt19937 random(12);
  for (const unsigned rows : {16u, 32u})
    for (const std::string& name : test::fp4_models())
      for (const spread& s : kSpreads)
        for (int repeat = 0; repeat < 6; ++repeat) {
          fp4_instruction i{rows};
          const auto inner = static_cast<int64_t>(i.inner());
          const mx_matrix a = random_rows(random, rows, inner, s), b = random_rows(random, rows, inner, s);
          for (unsigned line = 0; line < rows; ++line) {
            for (unsigned k = 0; k < i.inner(); ++k) {
              i.set_a(line, k, a.codes[line * i.inner() / 2 + k / 2] >> (4 * (k % 2)) & 15u);
              i.set_b(k, line, b.codes[line * i.inner() / 2 + k / 2] >> (4 * (k % 2)) & 15u);
            }
            for (unsigned block = 0; block < i.blocks(); ++block) {
              i.set_scale_a(line, block, a.scales[line * i.blocks() + block]);
              i.set_scale_b(line, block, b.scales[line * i.blocks() + block]);
            }
          }
          for (uint32_t& c : i.c) c = test::bits_of(random_c(random, s.c));
          i.run(model(name));
          const policy p = test::mx_model(reference_name(name, i.blocks()));
          for (unsigned m = 0; m < rows; m += 3)
            for (unsigned n = 0; n < rows; n += 2) {
              const float c = test::float_of(i.c[i.at(m, n)]);
              const float expected = reference::mx_dot(p, {view_of(a), m, view_of(b), n}, c);
              const uint32_t got = i.d[i.at(m, n)];
              const bool same = std::isnan(expected) ? got == 0x7FC00000 : got == test::bits_of(expected);
              if (!same)
                FAIL(name << ", rows " << rows << ", scales within " << s.scales << ": " << test::float_of(got) << " instead of "
                          << expected << " at (" << m << ", " << n << "), C " << c);
            }
        }
}

TEST_CASE("one BF16 matrix instruction is the reference's dot product with C, under every model", "[sim-numerics-reference]") {
  const std::pair<bf16_combine, const char*> models[] = {{bf16_combine::fma_chain, "seq_fma"},
                                                         {bf16_combine::exact_sum, "exact_sum"},
                                                         {bf16_combine::trfdpa_8, "cdna3_trfdpa(8)"}};
  std::mt19937 random(13);
  for (const auto& [combine, name] : models)
    for (const int exponents : {2, 12, 40, 127})
      for (int repeat = 0; repeat < 12; ++repeat) {
        matrix<bf16> a(16, 32), b(16, 32);
        for (matrix<bf16>* m : {&a, &b})
          for (bf16& v : m->data) {
            const auto above = static_cast<int>(random() % static_cast<unsigned>(2 * exponents + 1));
            const auto field = static_cast<uint32_t>(127 - exponents + above);
            v = {static_cast<uint16_t>((random() & 0x807F) | field << 7)};
          }
        std::vector<uint32_t> ra(256), rb(256), c(256), d(256);
        for (unsigned line = 0; line < 16; ++line)
          for (unsigned k = 0; k < 32; ++k) {
            const size_t at = 64 * (k % 8 / 2) + line + 16 * (k / 8);
            ra[at] |= uint32_t{a.data[line * 32 + k].bits} << (16 * (k % 2));
            rb[at] |= uint32_t{b.data[line * 32 + k].bits} << (16 * (k % 2));
          }
        for (uint32_t& v : c) v = test::bits_of(random_c(random, exponents < 127 ? exponents : 120));
        mfma_options options;
        options.bf16 = combine;
        mfma_f32_16x16x32_bf16(source_registers<4>(ra.data(), 256), source_registers<4>(rb.data(), 256),
                               source_registers<4>(c.data(), 256), result_registers<4>(d.data(), 256), options);
        const policy p = test::bf16_model(name);
        for (unsigned m = 0; m < 16; ++m)
          for (unsigned n = 0; n < 16; ++n) {
            const size_t at = 64 * (m % 4) + n + 16 * (m / 4);
            const float expected = reference::bf16_dot(p, {view_of(a), m, view_of(b), n}, test::float_of(c[at]));
            const bool same = std::isnan(expected) ? d[at] == 0x7FC00000 : d[at] == test::bits_of(expected);
            if (!same)
              FAIL(name << ", exponents within " << exponents << ": " << test::float_of(d[at]) << " instead of " << expected);
          }
      }
}

TEST_CASE("conversions to FP4 are the reference's: nearest and gfx950_sr", "[sim-numerics-reference]") {
  std::mt19937 random(14);
  for (int i = 0; i < 400000; ++i) {
    const uint32_t scale = random_word(random) % 255;
    // Around the scale, where codes differ, and anywhere.
    const uint32_t near = std::min(254u, scale + random_word(random) % 12 - std::min(scale, 8u));
    const uint32_t field = i % 4 == 0 ? random_word(random) % 255 : near;
    const uint32_t bits = (random_word(random) & 0x807FFFFF) | field << 23, word = random_word(random);
    const float v = test::float_of(bits);
    const auto byte = static_cast<e8m0>(scale);
    REQUIRE((cvt_scalef32_pk_fp4_f32(0, bits, 0, scale << 23, 0) & 15) == code_of(reference::encode_e2m1(v, byte)));
    REQUIRE((cvt_scalef32_sr_pk_fp4_f32(0, bits, 0, word, scale << 23, 0) & 15) ==
            code_of(reference::encode_e2m1_gfx950_sr(v, byte, word)));
    REQUIRE((cvt_scalef32_pk_fp4_bf16(0, bits >> 16, scale << 23, 0) & 15) ==
            code_of(reference::encode_e2m1(test::float_of(bits & 0xFFFF0000), byte)));
    REQUIRE((cvt_pk_bf16_f32(bits, 0) & 0xFFFF) == reference::round_bf16(v).bits);
  }
}
