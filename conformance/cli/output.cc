// Printing for people and machines.
#include "conformance/cli/output.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "conformance/cli/command.h"

namespace adahop::cli {

namespace {

// A message may quote a file: no control character of it, in ASCII or as U+0080 to U+009F, reaches the terminal.
std::string one_line(std::string_view message) {
  std::string line;
  for (size_t i = 0; i < message.size(); ++i) {
    const auto byte = static_cast<unsigned char>(message[i]);
    const auto next = static_cast<unsigned char>(i + 1 < message.size() ? message[i + 1] : 0);
    const bool control = byte < 0x20 || byte == 0x7F || (byte == 0xC2 && next >= 0x80 && next <= 0x9F);
    if (byte == '\n')
      line += ' ';
    else if (control && byte == 0xC2)
      line += fmt::format("\\x{:02x}\\x{:02x}", byte, static_cast<unsigned char>(message[++i]));
    else if (control)
      line += fmt::format("\\x{:02x}", byte);
    else
      line += message[i];
  }
  return line;
}

}  // namespace

int fail(const status& why) {
  fmt::print(stderr, "adahop: {}\n", one_line(why.message()));
  return kExitBadInput;
}

void print_fields(const std::vector<std::pair<std::string, std::string>>& fields) {
  size_t width = 0;
  for (const auto& [key, value] : fields)
    width = std::max(width, key.size());
  for (const auto& [key, value] : fields)
    fmt::print("{:<{}}  {}\n", key, width, value);
}

void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += i + 1 < row.size() ? fmt::format("{:<{}}  ", row[i], widths[i]) : row[i];
    fmt::print("{}\n", line);
  }
}

void print_json(const nlohmann::ordered_json& value) {
  fmt::print("{}\n", value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

std::string sha256_hex(std::span<const uint8_t> bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  // Fails only in a build of the library without SHA-256, which could not have hashed the policy either.
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) std::abort();
  std::string hex;
  for (unsigned i = 0; i < length; ++i)
    hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

}  // namespace adahop::cli
