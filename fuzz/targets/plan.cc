// JSON and text files from anywhere, each input to every reader: calibration plans (SPEC 12.8), coverage of the simulator,
// its list of unreachable blocks, the manifest of the real tensors. What is accepted is written again and reads back equal.
#include "adahop/layer/plan_file.h"

#include "conformance/suites/real_data.h"
#include "fuzz/files.h"
#ifdef ADAHOP_HAVE_GFX950_SIM
#include "hip_backend/sim/coverage_file.h"
#include "hip_backend/sim/coverage_report.h"
#include "hip_backend/sim/coverage_unreachable.h"
#endif

using namespace adahop;

namespace {

constexpr const char* kName = "input";

void check_plan(std::string_view text) {
  const result<layer::calibration_plan> plan = layer::parse_plan(text, kName);
  fuzz::check_refusal(plan.why(), kName);
  if (!plan.ok()) return;
  const result<std::string> written = layer::encode_plan(plan.value());
  fuzz::require(written.ok(), "an accepted plan can be written: " + written.why().message());
  const result<layer::calibration_plan> back = layer::parse_plan(written.value(), kName);
  fuzz::require(back.ok(), "a written plan is read: " + back.why().message());
  fuzz::require(back->layers.size() == plan->layers.size(), "every layer comes back");
  for (const layer::layer_record& l : plan->layers) {
    const layer::layer_record* again = back->find(l.name);
    fuzz::require(again != nullptr && again->in == l.in && again->out == l.out, "a layer keeps name and shape");
    fuzz::require(again->x.votes() == l.x.votes() && again->w.votes() == l.w.votes() &&
                      again->grad_output.votes() == l.grad_output.votes(),
                  "a layer keeps its votes");
  }
  // The text has every statistic to the last bit.
  const result<std::string> twice = layer::encode_plan(back.value());
  fuzz::require(twice.ok() && twice.value() == written.value(), "a plan written twice is the same text");
}

#ifdef ADAHOP_HAVE_GFX950_SIM
namespace sim = hip::sim;

void check_coverage(std::string_view text, const std::vector<sim::unreachable_entry>& list) {
  const result<sim::coverage> c = sim::parse_coverage(kName, text);
  fuzz::check_refusal(c.why(), kName);
  if (!c.ok()) return;
  const std::string written = sim::coverage_json(c.value());
  const result<sim::coverage> back = sim::parse_coverage(kName, written);
  fuzz::require(back.ok() && sim::coverage_json(back.value()) == written, "written coverage reads back equal");
  sim::coverage sum;
  const status once = sim::merge(sum, c.value());
  fuzz::require(once.ok() || !once.message().empty(), "a sum is refused with a reason");
  fuzz::require(!sim::coverage_text(c.value()).empty(), "coverage has a table");
  static_cast<void>(sim::check_unreachable(c.value(), list));
}
#endif

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_plan(text);
  fuzz::check_refusal(conformance::parse_manifest(text, kName).why(), kName);
#ifdef ADAHOP_HAVE_GFX950_SIM
  const auto list = sim::parse_unreachable(kName, text);
  fuzz::check_refusal(list.why(), kName);
  const std::vector<sim::unreachable_entry> any{{1, "*", "*", "*", "*", "any block"}};
  check_coverage(text, list.ok() ? list.value() : any);
#endif
  return 0;
}
