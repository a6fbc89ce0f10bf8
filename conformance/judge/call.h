// One operation on one input, ready to run on any backend through its C ABI table: the inputs, the outputs it will
// have, and how the two become an argument struct. Nothing here knows a backend's insides (SPEC 13.1).
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "adahop/policy.h"
#include "conformance/judge/guarded_array.h"

namespace adahop::conformance {

// Inputs share their memory with whoever made them.
struct view_input {
  std::string name;
  adahop_view view;
  std::shared_ptr<const void> owner;
};
struct mx_input {
  std::string name;
  adahop_mx mx;
  std::shared_ptr<const void> owner;
  int32_t scale_layout = ADAHOP_LAYOUT_LINEAR;
};
struct index_input {
  std::string name;
  std::shared_ptr<const std::vector<int32_t>> indices;

  const int32_t* data() const { return indices->empty() ? nullptr : indices->data(); }
  int64_t count() const { return static_cast<int64_t>(indices->size()); }
};
using input = std::variant<view_input, mx_input, index_input>;

struct native_facts;
class device_memory;

struct call {
  adahop_op op = ADAHOP_OP_COUNT;
  policy rules = default_policy();
  std::vector<input> inputs;
  std::vector<output_spec> outputs;
  /// Builds the argument struct over inputs and `memory` (one array an output) and calls the backend.
  std::function<int32_t(const call&, const adahop_backend&, const adahop_exec&, std::vector<guarded_array>& memory)>
      invoke;
  adahop_status expected = ADAHOP_OK;  ///< the status that SPEC demands of this call
  bool refused_if_unclaimed = false;   ///< a backend that lacks the claim must return ADAHOP_UNSUPPORTED (SPEC 1.7)
  bool with_workspace = false;         ///< the caller brings the workspace that the query names (SPEC 13.3)
  adahop_memory memory = ADAHOP_MEMORY_HOST;           ///< where the candidate finds its arrays (SPEC 13.7)
  bool default_stream = false;         ///< in device memory: no stream of its own
  device_memory* device = nullptr;     ///< set by execute() for the call that it makes; null in host memory
  std::shared_ptr<const native_facts> native = {};     ///< runs in mode native, and how it is judged (SPEC 10.24)
  std::string about = {};              ///< level, pair and path of a whole product, say; for people
};

/// What a call left behind on one backend.
struct execution {
  adahop_status status = ADAHOP_OK;
  std::string error;      ///< last_error() where the status is not ADAHOP_OK
  std::string violation;  ///< a touched guard byte or a changed input, in words; empty when there is none
  std::vector<guarded_array> outputs;
};

/// Runs `c` on `backend` in the mode and memory of the call, outputs filled from `garbage`.
execution execute(const call& c, const adahop_backend& backend, uint8_t garbage);

/// The first output of that name; the call is known to have it.
guarded_array& output_of(execution& e, const std::string& name);
const guarded_array& output_of(const execution& e, const std::string& name);

}  // namespace adahop::conformance
