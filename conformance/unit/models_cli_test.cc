// `adahop certify`: counts, bounds, models, and its verdict on results in both types.
#include "adahop/io/mx_file.h"
#include "adahop/io/npy.h"
#include "cli_support.h"
#include "models_support.h"
#include "reference/bound.h"
#include "reference/certificate.h"
#include "reference/round_bf16.h"

using namespace adahop;
using namespace adahop::test;
using Catch::Matchers::Contains;

namespace {

mx_matrix random_mx(generator& random, int64_t outer, int64_t inner, int spread = 5) {
  mx_matrix m(outer, inner);
  for (uint8_t& c : m.codes) c = static_cast<uint8_t>(random.bits());
  for (uint8_t& s : m.scales) s = static_cast<uint8_t>(random.integer(127 - spread, 127 + spread));
  return m;
}

void save_mx(const std::string& path, const mx_matrix& m) {
  io::mx_file file;
  file.data = m;
  file.logical_shape = {m.outer, m.inner};
  REQUIRE(io::write_mx_file(path, file).ok());
}

matrix<float> product(const char* model, const mx_matrix& a, const mx_matrix& b) {
  matrix<float> c(a.outer, b.outer);
  reference::mx_gemm(mx_model(model), view_of(a), view_of(b), view_of(c));
  return c;
}

void save_f32(const std::string& path, const matrix<float>& c) {
  REQUIRE(io::write_npy(path, io::array_of(c, {c.rows, c.cols})).ok());
}

}  // namespace

TEST_CASE("program: certify counts, bounds and judges", "[spec:10.20][spec:10.23][spec:10.24]") {
  const temporary_folder f;
  generator random(730);
  mx_matrix a = random_mx(random, 20, 128), b = random_mx(random, 24, 128);
  const mx_matrix wide = random_mx(random, 20, 128, 15);
  std::copy(wide.scales.begin() + 4 * 10, wide.scales.end(), a.scales.begin() + 4 * 10);  // rows 10 to 19
  a.scales[4 * 19] = 0xFF;
  save_mx(f / "a.safetensors", a);
  save_mx(f / "b.safetensors", b);
  const auto certified = reference::certify(view_of(a), view_of(b));
  const auto bounds = reference::error_bounds(view_of(a), view_of(b));
  int64_t count = 0, at_certified = -1, at_bounded = -1;
  double smallest = 1e300, largest = 0;
  for (int64_t i = 0; i < 19 * 24; ++i) {
    const auto at = static_cast<size_t>(i);
    if (certified.data[at] != 0) {
      ++count;
      at_certified = i;
      continue;
    }
    at_bounded = i;
    smallest = std::min(smallest, bounds.data[at]);
    largest = std::max(largest, bounds.data[at]);
  }
  REQUIRE(at_certified >= 0);
  REQUIRE(at_bounded >= 0);

  // A plain question, of a model.
  const auto plain =
      succeed(f, "certify", f / "a.safetensors", f / "b.safetensors", "--json --policy 'gemm_model=cdna3_gtrfdpa(64)'")
          .json();
  CHECK(plain["certified"] == count);
  CHECK(plain["bounded"] == 19 * 24 - count);
  CHECK(plain["nan"] == 24);
  CHECK(plain["smallest_bound"] == smallest);
  CHECK(plain["largest_bound"] == largest);
  CHECK(plain["model"]["name"] == "cdna3_gtrfdpa(64)");
  const matrix<float> exact = product("exact_sum", a, b), other = product("cdna3_gtrfdpa(64)", a, b);
  int64_t differs = 0;
  for (size_t i = 0; i < exact.data.size(); ++i) differs += bits_of(exact.data[i]) != bits_of(other.data[i]) ? 1 : 0;
  REQUIRE(differs > 0);
  CHECK(plain["model"]["differs_from_exact_sum"] == differs);
  CHECK(plain["model"]["worst_error_over_bound"] <= 1);

  // Every model's result passes, and is recognised.
  for (const char* model : {"block_rne", "mfma_fused(4)", "cdna3_trfdpa(16)", "block_first_fdpa(2)"}) {
    save_f32(f / "c.npy", product(model, a, b));
    const std::string option = fmt::format("--json --policy 'gemm_model={}' --against", model);
    const auto o = succeed(f, "certify", f / "a.safetensors", f / "b.safetensors", option, f / "c.npy").json();
    CHECK(o["against"]["failed"] == 0);
    CHECK(o["against"]["equal_to_model"] == 20 * 24);
  }
  // One unit off where certified, far off where bounded, a number where a scale is NaN: each fails and is named.
  const auto expect_failure = [&](int64_t at, float value, const char* clause) {
    matrix<float> c = exact;
    c.data[static_cast<size_t>(at)] = value;
    save_f32(f / "c.npy", c);
    const auto o = run_program(f, "certify", f / "a.safetensors", f / "b.safetensors", "--against", f / "c.npy");
    CHECK(o.exit_code == 1);
    CHECK_THAT(o.out, Contains(fmt::format("C[{}, {}]: found", at / 24, at % 24)) && Contains(clause));
  };
  expect_failure(at_certified, std::nextafter(exact.data[static_cast<size_t>(at_certified)], kInf), "SPEC 10.22");
  const auto bounded = static_cast<size_t>(at_bounded);
  expect_failure(at_bounded, exact.data[bounded] + static_cast<float>(3 * bounds.data[bounded]), "SPEC 10.23");
  expect_failure(19 * 24 + 5, 1.0f, "SPEC 10.3");

  // BF16 results.
  matrix<bf16> half(20, 24);
  for (size_t i = 0; i < half.data.size(); ++i) half.data[i] = reference::round_bf16(other.data[i]);
  REQUIRE(io::write_npy(f / "h.npy", io::array_of(half, {20, 24})).ok());
  CHECK(succeed(f, "certify", f / "a.safetensors", f / "b.safetensors", "--json --against", f / "h.npy")
            .json()["against"]["failed"] == 0);
  half.data[static_cast<size_t>(at_certified)].bits ^= 1;
  REQUIRE(io::write_npy(f / "h.npy", io::array_of(half, {20, 24})).ok());
  const auto o = run_program(f, "certify", f / "a.safetensors", f / "b.safetensors", "--json --against", f / "h.npy");
  CHECK(o.exit_code == 1);
  CHECK(o.json()["against"]["failed_bits"] == 1);
  CHECK(o.json()["against"]["first"]["row"] == at_certified / 24);
}

TEST_CASE("program: certify refuses what does not fit", "[spec:3.4]") {
  const temporary_folder f;
  generator random(731);
  save_mx(f / "a.safetensors", random_mx(random, 3, 64));
  save_mx(f / "b.safetensors", random_mx(random, 3, 96));
  save_f32(f / "c.npy", matrix<float>(3, 4));
  const auto refused = [&](const auto& o, const char* says) {
    CHECK(o.exit_code == 2);
    CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
    CHECK_THAT(o.err, Contains(says));
  };
  refused(run_program(f, "certify", f / "a.safetensors", f / "b.safetensors"), "found 64 in");
  refused(run_program(f, "certify", f / "a.safetensors", f / "a.safetensors", "--against", f / "c.npy"),
          "expected [3, 3], found [3, 4]");
  refused(run_program(f, "certify", f / "a.safetensors", f / "c.npy"), "c.npy");
  refused(run_program(f, "certify", f / "a.safetensors", f / "a.safetensors", "--policy gemm_model=exact"),
          "gemm_model");
  CHECK_THAT(succeed(f, "certify --help").out, Contains("Example: adahop certify"));
}
