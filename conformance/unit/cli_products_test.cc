// `adahop matmul`, `inspect`, `backends`, `spec`: what they print and write, against the C ABI called directly.
#include <algorithm>
#include <limits>

#include "adahop/io/npy.h"
#include "adahop/plan.h"
#include "adahop/policy.h"
#include "cli_support.h"
#include "conformance/backends/registry.h"

using namespace adahop;
using namespace adahop::test;
using Catch::Matchers::Contains;

namespace {

// C = A B^T by the reference's own table.
bytes product(const matrix<bf16>& a, const matrix<bf16>& b, int level, pattern_pair pair, adahop_path path) {
  const policy p = default_policy();
  matrix<bf16> c(a.rows, b.rows);
  const conformance::caller reference(conformance::open_backend("reference").value());
  const status s =
      reference.run(adahop_matmul_args{&p, level, pair.left, pair.right, path, view_of(a), view_of(b), view_of(c)});
  INFO(s.message());
  REQUIRE(s.ok());
  const auto* const first = reinterpret_cast<const uint8_t*>(c.data.data());
  return bytes(first, first + c.data.size() * sizeof(bf16));
}

// The first rows of a tensor, so that nine pairs stay quick.
io::array crop(const io::array& a, int64_t rows) {
  const auto row_bytes = static_cast<size_t>(a.shape[1]) * 2;
  return {a.type,
          {rows, a.shape[1]},
          bytes(a.bytes.begin(), a.bytes.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(rows) * row_bytes))};
}

}  // namespace

TEST_CASE("program: matmul gives the backend's bytes for every pair, level and path",
          "[spec:13.2][spec:11.1][spec:8.4]") {
  const temporary_folder f;
  const io::array x = crop(load(layer_file("layer0.attention_query"), "x"), 80),
                  w = crop(load(layer_file("layer0.attention_query"), "w"), 96);
  REQUIRE(io::write_safetensors(f / "xw.safetensors", {{"x", x}, {"w", w}}, {}).ok());
  const matrix<bf16> a = io::matrix_bf16(x, "t").value(), b = io::matrix_bf16(w, "t").value();
  for (const pattern_pair& pair : kAllPairs)
    for (const int level : {1, 2}) {
      const std::string letters = {letter(pair.left), letter(pair.right)};
      const adahop_path path = level == 1 ? ADAHOP_PATH_FORWARD : ADAHOP_PATH_DW;
      CAPTURE(letters, level);
      const auto o =
          succeed(f, "matmul", f / "xw.safetensors", f / "xw.safetensors", f / "c.npy",
                  "--a-tensor x --b-tensor w --json --pair", letters, "--level", level, "--path", name(path));
      const auto c = io::read_npy(f / "c.npy");
      REQUIRE(c.ok());
      CHECK(c.value().shape == std::vector<int64_t>{80, 96});
      CHECK(c.value().bytes == product(a, b, level, pair, path));
      CHECK(o.json()["pair"] == letters);
      CHECK(o.json()["strategy"] == name(strategy_of(level, pair, path, ADAHOP_LEFT_OE_PUBLISHED)));
    }
}

TEST_CASE("program: matmul finds the pairs of the real layers on all three paths", "[spec:8.3][spec:7.6]") {
  const temporary_folder f;
  struct layer {
    const char* file;
    const char* forward;
    const char* dx;
    const char* dw;
  };
  // From the table in conformance/data/README.md.
  for (const layer& l :
       {layer{"layer0.attention_query", "NC", "RR", "CN"}, layer{"layer5.attention_query", "CN", "NN", "NC"}}) {
    CAPTURE(l.file);
    const auto pair = [&](const char* a, const char* b, const std::string& rest) {
      const auto o = succeed(f, "matmul", layer_file(l.file), layer_file(l.file), f / "c.npy",
                             "--auto --json --a-tensor", a, "--b-tensor", b, rest);
      return o.json()["pair"].get<std::string>();
    };
    CHECK(pair("x", "w", "") == l.forward);
    CHECK(pair("gy", "w", " --path dX --b-layout kn") == l.dx);
    CHECK(pair("gy", "x", " --path dW --a-layout km --b-layout kn") == l.dw);
  }
}

