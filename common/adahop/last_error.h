// What a table's last_error() keeps: one line, whatever text the message quotes (backend.h).
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

namespace adahop {

/// The message with spaces for control characters, cut to what `line` has room for, and a final zero.
inline void store_line(std::string_view message, std::span<char> line) {
  message = message.substr(0, line.size() - 1);
  const auto end = std::transform(message.begin(), message.end(), line.begin(), [](char c) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    return control ? ' ' : c;
  });
  *end = '\0';
}

}  // namespace adahop
