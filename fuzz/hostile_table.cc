// set_option, workspace_size, the device functions and the entry under hostile arguments.
#include "fuzz/hostile_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace adahop::fuzz {
namespace {

// An option and the value that it has in a fresh process, but for "threads", where one is enough for small calls. Options
// that write files are not among them.
struct option {
  const char* key;
  const char* usual;
};
constexpr std::array<option, 17> kOptions{{{"threads", "1"},
                                           {"lane_seed", "0"},
                                           {"mx_tile", "16x16x128"},
                                           {"mfma_model", "mfma_fused"},
                                           {"level", "O3"},
                                           {"checks", "all"},
                                           {"schedule_seed", "0"},
                                           {"instruction_budget", "268435456"},
                                           {"bf16_mfma_model", "fma_chain"},
                                           {"mfma_nan", "0x7FC00000"},
                                           {"mfma_scale_ff", "result_nan"},
                                           {"nan_to_fp4", "sign_7"},
                                           {"scale_ff", "sign_7"},
                                           {"widened_nan", "canonical"},
                                           {"sr_model", "hip_host"},
                                           {"rcp_ulp", "0"},
                                           {"code_object", ""}}};

constexpr std::array<const char*, 24> kValues{
    "",      "0",     "1",       "-1",         "2",        "1024",      "1025",           "18446744073709551615",
    "+1",    " 1",    "1 ",      "0x10",       "1e3",      "nan",       "32x32x64",       "block_first_fdpa(4)",
    "a(16)", "(16)",  "fdpa()",  "mfma_seq",   "all,none", "races,",    "18446744073709551616", "/"};

// Up to 15 bytes of the input as a C string.
std::string raw_text(input& in) {
  std::string text;
  for (int64_t left = in.integer(0, 15); left > 0; --left) {
    const uint8_t byte = in.byte();
    if (byte != 0) text += static_cast<char>(byte);
  }
  return text;
}

bool known_to_write(std::string_view key) { return key == "coverage" || key == "trace" || key == "trace_file"; }

std::string broken(const std::string& what, const adahop_backend& table, int32_t code, std::string_view expected) {
  return fmt::format("{}: status {} ({}), expected {}", what, code, table.last_error(), expected);
}

}  // namespace

std::string wrong_status(const adahop_backend& table, int32_t code) {
  if (code < ADAHOP_OK || code > ADAHOP_INTERNAL) return fmt::format("status {} is none of the documented ones", code);
  const char* const line = table.last_error();
  if (line == nullptr) return "last_error() is null";
  if (code == ADAHOP_INTERNAL) return fmt::format("ADAHOP_INTERNAL: {}", line);
  if (code == ADAHOP_OK) return {};
  const std::string_view text = line;
  if (text.empty()) return fmt::format("status {} without a line of last_error()", code);
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (std::any_of(text.begin(), text.end(), control)) return fmt::format("last_error() is not one line: '{}'", text);
  return {};
}

std::string try_option(input& in, const adahop_backend& table) {
  const int64_t which = in.integer(0, 31);
  const option* const known = which < static_cast<int64_t>(kOptions.size()) ? &kOptions[static_cast<size_t>(which)] : nullptr;
  const std::string key = known != nullptr ? known->key : raw_text(in);
  const std::string value = in.flag() ? raw_text(in) : in.pick(kValues);
  const uint8_t nulls = in.byte();
  const bool null_key = nulls == 1, null_value = nulls == 2;
  if (known_to_write(key)) return {};
  const std::string what = fmt::format("{}: set_option('{}', '{}')", table.name, null_key ? "null" : key, null_value ? "null" : value);
  const int32_t code = table.set_option(null_key ? nullptr : key.c_str(), null_value ? nullptr : value.c_str());
  if (const std::string wrong = wrong_status(table, code); !wrong.empty()) return fmt::format("{}: {}", what, wrong);
  if (null_key || null_value)
    return code == ADAHOP_INVALID_ARGUMENT ? "" : broken(what, table, code, "ADAHOP_INVALID_ARGUMENT");
  const bool file = key == "code_object" && (code == ADAHOP_IO || code == ADAHOP_BAD_FILE);
  if (code != ADAHOP_OK && code != ADAHOP_INVALID_ARGUMENT && code != ADAHOP_UNSUPPORTED && !file)
    return broken(what, table, code, "a documented refusal");
  if (code != ADAHOP_OK) return {};
  if (known == nullptr) return {};  // the key was spelt by chance, its value is one that the option takes
  const int32_t back = table.set_option(known->key, known->usual);
  return back == ADAHOP_OK ? "" : broken(fmt::format("{}: set_option('{}', '{}')", table.name, known->key, known->usual), table, back, "OK");
}

