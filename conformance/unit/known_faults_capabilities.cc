// Claims and refusals of backends under the known-fault tests.
#include "known_faults_capabilities.h"

#include <bit>
#include <string>

#include "catch.h"

namespace adahop_test {

bool claims(const adahop_backend& backend, const adahop_policy& policy) {
  const adahop_capabilities& c = backend.capabilities;
  const auto has = [](uint32_t mask, int32_t value) { return (mask >> value & 1u) != 0; };
  const int32_t size_bit = std::countr_zero(static_cast<uint32_t>(policy.hadamard_size)) - 4;
  return has(c.element_roundings, policy.element_rounding) && has(c.scale_layouts, policy.scale_layout) &&
         has(c.pads, policy.pad) && has(c.gemm_models, policy.gemm_model) &&
         has(c.bf16_gemm_models, policy.bf16_gemm_model) && has(c.hadamard_sizes, size_bit) &&
         has(c.hadamard_signs, policy.hadamard_signs);
}

void check_refused(const adahop_backend& backend, int32_t status, const char* field) {
  CHECK(status == ADAHOP_UNSUPPORTED);
  CHECK(std::string(backend.last_error()).find(field) != std::string::npos);
}

}  // namespace adahop_test
