// `adahop conform`: builds a suite, runs it on a backend and on the reference, reports. Exit status 0 when all that is
// covered passed, 1 when something failed, 2 for usage or bad input. Implements SPEC 13.1.
#include "conformance/cli/cmd_conform.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "adahop/io/file.h"
#include "conformance/cli/cmd_sim_recording.h"
#include "conformance/cli/options.h"
#include "conformance/cli/output.h"
#include "conformance/report/json_report.h"
#include "conformance/report/progress.h"
#include "conformance/report/save_case.h"
#include "conformance/report/text_report.h"
#include "conformance/suites/real_data.h"
#include "conformance/suites/suite.h"

namespace adahop::cli {
namespace {

using namespace adahop::conformance;

struct conform_options {
  std::string backend = "hip-cpu", suite = "mustpass", pairs, compare = "bits", shard = "1/1", filter, data, report;
  std::string lane_seed;
  std::vector<std::string> backend_options;  ///< key=value
  policy_options rules;
  bool policy_named = false, pairs_named = false, filter_named = false;
  uint64_t seed = 1;
  int64_t errors = 20;
  int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  bool json = false, list = false, fail_fast = false;
  recording_options recording;
};

status parse_pairs(const std::string& text, std::vector<pattern_pair>& out) {
  std::string_view rest = text;
  while (true) {
    const size_t comma = rest.find(',');
    const auto pair = parse_pair(rest.substr(0, comma));
    if (!pair)
      return invalid_argument(fmt::format("--pairs '{}': expected pairs of the letters R, C, N, as RC,CC", text));
    out.push_back(*pair);
    if (comma == rest.npos) return {};
    rest.remove_prefix(comma + 1);
  }
}

status parse_shard(const std::string& text, suite_options& out) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, out.shard);
  if (first.ec == std::errc{} && first.ptr != end && *first.ptr == '/') {
    const auto second = std::from_chars(first.ptr + 1, end, out.shards);
    if (second.ec == std::errc{} && second.ptr == end && out.shard >= 1 && out.shard <= out.shards) return {};
  }
  return invalid_argument(fmt::format("--shard {}: expected i/n with 1 <= i <= n", text));
}

result<suite_options> suite_of(const conform_options& o) {
  suite_options s;
  s.suite = o.suite == "full" ? suite_name::full : suite_name::mustpass;
  s.filter = o.filter;
  if (o.filter_named && o.filter.empty()) return invalid_argument("--filter '': expected a glob over case names");
  if (o.pairs_named) ADAHOP_TRY(parse_pairs(o.pairs, s.pairs));
  ADAHOP_TRY(parse_shard(o.shard, s));
  if (o.policy_named) {
    const auto rules = make_policy(o.rules);
    if (!rules.ok()) return rules.why();
    s.override_policy = rules.value();
    s.override_name = o.rules.preset != "default" && o.rules.fields.empty() ? o.rules.preset : "given";
  }
  return s;
}

status set_option(const adahop_backend& backend, const char* key, const std::string& value) {
  if (backend.set_option != nullptr && backend.set_option(key, value.c_str()) == ADAHOP_OK) return {};
  return unsupported(
      fmt::format("backend {}: option {}={} was refused: {}", backend.name, key, value, backend.last_error()));
}

// Cases run on several threads, so a backend's own threads would only crowd them; a backend need not have the option.
void use_one_thread(const adahop_backend& backend) {
  if (backend.set_option != nullptr) backend.set_option("threads", "1");
}

