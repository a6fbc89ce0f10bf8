// Who runs a call, what must agree, and what is said of a disagreement.
#include "fuzz/differential.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "conformance/backends/registry.h"
#include "conformance/judge/coverage.h"
#include "conformance/report/save_case.h"
#include "conformance/suites/models.h"
#include "conformance/suites/random.h"
#include "fuzz/model_facts.h"
#include "reference/backend.h"

namespace adahop::fuzz {
namespace {

using namespace adahop::conformance;

constexpr uint8_t kGarbageOne = 0xA5, kGarbageOther = 0x5A;

std::string seed_text(input& in) { return fmt::format("{}", in.flag() ? in.word(3) + 1 : 0); }

// Models that sum more at once than the 2 blocks of a 32x32x64 instruction: hip-cpu refuses the two together.
bool needs_wide_k(std::string_view model) { return model.ends_with("(128)") || model == "block_first_fdpa(4)"; }

contender read_hip_cpu(input& in) {
  const std::string_view threads = in.rarely() ? "2" : "1";
  const std::string seed = seed_text(in);
  const std::string_view model = in.pick(kMfmaModels);
  const bool narrow_k = in.flag() && !needs_wide_k(model);
  return {nullptr,
          {{"threads", std::string(threads)},
           {"lane_seed", seed},
           {"mfma_model", std::string(model)},
           {"mx_tile", narrow_k ? "32x32x64" : "16x16x128"}}};
}

contender read_gfx950_sim(input& in) {
  return {nullptr,
          {{"level", in.pick(std::array{"O3", "O2"})},
           {"checks", "all"},
           {"threads", in.rarely() ? "2" : "1"},
           {"schedule_seed", seed_text(in)},
           {"mx_gemm", in.pick(std::array{"tuned", "portable"})},
           {"mx_tile", in.pick(std::array{"16x16x128", "32x32x64"})},
           {"mfma_model", in.pick(kMfmaModels)},
           {"mfma_nan", in.pick(std::array{"0x7FC00000", "0xFFC00000", "0x7F800001"})},
           {"nan_to_fp4", in.pick(std::array{"sign_7", "plus_zero"})},
           {"scale_ff", in.pick(std::array{"sign_7", "keep_destination"})},
           {"widened_nan", in.pick(std::array{"canonical", "hip_host"})},
           {"sr_model", in.pick(std::array{"hip_host", "widened"})},
           {"bf16_nan", in.pick(std::array{"keep_payload", "canonical"})},
           {"rcp_ulp", in.pick(std::array{"0", "1", "-1"})}}};
}

std::string options_of(const contender& c) {
  std::string all;
  for (const auto& [key, value] : c.options) all += fmt::format("{}{}={}", all.empty() ? "" : ", ", key, value);
  return all;
}

// An option that a backend of this build does not take is a fault in this file.
void set_options(const contender& c) {
  for (const auto& [key, value] : c.options) {
    if (c.table->set_option(key.c_str(), value.c_str()) == ADAHOP_OK) continue;
    fmt::print(stderr, "fuzz: {}: {}={}: {}\n", c.table->name, key, value, c.table->last_error());
    std::abort();
  }
}

outcome failed(execution expected, execution got, std::string reason) {
  outcome o;
  o.what = verdict::failed;
  o.reason = std::move(reason);
  o.expected = std::move(expected);
  o.got = std::move(got);
  return o;
}

// The same bits on any number of threads (SPEC 1.2), and what SPEC says of the models (10.22, 10.23).
std::optional<finding> judge_reference(const call& c) {
  reference().set_option("threads", "1");
  execution one = execute(c, reference(), kGarbageOne);
  if (one.status != c.expected) {
    std::string reason = fmt::format("returned {} ({}), expected {}", status_name(one.status), one.error, status_name(c.expected));
    execution again = one;
    return finding{"reference", "threads=1", c, failed(std::move(one), std::move(again), std::move(reason))};
  }
  reference().set_option("threads", "3");
  execution several = execute(c, reference(), kGarbageOther);
  const std::string who = "reference", under = "threads=3";
  if (several.status != one.status)
    return finding{who, under, c, failed(std::move(one), std::move(several), "returned another status than with threads=1")};
  for (const execution* e : {&one, &several})
    if (!e->violation.empty()) return finding{who, under, c, failed(one, several, e->violation)};
  if (one.status != ADAHOP_OK) return std::nullopt;
  if (auto differs = compare_outputs(one.outputs, several.outputs, compare_mode::bits)) {
    outcome o = failed(std::move(one), std::move(several), fmt::format("{} differs", differs->output));
    o.differs = std::move(differs);
    return finding{who, under, c, std::move(o)};
  }
  outcome under_model;
  if (model_agrees(c, one, under_model)) return std::nullopt;
  return finding{who, "the policy's accumulation model", c, std::move(under_model)};
}

std::string input_text(const conformance::input& in) {
  if (const auto* v = std::get_if<view_input>(&in))
    return fmt::format("{}: {} [{} x {}], strides {} and {}", v->name, v->view.dtype == ADAHOP_BF16 ? "BF16" : "FP32",
                       v->view.rows, v->view.cols, v->view.row_stride, v->view.col_stride);
  if (const auto* m = std::get_if<mx_input>(&in))
    return fmt::format("{}: MX [{} x {}], rows {} and {} bytes apart", m->name, m->mx.outer, m->mx.inner, m->mx.codes_stride,
                       m->mx.scales_stride);
  const auto& list = std::get<index_input>(in);
  return fmt::format("{}: indices {}", list.name, fmt::join(*list.indices, ","));
}

stage stage_of(const call& c) {
  switch (c.op) {
    case ADAHOP_OP_QUANTIZE: return stage::quantize;
    case ADAHOP_OP_DEQUANTIZE: return stage::dequantize;
    case ADAHOP_OP_HADAMARD: return stage::hadamard;
    case ADAHOP_OP_HADAMARD_QUANTIZE: return stage::hadamard_quantize;
    case ADAHOP_OP_PATTERN: return stage::edge_pattern;
    case ADAHOP_OP_SELECT_OUTLIERS: return stage::edge_foid;
    case ADAHOP_OP_EXTRACT_OUTLIERS: return stage::edge_extract;
    case ADAHOP_OP_MX_GEMM: return c.native != nullptr ? stage::native_mx_gemm : stage::edge_mx_gemm;
    case ADAHOP_OP_BF16_GEMM: return stage::edge_bf16_gemm;
    case ADAHOP_OP_SCATTER_ADD: return stage::edge_scatter_add;
    default: return c.native != nullptr ? stage::native_matmul : stage::forward;
  }
}

}  // namespace

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

namespace {

// Of ADAHOP_FUZZ_BACKEND; null where it is not set.
const adahop_backend* named_backend() {
  static const adahop_backend* const table = []() -> const adahop_backend* {
    const char* const name = std::getenv("ADAHOP_FUZZ_BACKEND");
    if (name == nullptr) return nullptr;
    const auto opened = open_backend(name);
    if (opened.ok()) return opened.value();
    fmt::print(stderr, "fuzz: ADAHOP_FUZZ_BACKEND: {}\n", opened.why().message());
    std::exit(2);
  }();
  return table;
}

}  // namespace

std::vector<contender> read_contenders(input& in) {
  // Opened once: gfx950-sim finds its code objects, and a build without them has none.
  static const auto hip_cpu = open_backend("hip-cpu");
  static const auto gfx950_sim = open_backend("gfx950-sim");
  // Every build reads the options of all, so that an input means the same call.
  std::vector<contender> all{read_hip_cpu(in), read_gfx950_sim(in)};
  all[0].table = hip_cpu.ok() ? hip_cpu.value() : nullptr;
  all[1].table = gfx950_sim.ok() ? gfx950_sim.value() : nullptr;
  // Every level of simd: it is fast, and no option is read for it.
  static const auto simd = open_backend("simd");
  for (const std::string& level : simd_levels())
    if (simd.ok()) all.push_back({simd.value(), {{"isa", level}}});
  // A plug-in of these kernels takes hip-cpu's options too.
  if (const adahop_backend* const named = named_backend(); named != nullptr)
    all.push_back({named, std::string_view(named->name) == "hip-cpu" ? all[0].options : contender().options});
  std::erase_if(all, [](const contender& c) { return c.table == nullptr; });
  return all;
}

void read_surroundings(input& in, call& c) {
  const uint8_t how = in.byte();
  c.with_workspace = how % 4 == 1;
  c.memory = how / 4 % 4 == 1 ? ADAHOP_MEMORY_DEVICE : ADAHOP_MEMORY_HOST;
  c.default_stream = how / 16 % 2 == 1;
}

std::optional<finding> find_difference(const call& c, const std::vector<contender>& contenders) {
  call made = c;
  made.refused_if_unclaimed = true;
  if (c.native == nullptr) {
    call on_host = c;
    on_host.memory = ADAHOP_MEMORY_HOST;
    if (auto found = judge_reference(on_host)) return found;
  }
  for (const contender& other : contenders) {
    set_options(other);
    outcome o = judge(made, reference(), *other.table, compare_mode::bits);
    if (o.what == verdict::failed) return finding{other.table->name, options_of(other), made, std::move(o)};
  }
  return std::nullopt;
}

std::string text(const finding& f) {
  std::string lines = fmt::format("DIFFERENCE in {}{}{}\n  who      {}{}{}\n  why      {}\n  policy   {}\n", op_name(f.made.op),
                                  f.made.about.empty() ? "" : ", ", f.made.about, f.who, f.under.empty() ? "" : " under ", f.under, f.judged.reason,
                                  canonical_line(f.made.rules));
  lines += fmt::format("  mode     {}, {} memory{}\n", f.made.native != nullptr ? "native" : "bitexact",
                       f.made.memory == ADAHOP_MEMORY_DEVICE ? "device" : "host",
                       f.made.with_workspace ? ", workspace by the caller" : "");
  for (const conformance::input& in : f.made.inputs) lines += fmt::format("  input    {}\n", input_text(in));
  if (const auto& d = f.judged.differs)
    lines += fmt::format("  element  {} (row {}, col {}): expected {} = {}, got {} = {}; {} of {} differ\n", d->output, d->row,
                         d->col, d->expected_bits, d->expected_value, d->got_bits, d->got_value, d->count, d->total);
  return lines;
}

result<std::string> save(const finding& f, const std::string& folder) {
  test_case c;
  // The name tells findings apart: by what the text says of them.
  c.name = fmt::format("fuzz/{}/{:016x}", op_name(f.made.op), stream_of(text(f)));
  c.where = stage_of(f.made);
  run_info info;
  info.backend = f.who;
  outcome judged = f.judged;
  if (!f.under.empty()) judged.reason += fmt::format("; under {}", f.under);
  ADAHOP_TRY(save_case(folder, info, c, f.made, judged));
  return fmt::format("{}/fuzz_{}_{:016x}.json", folder, op_name(f.made.op), stream_of(text(f)));
}

void require_agreement(const call& c, const std::vector<contender>& contenders) {
  const auto found = find_difference(c, contenders);
  if (!found) return;
  fmt::print(stderr, "{}", text(*found));
  if (const char* folder = std::getenv("ADAHOP_FUZZ_CASES"); folder != nullptr) {
    const auto saved = save(*found, folder);
    fmt::print(stderr, "  case     {}\n", saved.ok() ? saved.value() : saved.why().message());
  }
  std::fflush(stderr);
  std::abort();
}

}  // namespace adahop::fuzz
