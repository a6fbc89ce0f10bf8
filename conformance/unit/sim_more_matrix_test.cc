// FP4 matrix instructions of the simulator: which operand is A and which is B, and where their elements lie.
#include <bit>
#include <string>

#include "sim_support.h"

using namespace adahop::hip::sim;
using namespace adahop::hip::sim::test;

namespace {

constexpr unsigned kA = 100, kB = 108, kC = 116, kScaleA = 140, kScaleB = 141;
constexpr uint32_t kOnes = 0x22222222, kTwos = 0x44444444;
// Element 13 of a lane's 32 is the sixth of register 1.
constexpr uint32_t kOnesButSix = 0x22722222, kTwosButFour = 0x44644444;

// A is 1 but 6 in row 5, B is 2 but 4 in column 2, both at k = 32 + 13, which lane `rows` + row or column holds. C is 8.
void set_operands(sim_test_wave& w, unsigned rows) {
  for (unsigned r = 0; r < 4; ++r) {
    w.set_vector(kA + r, kOnes);
    w.set_vector(kB + r, kTwos);
  }
  w.set_vector(kA + 1, [rows](unsigned lane) { return lane == rows + 5 ? kOnesButSix : kOnes; });
  w.set_vector(kB + 1, [rows](unsigned lane) { return lane == rows + 2 ? kTwosButFour : kTwos; });
  for (unsigned r = 0; r < 16; ++r) w.set_vector(kC + r, std::bit_cast<uint32_t>(8.0f));
}

// `scale_a` and `scale_b` multiply the second block of row 5 and of column 2; `inner` is K. Row 5 lies in register 1 of the
// lanes from 16 or 32 on, as those lie rows 4 to 7.
void expect_product(const sim_test_wave& w, unsigned rows, unsigned inner, float scale_a, float scale_b) {
  const unsigned results = rows == 16 ? 4 : 16;
  for (unsigned r = 0; r < results; ++r)
    w.expect_lanes(r, [&](unsigned lane) {
      const bool row_5 = r == 1 && lane / rows == 1, column_2 = lane % rows == 2;
      const float a = row_5 ? 6 : 1, b = column_2 ? 4 : 2;
      const float scale = (row_5 ? scale_a : 1) * (column_2 ? scale_b : 1);
      return std::bit_cast<uint32_t>(8 + 2 * static_cast<float>(inner - 32) + scale * (2 * 31 + a * b));
    });
}

struct shape {
  const char* mnemonic;
  unsigned rows, inner;
  const char *d, *c;
};

}  // namespace

TEST_CASE("simulator: the first source of a scaled FP4 product is A, the second B", "[sim]") {
  for (const shape& s : {shape{"v_mfma_scale_f32_16x16x128_f8f6f4", 16, 128, "v[0:3]", "v[116:119]"},
                         shape{"v_mfma_scale_f32_32x32x64_f8f6f4", 32, 64, "v[0:15]", "v[116:131]"}}) {
    sim_test_wave w;
    set_operands(w, s.rows);
    w.set_vector(kScaleA, [&](unsigned lane) { return lane == s.rows + 5 ? 128u : 127u; });
    w.set_vector(kScaleB, [&](unsigned lane) { return lane == s.rows + 2 ? 129u : 127u; });
    w.run(std::string(s.mnemonic) + " " + s.d + ", v[100:103], v[108:111], " + s.c +
          ", v140, v141 op_sel_hi:[0,0,0] cbsz:4 blgp:4");
    expect_product(w, s.rows, s.inner, 2, 4);
  }
}

TEST_CASE("simulator: the first source of an FP4 product without scales is A, the second B", "[sim]") {
  for (const shape& s : {shape{"v_mfma_f32_16x16x128_f8f6f4", 16, 128, "v[0:3]", "v[116:119]"},
                         shape{"v_mfma_f32_32x32x64_f8f6f4", 32, 64, "v[0:15]", "v[116:131]"}}) {
    sim_test_wave w;
    set_operands(w, s.rows);
    w.run(std::string(s.mnemonic) + " " + s.d + ", v[100:103], v[108:111], " + s.c + " cbsz:4 blgp:4");
    expect_product(w, s.rows, s.inner, 1, 1);
  }
}
