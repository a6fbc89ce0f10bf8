// Whole files in and out. An output appears complete under its name or not at all. Implements SPEC 12.6.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adahop/status.h"

namespace adahop::io {

/// The bytes of a regular file. ADAHOP_IO for one that is missing, unreadable or no regular file, ADAHOP_BAD_FILE for
/// an empty one.
result<std::vector<uint8_t>> read_file(const std::string& path);

/// Writes a temporary file in the same folder, syncs it and renames it to `path`. A symbolic link is followed, also to
/// a file that is not there yet; an existing file keeps its permissions, and what is no regular file (a device, a folder)
/// is refused. On error, ADAHOP_IO, nothing of the attempt is left and an existing file is untouched.
status write_file(const std::string& path, std::span<const uint8_t> bytes);

/// A text from a file as part of a one-line message: control and non-ASCII bytes as \xNN, cut after 80 characters.
std::string printable(std::string_view text);
/// printable() between single quotes.
std::string in_quotes(std::string_view text);

}  // namespace adahop::io
