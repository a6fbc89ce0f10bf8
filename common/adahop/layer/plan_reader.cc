// Reading plan files, which are untrusted: size, depth and repeated keys are refused while parsing, then every value is
// checked for its type, its range and against the others. Implements SPEC 12.8, 12.5.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>

#include "adahop/io/file.h"
#include "adahop/layer/plan_file.h"

namespace adahop::layer {
namespace {

using json = nlohmann::json;

constexpr std::string_view kFormat = "adahop-plan/1";
constexpr std::string_view kPolicyPrefix = "adahop-policy/1 ";
constexpr size_t kLargestFile = size_t{1} << 25;  // bounds the parsed tree; a model of 200 layers needs 2 MiB
constexpr int kDeepest = 6;                       // layers, layer, tensor, steps, step and its values
constexpr int64_t kLargestCount = int64_t{1} << 40;

// Leaves the JSON library's parser; caught in parse_json.
struct refusal {
  std::string expected, found;
};

// The tree of `text`, without repeated keys and not deeper than a plan.
result<json> parse_json(std::string_view text, const std::string& where) {
  std::vector<std::set<std::string>> keys;
  const auto look = [&](int depth, json::parse_event_t event, const json& parsed) {
    if (depth > kDeepest) throw refusal{fmt::format("at most {} levels", kDeepest), "more"};
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.back().insert(parsed.get_ref<const std::string&>()).second)
      throw refusal{"each key once", io::in_quotes(parsed.get_ref<const std::string&>()) + " twice"};
    return true;
  };
  // The library would skip a byte order mark and take a NUL for the end of the text.
  if (text.empty() || text.front() != '{')
    return bad_file(where + ": plan: expected '{' first, found another beginning");
  if (text.find('\0') != text.npos) return bad_file(where + ": plan: expected JSON, found a NUL byte");
  try {
    return json::parse(text.begin(), text.end(), look);
  } catch (const refusal& r) {
    return bad_file(fmt::format("{}: plan: expected {}, found {}", where, r.expected, r.found));
  } catch (const json::parse_error& e) {
    return bad_file(fmt::format("{}: plan: expected JSON, found an error at byte {}", where, e.byte));
  } catch (const json::exception&) {
    return bad_file(where + ": plan: expected numbers in the range of FP64, found a larger one");
  }
}

// A value and what messages call it: "PATH: layers[3].x.votes". `where` outlives it.
class node {
 public:
  node(const json& value, const std::string& where, std::string path = "")
      : value_(&value), where_(&where), path_(std::move(path)) {}

  status wrong(std::string_view expected) const { return wrong(expected, found()); }
  status wrong(std::string_view expected, std::string_view found) const {
    return bad_file(
        fmt::format("{}: {}: expected {}, found {}", *where_, path_.empty() ? "plan" : path_, expected, found));
  }

  status object(std::initializer_list<std::string_view> keys) const {
    if (!value_->is_object()) return wrong("an object");
    for (const std::string_view key : keys)
      if (!value_->contains(key)) return wrong(fmt::format("the key '{}'", key), "none");
    for (const auto& [key, value] : value_->items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        return wrong(fmt::format("the keys {}", fmt::join(keys, ", ")), io::in_quotes(key));
    return {};
  }
  status array() const {
    if (!value_->is_array()) return wrong("an array");
    return value_->empty() ? wrong("at least one element", "none") : status();
  }
  size_t size() const { return value_->size(); }
  /// Of an object or array that has been checked.
  node at(const char* key) const {
    return {value_->at(key), *where_, path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key)};
  }
  node at(size_t i) const { return {value_->at(i), *where_, fmt::format("{}[{}]", path_, i)}; }

  result<std::string> text() const {
    if (!value_->is_string()) return wrong("a text");
    return value_->get<std::string>();
  }
  result<int64_t> count(int64_t least) const {
    const bool fits = value_->is_number_unsigned() && value_->get<uint64_t>() <= static_cast<uint64_t>(kLargestCount);
    if (!fits || value_->get<int64_t>() < least) return wrong(fmt::format("an integer from {} to 2^40", least));
    return value_->get<int64_t>();
  }
  result<double> statistic() const {
    if (value_->is_null()) return __builtin_nan("");
    if (!value_->is_number() || value_->get<double>() < 0) return wrong("a number of at least 0, or null");
    return value_->get<double>();
  }
  result<adahop_pattern> pattern() const {
    if (value_->is_string())
      for (const adahop_pattern p : {ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_NONE})
        if (value_->get_ref<const std::string&>() == name(p)) return p;
    return wrong("'row', 'column' or 'none'");
  }

 private:
  std::string found() const {
    if (value_->is_string()) return io::in_quotes(value_->get_ref<const std::string&>());
    return value_->is_number() ? value_->dump() : value_->type_name();
  }

