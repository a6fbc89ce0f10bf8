// Random tensors: the values where rules change, in the company in which they occur.
#include <algorithm>
#include <array>

#include "make_tensor.h"
#include "words.h"

namespace adahop::property {
namespace {

enum class kind { near_grid, spread, bf16_ties, any_exponent, subnormal, huge, small_integer };
constexpr int64_t kKinds = 7;

// The E2M1 grid, the midpoints between its neighbours, and values above 6.
constexpr std::array<float, 19> kGridAndTies{0.25f, 0.5f, 0.75f, 1, 1.25f, 1.5f, 1.75f, 2,  2.5f,  3,
                                             3.5f,  4,    5,     6, 6.5f,  7,    7.5f,  12, 0.125f};
constexpr std::array<uint32_t, 5> kNonfinite{0x7FC00000u, 0x7F800000u, 0xFF800000u, 0xFFC10000u, 0x7F810000u};
constexpr uint32_t kMantissa = 0x007FFFFFu;
constexpr int64_t kIntegers = 256;

uint32_t field_of(uint32_t bits) { return bits >> 23 & 0xFFu; }

// The same value in the allowed exponents, as the dtype has it; a zero stays one.
uint32_t limited(const tensor_choice& choice, int32_t dtype, uint32_t bits) {
  if (dtype == ADAHOP_BF16) bits &= 0xFFFF0000u;
  if ((bits & 0x7FFFFFFFu) == 0) return bits;
  const auto low = static_cast<uint32_t>(choice.min_exponent), high = static_cast<uint32_t>(choice.max_exponent);
  const uint32_t field = field_of(bits);
  if (field >= low && field <= high) return bits;
  return (bits & (0x80000000u | kMantissa)) | (low + field % (high - low + 1)) << 23;
}

// A value of this kind; `base` is the exponent field that its neighbours share.
uint32_t value_of_kind(kind what, int64_t base, int32_t dtype, words& w) {
  const uint32_t sign = w.one_in(2) ? 0x80000000u : 0u;
  if (w.one_in(8)) return sign;
  const auto mantissa = static_cast<uint32_t>(w.next()) & kMantissa;
  const auto with_exponent = [&](int64_t field) {
    return sign | static_cast<uint32_t>(std::clamp<int64_t>(field, 0, 254)) << 23 | mantissa;
  };
  switch (what) {
    case kind::near_grid: {
      const auto i = static_cast<size_t>(w.next() % kGridAndTies.size());
      const int64_t field = static_cast<int64_t>(field_of(bits_of(kGridAndTies[i]))) - 127 + base;
      if (field < 1 || field > 254) return with_exponent(field);
      const uint32_t bits = static_cast<uint32_t>(field) << 23 | (bits_of(kGridAndTies[i]) & kMantissa);
      const uint32_t step = dtype == ADAHOP_BF16 ? 0x10000u : 1u;
      return sign | (bits + step * static_cast<uint32_t>(w.between(-1, 1)));
    }
    case kind::spread: return with_exponent(base - w.between(0, 5));
    case kind::bf16_ties:
      return (with_exponent(base - w.between(0, 5)) & 0xFFFF0000u) +
             (0x8000u + static_cast<uint32_t>(w.between(-1, 1)));
    case kind::any_exponent: return with_exponent(w.between(0, 254));
    case kind::subnormal: return with_exponent(w.between(0, 3));
    case kind::huge: return with_exponent(w.between(248, 254));
    case kind::small_integer: break;
  }
  return sign | bits_of(static_cast<float>(w.between(0, kIntegers)));
}

int64_t dimension(int64_t low, int64_t high, int64_t multiple, int size, words& w) {
  const int64_t steps = (high - low) / multiple;
  return low + multiple * w.between(0, (steps * size + 99) / 100);
}

// Makes whole lines 2^3 to 2^40 times larger, none to all of them.
void add_outlier_lines(const tensor_choice& choice, tensor& t, bool rows, words& w) {
  const int64_t lines = rows ? t.rows : t.cols;
  const int64_t count = w.one_in(4) ? w.between(0, lines) : w.between(0, std::min<int64_t>(lines, 3));
  for (int64_t i = 0; i < count; ++i) {
    const int64_t line = w.between(0, lines - 1);
    const auto power = static_cast<uint32_t>(w.one_in(4) ? w.between(3, 40) : w.between(3, 8));
    for (int64_t other = 0; other < (rows ? t.cols : t.rows); ++other) {
      uint32_t& bits = rows ? t.at(line, other) : t.at(other, line);
      if (field_of(bits) != 0 && field_of(bits) + power <= static_cast<uint32_t>(choice.max_exponent))
        bits += power << 23;
    }
  }
}

placement make_placement(words& w) {
  placement p;
  if (w.one_in(3)) return p;
  p.offset = w.between(0, 5);
  p.step = w.one_in(3) ? w.between(2, 3) : 1;
  p.gap = w.between(0, 5);
  p.transposed = w.one_in(3);
  return p;
}

void fill(const tensor_choice& choice, tensor& t, words& w) {
  const auto any_kind = [&] {
    return choice.integers ? kind::small_integer : static_cast<kind>(w.between(0, kKinds - 1));
  };
  const bool mixed = w.one_in(4), constant_rows = w.one_in(8);
  kind what = any_kind();
  int64_t base = w.between(choice.min_exponent, choice.max_exponent);
  for (int64_t r = 0; r < t.rows; ++r) {
    for (int64_t c = 0; c < t.cols; ++c) {
      if (mixed && c % 32 == 0) {
        what = any_kind();
        base = w.between(choice.min_exponent, choice.max_exponent);
      }
      t.at(r, c) =
          constant_rows && c > 0 ? t.at(r, 0) : limited(choice, t.dtype, value_of_kind(what, base, t.dtype, w));
    }
  }
  if (choice.integers) return;
  if (w.one_in(2)) add_outlier_lines(choice, t, true, w);
  if (w.one_in(2)) add_outlier_lines(choice, t, false, w);
}

tensor make(const tensor_choice& choice, int64_t rows, int64_t cols, words& w) {
  const bool any = choice.dtype == tensor_choice::kAnyDtype;
  tensor t(any ? static_cast<int32_t>(w.between(0, 1)) : choice.dtype, rows, cols);
  fill(choice, t, w);
  if (choice.nonfinite && w.one_in(2))
    for (uint32_t& bits : t.bits)
      if (w.one_in(64)) bits = kNonfinite[w.next() % kNonfinite.size()];
  if (choice.placements) t.where = make_placement(w);
  return t;
}

}  // namespace

tensor make_tensor(const tensor_choice& choice, uint64_t seed, int size) {
  words w(seed);
  const int64_t rows = dimension(choice.min_rows, choice.max_rows, 1, size, w);
  const int64_t cols = dimension(choice.min_cols, choice.max_cols, choice.col_multiple, size, w);
  return make(choice, rows, cols, w);
}

operands make_operands(const tensor_choice& choice, int64_t min_b_rows, int64_t max_b_rows, uint64_t seed, int size) {
  words w(seed);
  const int64_t k = dimension(choice.min_cols, choice.max_cols, choice.col_multiple, size, w);
  tensor a = make(choice, dimension(choice.min_rows, choice.max_rows, 1, size, w), k, w);
  tensor b = make(choice, dimension(min_b_rows, max_b_rows, 1, size, w), k, w);
  return {std::move(a), std::move(b)};
}

uint32_t make_value(const tensor_choice& choice, uint64_t seed) {
  words w(seed);
  const int32_t dtype = choice.dtype == ADAHOP_BF16 ? ADAHOP_BF16 : ADAHOP_F32;
  if (choice.nonfinite && w.one_in(16)) return kNonfinite[w.next() % kNonfinite.size()];
  const kind what = choice.integers ? kind::small_integer : static_cast<kind>(w.between(0, kKinds - 1));
  return limited(choice, dtype, value_of_kind(what, w.between(choice.min_exponent, choice.max_exponent), dtype, w));
}

placement make_placement(uint64_t seed) {
  words w(seed);
  return make_placement(w);
}

}  // namespace adahop::property
