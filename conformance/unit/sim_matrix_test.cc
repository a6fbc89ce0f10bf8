// Matrix instructions of the simulator: operands, scale bytes, constants and AGPRs, EXEC, options. Layouts and numerics of
// numerics/mfma.h have tests of their own; here each instruction has sums that can be done by hand.
#include <bit>
#include <string>

#include "sim_support.h"

using namespace adahop::hip::sim;
using namespace adahop::hip::sim::test;

namespace {

constexpr uint32_t kOnesFp4 = 0x22222222;
constexpr uint32_t kOnesBf16 = 0x3F803F80, kTwosBf16 = 0x40004000;
constexpr unsigned kA = 100, kB = 108, kC = 116, kScaleA = 140, kScaleB = 141;

uint32_t number(float x) { return std::bit_cast<uint32_t>(x); }

// A and B all 1, scales 2^0 to 2^3 by byte for A, 2^0, 2^-1, 2^-2, 2^-3 for B, C all 8.
void set_ones(sim_test_wave& w) {
  for (unsigned r = 0; r < 8; ++r) {
    w.set_vector(kA + r, kOnesFp4);
    w.set_vector(kB + r, kOnesFp4);
  }
  for (unsigned r = 0; r < 16; ++r) w.set_vector(kC + r, number(8));
  w.set_vector(kScaleA, 0x8281807Fu);
  w.set_vector(kScaleB, 0x7C7D7E7Fu);
}

void expect_all(const sim_test_wave& w, unsigned first, unsigned registers, float value) {
  for (unsigned r = 0; r < registers; ++r) w.expect_lanes(first + r, [&](unsigned) { return number(value); });
}

}  // namespace

TEST_CASE("simulator: scaled FP4 products take the scale bytes of op_sel and op_sel_hi") {
  struct row {
    const char* op_sel;
    int a, b;
  };
  // byte = op_sel + 2 * op_sel_hi, the first number for A, the second for B.
  for (const row& r : {row{"op_sel_hi:[0,0,0]", 0, 0}, row{"op_sel:[1,0,0] op_sel_hi:[0,0,0]", 1, 0},
                       row{"op_sel:[0,1,0] op_sel_hi:[0,0,0]", 0, 1}, row{"op_sel_hi:[1,0,0]", 2, 0}, row{"op_sel_hi:[0,1,0]", 0, 2},
                       row{"op_sel:[1,0,0] op_sel_hi:[1,1,0]", 3, 2}, row{"op_sel:[1,1,0] op_sel_hi:[1,0,0]", 3, 1}}) {
    sim_test_wave w;
    set_ones(w);
    const float scale = static_cast<float>(1 << r.a) / static_cast<float>(1 << r.b);
    const auto run = [&](const std::string& mnemonic, const char* d, const char* c) {
      w.run(mnemonic + " " + d + ", v[100:103], v[108:111], " + c + ", v140, v141 " + r.op_sel + " cbsz:4 blgp:4");
    };
    run("v_mfma_scale_f32_16x16x128_f8f6f4", "v[0:3]", "v[116:119]");
    expect_all(w, 0, 4, 128 * scale + 8);
    run("v_mfma_scale_f32_32x32x64_f8f6f4", "v[0:15]", "v[116:131]");
    expect_all(w, 0, 16, 64 * scale + 8);
  }
}

