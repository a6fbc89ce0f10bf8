// Laws of the accumulation models of the MX product that hold for every input: order, signs, scales, zeros, steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "catch.h"
#include "product_calls.h"
#include "product_pick.h"
#include "reference/mx_gemm.h"

using namespace adahop;
using namespace adahop::property;

namespace {

constexpr uint32_t kSign = 0x80000000u, kNan = 0x7FC00000u;

mx_matrix with_rows(const mx_matrix& m, const std::vector<int64_t>& order) {
  mx_matrix out(m.outer, m.inner);
  for (int64_t r = 0; r < m.outer; ++r) {
    std::copy_n(m.codes.begin() + order[static_cast<size_t>(r)] * m.inner / 2, m.inner / 2,
                out.codes.begin() + r * m.inner / 2);
    std::copy_n(m.scales.begin() + order[static_cast<size_t>(r)] * m.inner / kBlockSize, m.inner / kBlockSize,
                out.scales.begin() + r * m.inner / kBlockSize);
  }
  return out;
}

// Block k of the result is block order[k].
mx_matrix with_blocks(const mx_matrix& m, const std::vector<int64_t>& order) {
  mx_matrix out(m.outer, kBlockSize * static_cast<int64_t>(order.size()));
  const int64_t from_blocks = m.inner / kBlockSize, to_blocks = out.inner / kBlockSize;
  for (int64_t r = 0; r < m.outer; ++r)
    for (int64_t k = 0; k < to_blocks; ++k) {
      const int64_t from = r * from_blocks + order[static_cast<size_t>(k)], to = r * to_blocks + k;
      std::copy_n(m.codes.begin() + from * kBlockBytes, kBlockBytes, out.codes.begin() + to * kBlockBytes);
      out.scales[static_cast<size_t>(to)] = m.scales[static_cast<size_t>(from)];
    }
  return out;
}

// The elements of each block in another order, the same one in every block.
mx_matrix with_elements(const mx_matrix& m, const std::vector<int64_t>& order) {
  mx_matrix out = m;
  for (int64_t r = 0; r < m.outer; ++r)
    for (int64_t i = 0; i < m.inner; ++i)
      set_code(out, r, i, code_at(m, r, i / kBlockSize * kBlockSize + order[static_cast<size_t>(i % kBlockSize)]));
  return out;
}

mx_matrix negated(mx_matrix m) {
  for (uint8_t& byte : m.codes) byte ^= 0x88;
  return m;
}

bool is_chain(const policy& p) { return p.gemm_model != ADAHOP_GEMM_EXACT_SUM; }

// Blocks after which a model rounds: one group of 10.12, 10.14, 10.16 or 10.17 may be shorter than a block.
int64_t blocks_a_step(const policy& p) {
  switch (p.gemm_model) {
    case ADAHOP_GEMM_MFMA_FUSED:
    case ADAHOP_GEMM_BLOCK_FIRST_FDPA: return p.gemm_model_param;
    case ADAHOP_GEMM_CDNA3_TRFDPA:
    case ADAHOP_GEMM_CDNA3_GTRFDPA: return std::max<int64_t>(1, p.gemm_model_param / kBlockSize);
    default: return 1;
  }
}

bool adds_whole_blocks(const policy& p) {
  return p.gemm_model != ADAHOP_GEMM_CDNA3_TRFDPA && p.gemm_model != ADAHOP_GEMM_CDNA3_GTRFDPA;
}

output_bits reference_product(const mx_product& x) { return product_of(the_reference(), x); }

}  // namespace

TEST_CASE("MX: rows of A are rows of C, rows of B its columns", "[property][spec:10.4][spec:10.11][spec:10.12]") {
  check_property("mx: permuting rows of A and of B permutes rows and columns of C", 2000, [] {
    const mx_product x = pick_mx_product("x", reach::wild);
    const std::vector<int64_t> rows = pick_permutation("rows of A", x.a.outer), cols = pick_permutation("rows of B", x.b.outer);
    const output_bits c = reference_product(x);
    output_bits wanted(c.rows, c.cols);
    for (int64_t r = 0; r < c.rows; ++r)
      for (int64_t n = 0; n < c.cols; ++n) wanted.at(r, n) = c.at(rows[static_cast<size_t>(r)], cols[static_cast<size_t>(n)]);
    require_same(reference_product({x.rules, with_rows(x.a, rows), with_rows(x.b, cols)}), wanted, "permuted");
  });
}

TEST_CASE("MX: the operands change places", "[property][spec:10.1][spec:10.15][spec:10.16][spec:10.17]") {
  check_property("mx: B A^T is the transpose of A B^T", 2000, [] {
    const mx_product x = pick_mx_product("x", reach::wild);
    require_same(reference_product({x.rules, x.b, x.a}), transpose(reference_product(x)), "B A^T");
  });
}

