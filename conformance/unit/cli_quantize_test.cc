// `adahop quantize` and `dequantize` on the real tensors: both axes, there and back, twice. [spec:12.2]
#include "adahop/io/mx_file.h"
#include "adahop/io/npy.h"
#include "cli_support.h"

using namespace adahop;
using namespace adahop::test;

namespace {

const std::vector<std::string> kLayers = {"layer0.attention_query", "layer2.attention_key", "layer3.ffn_down",
                                          "layer3.ffn_up", "layer5.attention_query"};

void write_one(const std::string& path, const io::array& a) {
  REQUIRE(io::write_safetensors(path, {{"x", a}}, {}).ok());
}

}  // namespace

TEST_CASE("program: every real tensor survives quantize and dequantize along both axes",
          "[spec:12.1][spec:12.2][spec:1.2]") {
  const temporary_folder f;
  for (const std::string& layer : kLayers)
    for (const char* tensor : {"x", "w", "gy"})
      for (const int axis : {0, 1}) {
        CAPTURE(layer, tensor, axis);
        const io::array original = load(layer_file(layer), tensor);
        const auto quantize = [&] {
          succeed(f, "quantize", layer_file(layer), f / "q.safetensors", "--tensor", tensor, "--axis", axis);
        };
        quantize();
        const std::string first = text_of(f / "q.safetensors");
        quantize();
        CHECK(text_of(f / "q.safetensors") == first);

        const auto q = io::read_mx_file(f / "q.safetensors");
        REQUIRE(q.ok());
        CHECK(q.value().logical_shape == original.shape);
        CHECK(q.value().data.inner == original.shape[static_cast<size_t>(axis)]);
        succeed(f, "dequantize", f / "q.safetensors", f / "v.npy");
        succeed(f, "dequantize", f / "q.safetensors", f / "v.safetensors", "--dtype bf16");
        const auto wide = io::read_npy(f / "v.npy");
        REQUIRE(wide.ok());
        CHECK(wide.value().shape == original.shape);
        CHECK(wide.value().type == io::dtype::f32);
        // Each value is the product of its code and its block's scale (SPEC 2.5), where the logical shape has it.
        const matrix<float> v = io::matrix_f32(wide.value(), "t").value();
        const matrix<bf16> half = io::matrix_bf16(load(f / "v.safetensors", "x"), "t").value();
        int64_t wrong = 0;
        const io::mx_data& m = q.value().data;
        for (int64_t r = 0; r < v.rows; ++r)
          for (int64_t c = 0; c < v.cols; ++c) {
            const int64_t outer = axis == 1 ? r : c, inner = axis == 1 ? c : r;
            const uint8_t byte = m.codes[static_cast<size_t>((outer * m.inner + inner) / 2)];
            const uint8_t scale = m.scales[static_cast<size_t>(outer * (m.inner / 32) + inner / 32)];
            const uint32_t expected =
                decode_element_bits(unpack_e2m1(byte, static_cast<uint32_t>(inner)), e8m0_of(scale));
            wrong += bits_of(v.at(r, c)) != expected;
            wrong += bits_of(decode_bf16(half.at(r, c))) != expected;
          }
        CHECK(wrong == 0);
      }
}

TEST_CASE("program: axis 0 is the last axis of the transposed tensor", "[spec:3.3][spec:12.2]") {
  const temporary_folder f;
  for (const char* extra : {"", " --hadamard"}) {
    const io::array x = load(layer_file(kLayers[0]), "x");
    write_one(f / "x.safetensors", x);
    write_one(f / "xt.safetensors", transposed_bf16(x));
    succeed(f, "quantize", f / "x.safetensors", f / "a.safetensors", "--axis 0", extra);
    succeed(f, "quantize", f / "xt.safetensors", f / "b.safetensors", "--axis -1", extra);
    const auto a = io::read_mx_file(f / "a.safetensors"), b = io::read_mx_file(f / "b.safetensors");
    REQUIRE(a.ok());
    REQUIRE(b.ok());
    CHECK(a.value().data.codes == b.value().data.codes);
    CHECK(a.value().data.scales == b.value().data.scales);
    CHECK(a.value().clipped == b.value().clipped);
    CHECK(a.value().logical_shape == x.shape);
    CHECK(b.value().logical_shape == std::vector<int64_t>{x.shape[1], x.shape[0]});
  }
}

