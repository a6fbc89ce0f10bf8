// The bound as a recursion over the steps of a model: how far the accumulator can be off, given the exact prefix sums.
// Names and inequalities are those of the proof in SPEC. Implements SPEC 10.23.
#include "reference/bound.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "reference/accumulate/aligned_sum.h"
#include "reference/accumulate/superaccumulator.h"
#include "reference/parallel.h"
#include "reference/round_bf16.h"

namespace adahop::reference {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr int kMagnitudeLimit = 127;             // magnitudes summing to 2^127 have no bound
constexpr double kOverflow = 0x1p128 - 0x1p104;  // what stays below cannot round to Inf

// Consecutive products that no model splits: 16 of an MX product, one of a BF16 product.
struct piece {
  double prefix;        // >= |exact sum of all products up to the end of this piece|
  int highest, lowest;  // field exponents of the non-zero products
  int nonzero;
  int32_t dot_x4 = 0;  // MX only: the integer sum, and the exponent of its unit
  int dot_exponent = 0;
};

// Both are non-negative. Round to nearest and one step up is not below the real sum; adding zero is exact.
double add_up(double x, double y) {
  if (x == 0 || y == 0) return x + y;
  return std::nextafter(x + y, kInf);
}

double half_ulp(double magnitude) {  // of FP32; zero is a neighbour too, so never more than the magnitude
  return std::min(std::max(std::ldexp(magnitude, -24), 0x1p-150), magnitude);
}

// The part of a step's error that arises before its last rounding, under TR-FDPA and GTR-FDPA. `exact_span`: products
// that far below the largest exponent are not touched by truncation. `acc` bounds |accumulator|.
double aligned_error(const piece* first, const piece* last, int exact_span, double acc) {
  int e_dot = kNoExponent;
  for (const piece* p = first; p != last; ++p)
    if (p->nonzero > 0) e_dot = std::max(e_dot, p->highest);
  int lost = 0;
  for (const piece* p = first; p != last; ++p)
    if (p->nonzero > 0 && p->lowest < e_dot - exact_span) lost += p->nonzero;
  // Truncated products, the floor of one parity sum, the floor of the accumulator.
  const int units = lost + (lost > 0 ? 1 : 0) + (acc > 0 ? 1 : 0);
  const double e_c = std::max(acc, 0x1p-126);
  const double floor_of_sum = std::ldexp(1.0, e_dot + 8) < e_c ? std::ldexp(e_c, -32) : 0;
  return add_up(std::ldexp(units, e_dot - 24), floor_of_sum);
}

// The same under block_first_fdpa and mfma_seq, for a step of whole blocks.
double block_error(const piece* first, const piece* last, double acc) {
  const auto for_each_block = [&](const auto& body) {
    for (const piece* p = first; p != last; p += 2) {
      const int32_t dot = p[0].dot_x4 + p[1].dot_x4;
      if (dot != 0) body(dot, p->dot_exponent);
    }
  };
  int highest = kNoExponent;  // of x = dot_exponent + 2
  for_each_block([&](int32_t, int exponent) { highest = std::max(highest, exponent + 2); });
  if (highest == kNoExponent) return 0;
  const double e_c = std::max(acc, 0x1p-126);
  int lost = acc > 0 ? 1 : 0;
  double below_acc = 0, term_rounding = 0;
  for_each_block([&](int32_t dot, int exponent) {
    if (exponent + 2 < highest - 22) ++lost;
    if (std::ldexp(1.0, exponent + 2 + 22) < e_c)
      below_acc = add_up(below_acc, std::min(std::ldexp(e_c, -24), std::ldexp(std::abs(dot), exponent)));
    if (exponent < -149) term_rounding = 0x1p-150;
  });
  return std::max({std::ldexp(lost, highest - 24), below_acc, term_rounding});
}

struct model_family {
  size_t step;     // pieces a step
  int exact_span;  // of aligned additions; -1 if the family has none
  bool has_blocks;
};

// How far the accumulator of a family can be from the exact sum after the last step.
double chain_error(const std::vector<piece>& pieces, const model_family& family) {
  double delta = 0, prefix = 0;
  for (size_t i = 0; i < pieces.size(); i += family.step) {
    const piece* first = pieces.data() + i;
    const piece* last = pieces.data() + std::min(i + family.step, pieces.size());
    const double acc = add_up(prefix, delta);
    prefix = last[-1].prefix;
    if (std::all_of(first, last, [](const piece& p) { return p.nonzero == 0; })) continue;  // acc + 0 is exact

    double before = family.exact_span < 0 ? 0 : aligned_error(first, last, family.exact_span, acc);
    if (family.has_blocks) before = std::max(before, block_error(first, last, acc));
    const double result = add_up(prefix, delta);
    const double unrounded = add_up(result, before);
    // The last rounding, and the floor to 31 fraction bits ahead of it.
    const double step_error = add_up(before, add_up(half_ulp(unrounded), std::ldexp(unrounded, -30)));
    if (add_up(result, step_error) >= kOverflow) return kInf;
    delta = add_up(delta, step_error);
  }
  return delta;
}

template <size_t N>
double bound_over(const std::vector<piece>& pieces, const model_family (&families)[N]) {
  if (pieces.empty()) return 0;
  double worst = 0;
  for (const model_family& family : families) worst = std::max(worst, chain_error(pieces, family));
  return add_up(worst, half_ulp(pieces.back().prefix));
}

void note(piece& out, const product& p) {
  if (p.significand == 0) return;
  out.highest = out.nonzero == 0 ? p.exponent : std::max(out.highest, p.exponent);
  out.lowest = out.nonzero == 0 ? p.exponent : std::min(out.lowest, p.exponent);
  ++out.nonzero;
}

}  // namespace

