// Plan files: there and back, what the text holds, and files that lie.
#include <cmath>
#include <string>

#include "adahop/io/file.h"
#include "adahop/layer/plan_file.h"
#include "io_support.h"
#include "reference_support.h"

using namespace adahop;
using namespace adahop::layer;
using namespace adahop::test;
using Catch::Matchers::Contains;

namespace {

constexpr adahop_pattern kRow = ADAHOP_PATTERN_ROW, kColumn = ADAHOP_PATTERN_COLUMN, kNone = ADAHOP_PATTERN_NONE;

// Two layers, three and one steps; statistics that need all digits, a NaN, and a name that JSON has to escape.
calibration_plan example() {
  calibration_plan plan;
  plan.how = policy_with("scale_rule=floor,pattern_ratio=2.5");
  const step_statistics column{kColumn, 0.1, 1.0 / 3.0}, row{kRow, 51.22752828014163, 1e-300},
      none{kNone, std::nan(""), 5};
  plan.layers.push_back(
      {"layers.0.attention.wq", 64, 160, {{column, row, column}}, {{none, none, none}}, {{row, none, row}}});
  plan.layers.push_back({"a \"b\" \\ c", 1, int64_t{1} << 40, {{none}}, {{row}}, {{column}}});
  return plan;
}

std::string example_text() {
  const result<std::string> text = encode_plan(example());
  INFO(text.why().message());
  REQUIRE(text.ok());
  return text.value();
}

bool same(const tensor_record& a, const tensor_record& b) {
  if (a.steps.size() != b.steps.size()) return false;
  const auto equal = [](double x, double y) { return (std::isnan(x) && std::isnan(y)) || x == y; };
  for (size_t i = 0; i < a.steps.size(); ++i)
    if (a.steps[i].verdict != b.steps[i].verdict || !equal(a.steps[i].cv_row, b.steps[i].cv_row) ||
        !equal(a.steps[i].cv_col, b.steps[i].cv_col))
      return false;
  return true;
}

// The example with the first occurrence of `from` replaced.
std::string with(const std::string& from, const std::string& to) {
  std::string text = example_text();
  const size_t at = text.find(from);
  INFO(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

void refused(const std::string& text, const std::string& what) {
  CAPTURE(text.substr(0, 300), what);
  const result<calibration_plan> plan = parse_plan(text, "p.json");
  REQUIRE_FALSE(plan.ok());
  CHECK(plan.why().code() == ADAHOP_BAD_FILE);
  CHECK_THAT(plan.why().message(), Contains(what));
  CHECK_THAT(plan.why().message(), Catch::Matchers::StartsWith("p.json: "));
  CHECK(plan.why().message().find('\n') == std::string::npos);
}

}  // namespace

TEST_CASE("plan file: there and back", "[spec:12.8]") {
  const temporary_folder f;
  const calibration_plan plan = example();
  REQUIRE(write_plan(f / "plan.json", plan).ok());
  const result<calibration_plan> back = read_plan(f / "plan.json");
  INFO(back.why().message());
  REQUIRE(back.ok());
  CHECK(canonical_line(back->how) == canonical_line(plan.how));
  REQUIRE(back->layers.size() == plan.layers.size());
  for (size_t i = 0; i < plan.layers.size(); ++i) {
    const layer_record &a = plan.layers[i], &b = back->layers[i];
    CHECK(a.name == b.name);
    CHECK(a.in == b.in);
    CHECK(a.out == b.out);
    CHECK(same(a.x, b.x));
    CHECK(same(a.w, b.w));
    CHECK(same(a.grad_output, b.grad_output));
  }
  CHECK(encode_plan(back.value()).value() == encode_plan(plan).value());
  CHECK(f.files() == 1);
}

TEST_CASE("plan file: holds votes, verdict, statistics of each step, the policy line and its hash",
          "[spec:12.8][spec:12.9]") {
  const std::string text = example_text();
  CHECK_THAT(text, Contains("\"format\": \"adahop-plan/1\""));
  CHECK_THAT(text, Contains(canonical_line(example().how)) && Contains(policy_hash(example().how)));
  CHECK_THAT(text, Contains(R"("x": {"verdict": "column", "votes": {"row": 1, "column": 2, "none": 0},)"));
  CHECK_THAT(text, Contains(R"({"verdict": "row", "cv_row": 51.22752828014163, "cv_col": 1e-300},)"));
  CHECK_THAT(text, Contains(R"({"verdict": "none", "cv_row": null, "cv_col": 5})"));
  CHECK_THAT(text, Contains(R"("name": "a \"b\" \\ c", "in": 1, "out": 1099511627776)"));
}

TEST_CASE("plan file: what could not be read back is not written", "[spec:12.8][spec:12.6]") {
  const temporary_folder f;
  const auto refuse = [&](const calibration_plan& plan, const char* what) {
    const status s = write_plan(f / "plan.json", plan);
    CHECK(s.code() == ADAHOP_INVALID_ARGUMENT);
    CHECK_THAT(s.message(), Contains(what));
    CHECK(f.files() == 0);
  };
  refuse({}, "at least one layer");
  calibration_plan plan = example();
  plan.layers[1].w.steps.clear();
  refuse(plan, "at least one step");
  plan = example();
  plan.layers[1].name = plan.layers[0].name;
  refuse(plan, "each name once");
  plan.layers[1].name = "tab\t";
  refuse(plan, "printable ASCII");
  plan = example();
  plan.layers[0].x.steps[0].cv_col = static_cast<double>(kInf);
  refuse(plan, "found Inf");
}

TEST_CASE("plan file: files that are no plans", "[spec:12.5][spec:12.8]") {
  refused("", "expected '{' first");
  refused("\xEF\xBB\xBF" + example_text(), "expected '{' first");
  refused("[1]", "expected '{' first");
  refused("{", "expected JSON, found an error at byte");
  refused(example_text().substr(0, 500), "expected JSON");
  refused(example_text() + "{}", "expected JSON");
  refused(example_text() + std::string(1, '\0'), "NUL byte");
  refused(std::string((size_t{1} << 25) + 1, ' '), "expected at most 33554432 bytes");
  refused("{\"a\":" + std::string(100000, '['), "at most 6 levels");
  refused(with("layers.0", "layers.\xFF"), "expected JSON");
  refused("{}", "expected the key 'format', found none");
  refused(with("adahop-plan/1", "adahop-plan/2"), "format: expected 'adahop-plan/1', found 'adahop-plan/2'");
  refused(with("\"adahop-plan/1\"", "1"), "format: expected 'adahop-plan/1', found 1");
}

TEST_CASE("plan file: keys that are missing, repeated or unknown", "[spec:12.5][spec:12.8]") {
  refused(with("\"format\"", "\"format\": 1, \"format\""), "each key once, found 'format' twice");
  refused(with("\"row\": 1", "\"row\": 1, \"row\": 1"), "each key once, found 'row' twice");
  refused(with("\"policy\"", "\"polici\""), "expected the key 'policy', found none");
  refused(with("\"layers\": [", "\"x\": 0, \"layers\": ["),
          "expected the keys format, policy, policy_sha256, layers, found 'x'");
  refused(with("\"in\": 64, ", ""), "layers[0]: expected the key 'in', found none");
  refused(with("\"votes\"", "\"vote\""), "layers[0].x: expected the key 'votes', found none");
  refused(with("\"grad_output\"", "\"gy\""), "layers[0]: expected the key 'grad_output', found none");
  refused(with("\"cv_row\": 0.1", "\"cv_r\x1b[2Jow\": 0.1"), "expected JSON");
  refused(with("\"cv_row\": 0.1", "\"cv_r\\u001b[2Jow\": 0.1"),
          "layers[0].x.steps[0]: expected the key 'cv_row', found none");
  refused(with("\"in\": 64", "\"in\": 64, \"i\\u001bn\": 64"), "found 'i\\x1bn'");
}

TEST_CASE("plan file: values of another type or range", "[spec:12.5][spec:12.8]") {
  refused(with("scale_rule=floor", "scale_rule=flour"), "policy: expected a policy of this version");
  refused(with("scale_rule=floor", "scale_rule=ceil"), "policy_sha256: expected the hash of the policy line");
  refused(with("adahop-policy/1 ", "adahop-policy/2 "), "policy: expected a line that begins with 'adahop-policy/1 '");
  refused(with("pattern_ratio=2.5", "pattern_ratio=2.50"), "policy: expected the canonical line");
  refused(with("\"policy\": \"", "\"policy\": [], \"_\": \""), "policy");
  refused(R"({"format": "adahop-plan/1", "policy": "", "policy_sha256": "", "layers": []})", "policy: expected a line");
  refused(with("\"layers\": [", "\"layers\": [], \"rest\": ["), "expected the keys");
  refused(with("layers.0.attention.wq", ""), "layers[0].name: expected 1 to 256 printable ASCII characters");
  refused(with("layers.0", "layers\\n0"), "layers[0].name: expected 1 to 256 printable ASCII characters");
  refused(with("layers.0.attention.wq", std::string(257, 'x')), "layers[0].name: expected 1 to 256");
  refused(with("a \\\"b\\\" \\\\ c", "layers.0.attention.wq"), "layers[1].name: expected each name once");
  refused(with("\"in\": 64", "\"in\": 0"), "layers[0].in: expected an integer from 1 to 2^40, found 0");
  refused(with("\"in\": 64", "\"in\": -64"), "layers[0].in: expected an integer from 1 to 2^40, found -64");
  refused(with("\"in\": 64", "\"in\": 64.0"), "layers[0].in: expected an integer from 1 to 2^40, found 64.0");
  refused(with("\"in\": 64", "\"in\": 18446744073709551615"), "layers[0].in: expected an integer from 1 to 2^40");
  refused(with("1099511627776", "1099511627777"), "layers[1].out: expected an integer from 1 to 2^40");
  refused(with("\"cv_row\": 0.1", "\"cv_row\": -0.1"),
          "layers[0].x.steps[0].cv_row: expected a number of at least 0, or null");
  refused(with("\"cv_row\": 0.1", "\"cv_row\": \"0.1\""),
          "layers[0].x.steps[0].cv_row: expected a number of at least 0, or null");
  refused(with("\"cv_row\": 0.1", "\"cv_row\": 1e999"), "expected numbers in the range of FP64");
  refused(with("\"cv_row\": 0.1", "\"cv_row\": NaN"), "expected JSON");
  refused(with("{\"verdict\": \"column\", \"cv_row\": 0.1", "{\"verdict\": \"col\", \"cv_row\": 0.1"),
          "layers[0].x.steps[0].verdict: expected 'row', 'column' or 'none', found 'col'");
}

TEST_CASE("plan file: votes and verdicts that contradict the steps", "[spec:12.9][spec:12.5]") {
  refused(with("\"row\": 1, \"column\": 2", "\"row\": 2, \"column\": 1"),
          "layers[0].x.votes: expected row 1, column 2, none 0 as the steps say, found row 2, column 1, none 0");
  refused(with("\"row\": 1, \"column\": 2", "\"row\": -1, \"column\": 2"),
          "layers[0].x.votes.row: expected an integer from 0 to 2^40");
  refused(with("\"x\": {\"verdict\": \"column\"", "\"x\": {\"verdict\": \"row\""),
          "layers[0].x.verdict: expected 'column', the majority of the steps (SPEC 12.9), found 'row'");
  const std::string no_steps =
      "\"x\": {\"verdict\": \"none\", \"votes\": {\"row\": 0, \"column\": 0, \"none\": 0}, \"steps\": []}";
  std::string text = example_text();
  const size_t begin = text.find("\"x\": {"), end = text.find("\"w\": {");
  text.replace(begin, end - begin, no_steps + ",\n   ");
  refused(text, "layers[0].x.steps: expected at least one element, found none");
}

TEST_CASE("plan file: damaged bytes are refused in one line, or give a plan that can be written again", "[spec:12.5]") {
  const std::string text = example_text();
  generator random(12);
  int64_t plans = 0, refusals = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string damaged = text;
    for (int n = random.integer(1, 3); n > 0; --n) {
      const size_t at = random.bits() % damaged.size();
      switch (random.integer(0, 3)) {
        case 0: damaged[at] = static_cast<char>(random.bits()); break;
        case 1: damaged.erase(at, random.bits() % 40); break;
        case 2: damaged.insert(at, text.substr(random.bits() % text.size(), random.bits() % 40)); break;
        default: damaged[at] = "{}[],:\"0129eE.-"[random.bits() % 15]; break;
      }
    }
    CAPTURE(i, damaged);
    const result<calibration_plan> plan = parse_plan(damaged, "p.json");
    if (plan.ok()) {
      ++plans;
      REQUIRE(encode_plan(plan.value()).ok());
    } else {
      ++refusals;
      REQUIRE(plan.why().code() == ADAHOP_BAD_FILE);
      REQUIRE(plan.why().message().find_first_of("\n\r\x1b") == std::string::npos);
    }
  }
  CHECK(plans > 0);
  CHECK(refusals > 0);
}

TEST_CASE("plan file: a missing file is an I/O error", "[spec:12.8]") {
  const temporary_folder f;
  CHECK(read_plan(f / "none.json").why().code() == ADAHOP_IO);
}
