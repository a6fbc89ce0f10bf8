// Reading option trace.
#include "sim/trace_request.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "sim/wave.h"

namespace adahop::hip::sim {
namespace {

constexpr std::string_view kDefaultLanes = "0-3";

std::optional<uint32_t> number(std::string_view text) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The part of `rest` before `separator`, which is taken away with it; all of it where there is none.
std::string_view next_part(std::string_view& rest, char separator) {
  const size_t at = rest.find(separator);
  const std::string_view part = rest.substr(0, at);
  rest = at == rest.npos ? std::string_view() : rest.substr(at + 1);
  return part;
}

// "3,0.2": one to three numbers of the workgroup, then the wave's.
bool read_wave(std::string_view text, trace_request& into) {
  const size_t dot = text.find('.');
  if (dot == text.npos) return false;
  const auto wave = number(text.substr(dot + 1));
  std::string_view group = text.substr(0, dot);
  if (!wave || group.empty() || group.back() == ',') return false;
  for (uint32_t* place : {&into.x, &into.y, &into.z}) {
    if (group.empty()) break;
    const auto n = number(next_part(group, ','));
    if (!n) return false;
    *place = *n;
  }
  into.wave = *wave;
  return group.empty();
}

bool read_lanes(std::string_view text, std::vector<unsigned>& lanes) {
  uint64_t chosen = 0;
  if (text.empty() || text.back() == ',') return false;
  while (!text.empty()) {
    std::string_view range = next_part(text, ',');
    const bool open = range.find('-') != range.npos;
    const auto first = number(next_part(range, '-'));
    const auto last = open ? number(range) : first;
    if (!first || !last || *first > *last || *last >= kLanes) return false;
    for (uint32_t l = *first; l <= *last; ++l) chosen |= uint64_t{1} << l;
  }
  for (unsigned l = 0; l < kLanes; ++l)
    if ((chosen >> l & 1) != 0) lanes.push_back(l);
  return true;
}

}  // namespace

result<trace_request> parse_trace_request(std::string_view text) {
  trace_request made;
  std::string_view rest = text;
  made.kernel = next_part(rest, ':');
  const std::string_view wave = next_part(rest, ':');
  const bool lanes_given = text.size() > made.kernel.size() + 1 + wave.size();
  if (made.kernel.empty() || !read_wave(wave, made) || !read_lanes(lanes_given ? rest : kDefaultLanes, made.lanes))
    return invalid_argument(fmt::format(
        "trace '{}': expected KERNEL:WORKGROUP.WAVE[:LANES], as hadamard:3,0.2:0-3,32, with lanes below {}", text, kLanes));
  return made;
}

}  // namespace adahop::hip::sim
