// Votes, their majority, and one observed step. Implements SPEC 12.9.
#include "adahop/layer/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "adahop/io/file.h"
#include "adahop/layer/backend_call.h"

namespace adahop::layer {
namespace {

int64_t& votes_for(vote_count& v, adahop_pattern p) {
  return p == ADAHOP_PATTERN_ROW ? v.row : p == ADAHOP_PATTERN_COLUMN ? v.column : v.none;
}

result<step_statistics> statistics_of(const adahop_backend& on, const policy& p, const adahop_view& x) {
  adahop_pattern_result found{};
  if (status s = call(on, "pattern", &adahop_backend::pattern, adahop_pattern_args{&p, x, nullptr, nullptr, &found});
      !s.ok())
    return s;
  if (found.pattern < ADAHOP_PATTERN_NONE || found.pattern > ADAHOP_PATTERN_COLUMN)
    return status(ADAHOP_INTERNAL, fmt::format("{}: pattern: expected 0, 1 or 2, found {}", on.name, found.pattern));
  return step_statistics{static_cast<adahop_pattern>(found.pattern), found.cv_row, found.cv_col};
}

}  // namespace

vote_count votes_of(std::span<const step_statistics> steps) {
  vote_count v;
  for (const step_statistics& s : steps) ++votes_for(v, s.verdict);
  return v;
}

adahop_pattern majority(std::span<const step_statistics> steps) {
  vote_count v = votes_of(steps);
  adahop_pattern best = ADAHOP_PATTERN_NONE;
  int64_t most = 0;
  // In the order of first sight, so that a later equal count does not win.
  for (const step_statistics& s : steps)
    if (votes_for(v, s.verdict) > most) {
      most = votes_for(v, s.verdict);
      best = s.verdict;
    }
  return best;
}

const layer_record* calibration_plan::find(std::string_view name) const {
  const auto at = std::find_if(layers.begin(), layers.end(), [&](const layer_record& l) { return l.name == name; });
  return at == layers.end() ? nullptr : &*at;
}

bool is_layer_name(std::string_view name) {
  constexpr size_t kLongest = 256;
  const auto printable = [](char c) { return c >= 0x20 && c < 0x7F; };
  return !name.empty() && name.size() <= kLongest && std::all_of(name.begin(), name.end(), printable);
}

status observe(const adahop_backend& on, calibration_plan& plan, const std::string& name, const adahop_view& x,
               const adahop_view& w, const adahop_view& gy) {
  if (!is_layer_name(name))
    return invalid_argument(
        fmt::format("layer {}: expected a name of 1 to 256 printable ASCII characters", io::in_quotes(name)));
  for (const auto& [what, v] : {std::pair{"x", &x}, std::pair{"w", &w}, std::pair{"gy", &gy}}) {
    ADAHOP_TRY(check_view(*v, what));
    if (v->rows < 1 || v->cols < 1)
      return invalid_argument(
          fmt::format("layer '{}': {}: expected elements, found shape {} x {}", name, what, v->rows, v->cols));
  }
  if (w.cols != x.cols)
    return invalid_argument(fmt::format("layer '{}': w: expected {} columns as x has, found {}", name, x.cols, w.cols));
  if (gy.rows != x.rows || gy.cols != w.rows)
    return invalid_argument(fmt::format("layer '{}': gy: expected shape {} x {} from x and w, found {} x {}", name,
                                        x.rows, w.rows, gy.rows, gy.cols));
  const layer_record* known = plan.find(name);
  if (known != nullptr && (known->out != w.rows || known->in != w.cols))
    return invalid_argument(fmt::format("layer '{}': w: expected shape {} x {} as in its first step, found {} x {}",
                                        name, known->out, known->in, w.rows, w.cols));
  std::array<step_statistics, 3> found;
  for (const auto& [at, v] : {std::pair{0, &x}, std::pair{1, &w}, std::pair{2, &gy}}) {
    const result<step_statistics> s = statistics_of(on, plan.how, *v);
    if (!s.ok()) return s.why();
    found[static_cast<size_t>(at)] = s.value();
  }
  if (known == nullptr) plan.layers.push_back({name, w.cols, w.rows, {}, {}, {}});
  layer_record& layer =
      known == nullptr ? plan.layers.back() : plan.layers[static_cast<size_t>(known - plan.layers.data())];
  layer.x.steps.push_back(found[0]);
  layer.w.steps.push_back(found[1]);
  layer.grad_output.steps.push_back(found[2]);
  return {};
}

}  // namespace adahop::layer
