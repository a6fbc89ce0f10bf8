// Rows as JSON and as a table.
#include "bench/row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "adahop/io/file.h"
#include "bench/goals.h"

namespace adahop::bench {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* kKeys[] = {"id", "part", "what", "shape", "threads", "ratio", "goal", "seconds", "baseline_seconds",
                                 "hash_equal", "verdict", "measured", "baseline", "cpu", "compiler", "flags", "isa"};

bool is_row(const json& r) {
  if (!r.is_object()) return false;
  if (!std::all_of(std::begin(kKeys), std::end(kKeys), [&](const char* key) { return r.contains(key); })) return false;
  return r["id"].is_string() && r["part"].is_string() &&
         find_goal(r["id"].get<std::string>(), r["part"].get<std::string>()) != nullptr;
}

std::string verdict(const row& r, const goal& g) {
  if (!r.hash_equal()) return "VOID";
  if (r.quick || g.kind == ratio_kind::comparison) return "not judged";
  return reached(g, r.ratio) ? "reached" : "not reached";
}

std::string time_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3f} ms", seconds * 1e3);
  return fmt::format("{:.2f} us", seconds * 1e6);
}

std::string ratio_text(const json& ratio) { return ratio.is_number() ? fmt::format("{:.3f}", ratio.get<double>()) : "-"; }

std::vector<std::string> cells(const json& r) {
  return {r["id"].get<std::string>(),
          r["what"].get<std::string>(),
          r["shape"].get<std::string>(),
          fmt::format("{}", r["threads"].get<int>()),
          ratio_text(r["ratio"]),
          r["goal"].get<std::string>(),
          r["verdict"].get<std::string>(),
          time_text(r["seconds"].get<double>()),
          time_text(r["baseline_seconds"].get<double>())};
}

}  // namespace

json to_json(const row& r, const machine& m) {
  const goal& g = *find_goal(r.id, r.part);
  json out = {{"id", r.id}, {"part", r.part}, {"what", g.what}, {"shape", r.shape}, {"threads", r.threads}};
  out["ratio"] = r.hash_equal() ? json(r.ratio) : json(nullptr);
  out["goal"] = reach_text(g);
  out["verdict"] = verdict(r, g);
  out["measured"] = r.measured;
  out["baseline"] = r.baseline;
  out["seconds"] = r.seconds;
  out["baseline_seconds"] = r.baseline_seconds;
  out["least_seconds"] = r.least_seconds;
  out["baseline_least_seconds"] = r.baseline_least_seconds;
  if (r.cycles > 0) out["cycles"] = r.cycles;
  if (!r.unit.empty()) {
    out["unit"] = r.unit;
    out["rate"] = r.rate;
    out["baseline_rate"] = r.baseline_rate;
  }
  out["hash"] = r.hash;
  out["expected_hash"] = r.expected_hash;
  out["baseline_hash"] = r.baseline_hash;
  out["baseline_expected_hash"] = r.baseline_expected_hash;
  out["hash_equal"] = r.hash_equal();
  out["rounds"] = r.rounds;
  out["quick"] = r.quick;
  for (const point& p : r.points) out["points"].push_back({{"size", p.size}, {"work", p.work}, {"seconds", p.seconds}});
  out["isa"] = m.isa;
  out["cpu"] = m.cpu;
  out["cores"] = m.cores;
  out["caches"] = m.caches;
  out["compiler"] = m.compiler;
  out["flags"] = m.flags;
  return out;
}

status write_rows(const std::string& path, const json& list) {
  const std::string text = list.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
  return io::write_file(path, std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

result<json> read_rows(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return io_error(fmt::format("{}: cannot be read", path));
  json list = json::parse(file, nullptr, false);
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_row))
    return bad_file(fmt::format("{}: expected a JSON list of rows as the bench programs write it", path));
  return list;
}

void print_rows(const json& list) {
  std::vector<std::vector<std::string>> lines = {
      {"id", "ratio of", "shape", "threads", "ratio", "goal", "", "time", "baseline"}};
  for (const json& r : list) lines.push_back(cells(r));
  std::vector<size_t> widths(lines[0].size());
  for (const auto& line : lines)
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  for (const auto& line : lines) {
    std::string text;
    for (size_t i = 0; i < line.size(); ++i) text += fmt::format("{:<{}}  ", line[i], widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    fmt::print("{}\n", text);
  }
  if (list.empty()) return;
  const json& r = list.front();
  fmt::print("{}, {}; {}\n", r["cpu"].get<std::string>(), r["isa"].get<std::string>(), r["compiler"].get<std::string>());
}

bool all_equal(const json& list) {
  return std::all_of(list.begin(), list.end(), [](const json& r) { return r["hash_equal"] == true; });
}

}  // namespace adahop::bench
