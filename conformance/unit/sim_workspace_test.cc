// A workspace of the size that the query names gives the same as none (SPEC 13.3), under nonfinite=reject as well: the query
// has no elements to judge. On hip-cpu and gfx950-sim.
#include <memory>
#include <string>

#include "adahop/policy.h"
#include "catch.h"
#include "conformance/backends/registry.h"
#include "conformance/judge/calls.h"
#include "conformance/judge/judge.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/generate.h"

using namespace adahop;
using namespace adahop::conformance;

namespace {

view_input tensor_of(source what, const std::string& name) {
  return input_of(name, generate({what, 40, 64, ADAHOP_PATTERN_NONE, ADAHOP_BF16, false}, 1, name));
}

// Each operation that quantizes.
std::vector<call> quantizing_calls(const policy& p, source what) {
  const view_input x = tensor_of(what, "x");
  const auto product = [&](adahop_pattern right) {
    return matmul_call(p, {1, ADAHOP_PATTERN_ROW, right, ADAHOP_PATH_FORWARD}, x, tensor_of(source::uniform, "y"), false);
  };
  return {quantize_call(p, x), hadamard_quantize_call(p, x, no_indices("zeroed")), product(ADAHOP_PATTERN_ROW),
          product(ADAHOP_PATTERN_NONE), product(ADAHOP_PATTERN_COLUMN)};
}

}  // namespace

TEST_CASE("workspace: its size is known whatever the elements are", "[spec:13.3][spec:5.15]") {
  const adahop_backend& reference = *open_backend("reference").value();
  for (const backend_info& b : known_backends()) {
    if ((b.name != "hip-cpu" && b.name != "gfx950-sim") || !b.available()) continue;
    for (const char* rules : {"nonfinite=reject", "nonfinite=reject,scale_layout=gfx950_shuffle", "nonfinite=block_nan"}) {
      const policy p = parse_policy(rules, default_policy()).value();
      for (const source what : {source::uniform, source::nonfinite})
        for (call& c : quantizing_calls(p, what)) {
          CAPTURE(b.name, rules, source_name(what), op_name(c.op), c.about);
          c.with_workspace = true;
          c.expected = execute(c, reference, 0).status;
          const outcome o = judge(c, reference, *b.table, compare_mode::bits);
          INFO(o.reason);
          CHECK(o.what == verdict::passed);
          // What is rejected is rejected by both, not by the query.
          if (what == source::uniform) CHECK(c.expected == ADAHOP_OK);
        }
    }
  }
}