run_info info_of(const conform_options& o, const suite_options& s, const adahop_backend& backend,
                 const case_list& cases, const std::string& data) {
  run_info i;
  const policy rules = s.override_policy.value_or(default_policy());
  i.backend = o.backend;
  i.device = backend.device;
  i.suite = o.suite;
  i.version = kSuiteVersion;
  i.list_sha256 = list_hash(cases);
  i.compare = o.compare;
  i.seed = o.seed;
  i.data = data;
  i.policy_name = s.override_policy ? s.override_name : "default, and others where a case's name says so";
  i.policy_sha256 = policy_hash(rules);
  if (s.shards > 1) i.shard = fmt::format(", shard {}", o.shard);
  if (!o.lane_seed.empty()) i.lane_seed = ", lane seed " + o.lane_seed;
  i.rerun = fmt::format("adahop conform --backend {} --suite {} --seed {}", o.backend, o.suite, o.seed);
  if (o.compare == "values") i.rerun += " --compare values";
  if (!o.lane_seed.empty()) i.rerun += " --lane-seed " + o.lane_seed;
  for (const std::string& option : o.backend_options) i.rerun += " --option " + option;
  if (s.override_policy)
    i.rerun += fmt::format(" --policy '{}'", canonical_line(rules).substr(sizeof "adahop-policy/1"));
  return i;
}

// "executed  ..." of a backend that simulates, else empty.
std::string work_text(const adahop_backend& backend) {
  const std::optional<simulated_work> done = work_of(backend);
  if (!done) return {};
  const double millions = static_cast<double>(done->wave_instructions) / 1e6;
  return fmt::format("executed {:.1f} M wave instructions in {:.1f} s of one thread, {:.1f} M/s", millions, done->seconds,
                     done->seconds > 0 ? millions / done->seconds : 0.0);
}

