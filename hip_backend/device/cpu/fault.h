// Where a kernel was and what it did wrong, as one line for a person. Implements the wording of SPEC 13.4.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace adahop::hip::cpu {

/// A place in a kernel's source, as __builtin_FILE() and __builtin_LINE() give it.
struct source_site {
  const char* file = nullptr;
  uint32_t line = 0;
};

bool operator==(const source_site& a, const source_site& b);
/// By file name, then line: any fixed order would do where it is used.
bool operator<(const source_site& a, const source_site& b);

/// "kernels/quantize.hip:41": the path from below hip_backend/, or the last folder and the name.
std::string text_of(const source_site& site);

/// What was running when a fault came up.
struct fault_place {
  const char* kernel = nullptr;
  uint32_t block_x = 0;
  uint32_t block_y = 0;
  uint32_t thread = 0;
};

/// "hip-cpu: <kind> in kernel <name>, block (x,y), lane L (thread T), <where>: <detail>".
std::string fault_line(std::string_view kind, const fault_place& place, std::string_view where,
                       std::string_view detail);

/// "after <site>", the last place a lane is known to have been at, or that it has been at none.
std::string text_after(const source_site& last);

/// "lane L (thread T)".
std::string lane_text(uint32_t thread);

}  // namespace adahop::hip::cpu
