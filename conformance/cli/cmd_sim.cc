// `adahop sim`: listings of the code objects that gfx950-sim executes, and what was executed of them. Exit status of
// `coverage`: 0 when every basic block was executed, 1 when one was not, 2 for bad input. Implements SPEC 13.11's check.
#include "conformance/cli/cmd_sim.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "adahop/io/file.h"
#include "conformance/cli/options.h"
#include "conformance/cli/output.h"
#include "hip_backend/device/hip/code_objects.h"
#include "hip_backend/sim/coverage_file.h"
#include "hip_backend/sim/coverage_report.h"
#include "hip_backend/sim/coverage_unreachable.h"
#include "hip_backend/sim/listing.h"
#include "hip_backend/sim/program.h"

namespace adahop::cli {
namespace {

using namespace adahop::hip;

constexpr uint64_t kLargestCodeObject = uint64_t{1} << 30, kLargestList = uint64_t{1} << 20;

struct listing_options {
  std::string kernel, level = "O3", code_object;
};

struct coverage_options {
  std::vector<std::string> files;
  std::string unreachable;
  bool json = false;
};

int print_listing(const sim::program& code, const std::string& kernel) {
  const sim::sim_kernel* k = code.find(kernel);
  if (k != nullptr) {
    fmt::print("{}", sim::kernel_listing(code, *k));
    return kExitOk;
  }
  std::string names;
  for (const sim::sim_kernel& each : code.kernels) names += (names.empty() ? "" : ", ") + each.name;
  return fail(invalid_argument(fmt::format("{}: no kernel {}; there are: {}", code.name, kernel, names)));
}

int run_listing(const listing_options& o) {
  if (!o.code_object.empty()) {
    const auto bytes = io::read_file(o.code_object, kLargestCodeObject);
    if (!bytes.ok()) return fail(bytes.why());
    const auto code = sim::load_program(o.code_object, std::as_bytes(std::span(bytes.value())));
    return code.ok() ? print_listing(code.value(), o.kernel) : fail(code.why());
  }
  const auto objects = o.level == "O2" ? gfx950_code_objects_O2() : gfx950_code_objects();
  if (objects.empty()) return fail(unsupported("built without gfx950 code objects (it takes clang-22)"));
  std::string names;
  for (const code_object& object : objects) {
    for (const std::string_view name : object.kernels) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    if (std::ranges::find(object.kernels, o.kernel) == object.kernels.end()) continue;
    const auto code = sim::load_program(object.name, std::as_bytes(object.image));
    return code.ok() ? print_listing(code.value(), o.kernel) : fail(code.why());
  }
  return fail(invalid_argument(fmt::format("no kernel {}; there are: {}", o.kernel, names)));
}

int run_coverage(const coverage_options& o) {
  sim::coverage all;
  for (const std::string& file : o.files) {
    const auto more = sim::read_coverage(file);
    if (!more.ok()) return fail(more.why());
    if (const status s = sim::merge(all, more.value()); !s.ok())
      return fail(status(s.code(), fmt::format("{}: {}", file, s.message())));
  }
  std::vector<sim::unreachable_entry> list;
  if (!o.unreachable.empty()) {
    const auto bytes = io::read_file(o.unreachable, kLargestList);
    if (!bytes.ok()) return fail(bytes.why());
    auto parsed = sim::parse_unreachable(
        o.unreachable, {reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()});
    if (!parsed.ok()) return fail(parsed.why());
    list = std::move(parsed).value();
  }
  fmt::print("{}", o.json ? sim::coverage_json(all) : sim::coverage_text(all));
  const std::vector<std::string> wrong = sim::check_unreachable(all, list);
  if (!o.unreachable.empty() && !o.json)
    for (const std::string& line : wrong) fmt::print("{}: {}\n", o.unreachable, line);
  return wrong.empty() ? kExitOk : kExitDiffers;
}

}  // namespace

void add_sim(CLI::App& app) {
  CLI::App* sim = app.add_subcommand("sim", "Listings and coverage of the code that gfx950-sim executes");
  sim->require_subcommand(1);

  auto l = std::make_shared<listing_options>();
  CLI::App* c = sim->add_subcommand("listing", "Print the basic blocks of a kernel: addresses, instructions, source lines");
  c->add_option("kernel", l->kernel, "Kernel, as bf16_gemm_16x16")->required();
  c->add_option("--level", l->level, "Optimisation level of the build's code: O3 or O2")
      ->check(CLI::IsMember({"O3", "O2"}))
      ->capture_default_str();
  c->add_option("--code-object", l->code_object, "A code object of your own instead, FILE.co");
  c->footer("Example: adahop sim listing dequantize_f32 --level O2");
  c->callback([l] { finish(run_listing(*l)); });

  auto o = std::make_shared<coverage_options>();
  c = sim->add_subcommand("coverage", "Add up coverage files; exit status 1 when a basic block was never executed");
  c->add_option("files", o->files, "Files of `adahop conform --coverage FILE.json`")->required();
  c->add_option("--unreachable", o->unreachable,
                "List of blocks that no call can reach and that must stay unexecuted, as "
                "hip_backend/sim/unreachable_blocks.txt");
  add_json_option(*c, o->json);
  c->footer(
      "Prints instructions, blocks and branches executed of each kernel, then what never was, as a listing.\n"
      "Example: adahop conform --backend gfx950-sim --coverage O3.json; adahop sim coverage O3.json");
  c->callback([o] { finish(run_coverage(*o)); });
}

}  // namespace adahop::cli
