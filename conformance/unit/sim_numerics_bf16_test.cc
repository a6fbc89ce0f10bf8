// The BF16 matrix instructions: layouts by exact sums, the published vector, and each pair of models where they differ.
#include "sim_numerics_support.h"

using namespace adahop;
using namespace adahop::test;
using namespace adahop::hip::sim;

namespace {

struct shape {
  unsigned rows, per_lane;
  unsigned inner() const { return 64 / rows * per_lane; }
};
const shape kShapes[] = {{16, 8}, {32, 8}, {16, 4}, {32, 4}};

struct bf16_instruction {
  shape s;
  std::vector<uint32_t> a = std::vector<uint32_t>(4 * 64), b = std::vector<uint32_t>(4 * 64);
  std::vector<uint32_t> c = std::vector<uint32_t>(16 * 64), d = std::vector<uint32_t>(16 * 64);

  void set_a(unsigned row, unsigned k, float v) { put(a, row, k, v); }
  void set_b(unsigned k, unsigned column, float v) { put(b, column, k, v); }
  size_t at(unsigned row, unsigned column) const {
    const unsigned period = s.rows == 16 ? 16 : 8;
    return 64 * (row % 4 + row / period * 4) + column + s.rows * (row % period / 4);
  }
  void run(const mfma_options& options = {}) {
    const source_registers<4> a4(a.data(), 256), b4(b.data(), 256), c4(c.data(), 256);
    const source_registers<2> a2(a.data(), 128), b2(b.data(), 128);
    const source_registers<16> c16(c.data(), 1024);
    const result_registers<4> d4(d.data(), 256);
    const result_registers<16> d16(d.data(), 1024);
    if (s.rows == 16 && s.per_lane == 8) mfma_f32_16x16x32_bf16(a4, b4, c4, d4, options);
    if (s.rows == 32 && s.per_lane == 8) mfma_f32_32x32x16_bf16(a4, b4, c16, d16, options);
    if (s.rows == 16 && s.per_lane == 4) mfma_f32_16x16x16_bf16(a2, b2, c4, d4, options);
    if (s.rows == 32 && s.per_lane == 4) mfma_f32_32x32x8_bf16(a2, b2, c16, d16, options);
  }

 private:
  void put(std::vector<uint32_t>& into, unsigned line, unsigned k, float v) {
    REQUIRE((bits_of(v) & 0xFFFF) == 0);
    const unsigned j = k % s.per_lane;
    uint32_t& word = into[64 * (j / 2) + line + s.rows * (k / s.per_lane)];
    word = j % 2 == 0 ? (word & 0xFFFF0000) | bits_of(v) >> 16 : (word & 0xFFFF) | bits_of(v);
  }
};

mfma_options bf16_model(bf16_combine combine) {
  mfma_options out;
  out.bf16 = combine;
  return out;
}
const bf16_combine kModels[] = {bf16_combine::fma_chain, bf16_combine::exact_sum, bf16_combine::trfdpa_8};

// D(0, 0) of a 16x16x32 with the given products of the first elements and C.
struct term {
  unsigned k;
  float a, b;
};
uint32_t one(bf16_combine combine, float c, const std::vector<term>& terms) {
  bf16_instruction i{{16, 8}};
  for (const term& t : terms) {
    i.set_a(0, t.k, t.a);
    i.set_b(t.k, 0, t.b);
  }
  i.c[i.at(0, 0)] = bits_of(c);
  i.run(bf16_model(combine));
  return i.d[i.at(0, 0)];
}
void expect(float c, const std::vector<term>& terms, float chain, float exact, float trfdpa) {
  CHECK(one(bf16_combine::fma_chain, c, terms) == bits_of(chain));
  CHECK(one(bf16_combine::exact_sum, c, terms) == bits_of(exact));
  CHECK(one(bf16_combine::trfdpa_8, c, terms) == bits_of(trfdpa));
}

const float kInf = float_of(0x7F800000);
const float kNan = float_of(0x7FC00000);

}  // namespace