TEST_CASE("simulator: a lane's scale belongs to its row or column and block of 32") {
  sim_test_wave w;
  set_ones(w);
  w.set_vector(kScaleA, [](unsigned lane) { return lane == 0 ? 128u : 127u; });    // row 0, k 0 to 31: times 2
  w.set_vector(kScaleB, [](unsigned lane) { return lane == 17 ? 129u : 127u; });   // column 1, k 32 to 63: times 4
  w.run("v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[100:103], v[108:111], 0, v140, v141 op_sel_hi:[0,0,0] cbsz:4 blgp:4");
  for (unsigned r = 0; r < 4; ++r)
    w.expect_lanes(r, [&](unsigned lane) {
      const bool row_0 = lane < 16 && r == 0, column_1 = lane % 16 == 1;
      return number(128.0f + (row_0 ? 32.0f : 0.0f) + (column_1 ? 96.0f : 0.0f));
    });
  // 32 x 32: row 8 * (r / 4) + 4 * (lane / 32) + r % 4; lane 37 holds row 5, k 32 to 63.
  w.set_vector(kScaleA, [](unsigned lane) { return lane == 37 ? 128u : 127u; });
  w.set_vector(kScaleB, 127u);
  w.run("v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[100:103], v[108:111], 0, v140, v141 op_sel_hi:[0,0,0] cbsz:4 blgp:4");
  for (unsigned r = 0; r < 16; ++r)
    w.expect_lanes(r, [&](unsigned lane) { return number(r == 1 && lane >= 32 ? 96.0f : 64.0f); });
}

TEST_CASE("simulator: FP4 products without scales") {
  sim_test_wave w;
  set_ones(w);
  const auto run = [&w](const std::string& mnemonic, const char* d, const char* c) {
    w.run(mnemonic + " " + d + ", v[100:103], v[108:111], " + c + " cbsz:4 blgp:4");
  };
  run("v_mfma_f32_16x16x128_f8f6f4", "v[0:3]", "v[116:119]");
  expect_all(w, 0, 4, 136);
  run("v_mfma_f32_32x32x64_f8f6f4", "v[0:15]", "v[116:131]");
  expect_all(w, 0, 16, 72);
}

TEST_CASE("simulator: BF16 products, one element in its place") {
  struct row {
    const char* mnemonic;
    unsigned rows, inner, registers;  // of A and of B
  };
  for (const row& s : {row{"v_mfma_f32_16x16x32_bf16", 16, 32, 4}, row{"v_mfma_f32_32x32x16_bf16", 32, 16, 4},
                       row{"v_mfma_f32_16x16x16_bf16", 16, 16, 2}, row{"v_mfma_f32_32x32x8_bf16", 32, 8, 2}}) {
    sim_test_wave w;
    set_ones(w);
    for (unsigned r = 0; r < s.registers; ++r) {
      w.set_vector(kA + r, kOnesBf16);
      w.set_vector(kB + r, kTwosBf16);
    }
    // Row 0 of A, element 3 of the second group of k: the high half of register 1 of lane `rows` is 3.
    w.set_vector(kA + 1, [&](unsigned lane) { return lane == s.rows ? 0x40403F80u : kOnesBf16; });
    // The same k of column 2 of B is 4.
    w.set_vector(kB + 1, [&](unsigned lane) { return lane == s.rows + 2 ? 0x40804000u : kTwosBf16; });
    const unsigned results = s.rows == 16 ? 4 : 16;
    const auto registers = [](unsigned first, unsigned count) {
      return "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
    };
    w.run(std::string(s.mnemonic) + " " + registers(0, results) + ", " + registers(kA, s.registers) + ", " +
          registers(kB, s.registers) + ", " + registers(kC, results));
    for (unsigned r = 0; r < results; ++r)
      w.expect_lanes(r, [&](unsigned lane) {
        const bool row_0 = r == 0 && lane < s.rows, column_2 = lane % s.rows == 2;
        const float a = row_0 ? 3 : 1, b = column_2 ? 4 : 2;
        return number(8 + 2 * static_cast<float>(s.inner - 1) + a * b);
      });
  }
}

