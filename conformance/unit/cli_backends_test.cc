// The program through other backends: by name and by path, the same bytes.
#include "cli_support.h"

using namespace adahop;
using namespace adahop::test;

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