TEST_CASE("MX: the order of elements within a block does not matter where block sums are exact",
          "[property][spec:10.1][spec:10.17]") {
  check_property("mx: permuting the elements of blocks changes nothing", 2000, [] {
    const mx_product x = pick_mx_product("x", reach::wild);
    const std::vector<int64_t> order = pick_permutation("order", kBlockSize);
    discard_unless(adds_whole_blocks(x.rules));
    require_same(reference_product({x.rules, with_elements(x.a, order), with_elements(x.b, order)}), reference_product(x),
                 "permuted");
  });
}

TEST_CASE("MX: the order of products within a step of an aligned sum does not matter", "[property][spec:10.14][spec:10.16]") {
  check_property("mx: permuting pairs of products within groups of 16 changes nothing", 2000, [] {
    const mx_product x = pick_mx_product("x", reach::wild);
    // Pairs of an even and an odd k, since GTR-FDPA adds these apart; the smallest group has 16 products.
    const std::vector<int64_t> pairs = pick_permutation("pairs", 8);
    std::vector<int64_t> order;
    for (int64_t i = 0; i < kBlockSize; ++i) order.push_back(i / 16 * 16 + 2 * pairs[static_cast<size_t>(i % 16 / 2)] + i % 2);
    require_same(reference_product({x.rules, with_elements(x.a, order), with_elements(x.b, order)}), reference_product(x),
                 "permuted");
  });
}

TEST_CASE("MX: the order of blocks within a step does not matter", "[property][spec:10.11][spec:10.12][spec:10.17]") {
  check_property("mx: permuting the blocks of each step changes nothing", 2000, [] {
    const mx_product x = pick_mx_product("x", reach::wild);
    const int64_t blocks = x.a.inner / kBlockSize, step = is_chain(x.rules) ? blocks_a_step(x.rules) : blocks;
    const std::vector<int64_t> within = pick_permutation("within a step", step);
    std::vector<int64_t> order;
    for (int64_t k = 0; k < blocks; ++k) {
      const bool whole_step = k / step * step + step <= blocks;
      order.push_back(whole_step ? k / step * step + within[static_cast<size_t>(k % step)] : k);
    }
    require_same(reference_product({x.rules, with_blocks(x.a, order), with_blocks(x.b, order)}), reference_product(x),
                 "permuted");
  });
}

TEST_CASE("MX: only the sum of two scales counts", "[property][spec:10.2][spec:10.15][spec:10.17]") {
  check_property("mx: moving powers of two from A's scales to B's changes nothing", 2000, [] {
    const mx_product x = pick_mx_product("x", reach::wild);
    mx_product moved = x;
    const int64_t blocks = x.a.inner / kBlockSize, wanted = pick_integer("power", 0, 60);
    for (int64_t k = 0; k < blocks; ++k) {
      const auto bytes = [k, blocks](mx_matrix& m, const auto& visit) {
        for (int64_t r = 0; r < m.outer; ++r)
          if (uint8_t& byte = m.scales[static_cast<size_t>(r * blocks + k)]; byte != kE8m0Nan) visit(byte);
      };
      int64_t power = wanted;
      bytes(moved.a, [&](uint8_t byte) { power = std::min<int64_t>(power, byte); });
      bytes(moved.b, [&](uint8_t byte) { power = std::min<int64_t>(power, 254 - byte); });
      bytes(moved.a, [&](uint8_t& byte) { byte = static_cast<uint8_t>(byte - power); });
      bytes(moved.b, [&](uint8_t& byte) { byte = static_cast<uint8_t>(byte + power); });
    }
    require_same(reference_product(moved), reference_product(x), "moved");
  });
}

TEST_CASE("MX: signs", "[property][spec:10.1][spec:10.5]") {
  check_property("mx: negating both operands changes nothing", 2000, [] {
    const mx_product x = pick_mx_product("x", reach::wild);
    require_same(reference_product({x.rules, negated(x.a), negated(x.b)}), reference_product(x), "negated twice");
  });
  check_property("mx: negating A negates C where a model rounds symmetrically", 2000, [] {
    const mx_product x = pick_mx_product("x", reach::wild);
    discard_unless(adds_whole_blocks(x.rules));
    const output_bits c = reference_product(x), minus = reference_product({x.rules, negated(x.a), x.b});
    for (size_t i = 0; i < c.bits.size(); ++i) {
      const uint32_t bits = c.bits[i];
      if ((bits & ~kSign) == 0)  // +0 may be an exact zero or a small number; -0 only a small one
        require(minus.bits[i] == 0 || (bits == 0 && minus.bits[i] == kSign), fmt::format("{:X} and {:X}", bits, minus.bits[i]));
      else
        require_equal(minus.bits[i], bits == kNan ? kNan : bits ^ kSign, fmt::format("output {} of -A", i));
    }
  });
}

TEST_CASE("MX: a power of two in A's scales is one in C", "[property][spec:10.2][spec:10.4][spec:10.14]") {
  check_property("mx: scaling A by 2^n scales C by 2^n", 2000, [] {
    const mx_product x = pick_mx_product("x", reach::tame);
    const int power = static_cast<int>(pick_integer("power", -20, 20));
    mx_product scaled = x;
    for (uint8_t& byte : scaled.a.scales) byte = static_cast<uint8_t>(byte + power);
    output_bits wanted = reference_product(x);
    for (uint32_t& bits : wanted.bits) bits = bits_of(std::ldexp(float_of(bits), power));
    require_same(reference_product(scaled), wanted, fmt::format("times 2^{}", power));
  });
}