TEST_CASE("simulator: C may be a constant, operands may be accumulation registers, D may be C") {
  sim_test_wave w;
  set_ones(w);
  w.set_vector(kScaleA, 127u);
  w.set_vector(kScaleB, 127u);
  w.run("v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[100:103], v[108:111], 1.0, v140, v141 op_sel_hi:[0,0,0] cbsz:4 blgp:4");
  expect_all(w, 0, 4, 129);
  w.run("v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[100:103], v[108:111], -4.0 cbsz:4 blgp:4");
  expect_all(w, 0, 4, 124);
  for (unsigned r = 0; r < 4; ++r) w.set_vector(kFirstAgpr + 8 + r, kOnesFp4);
  w.run("v_mfma_scale_f32_16x16x128_f8f6f4 a[0:3], v[100:103], a[8:11], v[116:119], v140, v141 op_sel_hi:[0,0,0] cbsz:4 blgp:4");
  expect_all(w, kFirstAgpr, 4, 136);
  w.run("v_mfma_scale_f32_16x16x128_f8f6f4 a[0:3], v[100:103], a[8:11], a[0:3], v140, v141 op_sel_hi:[0,0,0] cbsz:4 blgp:4");
  expect_all(w, kFirstAgpr, 4, 264);
  for (unsigned r = 0; r < 4; ++r) w.set_vector(kA + r, kOnesBf16), w.set_vector(kB + r, kOnesBf16);
  w.run("v_mfma_f32_16x16x32_bf16 a[0:3], v[100:103], v[108:111], a[0:3]");
  expect_all(w, kFirstAgpr, 4, 296);
}

TEST_CASE("simulator: matrix instructions ignore EXEC") {
  sim_test_wave w;
  set_ones(w);
  w.set_exec(0);
  w.run("v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[100:103], v[108:111], v[116:119] cbsz:4 blgp:4");
  for (unsigned r = 0; r < 4; ++r)
    for (unsigned lane = 0; lane < 64; ++lane) CHECK(w.vector(r, lane) == number(136));
}

TEST_CASE("simulator: sums are combined as the launch's options say") {
  sim_test_wave w;
  set_ones(w);
  for (unsigned r = 0; r < 4; ++r) {
    w.set_vector(kA + r, r == 0 ? 2u : 0u);  // the first of 32 elements alone is 1
    w.set_vector(kC + r, number(0x1p24f));
  }
  const char* text = "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[100:103], v[108:111], v[116:119] cbsz:4 blgp:4";
  w.run(text);
  expect_all(w, 0, 4, 0x1p24f + 4);
  w.settings().matrix.combine = mfma_combine::seq;  // each 1 falls away by itself
  w.run(text);
  expect_all(w, 0, 4, 0x1p24f);

  for (unsigned r = 0; r < 4; ++r) {
    w.set_vector(kA + r, r == 0 ? 0x3F80u : 0u);
    w.set_vector(kB + r, kOnesBf16);
  }
  text = "v_mfma_f32_16x16x32_bf16 v[0:3], v[100:103], v[108:111], v[116:119]";
  w.run(text);
  expect_all(w, 0, 4, 0x1p24f);
  w.settings().matrix.bf16 = bf16_combine::exact_sum;
  w.run(text);
  expect_all(w, 0, 4, 0x1p24f + 4);
}

TEST_CASE("simulator: matrix formats and modifiers that are not there") {
  sim_test_wave w;
  set_ones(w);
  const std::string scaled = "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], ";
  CHECK(w.fault_of(scaled + "v[100:107], v[108:115], v[116:119], v140, v141 op_sel_hi:[0,0,0]") == "not modelled");
  CHECK(w.fault_of(scaled + "v[100:105], v[108:111], v[116:119], v140, v141 op_sel_hi:[0,0,0] cbsz:2 blgp:4") ==
        "not modelled");
  CHECK(w.fault_of(scaled + "v[100:103], v[108:115], v[116:119], v140, v141 op_sel_hi:[0,0,0] cbsz:4 blgp:1") ==
        "not modelled");
  CHECK(w.fault_of("v_mfma_f32_16x16x32_bf16 v[0:3], v[100:103], v[108:111], v[116:119] cbsz:1") == "not modelled");
  CHECK(w.fault_of("v_mfma_f32_16x16x32_bf16 v[0:3], v[100:103], v[108:111], v[116:119] blgp:3") == "not modelled");
  CHECK(w.fault_of("v_mfma_f32_16x16x32_bf16 v[0:3], v[100:103], v[108:111], s[4:7]") == "not modelled");
}
