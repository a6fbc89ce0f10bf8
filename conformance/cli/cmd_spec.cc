// `adahop spec`: all of SPEC.md, a chapter, or a clause.
#include "conformance/cli/cmd_spec.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cli/options.h"
#include "conformance/cli/output.h"
#include "conformance/cli/spec_text.h"

namespace adahop::cli {
namespace {

struct spec_options {
  std::string what;
  bool json = false;
};

struct clause {
  std::string number, text;
};

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

// A clause is one line, "- **5.4** Rule ...".
std::optional<clause> parse_clause(std::string_view line) {
  constexpr std::string_view kOpen = "- **";
  if (!line.starts_with(kOpen)) return std::nullopt;
  line.remove_prefix(kOpen.size());
  const size_t end = line.find("** ");
  if (end == line.npos) return std::nullopt;
  return clause{std::string(line.substr(0, end)), std::string(line.substr(end + 3))};
}

int run_spec(const spec_options& o) {
  const auto lines = split_lines(kSpecText);
  const bool chapter = o.what.find('.') == o.what.npos;
  const auto wanted = [&](const std::string& number) {
    return o.what.empty() || number == o.what || (chapter && number.starts_with(o.what + "."));
  };
  std::vector<clause> found;
  for (const std::string_view line : lines)
    if (auto c = parse_clause(line); c && wanted(c->number)) found.push_back(std::move(*c));
  if (found.empty())
    return fail(
        invalid_argument(fmt::format("spec '{}': expected a chapter or clause of SPEC.md, such as 5 or 5.4", o.what)));

  if (o.json) {
    auto list = nlohmann::ordered_json::array();
    for (const clause& c : found)
      list.push_back({{"clause", c.number}, {"text", c.text}});
    print_json(list);
  } else if (o.what.empty()) {
    fmt::print("{}", kSpecText);
  } else {
    for (const std::string_view line : lines)
      if (chapter && line.starts_with("## " + o.what + ". ")) fmt::print("{}\n\n", line.substr(3));
    for (const clause& c : found)
      fmt::print("{} {}\n", c.number, c.text);
  }
  return kExitOk;
}

}  // namespace

void add_spec(CLI::App& app) {
  auto o = std::make_shared<spec_options>();
  CLI::App* c = app.add_subcommand("spec", "Print the specification, a chapter or a clause");
  c->add_option("N.M", o->what, "Chapter (5) or clause (5.4); without it, everything");
  add_json_option(*c, o->json);
  c->footer("Example: adahop spec 5.4");
  c->callback([o] { finish(run_spec(*o)); });
}

}  // namespace adahop::cli