double error_bound(const mx_rows& rows) {
  if (rows.has_nan_scale()) return std::numeric_limits<double>::quiet_NaN();
  constexpr int kPiece = 16, kPiecesABlock = kBlockSize / kPiece;
  superaccumulator sum, magnitudes;
  std::vector<piece> pieces(static_cast<size_t>(rows.blocks * kPiecesABlock));
  for (size_t i = 0; i < pieces.size(); ++i) {
    piece out{};
    const int64_t block = static_cast<int64_t>(i) / kPiecesABlock;
    out.dot_exponent = rows.term_exponent(block);
    int32_t magnitude_x4 = 0;
    for (int64_t k = static_cast<int64_t>(i) * kPiece; k < static_cast<int64_t>(i + 1) * kPiece; ++k) {
      const int32_t product_x4 = value_x2(rows.a_at(k)) * value_x2(rows.b_at(k));
      out.dot_x4 += product_x4;
      magnitude_x4 += std::abs(product_x4);
      note(out, rows.product_at(k));
    }
    sum.add(out.dot_x4, out.dot_exponent);
    magnitudes.add(magnitude_x4, out.dot_exponent);
    out.prefix = sum.magnitude_up();
    pieces[i] = out;
  }
  if (magnitudes.reaches(kMagnitudeLimit)) return kInf;
  // Two significands of one fraction bit: exact down to 22 below the largest exponent.
  constexpr model_family kFamilies[] = {{1, 22, false}, {2, 22, true}, {4, 22, true}, {8, 22, true}};
  return bound_over(pieces, kFamilies);
}

double error_bound(const bf16_rows& rows) {
  superaccumulator sum, magnitudes;
  std::vector<piece> pieces(static_cast<size_t>(rows.k));
  for (int64_t k = 0; k < rows.k; ++k) {
    if (!is_finite(rows.a_at(k)) || !is_finite(rows.b_at(k))) return kInf;
    const product p = product_of(rows.a_at(k), rows.b_at(k));
    sum.add(p.significand, p.exponent - kProductFractionBits);
    magnitudes.add(std::abs(p.significand), p.exponent - kProductFractionBits);
    piece& out = pieces[static_cast<size_t>(k)];
    note(out, p);
    out.prefix = sum.magnitude_up();
  }
  if (magnitudes.reaches(kMagnitudeLimit)) return kInf;
  // seq_fma, one product a step; cdna3_trfdpa(8), whose products have 14 fraction bits of the 24 kept.
  constexpr model_family kFamilies[] = {{1, -1, false}, {8, 24 - kProductFractionBits, false}};
  return bound_over(pieces, kFamilies);
}

matrix<double> error_bounds(const adahop_mx& a, const adahop_mx& b) {
  matrix<double> out(a.outer, b.outer);
  for_each_index(out.rows * out.cols, a.inner, [&](int64_t i) {
    out.data[static_cast<size_t>(i)] = error_bound(mx_rows(a, i / out.cols, b, i % out.cols));
  });
  return out;
}

matrix<double> error_bounds_bf16(const adahop_view& a, const adahop_view& b) {
  matrix<double> out(a.rows, b.rows);
  for_each_index(out.rows * out.cols, a.cols, [&](int64_t i) {
    out.data[static_cast<size_t>(i)] = error_bound(bf16_rows(a, i / out.cols, b, i % out.cols));
  });
  return out;
}

bool is_within_bound(float got, float exact, double bound) {
  if (std::isnan(bound)) return std::isnan(got);
  if (std::isinf(bound)) return true;
  if (!std::isfinite(got)) return false;
  // Two-sum: difference + rest is exactly |got - exact|.
  const double x = got, y = -static_cast<double>(exact);
  const double difference = x + y;
  const double y_part = difference - x;
  const double rest = (x - (difference - y_part)) + (y - y_part);
  const double size = std::abs(difference), size_rest = difference < 0 ? -rest : rest;
  return size < bound || (size == bound && size_rest <= 0);
}

bool is_within_bound(bf16 got, float exact, double bound) {
  const float value = decode_bf16(got);
  if (std::isnan(bound)) return std::isnan(value);
  if (std::isinf(bound)) return true;
  if (std::isnan(value)) return false;
  // Rounding is monotonic: the outputs that FP32 results in [exact - bound, exact + bound] round to are those between
  // the roundings of the ends, which are taken outwards.
  const auto narrow = [](double end, double outwards) {
    const double further = std::nextafter(end, outwards);
    float f = static_cast<float>(further);
    if (outwards < 0 ? f > further : f < further) f = std::nextafter(f, static_cast<float>(outwards));
    return decode_bf16(round_bf16(f));
  };
  return narrow(exact - bound, -kInf) <= value && value <= narrow(exact + bound, kInf);
}

}  // namespace adahop::reference
