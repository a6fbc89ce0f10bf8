// Certified outputs by bits, the others by their bound; all by bits where the model is known.
#include "conformance/judge/native.h"

#include <fmt/format.h>

#include <cmath>

#include "reference/bound.h"

namespace adahop::conformance {
namespace {

bool is_within(element kind, uint64_t got, float exact, double bound) {
  if (kind == element::bf16) return reference::is_within_bound(bf16{static_cast<uint16_t>(got)}, exact, bound);
  return reference::is_within_bound(float_of(static_cast<uint32_t>(got)), exact, bound);
}

std::string rule_of(bool certified, double bound) {
  if (certified) return "out differs where every model gives the same bits (certified, SPEC 10.22)";
  if (std::isnan(bound)) return "out is no NaN where a scale byte is (SPEC 10.3)";
  return fmt::format("out is further than {:.6g} from exact_sum (SPEC 10.23)", bound);
}

difference difference_at(const output_spec& spec, int64_t row, int64_t col, uint64_t expected, uint64_t got) {
  difference d;
  d.output = spec.name;
  d.row = row;
  d.col = col;
  d.expected_bits = bits_text(spec.kind, expected);
  d.got_bits = bits_text(spec.kind, got);
  d.expected_value = value_text(spec.kind, expected);
  d.got_value = value_text(spec.kind, got);
  d.total = spec.rows * spec.cols;
  return d;
}

std::optional<native_difference> compare_followed(const guarded_array& got, const native_facts& facts) {
  const output_spec& spec = got.spec();
  std::optional<native_difference> found;
  for (int64_t r = 0; r < spec.rows; ++r)
    for (int64_t c = 0; c < spec.cols; ++c) {
      const uint64_t e = bits_of(facts.exact.at(r, c)), g = got.bits(r, c);
      if (e == g) continue;
      if (!found)
        found = native_difference{
            difference_at(spec, r, c, e, g),
            fmt::format("out differs from gemm_model {}, which the device was told to follow (SPEC 10.24)", facts.followed)};
      ++found->where.count;
    }
  return found;
}

}  // namespace

std::optional<native_difference> compare_native(const guarded_array& expected, const guarded_array& got,
                                                const native_facts& facts, native_share& share) {
  if (!facts.followed.empty()) return compare_followed(got, facts);
  const output_spec& spec = expected.spec();
  std::optional<native_difference> found;
  for (int64_t r = 0; r < spec.rows; ++r)
    for (int64_t c = 0; c < spec.cols; ++c) {
      const uint64_t e = expected.bits(r, c), g = got.bits(r, c);
      const bool certified = facts.certified.at(r, c) != 0;
      const double bound = facts.bound.at(r, c);
      ++share.total;
      share.certified += certified ? 1 : 0;
      if (certified ? e == g : is_within(spec.kind, g, facts.exact.at(r, c), bound)) continue;
      if (!found)
        found = native_difference{difference_at(spec, r, c, e, g), rule_of(certified, bound)};
      ++found->where.count;
    }
  return found;
}

}  // namespace adahop::conformance