TEST_CASE("MX: zeros and nothing give +0", "[property][spec:10.5][spec:10.7]") {
  check_property("mx: an operand of zeros of both signs gives +0", 2000, [] {
    mx_product x = pick_mx_product("x", reach::wild);
    for (uint8_t& byte : x.a.codes) byte &= 0x88;
    for (mx_matrix* m : {&x.a, &x.b}) std::replace(m->scales.begin(), m->scales.end(), kE8m0Nan, uint8_t{254});
    require_same(reference_product(x), output_bits(x.a.outer, x.b.outer), "zeros");
  });
  check_property("mx: K = 0 gives +0", 100, [] {
    const mx_product x = pick_mx_product("x", reach::wild);
    require_same(reference_product({x.rules, mx_matrix(x.a.outer, 0), mx_matrix(x.b.outer, 0)}),
                 output_bits(x.a.outer, x.b.outer), "nothing");
  });
}

TEST_CASE("MX: one NaN scale is one row of NaN", "[property][spec:10.3]") {
  check_property("mx: byte 0xFF makes its row NaN and no other", 2000, [] {
    const mx_product x = pick_mx_product("x", reach::wild);
    const int64_t row = pick_integer("row", 0, x.a.outer - 1), block = pick_integer("block", 0, x.a.inner / kBlockSize - 1);
    const bool zeros = pick_integer("codes are zeros", 0, 1) == 1;
    mx_product y = x;
    y.a.scales[static_cast<size_t>(row * x.a.inner / kBlockSize + block)] = kE8m0Nan;
    for (int64_t i = 0; zeros && i < kBlockSize; ++i) set_code(y.a, row, block * kBlockSize + i, 0);
    output_bits wanted = reference_product(x);
    for (int64_t n = 0; n < wanted.cols; ++n) wanted.at(row, n) = kNan;
    require_same(reference_product(y), wanted, "with a NaN scale");
  });
}

TEST_CASE("MX: a chain may be cut between two steps", "[property][spec:10.4][spec:10.12][spec:10.13][spec:10.14]") {
  check_property("mx: the second part continues from the first part's result", 2000, [] {
    const mx_product x = pick_mx_product("x", reach::wild);
    discard_unless(is_chain(x.rules));
    const int64_t step = blocks_a_step(x.rules), blocks = x.a.inner / kBlockSize;
    const int64_t first = step * pick_integer("steps of the first part", 0, blocks / step);
    std::vector<int64_t> head, tail;
    for (int64_t k = 0; k < blocks; ++k) (k < first ? head : tail).push_back(k);
    const mx_matrix a1 = with_blocks(x.a, head), b1 = with_blocks(x.b, head), a2 = with_blocks(x.a, tail),
                    b2 = with_blocks(x.b, tail);
    const output_bits c = reference_product(x), part = reference_product({x.rules, a1, b1});
    for (int64_t m = 0; m < c.rows; ++m)
      for (int64_t n = 0; n < c.cols; ++n) {
        if (part.at(m, n) == kNan) {  // what follows a NaN is one
          require_equal(c.at(m, n), kNan, "after a NaN");
          continue;
        }
        const reference::mx_rows rows(view_of(a2), m, view_of(b2), n);
        require_equal(c.at(m, n), bits_of(reference::mx_dot(x.rules, rows, float_of(part.at(m, n)))), "in two parts");
      }
  });
}

TEST_CASE("MX: blocks of zeros behind the last one", "[property][spec:10.5][spec:10.14][spec:10.24]") {
  check_property("mx: filling the last step with zeros changes nothing, a step of zeros takes -0 to +0", 2000, [] {
    const mx_product x = pick_mx_product("x", reach::wild);
    const auto scale = static_cast<uint8_t>(pick_integer("scale byte of the zeros", 0, 254));
    const int64_t step = blocks_a_step(x.rules), blocks = x.a.inner / kBlockSize;
    const bool adds_step = blocks % step == 0;
    mx_product longer = x;
    for (mx_matrix mx_product::*side : {&mx_product::a, &mx_product::b}) {
      const mx_matrix& m = x.*side;
      mx_matrix out(m.outer, m.inner + kBlockSize * (step - blocks % step));
      std::fill(out.scales.begin(), out.scales.end(), scale);
      for (int64_t r = 0; r < m.outer; ++r) {
        std::copy_n(m.codes.begin() + r * m.inner / 2, m.inner / 2, out.codes.begin() + r * out.inner / 2);
        std::copy_n(m.scales.begin() + r * blocks, blocks, out.scales.begin() + r * out.inner / kBlockSize);
      }
      longer.*side = out;
    }
    output_bits wanted = reference_product(x);
    if (adds_step && is_chain(x.rules)) std::replace(wanted.bits.begin(), wanted.bits.end(), kSign, 0u);
    require_same(reference_product(longer), wanted, "with zeros");
  });
}
