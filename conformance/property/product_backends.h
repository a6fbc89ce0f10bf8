// The backends of this build that can run here, and one call judged on a backend against the reference.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/judge/calls.h"
#include "conformance/judge/judge.h"
#include "product_calls.h"

namespace adahop::property {

/// Every available backend but the reference; why another one is not available is printed, once.
const std::vector<const adahop_backend*>& other_backends();

/// A tensor in memory of its own as the input of a judged call, and a quantized matrix in the linear layout.
conformance::view_input input_of(const std::string& name, const tensor& t);
conformance::mx_input input_of(const std::string& name, const mx_matrix& m);
conformance::index_input input_of(const std::string& name, const std::vector<int32_t>& indices);

/// Judges the call on each backend. The reference's status is the expected one; it has to be ADAHOP_OK or, under nonfinite =
/// reject, ADAHOP_NONFINITE. A backend that does not claim both accumulation models of the policy has to refuse it (SPEC
/// 1.7); `judged` counts the others.
void require_agreement(const conformance::call& c, int& judged,
                       std::source_location where = std::source_location::current());
/// The same on one backend.
void require_agreement_on(const adahop_backend& backend, conformance::call c, int& judged,
                          std::source_location where = std::source_location::current());

/// A backend's option, set for as long as this lives; the property fails where the backend refuses the value.
class with_option {
 public:
  with_option(const adahop_backend& backend, std::string key, const std::string& value, std::string initial);
  ~with_option();
  with_option(const with_option&) = delete;
  with_option& operator=(const with_option&) = delete;

 private:
  const adahop_backend& backend_;
  std::string key_, initial_;
};

}  // namespace adahop::property
