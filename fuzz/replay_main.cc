// Runs a fuzz target on committed or found inputs, without libFuzzer: fuzz_NAME FILE_OR_FOLDER...
// Each input runs once, in the order of its path; a finding aborts as it would under libFuzzer.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;

int usage_error(const std::string& line) {
  fmt::print(stderr, "{}\n", line);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return usage_error("usage: fuzz_TARGET FILE_OR_FOLDER...");
  std::vector<std::string> inputs;
  for (int i = 1; i < argc; ++i) {
    std::error_code failed;
    if (fs::is_directory(argv[i], failed)) {
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(argv[i], failed))
        if (entry.is_regular_file()) inputs.push_back(entry.path().string());
    } else if (fs::is_regular_file(argv[i], failed)) {
      inputs.push_back(argv[i]);
    } else {
      return usage_error(fmt::format("{}: expected a file or a folder of inputs", argv[i]));
    }
    if (failed) return usage_error(fmt::format("{}: {}", argv[i], failed.message()));
  }
  if (inputs.empty()) return usage_error("no input: expected at least one file");
  std::sort(inputs.begin(), inputs.end());
  for (const std::string& path : inputs) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file) return usage_error(fmt::format("{}: cannot be read", path));
    // Flushed before the input runs, so that a finding's last line names its file.
    fmt::print("{}\n", path);
    std::fflush(stdout);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
  fmt::print("{} inputs, no finding\n", inputs.size());
}