TEST_CASE("BF16: one element of A at a time, all four shapes", "[sim-numerics]") {
  for (const shape& s : kShapes) {
    bf16_instruction i{s};
    const auto b = [&](unsigned k, unsigned n) { return static_cast<float>(k * 8 + n % 8) + (n >= 8 ? 0.0f : 256.0f); };
    for (unsigned k = 0; k < s.inner(); ++k)
      for (unsigned n = 0; n < s.rows; ++n) i.set_b(k, n, float_of(bits_of(b(k, n)) & 0xFFFF0000));
    for (unsigned row = 0; row < s.rows; ++row)
      for (unsigned k = 0; k < s.inner(); ++k) {
        i.set_a(row, k, static_cast<float>(row + 1));
        i.run();
        i.set_a(row, k, 0);
        for (unsigned m = 0; m < s.rows; ++m)
          for (unsigned n = 0; n < s.rows; ++n) {
            const float value = m == row ? static_cast<float>(row + 1) * float_of(bits_of(b(k, n)) & 0xFFFF0000) : 0.0f;
            if (i.d[i.at(m, n)] != bits_of(value))
              FAIL("rows " << s.rows << ", A(" << row << ", " << k << "), D(" << m << ", " << n << ")");
          }
      }
  }
}

TEST_CASE("BF16: random operands with exact sums, every model and shape", "[sim-numerics]") {
  std::mt19937 random(7);
  const auto small = [&] { return static_cast<float>(static_cast<int>(random() % 201) - 100) / 8; };
  for (const shape& s : kShapes)
    for (const bf16_combine combine : kModels) {
      bf16_instruction i{s};
      std::vector<float> a(s.rows * s.inner()), b(s.inner() * s.rows);
      for (unsigned line = 0; line < s.rows; ++line)
        for (unsigned k = 0; k < s.inner(); ++k) {
          i.set_a(line, k, a[line * s.inner() + k] = small());
          i.set_b(k, line, b[k * s.rows + line] = small());
        }
      for (uint32_t& c : i.c) c = bits_of(small());
      i.run(bf16_model(combine));
      for (unsigned m = 0; m < s.rows; ++m)
        for (unsigned n = 0; n < s.rows; ++n) {
          float expected = float_of(i.c[i.at(m, n)]);  // multiples of 1/64 below 2^13: exact in any order
          for (unsigned k = 0; k < s.inner(); ++k) expected += a[m * s.inner() + k] * b[k * s.rows + n];
          if (i.d[i.at(m, n)] != bits_of(expected)) FAIL("rows " << s.rows << ", D(" << m << ", " << n << ")");
        }
    }
}

TEST_CASE("BF16: MMA-Sim's published vector", "[sim-numerics]") {
  expect(0x1p23f, {{0, -0x1p13f, 0x1p10f}, {1, -0.5f, 1}, {2, -0.25f, 1}, {3, -0.125f, 1}}, -0.875f, -0.875f, -0.5f);
}

TEST_CASE("BF16: where the models differ", "[sim-numerics]") {
  // Two halves of a unit: in one group of 8 together, in two groups each a tie.
  expect(0x1p24f, {{0, 1, 1}, {7, 1, 1}}, 0x1p24f, 0x1p24f + 2, 0x1p24f + 2);
  expect(0x1p24f, {{7, 1, 1}, {8, 1, 1}}, 0x1p24f, 0x1p24f + 2, 0x1p24f);
  // 1.5 after a tie that went to even: order matters to the chain.
  expect(0x1p24f, {{0, 1, 1}, {8, 1.5f, 1}}, 0x1p24f + 2, 0x1p24f + 2, 0x1p24f + 2);
  expect(0x1p24f, {{0, 1.5f, 1}, {8, 1, 1}}, 0x1p24f + 4, 0x1p24f + 2, 0x1p24f + 4);
  // C = -2^-30 beside 1 is floored.
  expect(-0x1p-30f, {{0, 1, 1}}, 1, 1, 1 - 0x1p-24f);
  // 2^30 - 2^30 + 2^5 in a group; exact otherwise.
  expect(0, {{0, 0x1p15f, 0x1p15f}, {1, -0x1p15f, 0x1p15f}, {2, 32, 1}}, 32, 32, 0);
  // A subnormal operand counts with the exponent of the least normal number: 2^-133 * 2^127 has exponent 1, and so
  // 2^-6 * 2^-24 beside it falls away; the normal 2^-6 keeps it.
  expect(0, {{0, 0x1p-133f, 0x1p127f}, {1, 0x1p-15f, 0x1p-14f}}, 0x1p-6f + 0x1p-29f, 0x1p-6f + 0x1p-29f, 0x1p-6f);
  expect(0, {{0, 0x1p-3f, 0x1p-3f}, {1, 0x1p-15f, 0x1p-14f}}, 0x1p-6f + 0x1p-29f, 0x1p-6f + 0x1p-29f, 0x1p-6f + 0x1p-29f);
}

