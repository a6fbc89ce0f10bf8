// The text of a fault. Implements the wording of SPEC 13.4.
#include "device/cpu/fault.h"

#include <fmt/format.h>

#include <cstring>

#include "device/cpu/wave.h"

namespace adahop::hip::cpu {

bool operator==(const source_site& a, const source_site& b) {
  if (a.line != b.line) return false;
  // The same file can have one literal in each translation unit.
  return a.file == b.file || (a.file != nullptr && b.file != nullptr && std::strcmp(a.file, b.file) == 0);
}

bool operator<(const source_site& a, const source_site& b) {
  const int order = a.file == b.file ? 0 : std::strcmp(a.file, b.file);
  return order != 0 ? order < 0 : a.line < b.line;
}

std::string text_of(const source_site& site) {
  std::string_view path = site.file;
  constexpr std::string_view kRoot = "hip_backend/";
  if (const size_t root = path.rfind(kRoot); root != std::string_view::npos) {
    path.remove_prefix(root + kRoot.size());
  } else if (const size_t name = path.rfind('/'); name != std::string_view::npos && name > 0) {
    const size_t folder = path.rfind('/', name - 1);
    path.remove_prefix(folder == std::string_view::npos ? 0 : folder + 1);
  }
  return fmt::format("{}:{}", path, site.line);
}

std::string text_after(const source_site& last) {
  return last.file == nullptr ? "before its first barrier or wave operation" : "after " + text_of(last);
}

std::string lane_text(uint32_t thread) { return fmt::format("lane {} (thread {})", thread % kWaveLanes, thread); }

std::string fault_line(std::string_view kind, const fault_place& place, std::string_view where,
                       std::string_view detail) {
  return fmt::format("hip-cpu: {} in kernel {}, block ({},{}), {}, {}: {}", kind, place.kernel, place.block_x,
                     place.block_y, lane_text(place.thread), where, detail);
}

}  // namespace adahop::hip::cpu