// conform.json with every case, and the first failures as files that can be replayed.
status write_report(const conform_options& o, const run_info& info, const case_list& cases, const context& ctx,
                    const adahop_backend& backend, const run_options& run, const std::vector<case_result>& results) {
  std::error_code error;
  std::filesystem::create_directories(o.report, error);
  if (error) return io_error(fmt::format("{}: cannot be created: {}", o.report, error.message()));
  const std::string text = json_report(info, cases, results).dump(1) + "\n";
  ADAHOP_TRY(io::write_file(o.report + "/conform.json", {reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
  int64_t saved = 0;
  for (size_t i = 0; i < cases.size() && saved < o.errors; ++i) {
    if (results[i].what != verdict::failed) continue;
    const auto made = cases[i].prepare(ctx);
    if (!made.ok()) continue;
    const scoped_option option(backend, cases[i].option, run);
    ADAHOP_TRY(
        save_case(o.report, info, cases[i], made.value(), judge(made.value(), *ctx.reference, backend, run.mode)));
    ++saved;
  }
  return {};
}

int run_conform(const conform_options& o) {
  if (const status s = check_recording(o.recording, o.json); !s.ok()) return fail(s);
  const auto suite = suite_of(o);
  if (!suite.ok()) return fail(suite.why());
  const case_list cases = build_suite(suite.value());
  if (o.list) {
    fmt::print("{}", list_text(o.suite, cases));
    return kExitOk;
  }
  if (cases.empty()) return fail(invalid_argument("no case has this name, pair and shard; --list shows the names"));

  const auto backend = open_backend(o.backend);
  if (!backend.ok()) return fail(backend.why());
  const auto reference = open_backend("reference");
  if (!reference.ok()) return fail(reference.why());
  use_one_thread(*reference.value());
  use_one_thread(*backend.value());
  if (!o.lane_seed.empty())
    if (const status s = set_option(*backend.value(), "lane_seed", o.lane_seed); !s.ok()) return fail(s);
  run_options run{o.compare == "values" ? compare_mode::values : compare_mode::bits, o.threads, {}, {}, o.fail_fast};
  for (const std::string& option : o.backend_options) {
    const size_t equals = option.find('=');
    if (equals == option.npos || equals == 0)
      return fail(invalid_argument(fmt::format("--option '{}': expected KEY=VALUE", option)));
    const std::string key = option.substr(0, equals), value = option.substr(equals + 1);
    run.set_options.emplace_back(key, value);
    if (const status s = set_option(*backend.value(), key.c_str(), value); !s.ok()) return fail(s);
  }

  const auto folder = find_data(o.data);
  if (!folder.ok()) return fail(folder.why());
  std::optional<real_data> data;
  if (!folder.value().empty()) {
    auto loaded = load_data(folder.value());
    if (!loaded.ok()) return fail(loaded.why());
    data = std::move(loaded).value();
  }

  if (const status s = begin_recording(*backend.value(), o.recording); !s.ok()) return fail(s);
  const context ctx{reference.value(), o.seed, data ? &*data : nullptr};
  run_info info = info_of(o, suite.value(), *backend.value(), cases, folder.value());
  if (!o.json) print_head(stdout, info);
  std::fflush(stdout);
  std::vector<case_result> results;
  {
    progress_bar bar(static_cast<int64_t>(cases.size()));
    run.progress = [&bar] { bar.step(); };
    results = run_cases(cases, ctx, *backend.value(), run);
  }
  const status recorded = end_recording(*backend.value(), o.recording);
  info.work = work_text(*backend.value());
  if (!o.report.empty())
    if (const status s = write_report(o, info, cases, ctx, *backend.value(), run, results); !s.ok()) return fail(s);
  if (o.json)
    print_json(json_report(info, cases, results));
  else
    print_report(stdout, info, cases, results, o.errors);
  if (!recorded.ok()) return fail(recorded);
  return summarise(cases, results).all.failed == 0 ? kExitOk : kExitDiffers;
}

}  // namespace

void add_conform(CLI::App& app) {
  auto o = std::make_shared<conform_options>();
  CLI::App* c =
      app.add_subcommand("conform", "Hold a backend to the reference, bit for bit, over all nine pattern pairs");
  c->add_option("--backend", o->backend, "Backend under test: a name or the path of a .so")->capture_default_str();
  c->add_option("--suite", o->suite, "mustpass or full")
      ->check(CLI::IsMember({"mustpass", "full"}))
      ->capture_default_str();
  c->add_option("--pairs", o->pairs, "Only these pairs, as RC,CC");
  c->add_option("--filter", o->filter, "Only cases whose name matches this glob ('*' crosses '/')");
  c->add_option("--shard", o->shard, "i/n: every n-th case, from the i-th on")->capture_default_str();
  c->add_option("--seed", o->seed, "Seed of the synthetic tensors")
      ->check(whole_number(std::numeric_limits<uint64_t>::max()))
      ->capture_default_str();
  c->add_option("--compare", o->compare, "bits, or values: equal after decoding, any NaN equal to any NaN")
      ->check(CLI::IsMember({"bits", "values"}))
      ->capture_default_str();
  c->add_option("--data", o->data, "Folder of the real tensors");
  c->add_option("--report", o->report, "Folder for conform.json and the failing cases");
  c->add_option("--errors", o->errors, "Failures to show and to save")
      ->check(whole_number(std::numeric_limits<int64_t>::max()))
      ->capture_default_str();
  c->add_option("--lane-seed", o->lane_seed, "Seed of the order in which lanes run (hip-cpu)");
  c->add_option("--option", o->backend_options,
                "An option of the backend's own, KEY=VALUE, as mx_tile=32x32x64 (hip-cpu)");
  c->add_option("--threads", o->threads, "Cases run at once")->check(CLI::Range(1, 1024))->capture_default_str();
  c->add_flag("--fail-fast", o->fail_fast, "Begin no further case after a failure");
  c->add_flag("--list", o->list, "Print the names of the cases and stop");
  add_json_option(*c, o->json);
  add_recording_options(*c, o->recording, true);
  add_policy_options(*c, o->rules);
  c->footer(
      "A policy given here replaces that of every product.\n"
      "Examples: adahop conform --backend ./mine.so --pairs RC,CC --report out\n"
      "          adahop conform --backend gfx950-sim --filter hadamard/bf16/default/row/m1n32 --trace hadamard_bf16:0.0:0-7\n"
      "          adahop conform --backend gfx950-sim --option level=O2 --coverage O2.json");
  c->callback([o, c] {
    for (const char* name : {"--policy", "--preset", "--rule", "--min-scale-byte", "--nonfinite"})
      o->policy_named = o->policy_named || c->count(name) != 0;
    o->pairs_named = c->count("--pairs") != 0;
    o->filter_named = c->count("--filter") != 0;
    finish(run_conform(*o));
  });
}

}  // namespace adahop::cli
