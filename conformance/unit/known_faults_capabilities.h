// What the known-fault tests of roundings, layouts and models share: whether a backend claims what a policy asks for.
#pragma once
#include "independent_models_support.h"
#include "known_faults_support.h"

namespace adahop_test {

/// Whether the capability record claims the policy's element rounding, scale layout, padding, models, transform size
/// and signs; what it does not claim must be refused (SPEC 1.7).
bool claims(const adahop_backend& backend, const adahop_policy& policy);

/// Checks that the status is ADAHOP_UNSUPPORTED and that the error names `field`.
void check_refused(const adahop_backend& backend, int32_t status, const char* field);

}  // namespace adahop_test
