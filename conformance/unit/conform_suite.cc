// The suites: names, shards, determinism, and that a backend wrong in one place fails in that place.
#include "catch.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "adahop/io/file.h"
#include "adahop/io/safetensors.h"
#include "conform_wrong.h"
#include "conformance/backends/registry.h"
#include "conformance/report/json_report.h"
#include "conformance/report/save_case.h"
#include "conformance/report/text_report.h"
#include "conformance/suites/operands.h"
#include "conformance/suites/suite.h"
#include "repetitions.h"

namespace adahop::conformance {
namespace {

std::vector<std::string> names_of(const case_list& cases) {
  std::vector<std::string> names;
  for (const test_case& c : cases) names.push_back(c.name);
  return names;
}

case_list filtered(const std::string& filter) {
  suite_options o;
  o.filter = filter;
  return build_suite(o);
}

std::vector<case_result> run(const case_list& cases, const adahop_backend& candidate, int threads, uint64_t seed = 1) {
  return run_cases(cases, {&reference_table(), seed, nullptr}, candidate, {compare_mode::bits, threads, {}, {}});
}

TEST_CASE("mustpass.txt is the list of mustpass", "[suite][spec:13.1]") {
  std::ifstream file(ADAHOP_MUSTPASS);
  std::stringstream text;
  text << file.rdbuf();
  const case_list cases = build_suite({});
  CHECK(cases.size() >= 1000);
  // On a mismatch: adahop conform --suite mustpass --list, and a raised kSuiteVersion.
  CHECK((text.str() == list_text("mustpass", cases)));
}

TEST_CASE("names are unique, full holds mustpass, shards are a partition", "[suite]") {
  const std::vector<std::string> mustpass = names_of(build_suite({}));
  const std::set<std::string> whole(mustpass.begin(), mustpass.end());
  CHECK(whole.size() == mustpass.size());
  suite_options full;
  full.suite = suite_name::full;
  const std::vector<std::string> all_names = names_of(build_suite(full));
  const std::set<std::string> all(all_names.begin(), all_names.end());
  CHECK(all.size() == all_names.size());
  CHECK(std::includes(all.begin(), all.end(), whole.begin(), whole.end()));

  std::vector<std::string> together;
  for (int shard = 1; shard <= 3; ++shard) {
    suite_options o;
    o.shard = shard;
    o.shards = 3;
    for (std::string& name : names_of(build_suite(o))) together.push_back(std::move(name));
  }
  std::vector<std::string> sorted = mustpass;
  std::sort(together.begin(), together.end());
  std::sort(sorted.begin(), sorted.end());
  CHECK((together == sorted));
}

TEST_CASE("every pair compares every stage that its strategies run", "[suite][spec:8.4][spec:8.5]") {
  const case_list cases = build_suite({});
  const auto has = [&](pattern_pair pair, stage where) {
    return std::any_of(cases.begin(), cases.end(),
                       [&](const test_case& c) { return c.pair == pair && c.where == where; });
  };
  for (const pattern_pair pair : kAllPairs) {
    CAPTURE(letter(pair.left), letter(pair.right));
    for (const stage s : {stage::pattern, stage::foid, stage::extract, stage::hq_left, stage::hq_right, stage::mx_gemm,
                          stage::forward, stage::dx, stage::dw})
      CHECK(has(pair, s));
    const strategy one = strategy_of(1, pair, ADAHOP_PATH_FORWARD, ADAHOP_LEFT_OE_PUBLISHED);
    const bool extracts = one == strategy::oe_left || one == strategy::oe_right;
    CHECK(has(pair, stage::outlier_gemm) == extracts);
    CHECK(has(pair, stage::scatter_add) == extracts);
    CHECK(has(pair, stage::bf16_product) ==
          (strategy_of(2, pair, ADAHOP_PATH_FORWARD, ADAHOP_LEFT_OE_PUBLISHED) == strategy::bf16));
  }
}

TEST_CASE("synthetic tensors have the pattern of their pair, whatever the path", "[suite][spec:8.3]") {
  test::case_picker picked;
  for (const pattern_pair pair : kAllPairs)
    for (const adahop_path path : kPaths)
      for (const uint64_t seed : {1u, 2u, 3u}) {
        if (!picked.runs()) continue;
        const operands o = synthetic_operands(source::uniform, {96, 160, 128}, pair, path, seed, true);
        for (const bool left : {true, false}) {
          const call c = pattern_call(default_policy(), left ? o.left : o.right);
          const execution e = execute(c, reference_table(), 0);
          CHECK(output_of(e, "verdict").bits(0, 0) == static_cast<uint64_t>(left ? o.left_pattern : o.right_pattern));
        }
        // The pair of SPEC 8.3 from the tensors' own patterns is the pair asked for.
        const adahop_pattern l = o.left_pattern, r = o.right_pattern;
        const pattern_pair entered = path == ADAHOP_PATH_FORWARD ? pair_of_path(path, l, r, ADAHOP_PATTERN_NONE)
                                     : path == ADAHOP_PATH_DX    ? pair_of_path(path, ADAHOP_PATTERN_NONE, r, l)
                                                                 : pair_of_path(path, r, ADAHOP_PATTERN_NONE, l);
        CHECK(entered == pair);
      }
}

TEST_CASE("inputs depend on the seed alone", "[suite]") {
  const tensor_spec spec{source::spread, 33, 65, ADAHOP_PATTERN_ROW, ADAHOP_BF16, false};
  CHECK((generate(spec, 1, "X")->bytes == generate(spec, 1, "X")->bytes));
  CHECK((generate(spec, 1, "X")->bytes != generate(spec, 2, "X")->bytes));
  CHECK((generate(spec, 1, "X")->bytes != generate(spec, 1, "W")->bytes));
}

TEST_CASE("one thread and two give the same report", "[suite][spec:1.2]") {
  const case_list cases = filtered("R?/*/33x64x40/*");
  REQUIRE(cases.size() > 40);
  const auto one = json_report({}, cases, run(cases, candidate_table(), 1));
  const auto two = json_report({}, cases, run(cases, candidate_table(), 2));
  CHECK(one == two);
  CHECK(one["failed"] == 0);
}

TEST_CASE("five lane orders of hip-cpu give the same report", "[suite][spec:13.5][spec:1.2]") {
  const auto hip = open_backend("hip-cpu");
  REQUIRE(hip.ok());
  const case_list cases = filtered("[RC]C/*/33x64x40/*");
  REQUIRE(cases.size() > 20);
  const auto natural = json_report({}, cases, run(cases, *hip.value(), 2));
  CHECK(natural["failed"] == 0);
  for (const char* seed : {"1", "2", "3", "4", "5"}) {
    REQUIRE(hip.value()->set_option("lane_seed", seed) == ADAHOP_OK);
    CHECK(json_report({}, cases, run(cases, *hip.value(), 2)) == natural);
  }
  REQUIRE(hip.value()->set_option("lane_seed", "0") == ADAHOP_OK);
}

TEST_CASE("fail_fast begins no case after a failure", "[suite]") {
  adahop_backend wrong = candidate_table();
  wrong.extract_outliers = [](const adahop_exec*, const adahop_extract_outliers_args*) -> int32_t {
    return ADAHOP_INTERNAL;
  };
  const case_list cases = filtered("CC/*/33x64x40/*");
  run_options options{compare_mode::bits, 1, {}, {}};
  const auto all = run_cases(cases, {&reference_table(), 1, nullptr}, wrong, options);
  options.fail_fast = true;
  const auto some = run_cases(cases, {&reference_table(), 1, nullptr}, wrong, options);
  const auto failed = [](const case_result& r) { return r.what == verdict::failed; };
  const auto first = std::find_if(all.begin(), all.end(), failed);
  REQUIRE(first != all.end());
  const auto first_at = static_cast<size_t>(first - all.begin());
  REQUIRE(first_at + 1 < cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(cases[i].name);
    CHECK(some[i].what == (i <= first_at ? all[i].what : verdict::skipped));
    if (i > first_at) CHECK(some[i].reason == "not run: another case had failed");
  }
}

TEST_CASE("a wrong entry of a strategy table fails for that pair alone", "[suite][spec:13.2]") {
  adahop_backend table = candidate_table();
  // Pair RN runs as NN would.
  table.matmul = [](const adahop_exec* exec, const adahop_matmul_args* args) {
    adahop_matmul_args changed = *args;
    if (changed.left_pattern == ADAHOP_PATTERN_ROW && changed.right_pattern == ADAHOP_PATTERN_NONE)
      changed.left_pattern = ADAHOP_PATTERN_NONE;
    return reference_table().matmul(exec, &changed);
  };
  const case_list cases = filtered("*/matmul*/72x96x80/oe_k=12");
  const std::vector<case_result> results = run(cases, table, 2);
  for (size_t i = 0; i < cases.size(); ++i) {
    const bool wrong = *cases[i].pair == pattern_pair{ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE};
    CHECK((results[i].what == verdict::failed) == wrong);
    if (!wrong) continue;
    const std::string text = failure_text({}, cases[i], results[i]);
    CHECK(text.find("pair RN, strategy OE-left") != text.npos);
    CHECK(text.find("): expected 0x") != text.npos);
    CHECK(text.find(", got 0x") != text.npos);
  }
}

TEST_CASE("a failing case is saved with its inputs and both results", "[suite][spec:13.1]") {
  const auto folder = std::filesystem::temp_directory_path() / "adahop_conform_suite_saved";
  std::filesystem::create_directories(folder);
  const case_list cases = filtered("RN/*/33x64x40/*");
  const context ctx{&reference_table(), 1, nullptr};
  for (const test_case& c : cases) {
    const call made = c.prepare(ctx).value();
    const outcome o = judge_candidate(spoiled(made, flip_first(0)));
    REQUIRE(o.what == verdict::failed);
    const status saved = save_case(folder.string(), {}, c, made, o);
    INFO(c.name << ": " << saved.message());
    REQUIRE(saved.ok());

    std::string file = c.name;
    std::replace(file.begin(), file.end(), '/', '_');
    const auto tensors = io::safetensors::read((folder / (file + ".safetensors")).string());
    REQUIRE(tensors.ok());
    const std::string output = made.outputs[0].name;
    const io::array expected = tensors.value().load("expected." + output).value();
    const io::array got = tensors.value().load("got." + output).value();
    REQUIRE(expected.bytes.size() == got.bytes.size());
    CHECK(got.bytes[0] == (expected.bytes[0] ^ 1u));
    CHECK(std::equal(got.bytes.begin() + 1, got.bytes.end(), expected.bytes.begin() + 1));
    const auto text = io::read_file((folder / (file + ".json")).string()).value();
    const auto document = nlohmann::json::parse(text);
    CHECK(document["case"] == c.name);
    CHECK(document["pair"] == "RN");
    CHECK(document["difference"]["output"] == o.differs->output);
    CHECK(document["policy"] == canonical_line(made.rules));
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("without real tensors their cases are skipped and counted", "[suite][spec:13.1]") {
  const case_list cases = filtered("NC/*/minilm*");
  REQUIRE(!cases.empty());
  const summary s = summarise(cases, run(cases, candidate_table(), 2));
  CHECK(s.all.skipped == static_cast<int64_t>(cases.size()));
  CHECK(s.not_covered.at("the real tensors, which were not found") == s.all.skipped);
}

TEST_CASE("the last line counts", "[suite]") {
  CHECK(last_line({5, 0, 0}) == "5 passed, 0 failed");
  CHECK(last_line({5, 2, 0}) == "5 passed, 2 failed");
  CHECK(last_line({5, 0, 3}) == "5 passed, 0 failed, 3 skipped");
}

}  // namespace
}  // namespace adahop::conformance
