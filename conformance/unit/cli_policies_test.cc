// `adahop quantize`, `dequantize`, `matmul` and `inspect` under padding, shuffled scales, other transforms and
// stochastic rounding: files against direct calls of the reference. [spec:12.1] [spec:12.2]
#include "adahop/io/mx_file.h"
#include "adahop/io/npy.h"
#include "cli_support.h"
#include "reference_policies_support.h"

using namespace adahop;
using namespace adahop::test;

namespace {

constexpr std::string_view kOptions =
    " --hadamard --hadamard-size 64 --hadamard-signs 'random(5)' --pad zero --rounding 'stochastic(8,1,7)' --layout {}";
constexpr std::string_view kPolicy =
    "hadamard_size=64,hadamard_signs=random(5),pad=zero,element_rounding=stochastic(8,1,7),scale_layout={}";

void save(const std::string& path, const matrix<float>& m) {
  REQUIRE(io::write_npy(path, io::array_of(m, {m.rows, m.cols})).ok());
}

}  // namespace

TEST_CASE("program: 33 values come back as 33 (known fault F13)", "[spec:3.7][spec:12.2]") {
  const temporary_folder f;
  matrix<float> x(1, 33);
  for (float& v : x.data) v = 1.0f;
  x.data[32] = 3.0f;
  save(f / "x.npy", x);
  const outcome refusal = run_program(f, "quantize", f / "x.npy", f / "q.safetensors");
  CHECK(refusal.exit_code == 2);
  CHECK(refusal.err.find("found 33 (see --pad)") != std::string::npos);
  succeed(f, "quantize", f / "x.npy", f / "q.safetensors", "--pad zero --rule floor");
  const auto q = io::read_mx_file(f / "q.safetensors");
  REQUIRE(q.ok());
  CHECK(q.value().data.scales == std::vector<uint8_t>{125, 126});
  CHECK(q.value().data.inner == 64);
  CHECK(q.value().logical_shape == std::vector<int64_t>{1, 33});
  succeed(f, "dequantize", f / "q.safetensors", f / "v.npy");
  CHECK(io::matrix_f32(io::read_npy(f / "v.npy").value(), "v").value().data == x.data);
}

TEST_CASE("program: every option at once, both axes, both layouts",
          "[spec:12.1][spec:12.2][spec:3.5][spec:5.18][spec:6.10]") {
  const temporary_folder f;
  generator random(350);
  const matrix<float> x = random_f32(random, 37, 45);
  save(f / "x.npy", x);
  for (const int axis : {0, 1})
    for (const std::string_view layout : {"linear", "gfx950_shuffle"}) {
      CAPTURE(axis, layout);
      const policy p = policy_with(fmt::format(fmt::runtime(kPolicy), layout));
      const adahop_view view = axis == 1 ? view_of(x) : transposed(view_of(x));
      const quantized direct = adahop::test::hadamard_quantize(p, view);
      succeed(f, "quantize", f / "x.npy", f / "q.safetensors --axis", axis,
              fmt::format(fmt::runtime(kOptions), layout));
      const auto q = io::read_mx_file(f / "q.safetensors");
      INFO(q.why().message());
      REQUIRE(q.ok());
      CHECK(q.value().data.codes == direct.data.codes);
      CHECK(q.value().data.scales == direct.data.scales);
      CHECK(q.value().clipped == direct.found.clipped);
      CHECK(q.value().applied == io::transform::hadamard);
      CHECK(canonical_line(q.value().how) == canonical_line(p));
      succeed(f, "dequantize", f / "q.safetensors", f / "v.npy");
      const io::array values = io::read_npy(f / "v.npy").value();
      CHECK(values.shape == std::vector<int64_t>{37, 45});
      const matrix<float> v = io::matrix_f32(values, "v").value();
      const matrix<float> expected = adahop::test::dequantize(p, direct.data, view.cols);
      for (int64_t r = 0; r < 37; ++r)
        for (int64_t c = 0; c < 45; ++c)
          REQUIRE(bits_of(v.at(r, c)) == bits_of(axis == 1 ? expected.at(r, c) : expected.at(c, r)));
      const auto shown = succeed(f, "inspect --json", f / "q.safetensors").json();
      const io::tensor_bytes scales = q.value().linear_scales();
      CHECK(shown.at("min_scale_byte") == *std::min_element(scales.begin(), scales.end()));
      CHECK(shown.at("max_scale_byte") == *std::max_element(scales.begin(), scales.end()));
    }
}

TEST_CASE("program: a product of any K under --pad zero, and its refusal without", "[spec:11.7][spec:3.7]") {
  const temporary_folder f;
  generator random(351);
  const matrix<bf16> a = random_bf16(random, 5, 45), b = random_bf16(random, 4, 45);
  REQUIRE(io::write_npy(f / "a.npy", io::array_of(a, {5, 45})).ok());
  REQUIRE(io::write_npy(f / "b.npy", io::array_of(b, {4, 45})).ok());
  CHECK(run_program(f, "matmul", f / "a.npy", f / "b.npy", f / "c.npy --pair NN").exit_code == 2);
  succeed(f, "matmul", f / "a.npy", f / "b.npy",
          f / "c.npy --pair NN --pad zero --hadamard-size 128 --policy output=f32", "--rounding 'gfx950_sr(9)'");
  const policy p = policy_with("pad=zero,hadamard_size=128,output=f32,element_rounding=gfx950_sr(9)");
  const matrix<float> expected =
      adahop::test::matmul(p, {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE}, 1, view_of(a), view_of(b));
  const matrix<float> c = io::matrix_f32(io::read_npy(f / "c.npy").value(), "c").value();
  CHECK(bits_of_all(c.data) == bits_of_all(expected.data));
}

TEST_CASE("program: inspect counts and scores a tensor of any width under --pad zero", "[spec:3.7][spec:5.9]") {
  const temporary_folder f;
  generator random(352);
  const matrix<float> x = random_f32(random, 40, 33);
  save(f / "x.npy", x);
  const auto shown = succeed(f, "inspect --json", f / "x.npy", "--pad zero --layout gfx950_shuffle").json();
  const auto& tensor = shown.contains("tensors") ? shown.at("tensors").at(0) : shown;
  CHECK(tensor.at("clipped_axis1").at("floor") ==
        adahop::test::quantize(policy_with("pad=zero,scale_rule=floor"), view_of(x)).found.clipped);
}

TEST_CASE("program: short forms take one value, whose parentheses may hold commas", "[spec:4.7]") {
  const temporary_folder f;
  generator random(353);
  save(f / "x.npy", random_f32(random, 2, 32));
  for (const char* bad :
       {"--rounding 'stochastic(8,1,0),oe_k=3'", "--rounding 'rne),pad=(zero'", "--pad zero,oe_k=3",
        "--layout shuffled", "--hadamard-size 48", "--rounding stochastic", "--hadamard-signs 'random()'"}) {
    CAPTURE(bad);
    const outcome o = run_program(f, "quantize", f / "x.npy", f / "q.safetensors", bad);
    CHECK(o.exit_code == 2);
    CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
  }
}