TEST_CASE("program: a layout option is the transposed file", "[spec:1.2]") {
  const temporary_folder f;
  const io::array x = crop(load(layer_file("layer2.attention_key"), "x"), 64),
                  w = crop(load(layer_file("layer2.attention_key"), "w"), 32);
  REQUIRE(io::write_npy(f / "x.npy", x).ok());
  REQUIRE(io::write_npy(f / "xt.npy", transposed_bf16(x)).ok());
  REQUIRE(io::write_npy(f / "w.npy", w).ok());
  REQUIRE(io::write_npy(f / "wt.npy", transposed_bf16(w)).ok());
  const auto hash = [&](const std::string& arguments) {
    return succeed(f, "matmul", arguments, f / "c.npy", "--pair RC --json").json()["sha256"].get<std::string>();
  };
  const std::string plain = hash(fmt::format("{} {}", f / "x.npy", f / "w.npy"));
  CHECK(plain.size() == 64);
  CHECK(hash(fmt::format("--a-layout km {} {}", f / "xt.npy", f / "w.npy")) == plain);
  CHECK(hash(fmt::format("--b-layout kn {} {}", f / "x.npy", f / "wt.npy")) == plain);
  CHECK(hash(fmt::format("--a-layout km --b-layout kn {} {}", f / "xt.npy", f / "wt.npy")) == plain);
}

TEST_CASE("program: F32 operands are refused unless they are to be rounded", "[spec:11.7]") {
  const temporary_folder f;
  const matrix<bf16> half = io::matrix_bf16(crop(load(layer_file("layer2.attention_key"), "x"), 32), "t").value();
  matrix<float> wide(half.rows, half.cols);
  for (size_t i = 0; i < half.data.size(); ++i)
    wide.data[i] = decode_bf16(half.data[i]);
  REQUIRE(io::write_npy(f / "h.npy", io::array_of(half, {half.rows, half.cols})).ok());
  REQUIRE(io::write_npy(f / "w.npy", io::array_of(wide, {half.rows, half.cols})).ok());
  const auto refused = run_program(f, "matmul", f / "w.npy", f / "h.npy", f / "c.npy");
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, Contains("dtype: expected BF16") && Contains("--cast-bf16"));
  const auto cast = succeed(f, "matmul", f / "w.npy", f / "w.npy", f / "c.npy", "--cast-bf16 --json");
  const auto plain = succeed(f, "matmul", f / "h.npy", f / "h.npy", f / "d.npy", "--json");
  CHECK(cast.json()["sha256"] == plain.json()["sha256"]);
}

TEST_CASE("program: inspect shows every tensor with the verdict of its manifest", "[spec:7.6][spec:5.9][spec:9.4]") {
  const temporary_folder f;
  for (const char* file : {"layer0.attention_query", "layer3.ffn_up"}) {
    CAPTURE(file);
    const auto meta = io::safetensors::read(layer_file(file)).value().meta();
    const auto j = succeed(f, "inspect --json --top 4", layer_file(file)).json();
    REQUIRE(j["tensors"].size() == 3);
    for (const auto& t : j["tensors"]) {
      CHECK(t["pattern"] == meta.at("pattern_" + t["name"].get<std::string>()));
      CHECK(t["top_rows"].size() == 4);
      CHECK(t["clipped_axis1"]["rceil"] == 0);
      CHECK(t["clipped_axis1"]["ceil"] == 0);
      CHECK(t["clipped_axis1"]["floor"] >= t["clipped_axis1"]["even"]);
      CHECK(t["nans"] == 0);
      // The quantize command reports the same count.
      const auto q = succeed(f, "quantize", layer_file(file), f / "q.safetensors", "--rule floor --json --tensor",
                             t["name"].get<std::string>());
      CHECK(q.json()["clipped"] == t["clipped_axis1"]["floor"]);
    }
    CHECK_THAT(succeed(f, "inspect --tensor w", layer_file(file)).out,
               Contains("CVrow / CVcol") && Contains("pattern"));
  }
}

