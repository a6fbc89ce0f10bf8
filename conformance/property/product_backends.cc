// Judging random calls on every backend of the build.
#include "product_backends.h"

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "check.h"
#include "conformance/backends/registry.h"

namespace adahop::property {

using conformance::call;
using conformance::index_input;
using conformance::mx_input;
using conformance::view_input;

const std::vector<const adahop_backend*>& other_backends() {
  static const std::vector<const adahop_backend*> available = [] {
    std::vector<const adahop_backend*> found;
    for (const conformance::backend_info& b : conformance::known_backends()) {
      if (!b.available()) fmt::print(stderr, "{}: {}\n", b.name, b.reason);
      if (b.available() && b.name != "reference") found.push_back(b.table);
    }
    return found;
  }();
  return available;
}

view_input input_of(const std::string& name, const tensor& t) {
  const auto stored = std::make_shared<stored_tensor>(t);
  return {name, stored->view(), stored};
}

mx_input input_of(const std::string& name, const mx_matrix& m) {
  const auto owned = std::make_shared<const mx_matrix>(m);
  return {name, view_of(*owned), owned, ADAHOP_LAYOUT_LINEAR};
}

index_input input_of(const std::string& name, const std::vector<int32_t>& indices) {
  return {name, std::make_shared<const std::vector<int32_t>>(indices)};
}

namespace {

bool claims_models(const adahop_capabilities& c, const policy& p) {
  return (c.gemm_models >> p.gemm_model & 1u) != 0 && (c.bf16_gemm_models >> p.bf16_gemm_model & 1u) != 0;
}

}  // namespace

void require_agreement(const call& c, int& judged, std::source_location where) {
  for (const adahop_backend* backend : other_backends()) {
    if (!conformance::isa_of(*backend)) {
      require_agreement_on(*backend, c, judged, where);
      continue;
    }
    static const std::vector<std::string> levels = conformance::simd_levels();
    for (const std::string& level : levels) {
      const with_option isa(*backend, "isa", level, levels.front());
      require_agreement_on(*backend, c, judged, where);
    }
  }
}

void require_agreement_on(const adahop_backend& backend, call c, int& judged, std::source_location where) {
  constexpr uint8_t kGarbage = 0x3C;
  const bool has_policy = c.op != ADAHOP_OP_EXTRACT_OUTLIERS;
  if (has_policy && !claims_models(backend.capabilities, c.rules)) {
    const conformance::execution refused = conformance::execute(c, backend, kGarbage);
    require(refused.status == ADAHOP_UNSUPPORTED && refused.violation.empty(),
            fmt::format("{} on {}: {}, expected a refusal", conformance::op_name(c.op), backend.name,
                        conformance::status_name(refused.status)), where);
    return;
  }
  const conformance::execution expected = conformance::execute(c, the_reference(), kGarbage);
  const bool rejected = expected.status == ADAHOP_NONFINITE && c.rules.nonfinite == ADAHOP_NONFINITE_REJECT;
  require(expected.status == ADAHOP_OK || rejected, "the reference: " + expected.error, where);
  c.expected = expected.status;
  const conformance::outcome o = conformance::judge(c, the_reference(), backend, conformance::compare_mode::bits);
  ++judged;
  std::string difference;
  if (o.differs)
    difference = fmt::format(" at [{}][{}]: {}, expected {}; {} of {} differ", o.differs->row, o.differs->col,
                             o.differs->got_bits, o.differs->expected_bits, o.differs->count, o.differs->total);
  require(o.what == conformance::verdict::passed,
          fmt::format("{} on {}: {}{}", conformance::op_name(c.op), backend.name, o.reason, difference), where);
}

with_option::with_option(const adahop_backend& backend, std::string key, const std::string& value, std::string initial)
    : backend_(backend), key_(std::move(key)), initial_(std::move(initial)) {
  const int32_t code = backend_.set_option(key_.c_str(), value.c_str());
  require(code == ADAHOP_OK, fmt::format("{}: {}={}: {}", backend_.name, key_, value, backend_.last_error()));
}

with_option::~with_option() { backend_.set_option(key_.c_str(), initial_.c_str()); }

}  // namespace adahop::property
