// The list of unreachable blocks against what was executed.
#include "sim/coverage_unreachable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "sim/coverage_report.h"

namespace adahop::hip::sim {
namespace {

constexpr size_t kFields = 4;

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

// '*' stands for any text; registers have brackets, so nothing else is special.
bool matches(std::string_view pattern, std::string_view text) {
  const size_t star = pattern.find('*');
  if (star == pattern.npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  for (size_t at = star; at <= text.size(); ++at)
    if (matches(pattern.substr(star + 1), text.substr(at))) return true;
  return false;
}

std::optional<unreachable_entry> entry_of(std::string_view line) {
  std::array<std::string_view, kFields> field;
  for (size_t n = 0; n < kFields; ++n) {
    const size_t bar = n + 1 < kFields ? line.find('|') : line.npos;
    if (n + 1 < kFields && bar == line.npos) return std::nullopt;
    field[n] = trimmed(line.substr(0, bar));
    if (field[n].empty()) return std::nullopt;
    if (bar != line.npos) line.remove_prefix(bar + 1);
  }
  const size_t blank = field[0].find(' ');
  if (blank == field[0].npos) return std::nullopt;
  unreachable_entry e;
  e.level = field[0].substr(0, blank);
  e.kernel = trimmed(field[0].substr(blank));
  e.before = field[1];
  e.first = field[2];
  e.why = field[3];
  return e;
}

bool is_meant(const unreachable_entry& e, const kernel_coverage& k, const covered_block& b) {
  return b.first != 0 && matches(e.before, k.code[b.first - 1].text) && matches(e.first, k.code[b.first].text) &&
         matches(e.level, k.level) && matches(e.kernel, k.kernel);
}

}  // namespace

result<std::vector<unreachable_entry>> parse_unreachable(std::string_view name, std::string_view text) {
  std::vector<unreachable_entry> list;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    auto entry = entry_of(line);
    if (!entry)
      return status{ADAHOP_BAD_FILE,
                    fmt::format("{}:{}: expected LEVEL KERNEL | INSTRUCTION BEFORE | FIRST INSTRUCTION | WHY", name, number)};
    entry->line = number;
    list.push_back(std::move(*entry));
  }
  return list;
}

std::vector<std::string> check_unreachable(const coverage& c, const std::vector<unreachable_entry>& list) {
  std::vector<std::string> wrong;
  std::vector<bool> used(list.size());
  for (const kernel_coverage& k : c) {
    const bool launched = totals_of(k).executed != 0;
    if (!launched) wrong.push_back(fmt::format("never launched: {} {}", k.level, k.kernel));
    for (const covered_block& b : blocks_of(k)) {
      const bool executed = k.code[b.first].executed != 0;
      bool excused = false;
      for (size_t n = 0; n < list.size(); ++n) {
        if (!is_meant(list[n], k, b)) continue;
        used[n] = excused = true;
        if (executed) wrong.push_back(fmt::format("executed, but listed in line {}: {}", list[n].line, block_name(k, b)));
      }
      if (launched && !executed && !excused)
        wrong.push_back(fmt::format("never executed: {}, '{}' after '{}'", block_name(k, b), k.code[b.first].text,
                                    b.first == 0 ? "the kernel's entry" : k.code[b.first - 1].text));
    }
  }
  for (size_t n = 0; n < list.size(); ++n)
    if (!used[n]) wrong.push_back(fmt::format("line {} of the list: no such block", list[n].line));
  return wrong;
}

}  // namespace adahop::hip::sim