  const json* value_;
  const std::string* where_;
  std::string path_;
};

result<policy> read_policy(const node& line, const node& hash) {
  const result<std::string> text = line.text();
  if (!text.ok()) return text.why();
  if (!text->starts_with(kPolicyPrefix)) return line.wrong(fmt::format("a line that begins with '{}'", kPolicyPrefix));
  const result<policy> p = parse_policy(std::string_view(text.value()).substr(kPolicyPrefix.size()), default_policy());
  if (!p.ok()) return line.wrong("a policy of this version", io::printable(p.why().message()));
  if (canonical_line(p.value()) != text.value()) return line.wrong("the canonical line");
  const result<std::string> stated = hash.text();
  if (!stated.ok()) return stated.why();
  if (stated.value() != policy_hash(p.value()))
    return hash.wrong("the hash of the policy line, " + policy_hash(p.value()));
  return p;
}

result<step_statistics> read_step(const node& n) {
  ADAHOP_TRY(n.object({"verdict", "cv_row", "cv_col"}));
  const result<adahop_pattern> verdict = n.at("verdict").pattern();
  if (!verdict.ok()) return verdict.why();
  const result<double> row = n.at("cv_row").statistic();
  if (!row.ok()) return row.why();
  const result<double> col = n.at("cv_col").statistic();
  if (!col.ok()) return col.why();
  return step_statistics{verdict.value(), row.value(), col.value()};
}

result<vote_count> read_votes(const node& n) {
  ADAHOP_TRY(n.object({"row", "column", "none"}));
  vote_count v;
  for (const auto& [key, where] :
       {std::pair{"row", &v.row}, std::pair{"column", &v.column}, std::pair{"none", &v.none}}) {
    const result<int64_t> count = n.at(key).count(0);
    if (!count.ok()) return count.why();
    *where = count.value();
  }
  return v;
}

result<tensor_record> read_tensor(const node& n) {
  ADAHOP_TRY(n.object({"verdict", "votes", "steps"}));
  tensor_record t;
  const node steps = n.at("steps");
  ADAHOP_TRY(steps.array());
  for (size_t i = 0; i < steps.size(); ++i) {
    const result<step_statistics> step = read_step(steps.at(i));
    if (!step.ok()) return step.why();
    t.steps.push_back(step.value());
  }
  const result<vote_count> votes = read_votes(n.at("votes"));
  if (!votes.ok()) return votes.why();
  const vote_count counted = t.votes();
  if (votes.value() != counted)
    return n.at("votes").wrong(
        fmt::format("row {}, column {}, none {} as the steps say", counted.row, counted.column, counted.none),
        fmt::format("row {}, column {}, none {}", votes->row, votes->column, votes->none));
  const result<adahop_pattern> verdict = n.at("verdict").pattern();
  if (!verdict.ok()) return verdict.why();
  if (verdict.value() != t.verdict())
    return n.at("verdict").wrong(fmt::format("'{}', the majority of the steps (SPEC 12.9)", name(t.verdict())));
  return t;
}

result<layer_record> read_layer(const node& n) {
  ADAHOP_TRY(n.object({"name", "in", "out", "x", "w", "grad_output"}));
  layer_record layer;
  const result<std::string> text = n.at("name").text();
  if (!text.ok()) return text.why();
  layer.name = text.value();
  if (!is_layer_name(layer.name)) return n.at("name").wrong("1 to 256 printable ASCII characters");
  for (const auto& [key, where] : {std::pair{"in", &layer.in}, std::pair{"out", &layer.out}}) {
    const result<int64_t> count = n.at(key).count(1);
    if (!count.ok()) return count.why();
    *where = count.value();
  }
  for (const auto& [key, where] :
       {std::pair{"x", &layer.x}, std::pair{"w", &layer.w}, std::pair{"grad_output", &layer.grad_output}}) {
    result<tensor_record> t = read_tensor(n.at(key));
    if (!t.ok()) return t.why();
    *where = std::move(t).value();
  }
  return layer;
}

}  // namespace

result<calibration_plan> parse_plan(std::string_view text, const std::string& where) {
  if (text.size() > kLargestFile)
    return bad_file(fmt::format("{}: plan: expected at most {} bytes, found {}", where, kLargestFile, text.size()));
  const result<json> tree = parse_json(text, where);
  if (!tree.ok()) return tree.why();
  const node top(tree.value(), where);
  // Another version may have other keys, so the format is looked at first.
  if (const auto format = tree->find("format"); format == tree->end() || *format != kFormat)
    return format == tree->end() ? top.wrong("the key 'format'", "none")
                                 : top.at("format").wrong(fmt::format("'{}'", kFormat));
  ADAHOP_TRY(top.object({"format", "policy", "policy_sha256", "layers"}));

  calibration_plan plan;
  const result<policy> p = read_policy(top.at("policy"), top.at("policy_sha256"));
  if (!p.ok()) return p.why();
  plan.how = p.value();
  const node layers = top.at("layers");
  ADAHOP_TRY(layers.array());
  std::set<std::string> names;
  for (size_t i = 0; i < layers.size(); ++i) {
    result<layer_record> layer = read_layer(layers.at(i));
    if (!layer.ok()) return layer.why();
    if (!names.insert(layer->name).second) return layers.at(i).at("name").wrong("each name once");
    plan.layers.push_back(std::move(layer).value());
  }
  return plan;
}

result<calibration_plan> read_plan(const std::string& path) {
  const result<std::vector<uint8_t>> bytes = io::read_file(path, kLargestFile);
  if (!bytes.ok()) return bytes.why();
  return parse_plan({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, path);
}

}  // namespace adahop::layer
