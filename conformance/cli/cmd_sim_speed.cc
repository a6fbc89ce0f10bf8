// `adahop sim-speed`: how fast the simulator executes the kernels that matter on one core, outputs held to the reference.
// Decides nothing.
#include "conformance/cli/cmd_sim_speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "adahop/policy.h"
#include "conformance/backends/registry.h"
#include "conformance/cli/options.h"
#include "conformance/cli/output.h"
#include "conformance/suites/random.h"

namespace adahop::cli {
namespace {

using conformance::caller;

struct speed_options {
  std::string level = "O3";
  int repeat = 3;
  bool json = false;
};

/// One operation: its outputs as bytes.
struct speed_task {
  std::string name;
  std::string mx_gemm;  ///< option of the backend; empty: left alone
  std::function<result<std::vector<uint8_t>>(const caller&)> run;
};

struct speed_row {
  std::string name, checks;
  uint64_t instructions = 0;
  double seconds = 0;
  bool equal = false;
};

constexpr int64_t kRows = 1024, kColumns = 2048;  ///< of the tensor that is transformed and quantized
constexpr int64_t kM = 256, kN = 256, kK = 1024, kBlock = 32;

struct mx_matrix {
  std::vector<uint8_t> codes, scales;
  adahop_mx view;
  explicit mx_matrix(int64_t outer, int64_t inner)
      : codes(static_cast<size_t>(outer * inner / 2)), scales(static_cast<size_t>(outer * inner / kBlock)) {
    view = {codes.data(), scales.data(), outer, inner, inner / 2, inner / kBlock};
  }
  mx_matrix(const mx_matrix&) = delete;
  mx_matrix& operator=(const mx_matrix&) = delete;
};

speed_task hadamard_task() {
  auto x = std::make_shared<std::vector<float>>(static_cast<size_t>(kRows * kColumns));
  conformance::word_source bytes(1);
  for (float& v : *x) v = static_cast<float>(static_cast<int32_t>(bytes.next() >> 40) - (1 << 23)) * 0x1p-20f;
  const auto run = [x](const caller& backend) -> result<std::vector<uint8_t>> {
    const policy rules = default_policy();
    mx_matrix out(kRows, kColumns);
    adahop_hadamard_quantize_args args{};
    args.policy = &rules;
    args.x = {x->data(), ADAHOP_F32, 0, kRows, kColumns, kColumns, 1};
    args.out = out.view;
    ADAHOP_TRY(backend.run(args));
    std::vector<uint8_t> all = out.codes;
    all.insert(all.end(), out.scales.begin(), out.scales.end());
    return all;
  };
  return {fmt::format("hadamard_quantize f32 {} x {}", kRows, kColumns), "", run};
}

speed_task gemm_task(const std::string& kind) {
  const auto filled = [](uint64_t seed, int64_t outer) {
    auto m = std::make_shared<mx_matrix>(outer, kK);
    conformance::word_source bytes(seed);
    for (uint8_t& c : m->codes) c = static_cast<uint8_t>(bytes.next());
    for (uint8_t& s : m->scales) s = static_cast<uint8_t>(118 + bytes.next() % 18);
    return m;
  };
  const auto run = [a = filled(2, kM), b = filled(3, kN)](const caller& backend) -> result<std::vector<uint8_t>> {
    const policy rules = default_policy();
    std::vector<uint8_t> out(static_cast<size_t>(kM * kN * 4));
    adahop_mx_gemm_args args{};
    args.policy = &rules;
    args.a = a->view;
    args.b = b->view;
    args.out = {out.data(), ADAHOP_F32, 0, kM, kN, kN, 1};
    ADAHOP_TRY(backend.run(args));
    return out;
  };
  return {fmt::format("mx_gemm {} x {} x {}, {}", kM, kN, kK, kind), kind, run};
}

result<speed_row> measure(const speed_task& task, const std::string& checks, const caller& backend,
                          const std::vector<uint8_t>& expected, int repeat) {
  if (!task.mx_gemm.empty()) ADAHOP_TRY(backend.set_option("mx_gemm", task.mx_gemm));
  ADAHOP_TRY(backend.set_option("checks", checks));
  speed_row row{task.name, checks, 0, 0, true};
  for (int n = 0; n < repeat; ++n) {
    const auto before = conformance::work_of(backend.table());
    ADAHOP_ASSIGN(got, task.run(backend));
    const auto after = conformance::work_of(backend.table());
    const double seconds = after->seconds - before->seconds;
    row.equal = row.equal && got == expected;
    row.instructions = after->wave_instructions - before->wave_instructions;
    row.seconds = n == 0 ? seconds : std::min(row.seconds, seconds);
  }
  return row;
}

result<std::vector<speed_row>> measure_all(const speed_options& o) {
  ADAHOP_ASSIGN(reference, open_caller("reference"));
  ADAHOP_ASSIGN(backend, open_caller("gfx950-sim"));
  ADAHOP_TRY(backend.set_option("threads", "1"));
  ADAHOP_TRY(backend.set_option("level", o.level));
  std::vector<speed_row> rows;
  for (const speed_task& task : {hadamard_task(), gemm_task("tuned"), gemm_task("portable")}) {
    ADAHOP_ASSIGN(expected, task.run(reference));
    for (const char* checks : {"none", "all"}) {
      ADAHOP_ASSIGN(row, measure(task, checks, backend, expected, o.repeat));
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

double rate(const speed_row& r) { return static_cast<double>(r.instructions) / r.seconds / 1e6; }

int run_sim_speed(const speed_options& o) {
  const auto measured = measure_all(o);
  if (!measured.ok()) return fail(measured.why());
  bool equal = true;
  std::vector<std::vector<std::string>> table = {{"operation", "checks", "wave instr.", "seconds", "M/s", "bits"}};
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const speed_row& r : measured.value()) {
    equal = equal && r.equal;
    table.push_back({r.name, r.checks, fmt::format("{}", r.instructions), fmt::format("{:.3f}", r.seconds),
                     fmt::format("{:.2f}", rate(r)), r.equal ? "equal" : "DIFFER"});
    list.push_back({{"operation", r.name},
                    {"checks", r.checks},
                    {"wave_instructions", r.instructions},
                    {"seconds", r.seconds},
                    {"equal", r.equal}});
  }
  if (o.json) {
    print_json({{"level", o.level}, {"repeat", o.repeat}, {"rows", list}});
  } else {
    fmt::print("gfx950-sim on one thread, code objects of -{}, best of {}; bits against the reference\n", o.level, o.repeat);
    print_table(table);
  }
  return equal ? kExitOk : kExitDiffers;
}

}  // namespace

void add_sim_speed(CLI::App& app) {
  auto o = std::make_shared<speed_options>();
  CLI::App* c = app.add_subcommand("sim-speed", "Time the simulator on one core, outputs held to the reference");
  c->add_option("--level", o->level, "Code objects compiled at -O3 or -O2")
      ->check(CLI::IsMember({"O3", "O2"}))
      ->capture_default_str();
  c->add_option("--repeat", o->repeat, "Runs of each operation, of which the best counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  add_json_option(*c, o->json);
  c->footer("Example: adahop sim-speed --level O2");
  c->callback([o] { finish(run_sim_speed(*o)); });
}

}  // namespace adahop::cli