TEST_CASE("program: inspect counts special values and copes with odd shapes", "[spec:7.7]") {
  const temporary_folder f;
  bytes half, wide;
  for (const uint64_t bits : {0x0000, 0x8000, 0x0001, 0x7FC0, 0xFF80, 0x4040})
    half = half + little_endian(bits, 2), wide = wide + little_endian(bits << 16, 4);
  // The ends of the ranges in FP32: both subnormal, the largest finite value, the smallest and the largest NaN.
  const bytes ends = wide + little_endian(0x007FFFFF, 4) + little_endian(0x80000001, 4) + little_endian(0x00800000, 4) +
                     little_endian(0x7F7FFFFF, 4) + little_endian(0x7F800001, 4) + little_endian(0xFFFFFFFF, 4);
  const auto statistics = [&](const io::array& x) {
    REQUIRE(io::write_npy(f / "a.npy", x).ok());
    return succeed(f, "inspect --json", f / "a.npy").json()["tensors"][0];
  };
  for (const io::array& x : {io::array{io::dtype::bf16, {2, 3}, half}, io::array{io::dtype::f32, {2, 3}, wide}}) {
    const auto t = statistics(x);
    CHECK(t["zeros"] == 2);
    CHECK(t["subnormals"] == 1);
    CHECK(t["nans"] == 1);
    CHECK(t["infs"] == 1);
    CHECK(t["amax"] == 3.0);
    CHECK(t["pattern"] == "none");
    CHECK(t["clipped_axis1"].is_null());
    CHECK(t["top_rows"].empty());
  }
  const auto t = statistics({io::dtype::f32, {2, 6}, ends});
  CHECK(t["zeros"] == 2);
  CHECK(t["subnormals"] == 3);
  CHECK(t["nans"] == 3);
  CHECK(t["infs"] == 1);
  CHECK(t["amax"] == std::numeric_limits<float>::max());
}

TEST_CASE("program: inspect counts clipped elements as quantize does, in more parts than one", "[spec:5.9]") {
  const temporary_folder f;
  // Wider and longer than a part; a last one of 32 columns, and of 7 rows along the other axis.
  constexpr int64_t kRows = 519, kCols = 8224;
  std::vector<uint8_t> content(static_cast<size_t>(2 * kRows * kCols));
  uint32_t state = 1;
  for (size_t i = 0; i < content.size(); i += 2) {
    state = state * 1664525u + 1013904223u;
    content[i] = static_cast<uint8_t>(state >> 16);
    content[i + 1] = static_cast<uint8_t>((state >> 24 & 0x87u) | 0x38u);
  }
  REQUIRE(io::write_npy(f / "x.npy", {io::dtype::bf16, {kRows, kCols}, std::move(content)}).ok());
  const std::string how = "--json --pad zero --hadamard-size 128 --layout gfx950_shuffle";
  const auto t = succeed(f, "inspect", f / "x.npy", how).json()["tensors"][0];
  for (const char* rule : {"floor", "ceil", "even", "rceil"})
    for (const char* axis : {"0", "1"}) {
      CAPTURE(rule, axis);
      const auto q = succeed(f, "quantize", f / "x.npy", f / "q.safetensors", how, "--rule", rule, "--axis", axis).json();
      CHECK(t[fmt::format("clipped_axis{}", axis)][rule] == q["clipped"]);
    }
  CHECK(t["clipped_axis1"]["floor"] > 0);
}

TEST_CASE("program: inspect reads a quantized file", "[spec:12.1]") {
  const temporary_folder f;
  succeed(f, "quantize", layer_file("layer0.attention_query"), f / "q.safetensors",
          "--tensor x --axis 0 --preset adahop_port");
  const auto j = succeed(f, "inspect --json", f / "q.safetensors").json();
  CHECK(j["kind"] == "quantized");
  CHECK(j["axis"] == 0);
  CHECK(j["logical_shape"] == nlohmann::json::array({160, 384}));
  CHECK(j["policy_sha256"] == policy_hash(preset_policy("adahop_port").value()));
  CHECK(j["min_scale_byte"] <= j["max_scale_byte"]);
}

TEST_CASE("program: backends lists what is there and what is not", "[spec:13.1]") {
  const temporary_folder f;
  const auto list = succeed(f, "backends --json").json()["backends"];
  std::vector<std::string> names;
  for (const auto& b : list) {
    names.push_back(b["name"]);
    CHECK((b["available"].get<bool>() ? b.contains("claims") : !b["reason"].get<std::string>().empty()));
  }
  for (const char* name : {"reference", "hip-cpu", "gfx950-sim", "hip", "cuda"})
    CHECK(std::count(names.begin(), names.end(), name) == 1);
}

TEST_CASE("program: spec prints a clause, a chapter, everything", "[spec:4.2]") {
  const temporary_folder f;
  CHECK_THAT(succeed(f, "spec 5.2").out, Contains("5.2 Rule *floor* gives b = e - 2."));
  CHECK(succeed(f, "spec 12 --json").json().size() == 11);
  const std::string chapter = succeed(f, "spec 1").out;
  CHECK_THAT(chapter, Contains("1. Promises") && Contains("1.7 ") && !Contains("12.1 "));
  CHECK(succeed(f, "spec").out == text_of(ADAHOP_SPEC_FILE));
  CHECK(run_program(f, "spec 5.99").exit_code == 2);
}
