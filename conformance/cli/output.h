// What commands print: one line of error, key-value blocks and tables for people, JSON for machines; and SHA-256.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace adahop::cli {

/// "key   value" lines, values aligned.
void print_fields(const std::vector<std::pair<std::string, std::string>>& fields);

/// Columns as wide as their widest cell, the first row being the heading.
void print_table(const std::vector<std::vector<std::string>>& rows);

/// Indented JSON and a newline. FP NaN and Inf become null, bytes that are not UTF-8 become U+FFFD.
void print_json(const nlohmann::ordered_json& value);

/// 64 lower-case hexadecimal digits, as Python's hashlib.sha256(data).hexdigest().
std::string sha256_hex(std::span<const uint8_t> bytes);

}  // namespace adahop::cli
