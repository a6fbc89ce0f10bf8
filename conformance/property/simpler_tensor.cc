// What is simpler than a tensor: fewer lines first, then zeros in whole stretches, then each value by itself.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numeric>

#include "make_tensor.h"

namespace adahop::property {
namespace {

constexpr uint32_t kSign = 0x80000000u, kMantissa = 0x007FFFFFu, kInf = 0x7F800000u, kOne = 0x3F800000u;

// How hard a value is to read. Every candidate lies below its value, so the search ends.
int complexity(uint32_t bits) {
  const uint32_t magnitude = bits & ~kSign;
  const int sign = bits == magnitude ? 0 : 1;
  if (magnitude == 0) return sign;
  if (magnitude >= kInf) return bits == kCanonicalNan ? 4000 : 4001 + sign;
  const uint32_t mantissa = magnitude & kMantissa;
  const int digits = mantissa == 0 ? 0 : 23 - std::countr_zero(mantissa);
  return 2 + sign + 300 * digits / 23 + 2 * std::abs(static_cast<int>(magnitude >> 23) - 127);
}

bool is_allowed(const tensor_choice& choice, int32_t dtype, uint32_t bits) {
  const uint32_t magnitude = bits & ~kSign;
  if (magnitude == 0) return true;
  if (dtype == ADAHOP_BF16 && (bits & 0xFFFFu) != 0) return false;
  if (magnitude >= kInf) return choice.nonfinite;
  if (choice.integers && float_of(magnitude) != std::trunc(float_of(magnitude))) return false;
  const auto field = static_cast<int64_t>(magnitude >> 23);
  return field >= choice.min_exponent && field <= choice.max_exponent;
}

std::vector<uint32_t> simpler_bits(const tensor_choice& choice, int32_t dtype, uint32_t bits) {
  const uint32_t sign = bits & kSign, field = bits & kInf, mantissa = bits & kMantissa;
  const auto towards_one = static_cast<uint32_t>((static_cast<int32_t>(field >> 23) + 127) / 2) << 23;
  std::vector<uint32_t> candidates{0u,
                                   kOne,
                                   kOne | sign,
                                   kCanonicalNan,
                                   bits & ~kSign,
                                   sign | field,
                                   sign | field | (mantissa & 0x700000u),
                                   sign | field | (mantissa & 0x7F0000u),
                                   sign | field | (mantissa & 0x7FFF00u),
                                   sign | field | (mantissa & (mantissa - 1)),
                                   sign | kOne | mantissa,
                                   sign | towards_one | mantissa,
                                   sign | (field + (field < kOne ? 0x800000u : 0u - 0x800000u)) | mantissa};
  std::erase_if(candidates,
                [&](uint32_t c) { return complexity(c) >= complexity(bits) || !is_allowed(choice, dtype, c); });
  return candidates;
}

// Which lines to keep of n in groups of `group`, at least `least`: halves, then all but one group.
std::vector<std::vector<int64_t>> cuts(int64_t n, int64_t group, int64_t least) {
  std::vector<std::vector<int64_t>> kept;
  const int64_t groups = n / group;
  const auto keep = [&](auto&& wanted) {
    std::vector<int64_t> lines;
    for (int64_t i = 0; i < n; ++i)
      if (wanted(i / group)) lines.push_back(i);
    if (!lines.empty() && static_cast<int64_t>(lines.size()) >= least && static_cast<int64_t>(lines.size()) < n)
      kept.push_back(std::move(lines));
  };
  keep([&](int64_t g) { return g < groups / 2; });
  keep([&](int64_t g) { return g >= groups - groups / 2; });
  for (int64_t dropped = 0; dropped < groups; ++dropped) keep([&](int64_t g) { return g != dropped; });
  return kept;
}

void add_simpler_values(const tensor_choice& choice, const tensor& t, simpler_values<tensor>& list) {
  const auto shared = std::make_shared<const tensor>(t);
  const size_t n = t.bits.size();
  for (size_t length = n; length >= 2; length /= 2) {
    for (size_t first = 0; first < n; first += length) {
      const size_t end = std::min(first + length, n);
      const auto from = t.bits.begin() + static_cast<int64_t>(first), to = t.bits.begin() + static_cast<int64_t>(end);
      if (std::count(from, to, 0u) >= static_cast<int64_t>(end - first) - 1) continue;
      list.push_back([shared, first, end] {
        tensor zeroed = *shared;
        for (size_t i = first; i < end; ++i) zeroed.bits[i] = 0;
        return zeroed;
      });
    }
  }
  for (size_t i = 0; i < n; ++i) {
    for (const uint32_t bits : simpler_bits(choice, t.dtype, t.bits[i])) {
      list.push_back([shared, i, bits] {
        tensor changed = *shared;
        changed.bits[i] = bits;
        return changed;
      });
    }
  }
}

// Everything but fewer columns.
simpler_values<tensor> simpler_of_same_columns(const tensor_choice& choice, int64_t min_rows, const tensor& t) {
  simpler_values<tensor> list;
  for (auto& where : simpler(t.where)) {
    list.push_back([t, where] {
      tensor moved = t;
      moved.where = where();
      return moved;
    });
  }
  for (const std::vector<int64_t>& rows : cuts(t.rows, 1, min_rows))
    list.push_back([t, rows] { return with_rows(t, rows); });
  add_simpler_values(choice, t, list);
  return list;
}

}  // namespace

simpler_values<placement> simpler(const placement& p) {
  simpler_values<placement> list;
  for (const placement& where :
       {placement{}, placement{0, p.step, p.gap, p.transposed}, placement{p.offset, 1, p.gap, p.transposed},
        placement{p.offset, p.step, 0, p.transposed}, placement{p.offset, p.step, p.gap, false}})
    if (where != p) list.push_back([where] { return where; });
  return list;
}

simpler_values<tensor> simpler(const tensor_choice& choice, const tensor& t) {
  simpler_values<tensor> list;
  for (const std::vector<int64_t>& columns : cuts(t.cols, choice.col_multiple, choice.min_cols))
    list.push_back([t, columns] { return with_columns(t, columns); });
  for (auto& candidate : simpler_of_same_columns(choice, choice.min_rows, t)) list.push_back(std::move(candidate));
  return list;
}

simpler_values<uint32_t> simpler(const tensor_choice& choice, uint32_t bits) {
  simpler_values<uint32_t> list;
  const int32_t dtype = choice.dtype == ADAHOP_BF16 ? ADAHOP_BF16 : ADAHOP_F32;
  for (const uint32_t candidate : simpler_bits(choice, dtype, bits)) list.push_back([candidate] { return candidate; });
  return list;
}

simpler_values<operands> simpler(const tensor_choice& choice, int64_t min_b_rows, const operands& o) {
  simpler_values<operands> list;
  for (const std::vector<int64_t>& columns : cuts(o.a.cols, choice.col_multiple, choice.min_cols))
    list.push_back([o, columns] { return operands{with_columns(o.a, columns), with_columns(o.b, columns)}; });
  for (auto& a : simpler_of_same_columns(choice, choice.min_rows, o.a))
    list.push_back([a = std::move(a), b = o.b] { return operands{a(), b}; });
  for (auto& b : simpler_of_same_columns(choice, min_b_rows, o.b))
    list.push_back([a = o.a, b = std::move(b)] { return operands{a, b()}; });
  return list;
}

}  // namespace adahop::property
