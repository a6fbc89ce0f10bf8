// Ways to be wrong on purpose, for tests of the judge: a table that is the reference under another name, and calls that
// spoil one backend's outputs after the fact.
#pragma once
#include <cstring>
#include <functional>

#include "conformance/judge/calls.h"
#include "conformance/judge/judge.h"
#include "reference/backend.h"

namespace adahop::conformance {

inline const adahop_backend& reference_table() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

/// The reference's functions as the backend "candidate".
inline adahop_backend candidate_table() {
  adahop_backend table = reference_table();
  table.name = "candidate";
  return table;
}

using spoiler = std::function<void(const call&, std::vector<guarded_array>&)>;

/// `c`, but after the candidate ran, `spoil` has its way with the outputs.
inline call spoiled(call c, spoiler spoil) {
  c.invoke = [inner = c.invoke, spoil](const call& self, const adahop_backend& backend, const adahop_exec& exec,
                                       std::vector<guarded_array>& out) {
    const int32_t code = inner(self, backend, exec, out);
    if (std::strcmp(backend.name, "candidate") == 0) spoil(self, out);
    return code;
  };
  return c;
}

/// The lowest bit of element (0, 0) of output `i`.
inline spoiler flip_first(size_t i) {
  return [i](const call&, std::vector<guarded_array>& out) { *static_cast<uint8_t*>(out[i].data()) ^= 1u; };
}

inline outcome judge_candidate(const call& c, compare_mode mode = compare_mode::bits) {
  return judge(c, reference_table(), candidate_table(), mode);
}

}  // namespace adahop::conformance
