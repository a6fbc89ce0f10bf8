// The verdict on one comparison. Implements the judge's side of SPEC 1.1, 1.6, 5.15, 13.1.
#include "conformance/judge/judge.h"

#include <fmt/format.h>

#include <array>

#include "conformance/backends/registry.h"
#include "conformance/judge/coverage.h"

namespace adahop::conformance {
namespace {

// Different garbage on the two sides: an element that neither backend writes differs.
constexpr uint8_t kGarbageExpected = 0xA5, kGarbageGot = 0x5A;

outcome& fail(outcome& o, std::string reason) {
  o.what = verdict::failed;
  o.reason = std::move(reason);
  return o;
}

std::string status_text(const execution& e) {
  return e.error.empty() ? status_name(e.status) : fmt::format("{} ({})", status_name(e.status), e.error);
}

// Of a call that must fail, only the index of the first bad element is specified.
std::optional<difference> compare_error_outputs(const outcome& o) {
  if (o.expected.status != ADAHOP_NONFINITE) return std::nullopt;
  for (size_t i = 0; i < o.expected.outputs.size(); ++i) {
    const output_spec& spec = o.expected.outputs[i].spec();
    if (spec.fields.empty() || spec.fields.back() != "first_nonfinite") continue;
    const auto col = static_cast<int64_t>(spec.fields.size()) - 1;
    const uint64_t expected = o.expected.outputs[i].bits(0, col), got = o.got.outputs[i].bits(0, col);
    if (expected == got) continue;
    return difference{"first_nonfinite",
                      0,
                      col,
                      bits_text(spec.kind, expected),
                      bits_text(spec.kind, got),
                      value_text(spec.kind, expected),
                      value_text(spec.kind, got),
                      1,
                      1};
  }
  return std::nullopt;
}

outcome judge_refusal(const call& c, const adahop_backend& candidate, const std::string& missing) {
  outcome o;
  o.got = execute(c, candidate, kGarbageGot);
  if (o.got.status != ADAHOP_UNSUPPORTED)
    return fail(
        o, fmt::format("{} is not claimed; returned {}, expected ADAHOP_UNSUPPORTED", missing, status_text(o.got)));
  if (!o.got.violation.empty()) return fail(o, o.got.violation);
  return o;
}

// What the reference is asked: a native product is judged from exact_sum, and it has host memory only.
call asked_of_reference(call c) {
  if (c.native != nullptr) c.rules.gemm_model = ADAHOP_GEMM_EXACT_SUM;
  if (c.native != nullptr) c.rules.gemm_model_param = 0;
  c.native = nullptr;
  c.memory = ADAHOP_MEMORY_HOST;
  return c;
}

outcome& judge_native(const call& c, outcome& o) {
  const auto found = compare_native(o.expected.outputs[0], o.got.outputs[0], *c.native, o.native);
  if (!found) return o;
  o.differs = found->where;
  return fail(o, found->rule);
}

}  // namespace

const char* status_name(int32_t code) {
  constexpr std::array<const char*, 9> kNames{
      "ADAHOP_OK", "ADAHOP_INVALID_ARGUMENT", "ADAHOP_UNSUPPORTED", "ADAHOP_NONFINITE", "ADAHOP_BAD_FILE",
      "ADAHOP_IO", "ADAHOP_OUT_OF_MEMORY",    "ADAHOP_DEVICE",      "ADAHOP_INTERNAL"};
  return code >= 0 && code < static_cast<int32_t>(kNames.size()) ? kNames[static_cast<size_t>(code)] : "unknown status";
}

outcome judge(const call& c, const adahop_backend& reference, const adahop_backend& candidate, compare_mode mode) {
  outcome o;
  const auto missing = missing_claim(candidate.capabilities, c);
  if (c.refused_if_unclaimed && missing && claims(candidate, c.op)) return judge_refusal(c, candidate, *missing);
  if (missing) {
    o.what = verdict::skipped;
    o.missing = *missing;
    o.reason = fmt::format("not covered: {} does not claim {}", candidate.name, *missing);
    return o;
  }
  o.expected = execute(asked_of_reference(c), reference, kGarbageExpected);
  if (o.expected.status != c.expected)
    return fail(
        o, fmt::format("the reference returned {}, expected {}", status_text(o.expected), status_name(c.expected)));
  if (!o.expected.violation.empty()) return fail(o, "the reference broke SPEC 1.6: " + o.expected.violation);

  o.got = execute(c, candidate, kGarbageGot);
  if (o.got.status != o.expected.status) {
    const bool broken_claim = o.got.status == ADAHOP_UNSUPPORTED;
    return fail(o, fmt::format("{}returned {}, expected {}", broken_claim ? "claimed but " : "", status_text(o.got),
                               status_name(o.expected.status)));
  }
  if (!o.got.violation.empty()) return fail(o, o.got.violation);
  if (c.native != nullptr && o.expected.status == ADAHOP_OK) return judge_native(c, o);
  o.differs = o.expected.status == ADAHOP_OK ? compare_outputs(o.expected.outputs, o.got.outputs, mode)
                                             : compare_error_outputs(o);
  if (o.differs) return fail(o, fmt::format("{} differs", o.differs->output));
  return o;
}

}  // namespace adahop::conformance
