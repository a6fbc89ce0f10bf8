// JSON of coverage, and files.
#include "sim/coverage_file.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "adahop/io/file.h"
#include "sim/coverage_report.h"

namespace adahop::hip::sim {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* kFormat = "adahop-sim-coverage/1";
constexpr uint64_t kLargestFile = uint64_t{1} << 26;  // ten times that of this build's kernels; bounds the parsed tree

json to_json(const covered_instruction& i) {
  json out = {{"address", fmt::format("{:x}", i.address)}, {"text", i.text}, {"executed", i.executed}};
  if (!i.source.empty()) out["source"] = i.source;
  if (i.starts_block) out["starts_block"] = true;
  if (i.conditional) out.update({{"conditional", true}, {"taken", i.taken}});
  return out;
}

// get<uint64_t>() would take -1, true and 1e300 too.
uint64_t count_of(const json& value) {
  if (!value.is_number_unsigned()) throw json::other_error::create(501, "a count that is no integer from 0 to 2^64 - 1", nullptr);
  return value.get<uint64_t>();
}

// Throws json::exception where a member is missing or of another type.
covered_instruction instruction_of(const json& in) {
  covered_instruction i;
  const auto& address = in.at("address").get_ref<const std::string&>();
  const char* const end = address.data() + address.size();
  const auto parsed = std::from_chars(address.data(), end, i.address, 16);
  if (parsed.ec != std::errc{} || parsed.ptr != end) throw json::other_error::create(501, "address '" + address + "'", nullptr);
  i.text = in.at("text").get<std::string>();
  i.source = in.value("source", std::string());
  i.executed = count_of(in.at("executed"));
  if (in.contains("taken")) i.taken = count_of(in.at("taken"));
  i.starts_block = in.value("starts_block", false);
  i.conditional = in.value("conditional", false);
  return i;
}

kernel_coverage kernel_of(const json& in) {
  kernel_coverage k;
  k.level = in.at("level").get<std::string>();
  k.object = in.at("object").get<std::string>();
  k.object_hash = in.at("object_hash").get<std::string>();
  k.kernel = in.at("kernel").get<std::string>();
  for (const json& i : in.at("code")) k.code.push_back(instruction_of(i));
  if (k.code.empty()) throw json::other_error::create(501, "kernel " + k.kernel + " without instructions", nullptr);
  return k;
}

}  // namespace

std::string coverage_json(const coverage& c) {
  json kernels = json::array();
  for (const kernel_coverage& k : c) {
    const coverage_totals t = totals_of(k);
    json out = {{"level", k.level},   {"object", k.object},
                {"object_hash", k.object_hash}, {"kernel", k.kernel},
                {"instructions", t.instructions}, {"instructions_executed", t.executed},
                {"blocks", t.blocks}, {"blocks_executed", t.blocks_executed},
                {"branch_ways", t.branch_ways}, {"branch_ways_taken", t.branch_ways_taken},
                {"code", json::array()}};
    for (const covered_instruction& i : k.code) out["code"].push_back(to_json(i));
    kernels.push_back(std::move(out));
  }
  return json{{"format", kFormat}, {"kernels", std::move(kernels)}}.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

result<coverage> parse_coverage(std::string_view name, std::string_view text) {
  try {
    const json in = json::parse(text);
    if (in.at("format") != kFormat)
      return bad_file(fmt::format("{}: format: expected \"{}\", found another", name, kFormat));
    coverage c;
    for (const json& k : in.at("kernels")) c.push_back(kernel_of(k));
    return c;
  } catch (const json::exception& e) {
    return bad_file(fmt::format("{}: no coverage of gfx950-sim: {}", name, io::printable(e.what())));
  }
}

result<coverage> read_coverage(const std::string& path) {
  ADAHOP_ASSIGN(bytes, io::read_file(path, kLargestFile));
  return parse_coverage(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

status write_coverage(const std::string& path, coverage c) {
  const bool as_json = path.ends_with(".json");
  std::error_code unknown;  // then opening it says why
  if (as_json && std::filesystem::exists(path, unknown)) {
    ADAHOP_ASSIGN(before, read_coverage(path));
    if (const status s = merge(c, before); !s.ok()) return status{s.code(), fmt::format("{}: {}", path, s.message())};
  }
  const std::string text = as_json ? coverage_json(c) : coverage_text(c);
  return io::write_file(path, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

}  // namespace adahop::hip::sim
