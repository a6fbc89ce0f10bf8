// The code objects of this build: every one loads, with nothing unknown, and LLVM's library prints what llvm-objdump does.
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "catch.h"
#include "sim/program.h"

namespace adahop::hip::sim {
namespace {

std::vector<std::string> code_objects() {
  std::vector<std::string> paths;
  std::istringstream all(ADAHOP_TEST_CODE_OBJECTS);
  for (std::string path; std::getline(all, path, ':');) paths.push_back(path);
  return paths;
}

std::vector<std::byte> content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

// Lines "<tab>text // ADDRESS: words", as address and text.
std::map<uint64_t, std::string> objdump_of(const std::string& path) {
  const std::string command = std::string(ADAHOP_TEST_OBJDUMP) + " -d --mcpu=gfx950 '" + path + "'";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::map<uint64_t, std::string> lines;
  for (std::array<char, 512> buffer; std::fgets(buffer.data(), buffer.size(), pipe) != nullptr;) {
    const std::string line = buffer.data();
    const size_t comment = line.rfind("// ");
    if (line[0] != '\t' || comment == std::string::npos) continue;
    const size_t end = line.find_last_not_of(" \t", comment - 1);
    lines[std::stoull(line.substr(comment + 3), nullptr, 16)] = line.substr(1, end);
  }
  REQUIRE(pclose(pipe) == 0);
  return lines;
}

TEST_CASE("code objects of this build load, and their text is llvm-objdump's") {
  const auto paths = code_objects();
  REQUIRE(paths.size() >= 2);
  size_t instructions = 0;
  for (const std::string& path : paths) {
    INFO(path);
    const auto p = load_program(path, content_of(path));
    INFO(p.why().message());
    REQUIRE(p.ok());
    const auto lines = objdump_of(path);
    for (const instruction& i : p->code) {
      const auto at = lines.find(i.address);
      REQUIRE(at != lines.end());
      if (at->second != i.text) CHECK(at->second == i.text);
    }
    for (const sim_kernel& k : p->kernels) CHECK(k.max_threads > 0);
    instructions += p->code.size();
  }
  CHECK(instructions > 10000);
}

}  // namespace
}  // namespace adahop::hip::sim
