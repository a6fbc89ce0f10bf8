// Where the FP4 matrix instructions take rows, columns, k and scales from and where they put results: one element at a time,
// and random operands whose sums are exact, so that every model must give the same bits.
#include "sim_numerics_support.h"

using namespace adahop;
using namespace adahop::test;
using namespace adahop::hip::sim;

namespace {

void fill(std::vector<uint32_t>& registers, std::mt19937& random) {
  for (uint32_t& word : registers) word = static_cast<uint32_t>(random());
}

}  // namespace

TEST_CASE("one element of A at a time meets its row of B and its scales", "[sim-numerics]") {
  std::mt19937 random(3);
  for (const unsigned rows : {16u, 32u}) {
    fp4_instruction i{rows};
    i.byte_a = 1;
    i.byte_b = 2;
    std::vector<uint32_t> code(i.inner() * rows);  // B
    for (unsigned k = 0; k < i.inner(); ++k)
      for (unsigned n = 0; n < rows; ++n) i.set_b(k, n, code[k * rows + n] = random() % 16);
    for (unsigned block = 0; block < i.blocks(); ++block)
      for (unsigned line = 0; line < rows; ++line) {
        i.set_scale_a(line, block, 100 + line + 7 * block);
        i.set_scale_b(line, block, 160 - 3 * line + block);
      }
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned k = 0; k < i.inner(); ++k) {
        i.set_a(row, k, fp4_code(-3));
        i.run();
        i.set_a(row, k, 0);
        for (unsigned m = 0; m < rows; ++m)
          for (unsigned n = 0; n < rows; ++n) {
            const unsigned block = k / 32;
            const int exponent = static_cast<int>(100 + row + 7 * block + 160 - 3 * n + block) - 254;
            const double value = m == row ? std::ldexp(-3 * kFp4Value[code[k * rows + n]], exponent) : 0;
            if (i.d[i.at(m, n)] != bits_of(static_cast<float>(value) + 0.0f))
              FAIL("rows " << rows << ", A(" << row << ", " << k << "), D(" << m << ", " << n << ") " << std::hex
                           << i.d[i.at(m, n)] << " instead of " << value);
          }
      }
  }
}

TEST_CASE("random operands with exact sums: every model, both shapes, every pair of scale bytes", "[sim-numerics]") {
  std::mt19937 random(4);
  for (const unsigned rows : {16u, 32u})
    for (const std::string& name : fp4_models())
      for (uint32_t bytes = 0; bytes < 16; ++bytes) {
        fp4_instruction i{rows};
        fill(i.a, random);
        fill(i.b, random);
        fill(i.scale_a, random);  // the bytes that are not selected stay random
        fill(i.scale_b, random);
        i.byte_a = bytes % 4;
        i.byte_b = bytes / 4;
        std::vector<int> ea(rows * i.blocks()), eb(rows * i.blocks());
        for (unsigned block = 0; block < i.blocks(); ++block)
          for (unsigned line = 0; line < rows; ++line) {
            ea[block * rows + line] = static_cast<int>(random() % 3) - 1;
            eb[block * rows + line] = static_cast<int>(random() % 3) - 1;
            i.set_scale_a(line, block, static_cast<uint32_t>(127 + ea[block * rows + line]));
            i.set_scale_b(line, block, static_cast<uint32_t>(127 + eb[block * rows + line]));
          }
        for (uint32_t& c : i.c) c = bits_of(static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 16);
        i.run(model(name));
        for (unsigned m = 0; m < rows; ++m)
          for (unsigned n = 0; n < rows; ++n) {
            double expected = static_cast<double>(float_of(i.c[i.at(m, n)]));
            for (unsigned k = 0; k < i.inner(); ++k) {
              const unsigned line = rows * (k / 32), nibble = 4 * (k % 8), reg = 64 * (k % 32 / 8);
              const double a = kFp4Value[i.a[reg + line + m] >> nibble & 15], b = kFp4Value[i.b[reg + line + n] >> nibble & 15];
              expected += std::ldexp(a * b, ea[line + m] + eb[line + n]);
            }
            const auto rounded = static_cast<float>(expected);
            REQUIRE(static_cast<double>(rounded) == expected);  // multiples of 1/16 below 2^16
            if (i.d[i.at(m, n)] != bits_of(rounded + 0.0f))
              FAIL(name << ", rows " << rows << ", bytes " << bytes << ", D(" << m << ", " << n << ")");
          }
      }
}

TEST_CASE("the unscaled instructions are the scaled ones under byte 127", "[sim-numerics]") {
  std::mt19937 random(5);
  for (const unsigned rows : {16u, 32u}) {
    fp4_instruction i{rows};
    fill(i.a, random);
    fill(i.b, random);
    for (uint32_t& c : i.c) c = bits_of(static_cast<float>(random() % 64));
    i.run();
    std::vector<uint32_t> d(16 * 64);
    const source_registers<4> a(i.a.data(), 256), b(i.b.data(), 256);
    if (rows == 16)
      mfma_f32_16x16x128_fp4(a, b, source_registers<4>(i.c.data(), 256), result_registers<4>(d.data(), 256));
    else
      mfma_f32_32x32x64_fp4(a, b, source_registers<16>(i.c.data(), 1024), result_registers<16>(d.data(), 1024));
    CHECK(d == i.d);
  }
}

TEST_CASE("the result may lie over C, A or B", "[sim-numerics]") {
  std::mt19937 random(6);
  fp4_instruction i;
  fill(i.a, random);
  fill(i.b, random);
  i.run();
  for (std::vector<uint32_t> fp4_instruction::* source : {&fp4_instruction::a, &fp4_instruction::b, &fp4_instruction::c}) {
    fp4_instruction over = i;
    std::vector<uint32_t>& registers = over.*source;
    mfma_f32_16x16x128_fp4(source_registers<4>(over.a.data(), 256), source_registers<4>(over.b.data(), 256),
                           source_registers<4>(over.c.data(), 256), result_registers<4>(registers.data(), 256));
    CHECK(std::equal(registers.begin(), registers.begin() + 256, i.d.begin()));
  }
}

TEST_CASE("op_sel and op_sel_hi choose the scale byte", "[sim-numerics]") {
  CHECK(scale_byte(false, false) == 0);
  CHECK(scale_byte(true, false) == 1);
  CHECK(scale_byte(false, true) == 2);
  CHECK(scale_byte(true, true) == 3);
}