TEST_CASE("program: dequantized values quantize back to themselves", "[spec:5.16][spec:12.2]") {
  const temporary_folder f;
  // A rule's largest code may be 5 or less under ceil and rceil, and then the codes move by a factor of two while the
  // values stay; floor and even always keep a code of 6 or 7, so codes and bytes stay too.
  for (const char* rule : {"floor", "even", "ceil", "rceil"})
    for (const char* axis : {"0", "1"}) {
      CAPTURE(rule, axis);
      const std::string how = fmt::format("--axis {} --rule {}", axis, rule);
      succeed(f, "quantize", layer_file(kLayers[1]), f / "q1.safetensors", "--tensor gy", how);
      succeed(f, "dequantize", f / "q1.safetensors", f / "v1.npy");
      succeed(f, "quantize", f / "v1.npy", f / "q2.safetensors", how);
      succeed(f, "dequantize", f / "q2.safetensors", f / "v2.npy");
      CHECK(text_of(f / "v1.npy") == text_of(f / "v2.npy"));
      const auto q1 = io::read_mx_file(f / "q1.safetensors"), q2 = io::read_mx_file(f / "q2.safetensors");
      CHECK(q2.value().clipped == 0);
      if (std::string(rule) == "floor" || std::string(rule) == "even") {
        CHECK(q1.value().data.codes == q2.value().data.codes);
        CHECK(q1.value().data.scales == q2.value().data.scales);
      }
    }
}

TEST_CASE("program: more and fewer than two dimensions keep their shape", "[spec:12.2]") {
  const temporary_folder f;
  const io::array w = load(layer_file(kLayers[0]), "w");  // 384 x 384
  for (const auto& [shape, axis, stored] :
       std::vector<std::tuple<std::vector<int64_t>, int, std::vector<int64_t>>>{{{2, 192, 384}, 1, {384, 384}},
                                                                                {{2, 192, 384}, 0, {384, 384}},
                                                                                {{147456}, 1, {1, 147456}},
                                                                                {{6, 1, 256, 96}, 1, {1536, 96}},
                                                                                {{4, 8, 4608}, 0, {4608, 32}}}) {
    CAPTURE(io::shape_text(shape), axis);
    io::array x = w;
    x.shape = shape;
    write_one(f / "x.safetensors", x);
    succeed(f, "quantize", f / "x.safetensors", f / "q.safetensors", "--axis", axis);
    CHECK(load(f / "q.safetensors", "codes").shape == stored);
    succeed(f, "dequantize", f / "q.safetensors", f / "v.npy");
    CHECK(io::read_npy(f / "v.npy").value().shape == shape);
  }
}

TEST_CASE("program: BF16, F32 and exact F64 input give the same codes", "[spec:12.7][spec:5.11]") {
  const temporary_folder f;
  const matrix<bf16> half = io::matrix_bf16(load(layer_file(kLayers[2]), "x"), "t").value();
  matrix<float> wide(half.rows, half.cols);
  bytes f64;
  for (size_t i = 0; i < half.data.size(); ++i) {
    wide.data[i] = decode_bf16(half.data[i]);
    const auto v = static_cast<double>(wide.data[i]);
    const auto* p = reinterpret_cast<const uint8_t*>(&v);
    f64.insert(f64.end(), p, p + 8);
  }
  const std::vector<int64_t> shape{half.rows, half.cols};
  REQUIRE(io::write_npy(f / "bf16.npy", io::array_of(half, shape)).ok());
  REQUIRE(io::write_npy(f / "f32.npy", io::array_of(wide, shape)).ok());
  REQUIRE(io::write_npy(f / "f64.npy", {io::dtype::f64, shape, std::move(f64)}).ok());
  for (const char* type : {"bf16", "f32", "f64"})
    succeed(f, "quantize", fmt::format("{0}.npy {0}.safetensors", f / type));
  CHECK(text_of(f / "bf16.safetensors") == text_of(f / "f32.safetensors"));
  CHECK(text_of(f / "bf16.safetensors") == text_of(f / "f64.safetensors"));
}

TEST_CASE("program: a scale stored as declared U8 means the same (known fault F14)", "[spec:12.3]") {
  const temporary_folder f;
  // Scale byte 120 with code 2: 2^-7.
  io::mx_file m;
  m.logical_shape = {1, 32};
  mx_matrix data(1, 32);
  data.codes.assign(16, 0x22);
  data.scales = {120};
  m.data = std::move(data);
  const auto written = io::safetensors::parse(io::encode_mx_file(m).value(), "t").value();
  io::array scales = written.load("scales").value();
  for (const bool u8 : {false, true}) {
    if (u8) scales.type = io::dtype::u8;
    REQUIRE(io::write_safetensors(f / "q.safetensors", {{"codes", written.load("codes").value()}, {"scales", scales}},
                                  written.meta())
                .ok());
    succeed(f, "dequantize", f / "q.safetensors", f / "v.npy");
    const auto values = io::read_npy(f / "v.npy");
    REQUIRE(values.ok());
    const matrix<float> m32 = io::matrix_f32(values.value(), "t").value();
    for (const float v : m32.data)
      CHECK(v == 0.0078125f);
  }
  io::metadata meta = written.meta();
  meta.erase("scales_format");
  REQUIRE(
      io::write_safetensors(f / "q.safetensors", {{"codes", written.load("codes").value()}, {"scales", scales}}, meta)
          .ok());
  CHECK(run_program(f, "dequantize", f / "q.safetensors", f / "w.npy").exit_code == 2);
}
