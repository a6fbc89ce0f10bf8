// The program through other backends: by name and by path, the same bytes.
#include <algorithm>
#include <sstream>

#include "adahop/io/npy.h"
#include "cli_support.h"
#include "conformance/backends/registry.h"

using namespace adahop;
using namespace adahop::test;

namespace {

// What a table says of `key`, the first time that it says anything.
std::string field_of(const std::string& table, const std::string& key) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(key + " ")) return line.substr(line.find_first_not_of(' ', key.size()));
  return {};
}

}  // namespace

TEST_CASE("program: hip-cpu, by name and as a plug-in, gives the reference's files", "[spec:1.1][spec:13.1]") {
  const temporary_folder f;
  const std::string file = layer_file("layer2.attention_key");
  for (const char* backend : {"hip-cpu", ADAHOP_PLUGIN}) {
    CAPTURE(backend);
    for (const char* how :
         {"--axis 1", "--axis 0 --rule rceil", "--axis 0 --hadamard", "--axis 1 --hadamard --rule floor"}) {
      CAPTURE(how);
      succeed(f, "quantize", file, f / "a.safetensors", "--tensor gy", how);
      succeed(f, "quantize", file, f / "b.safetensors", "--tensor gy", how, "--backend", backend);
      CHECK(text_of(f / "a.safetensors") == text_of(f / "b.safetensors"));
      succeed(f, "dequantize", f / "a.safetensors", f / "a.npy");
      succeed(f, "dequantize", f / "a.safetensors", f / "b.npy", "--backend", backend);
      CHECK(text_of(f / "a.npy") == text_of(f / "b.npy"));
    }
    const auto hash = [&](const char* name) {
      return succeed(f, "matmul", file, file, f / "c.npy", "--a-tensor x --b-tensor w --json --pair RC --backend", name)
          .json()["sha256"];
    };
    CHECK(hash(backend) == hash("reference"));
    const auto statistics = [&](const char* name) {
      return succeed(f, "inspect --json --tensor gy", file, "--backend", name).json()["tensors"];
    };
    CHECK(statistics(backend) == statistics("reference"));
  }
}

TEST_CASE("program: the fastest backend is the default, and outputs say which", "[spec:13.13]") {
  const temporary_folder f;
  const std::string file = f / "layer.safetensors";
  const io::array x = sample_array(io::dtype::bf16, {32, 32});
  REQUIRE(io::write_safetensors(file, {{"x", x}, {"w", x}, {"gy", x}}, {}).ok());
  REQUIRE(io::write_npy(f / "x.npy", x).ok());
  succeed(f, "calibrate", file, "--out", f / "plan.json");
  const std::vector<std::string> commands{
      fmt::format("quantize {} {} --tensor x", file, f / "q.safetensors"),
      fmt::format("dequantize {} {}", f / "q.safetensors", f / "v.npy"),
      fmt::format("inspect {} --tensor x", file),
      fmt::format("matmul {0} {0} {1}", f / "x.npy", f / "c.npy"),
      fmt::format("calibrate {} --out {}", file, f / "plan2.json"),
      fmt::format("linear {} --plan {}", file, f / "plan.json")};
  const auto check = [&](const std::string& variable, const std::string& backend, const std::string& isa) {
    for (const std::string& command : commands) {
      CAPTURE(variable, command);
      const environment e("ADAHOP_ISA", variable);
      const auto json = succeed(f, command, "--json").json();
      CHECK(json["backend"] == backend);
      CHECK(json.contains("isa") == !isa.empty());
      if (!isa.empty()) CHECK(json["isa"] == isa);
      const std::string text = isa.empty() ? backend : fmt::format("{} ({})", backend, isa);
      CHECK(field_of(succeed(f, command).out, "backend") == text);
    }
  };
  const std::vector<std::string> levels = conformance::simd_levels();
  check("", levels.empty() ? "reference" : "simd", levels.empty() ? "" : levels.front());
  for (const std::string& level : levels)
    check(level, "simd", level);
  check("scalar", "reference", "");
}

TEST_CASE("program: an instruction set that is not there is an error, whatever the backend's name", "[spec:13.13]") {
  const temporary_folder f;
  REQUIRE(io::write_npy(f / "x.npy", sample_array(io::dtype::bf16, {32, 32})).ok());
  const environment e("ADAHOP_ISA", "sse2");
  for (const char* how : {"", "--backend simd"}) {
    const outcome o = run_program(f, "quantize", f / "x.npy", f / "q.safetensors", how);
    CHECK(o.exit_code == 2);
    CHECK(o.err.starts_with("adahop: backend simd: ADAHOP_ISA="));
    CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
  }
  // Who asks for another backend asks for no instruction set.
  succeed(f, "quantize", f / "x.npy", f / "q.safetensors", "--backend reference");
}
