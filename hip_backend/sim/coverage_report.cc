// The text of a coverage report.
#include "sim/coverage_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace adahop::hip::sim {
namespace {

std::string share(uint64_t part, uint64_t whole) { return fmt::format("{}/{}", part, whole); }

void add_row(std::string& text, size_t width, const std::string& level, const std::string& kernel, const coverage_totals& t) {
  fmt::format_to(std::back_inserter(text), "{:<6}  {:<{}}  {:>13}  {:>9}  {:>11}\n", level, kernel, width,
                 share(t.executed, t.instructions), share(t.blocks_executed, t.blocks),
                 share(t.branch_ways_taken, t.branch_ways));
}

void add_listing(std::string& text, const kernel_coverage& k, const covered_block& b) {
  std::string last;
  for (size_t n = b.first; n < b.end; ++n) {
    const covered_instruction& i = k.code[n];
    fmt::format_to(std::back_inserter(text), "  {:6x}  {}", i.address, i.text);
    // A source line stands where it changes.
    if (!i.source.empty() && i.source != last) fmt::format_to(std::back_inserter(text), "  ; {}", i.source);
    last = i.source;
    text += '\n';
  }
}

}  // namespace

std::string block_name(const kernel_coverage& k, const covered_block& b) {
  const covered_instruction& first = k.code[b.first];
  return fmt::format("{} {}, {:x}-{:x}{}", k.level, k.kernel, first.address, k.code[b.end - 1].address,
                     first.source.empty() ? "" : fmt::format(" ({})", first.source));
}

std::string coverage_text(const coverage& c) {
  size_t width = sizeof "kernel" - 1;
  for (const kernel_coverage& k : c) width = std::max(width, k.kernel.size());
  std::string text = fmt::format("{:<6}  {:<{}}  {:>13}  {:>9}  {:>11}\n", "level", "kernel", width, "instructions", "blocks",
                                 "branch ways");
  std::map<std::string, coverage_totals> levels;
  for (const kernel_coverage& k : c) {
    const coverage_totals t = totals_of(k);
    add_row(text, width, k.level, k.kernel, t);
    add(levels[k.level], t);
  }
  for (const auto& [level, t] : levels) add_row(text, width, level, "all", t);

  std::string blocks, branches;
  for (const kernel_coverage& k : c) {
    if (totals_of(k).executed == 0) {
      blocks += fmt::format("{} {}: never launched\n", k.level, k.kernel);
      continue;
    }
    for (const covered_block& b : blocks_of(k)) {
      if (k.code[b.first].executed != 0) continue;
      blocks += block_name(k, b) + "\n";
      add_listing(blocks, k, b);
    }
    for (const covered_instruction& i : k.code) {
      if (!i.conditional || i.executed == 0 || (i.taken != 0 && i.taken != i.executed)) continue;
      fmt::format_to(std::back_inserter(branches), "{} {}, {:x}: {} taken in {} executions: {}{}\n", k.level, k.kernel,
                     i.address, i.taken == 0 ? "not" : "always", i.executed, i.text, i.source.empty() ? "" : "  ; " + i.source);
    }
  }
  text += blocks.empty() ? "\nEvery basic block was executed.\n" : "\nBasic blocks never executed:\n" + blocks;
  if (!branches.empty()) text += "\nBranches that always went one way:\n" + branches;
  return text;
}

}  // namespace adahop::hip::sim
