// The report as text.
#include "conformance/report/text_report.h"

#include <fmt/format.h>

#include "conformance/backends/registry.h"

namespace adahop::conformance {
namespace {

constexpr std::array<const char*, kPairStages> kHeadings{"pattern",  "FOID",    "extract", "HQ-left",
                                                         "HQ-right", "MX-GEMM", "outlier", "scatter",
                                                         "BF16",     "forward", "dX",      "dW"};

// All passed: the count; else passed/total; nothing run: "-" where the stage does not apply.
std::string cell(const tally& t) {
  if (t.total() == 0) return "-";
  if (t.skipped == t.total()) return "skip";
  const int64_t judged = t.passed + t.failed;
  return t.failed == 0 ? fmt::format("{}", t.passed) : fmt::format("{}/{}", t.passed, judged);
}

std::string strategies(pattern_pair pair) {
  const strategy one = strategy_of(1, pair, ADAHOP_PATH_FORWARD, ADAHOP_LEFT_OE_PUBLISHED);
  const strategy two = strategy_of(2, pair, ADAHOP_PATH_FORWARD, ADAHOP_LEFT_OE_PUBLISHED);
  return one == two ? std::string(name(one)) : fmt::format("{}, {}", name(one), name(two));
}

void print_pairs(std::FILE* out, const summary& s) {
  fmt::print(out, "pair");
  for (const char* heading : kHeadings) fmt::print(out, " {:>8}", heading);
  fmt::print(out, "  strategy (level 1, 2)\n");
  for (size_t row = 0; row < kAllPairs.size(); ++row) {
    fmt::print(out, "{}{}  ", letter(kAllPairs[row].left), letter(kAllPairs[row].right));
    for (size_t column = 0; column < kPairStages; ++column) fmt::print(out, " {:>8}", cell(s.by_pair[row][column]));
    fmt::print(out, "  {}\n", strategies(kAllPairs[row]));
  }
  fmt::print(
      out,
      "n: all n passed; p/n: p of n passed; skip: not covered; -: nothing to compare, as the pair's strategies do not\n"
      "run the stage (outlier product and scatter-add belong to OE, the BF16 product to BF16), or it was not "
      "selected.\n"
      "HQ: Hadamard+quantize. Pairs are forced, so each stage runs for each pair whatever a tensor's own verdict "
      "is.\n");
}

void print_others(std::FILE* out, const summary& s) {
  fmt::print(out, "\noperations by themselves\n");
  for (size_t column = kPairStages; column < kStages; ++column) {
    const tally t = s.at(static_cast<stage>(column));
    if (t.total() != 0) fmt::print(out, "  {:<18} {:>8}\n", stage_name(static_cast<stage>(column)), cell(t));
  }
  if (s.native.total != 0)
    fmt::print(out, "\nmode native: {} outputs, {} ({:.1f} %) certified and judged by bits, the others by their bound\n",
               s.native.total, s.native.certified,
               100.0 * static_cast<double>(s.native.certified) / static_cast<double>(s.native.total));
  fmt::print(out, "\ncomparisons by strategy\n");
  for (size_t i = 0; i < s.by_strategy.size(); ++i)
    fmt::print(out, "  {:<18} {:>8}\n", name(static_cast<strategy>(i)), cell(s.by_strategy[i]));
}

}  // namespace

void print_head(std::FILE* out, const run_info& i) {
  fmt::print(out, "adahop conform: {} against reference\n", i.backend);
  fmt::print(out, "  device   {}\n", i.device);
  fmt::print(out, "  suite    {} version {}{}, names {}\n", i.suite, i.version, i.shard, i.list_sha256.substr(0, 16));
  fmt::print(out, "  policy   {}, sha256 {}\n", i.policy_name, i.policy_sha256.substr(0, 16));
  fmt::print(out, "  compare  {}, seed {}{}\n", i.compare, i.seed, i.lane_seed);
  if (i.data.empty())
    fmt::print(
        out,
        "  data     NOT FOUND: cases on real tensors are skipped; name their folder with --data or ADAHOP_DATA\n\n");
  else
    fmt::print(out, "  data     {}\n\n", i.data);
}

std::string failure_text(const run_info& info, const test_case& c, const case_result& r) {
  std::string text = fmt::format("FAILED {}\n", c.name);
  text += fmt::format("  stage    {}", stage_name(c.where));
  if (c.pair) text += fmt::format(", pair {}{}", letter(c.pair->left), letter(c.pair->right));
  if (c.how) text += fmt::format(", strategy {}", name(*c.how));
  text += fmt::format("; SPEC {}\n", clauses(c.where));
  text += fmt::format("  why      {}\n", r.reason);
  if (const auto& d = r.differs) {
    text += fmt::format("  first    {} (row {}, col {}): expected {} = {}, got {} = {}\n", d->output, d->row, d->col,
                        d->expected_bits, d->expected_value, d->got_bits, d->got_value);
    text += fmt::format("  differ   {} of {} elements\n", d->count, d->total);
  }
  if (r.op != ADAHOP_OP_COUNT)
    text += fmt::format("  call     {}: {}\n  policy   {}\n", op_name(r.op), r.about, r.policy_line);
  if (r.native.total != 0)
    text += fmt::format("  native   {} of {} outputs certified\n", r.native.certified, r.native.total);
  if (c.option) text += fmt::format("  option   {}={}\n", c.option->key, c.option->value);
  return text + fmt::format("  again    {} --filter '{}'\n", info.rerun, c.name);
}

void print_report(std::FILE* out, const run_info& info, const case_list& cases, std::span<const case_result> results,
                  int64_t errors) {
  const summary s = summarise(cases, results);
  print_pairs(out, s);
  print_others(out, s);
  int64_t shown = 0;
  for (size_t i = 0; i < cases.size() && shown < errors; ++i)
    if (results[i].what == verdict::failed) {
      fmt::print(out, "\n{}", failure_text(info, cases[i], results[i]));
      ++shown;
    }
  if (s.all.failed > shown) fmt::print(out, "\n{} more failures are not shown (--errors N)\n", s.all.failed - shown);
  if (!s.not_covered.empty()) fmt::print(out, "\nnot covered\n");
  for (const auto& [claim, count] : s.not_covered) fmt::print(out, "  {:>6}  {}\n", count, claim);
  if (!s.notes.empty()) fmt::print(out, "\nnotes\n");
  for (const auto& [note, count] : s.notes) fmt::print(out, "  {:>6}  {}\n", count, note);
  if (!info.work.empty()) fmt::print(out, "\n{}\n", info.work);
  fmt::print(out, "\n{}\n", last_line(s.all));
}

}  // namespace adahop::conformance