std::string try_device_function(input& in, const adahop_backend& table) {
  if ((table.capabilities.memories >> ADAHOP_MEMORY_DEVICE & 1u) == 0) return {};
  const auto judged = [&](const char* what, int32_t code, bool right, const char* expected) -> std::string {
    const std::string wrong = wrong_status(table, code);
    if (!wrong.empty()) return fmt::format("{}: {}: {}", table.name, what, wrong);
    return right ? "" : broken(fmt::format("{}: {}", table.name, what), table, code, expected);
  };
  void* memory = nullptr;
  const int64_t choice = in.integer(0, 10);
  // A size that no machine has, and one that every machine has.
  constexpr std::array<uint64_t, 5> kTooLarge{UINT64_MAX, UINT64_MAX - 255, uint64_t{1} << 63, (uint64_t{1} << 63) - 1, uint64_t{1} << 60};
  const uint64_t size = static_cast<uint64_t>(in.integer(1, 1024));
  int32_t code = ADAHOP_OK;
  switch (choice) {
    case 0:
      code = table.device_allocate(0, &memory);
      return judged("device_allocate(0)", code, code == ADAHOP_INVALID_ARGUMENT, "ADAHOP_INVALID_ARGUMENT");
    case 1:
      code = table.device_allocate(size, nullptr);
      return judged("device_allocate into null", code, code == ADAHOP_INVALID_ARGUMENT, "ADAHOP_INVALID_ARGUMENT");
    case 2:
      code = table.device_allocate(in.pick(kTooLarge), &memory);
      return judged("device_allocate of too much", code, code == ADAHOP_OUT_OF_MEMORY || code == ADAHOP_INVALID_ARGUMENT,
                    "ADAHOP_OUT_OF_MEMORY");
    case 3:
      code = table.device_release(nullptr);
      return judged("device_release(null)", code, code == ADAHOP_OK, "ADAHOP_OK");
    case 4:
      code = table.stream_create(nullptr);
      return judged("stream_create(null)", code, code == ADAHOP_INVALID_ARGUMENT, "ADAHOP_INVALID_ARGUMENT");
    case 5:
      code = table.stream_release(nullptr);
      return judged("stream_release(null)", code, code == ADAHOP_INVALID_ARGUMENT, "ADAHOP_INVALID_ARGUMENT");
    default: break;
  }
  std::vector<uint8_t> host(size + 16, 0x3C), back(size + 16, 0xC3);
  if (code = table.device_allocate(size, &memory); code != ADAHOP_OK || memory == nullptr)
    return judged("device_allocate", code, false, "memory");
  std::string found;
  const bool to_device = in.flag();
  const auto copy = [&](void* target, const void* source, uint64_t bytes) {
    return to_device ? table.copy_to_device(target, source, bytes, nullptr) : table.copy_to_host(target, source, bytes, nullptr);
  };
  void* const target = to_device ? memory : back.data();
  const void* const source = to_device ? host.data() : memory;
  switch (choice) {
    case 6:
      code = copy(target, nullptr, size);
      found = judged("copy from null", code, code == ADAHOP_INVALID_ARGUMENT, "ADAHOP_INVALID_ARGUMENT");
      break;
    case 7:
      code = copy(nullptr, source, size);
      found = judged("copy to null", code, code == ADAHOP_INVALID_ARGUMENT, "ADAHOP_INVALID_ARGUMENT");
      break;
    case 8:
      code = copy(nullptr, nullptr, 0);
      found = judged("copy of nothing", code, code == ADAHOP_OK, "ADAHOP_OK");
      break;
    case 9:
      code = copy(target, source, size + 1);
      found = judged("copy past the allocation", code, code == ADAHOP_DEVICE || code == ADAHOP_INVALID_ARGUMENT, "an error");
      break;
    default:
      code = table.copy_to_device(memory, host.data(), size, nullptr);
      if (code == ADAHOP_OK) code = table.copy_to_host(back.data(), memory, size, nullptr);
      found = judged("copy there and back", code,
                     code == ADAHOP_OK && std::equal(back.begin(), back.end() - 16, host.begin()) &&
                         std::all_of(back.end() - 16, back.end(), [](uint8_t b) { return b == 0xC3; }),
                     "the same bytes");
      break;
  }
  code = table.device_release(memory);
  if (found.empty()) found = judged("device_release", code, code == ADAHOP_OK, "ADAHOP_OK");
  return found;
}

std::string try_workspace_size(input& in, const adahop_backend& table) {
  constexpr std::array<int32_t, 8> kOps{-1, ADAHOP_OP_COUNT, INT32_MAX, INT32_MIN, 0, 4, 10, 1 << 16};
  const int32_t op = in.pick(kOps);
  const bool known = op >= 0 && op < ADAHOP_OP_COUNT;
  // Without arguments, or without a place for the answer: none of the two may be touched.
  const bool null_bytes = in.flag();
  uint64_t bytes = 77;
  const int32_t code = table.workspace_size(op, nullptr, null_bytes ? nullptr : &bytes);
  const std::string what = fmt::format("{}: workspace_size({}, null, {})", table.name, op, null_bytes ? "null" : "bytes");
  if (const std::string wrong = wrong_status(table, code); !wrong.empty()) return fmt::format("{}: {}", what, wrong);
  // A backend that needs none need not look at the arguments.
  const bool right = code == ADAHOP_INVALID_ARGUMENT || (known && !null_bytes && code == ADAHOP_OK && bytes == 0);
  return right ? "" : broken(what, table, code, "ADAHOP_INVALID_ARGUMENT");
}

std::string try_entry(input& in, const subject& s) {
  const auto version = static_cast<uint32_t>(in.word(4));
  const adahop_backend* const served = s.entry(version);
  if (served == (version == ADAHOP_ABI_VERSION ? s.table : nullptr)) return {};
  return fmt::format("{}: the entry serves version {}", s.table->name, version);
}

}  // namespace adahop::fuzz