TEST_CASE("BF16: products beyond FP32, Inf and NaN", "[sim-numerics]") {
  const float big = 0x1p100f;
  expect(1, {{0, big, big}, {1, -big, big}}, kInf, 1, kNan);  // fma(-2^100, 2^100, Inf) stays Inf
  expect(1, {{0, big, big}}, kInf, kInf, kInf);
  expect(1, {{0, -big, big}}, -kInf, -kInf, -kInf);
  expect(0, {{0, 0x1p64f, 0x1p63f}, {1, -0x1p64f, 0x1p63f}}, 0, 0, 0);  // 2^127 is finite
  expect(0, {{0, kInf, 0}}, kNan, kNan, kNan);
  expect(0, {{0, kInf, 1}, {9, -2, kInf}}, kNan, kNan, kNan);
  expect(0, {{0, kInf, 1}, {9, 2, kInf}}, kInf, kInf, kInf);
  expect(-kInf, {{9, 2, kInf}}, kNan, kNan, kNan);
  expect(-kInf, {{9, 2, 3}}, -kInf, -kInf, -kInf);
  expect(float_of(0xFFC12345), {}, kNan, kNan, kNan);
  expect(0, {{31, float_of(0xFFC10000), 1}}, kNan, kNan, kNan);
  mfma_options other;
  other.nan = 0xFFC00000;
  bf16_instruction i{{16, 8}};
  i.c[i.at(4, 5)] = 0x7F800001;
  i.run(other);
  CHECK(i.d[i.at(4, 5)] == 0xFFC00000);
}

TEST_CASE("BF16: subnormals and zeros", "[sim-numerics]") {
  expect(0, {{0, 0x1p-133f, 0x1p-16f}}, 0x1p-149f, 0x1p-149f, 0x1p-149f);
  expect(0, {{31, -0x1p-133f, 0x1p-17f}}, -0.0f, -0.0f, -0.0f);
  expect(0x1p-149f, {{0, -0x1p-133f, 0x1p-16f}}, 0, 0, 0);
  expect(0, {{0, -1, 0}}, 0, 0, 0);
  // The chain is FP32: -0 stays -0 when only -0 is added; sums are +0.
  CHECK(one(bf16_combine::exact_sum, -0.0f, {}) == 0);
  CHECK(one(bf16_combine::trfdpa_8, -0.0f, {}) == 0);
  CHECK(one(bf16_combine::fma_chain, -0.0f, {}) == 0);  // + (+0 * +0)
}

TEST_CASE("BF16: the result may lie over A", "[sim-numerics]") {
  bf16_instruction i{{16, 8}};
  for (unsigned k = 0; k < 32; ++k)
    for (unsigned n = 0; n < 16; ++n) {
      i.set_a(n, k, static_cast<float>(n + 1));
      i.set_b(k, n, static_cast<float>(k));
    }
  i.run();
  mfma_f32_16x16x32_bf16(source_registers<4>(i.a.data(), 256), source_registers<4>(i.b.data(), 256),
                         source_registers<4>(i.c.data(), 256), result_registers<4>(i.a.data(), 256));
  CHECK(std::equal(i.a.begin(), i.a.end(), i.d.begin()));
  CHECK(i.d[i.at(2, 0)] == bits_of(3 * 496.0f));
}
