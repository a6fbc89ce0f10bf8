// The program on mapped files: a file that shrinks while it is used, tensors at any address. [spec:12.10]
#include "adahop/io/mx_file.h"
#include "adahop/io/npy.h"
#include "cli_support.h"

using namespace adahop;
using namespace adahop::test;

TEST_CASE("program: an input that shrinks while it is used is one line of error, and nothing is written",
          "[spec:12.10][spec:12.6]") {
  const temporary_folder f;
  REQUIRE(io::write_npy(f / "x.npy", sample_array(io::dtype::f32, {64, 1024})).ok());
  std::filesystem::create_directory(f / "out");
  const environment e("ADAHOP_SHRINK", f / "x.npy");
  const outcome o =
      run_program(f, "quantize", f / "x.npy", f / "out/q.safetensors", "--backend", ADAHOP_SHRINKING_BACKEND);
  CHECK(o.exit_code == 2);
  CHECK(o.out.empty());
  CHECK(o.err == fmt::format("adahop: {}: read: the file shrank or its device failed\n", f / "x.npy"));
  CHECK(std::filesystem::is_empty(f / "out"));
}

TEST_CASE("program: a tensor gives the same codes wherever in its file it lies", "[spec:12.10]") {
  const temporary_folder f;
  const io::array wide = sample_array(io::dtype::f32, {32, 64}), half = sample_array(io::dtype::bf16, {32, 64});
  for (const io::array& x : {wide, half}) {
    REQUIRE(io::write_npy(f / "x.npy", x).ok());
    for (const char* how : {"--axis 1", "--axis 0", "--axis 0 --hadamard"}) {
      succeed(f, "quantize", f / "x.npy", f / "expected.safetensors", how);
      for (size_t off = 0; off < 4; ++off) {
        CAPTURE(io::name(x.type), how, off);
        std::string header = fmt::format(R"({{"x":{{"dtype":"{}","shape":[32,64],"data_offsets":[0,{}]}}}})", io::name(x.type),
                                         x.bytes.size());
        header.append((8 - header.size() % 8) % 8 + off, ' ');
        const bytes front = safetensors_file(header, 0);
        REQUIRE(io::write_parts(f / "x.safetensors", {front, x.bytes}).ok());
        succeed(f, "quantize", f / "x.safetensors", f / "q.safetensors", how);
        CHECK(text_of(f / "q.safetensors") == text_of(f / "expected.safetensors"));
      }
    }
  }
}
