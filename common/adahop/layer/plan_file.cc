// Writing plan files. Implements SPEC 12.8, 12.6.
#include "adahop/layer/plan_file.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "adahop/io/file.h"

namespace adahop::layer {
namespace {

std::string json_text(std::string_view text) { return nlohmann::json(text).dump(); }

// Shortest decimals that read back exactly.
std::string number(double v) { return std::isnan(v) ? "null" : fmt::format("{}", v); }

// Without a line end, so that a comma may follow.
std::string tensor_text(std::string_view key, const tensor_record& t) {
  const vote_count v = t.votes();
  std::string text = fmt::format(
      "   \"{}\": {{\"verdict\": \"{}\", \"votes\": {{\"row\": {}, \"column\": {}, \"none\": {}}},\n    \"steps\": [\n",
      key, name(t.verdict()), v.row, v.column, v.none);
  for (size_t i = 0; i < t.steps.size(); ++i)
    text += fmt::format("     {{\"verdict\": \"{}\", \"cv_row\": {}, \"cv_col\": {}}}{}", name(t.steps[i].verdict),
                        number(t.steps[i].cv_row), number(t.steps[i].cv_col), i + 1 < t.steps.size() ? ",\n" : "]}");
  return text;
}

status check(const layer_record& layer) {
  if (!is_layer_name(layer.name))
    return invalid_argument(fmt::format("plan: layer {}: expected a name of 1 to 256 printable ASCII characters",
                                        io::in_quotes(layer.name)));
  for (const tensor_record* t : {&layer.x, &layer.w, &layer.grad_output}) {
    if (t->steps.empty())
      return invalid_argument(fmt::format("plan: layer '{}': expected at least one step of each tensor", layer.name));
    for (const step_statistics& s : t->steps)
      if (std::isinf(s.cv_row) || std::isinf(s.cv_col))
        return invalid_argument(
            fmt::format("plan: layer '{}': expected finite statistics or NaN, found Inf", layer.name));
  }
  return {};
}

}  // namespace

result<std::string> encode_plan(const calibration_plan& plan) {
  if (plan.layers.empty()) return invalid_argument("plan: expected at least one layer");
  std::string text =
      fmt::format("{{\"format\": \"adahop-plan/1\",\n \"policy\": {},\n \"policy_sha256\": \"{}\",\n \"layers\": [\n",
                  json_text(canonical_line(plan.how)), policy_hash(plan.how));
  std::set<std::string_view> names;
  for (size_t i = 0; i < plan.layers.size(); ++i) {
    const layer_record& layer = plan.layers[i];
    if (status s = check(layer); !s.ok()) return s;
    if (!names.insert(layer.name).second)
      return invalid_argument(fmt::format("plan: layer '{}': expected each name once", layer.name));
    text += fmt::format("  {{\"name\": {}, \"in\": {}, \"out\": {},\n{},\n{},\n{}}}{}\n", json_text(layer.name),
                        layer.in, layer.out, tensor_text("x", layer.x), tensor_text("w", layer.w),
                        tensor_text("grad_output", layer.grad_output), i + 1 < plan.layers.size() ? "," : "]}");
  }
  return text;
}

status write_plan(const std::string& path, const calibration_plan& plan) {
  const result<std::string> text = encode_plan(plan);
  if (!text.ok()) return text.why();
  return io::write_file(path, {reinterpret_cast<const uint8_t*>(text->data()), text->size()});
}

}  // namespace adahop::layer
