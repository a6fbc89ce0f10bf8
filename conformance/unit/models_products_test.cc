// Whole products under every model: through the C ABI, NaN scales, empty sums, thread counts, group boundaries.
#include "models_support.h"
#include "reference/backend.h"
#include "reference/matmul.h"
#include "reference/parallel.h"

using namespace adahop;
using namespace adahop::test;

namespace {

mx_matrix random_mx(generator& random, int64_t outer, int64_t inner, int low_byte, int high_byte) {
  mx_matrix m(outer, inner);
  for (uint8_t& c : m.codes) c = static_cast<uint8_t>(random.bits());
  for (uint8_t& s : m.scales) s = static_cast<uint8_t>(random.integer(low_byte, high_byte));
  return m;
}

matrix<float> product(const policy& p, const mx_matrix& a, const mx_matrix& b) {
  matrix<float> out(a.outer, b.outer);
  reference::mx_gemm(p, view_of(a), view_of(b), view_of(out));
  return out;
}

}  // namespace

TEST_CASE("every model: a NaN scale is NaN, no terms and zero codes are +0", "[spec:10.3][spec:10.7][spec:1.4]") {
  generator random(705);
  for (const policy& p : mx_models()) {
    CAPTURE(canonical_line(p));
    mx_matrix a = random_mx(random, 2, 160, 120, 130), b = random_mx(random, 2, 160, 120, 130);
    std::fill(a.codes.begin(), a.codes.begin() + 80, uint8_t{0x88});  // row 0: zeros
    b.scales[static_cast<size_t>(5 + 4)] = 0xFF;                      // row 1, the last block
    const matrix<float> c = product(p, a, b);
    CHECK(bits_of(c.at(0, 0)) == 0u);
    CHECK(bits_of(c.at(0, 1)) == kCanonicalNan);
    CHECK(std::isfinite(c.at(1, 0)));
    CHECK(bits_of(c.at(1, 1)) == kCanonicalNan);
    CHECK(bits_of(product(p, mx_matrix(1, 0), mx_matrix(1, 0)).at(0, 0)) == 0u);
  }
  for (const policy& p : bf16_models()) {
    matrix<float> out(1, 1);
    out.at(0, 0) = 5;
    reference::bf16_gemm(p, view_of(matrix<bf16>(1, 0)), view_of(matrix<bf16>(1, 0)), view_of(out));
    CHECK(bits_of(out.at(0, 0)) == 0u);
  }
}

TEST_CASE("models with a group of one block agree with their own chain", "[spec:10.14][spec:10.15][spec:10.16]") {
  // Chaining by hand over 32-element views is the model with that group; other groups differ somewhere.
  generator random(706);
  const mx_matrix a = random_mx(random, 24, 256, 117, 137), b = random_mx(random, 24, 256, 117, 137);
  for (const std::string name : {"cdna3_trfdpa", "cdna3_gtrfdpa"}) {
    int differ_16 = 0, differ_128 = 0;
    for (int64_t m = 0; m < 24; ++m)
      for (int64_t n = 0; n < 24; ++n) {
        const policy p32 = mx_model(name + "(32)");
        float acc = 0;
        for (int64_t block = 0; block < 8; ++block) {
          adahop_mx x = view_of(a), y = view_of(b);
          x.codes += 16 * block, y.codes += 16 * block, x.scales += block, y.scales += block;
          x.inner = y.inner = 32;
          acc = reference::mx_dot(p32, reference::mx_rows(x, m, y, n), acc);
        }
        const reference::mx_rows rows(view_of(a), m, view_of(b), n);
        REQUIRE(bits_of(reference::mx_dot(p32, rows)) == bits_of(acc));
        differ_16 += bits_of(reference::mx_dot(mx_model(name + "(16)"), rows)) != bits_of(acc) ? 1 : 0;
        differ_128 += bits_of(reference::mx_dot(mx_model(name + "(128)"), rows)) != bits_of(acc) ? 1 : 0;
      }
    CHECK(differ_16 > 10);
    CHECK(differ_128 > 10);
  }
}

TEST_CASE("the policy's models decide the whole product, whatever the thread count",
          "[spec:1.2][spec:11.1][spec:11.2]") {
  generator random(707);
  matrix<bf16> a(80, 256), b(72, 256);
  int low = 0;
  for (matrix<bf16>* m : {&a, &b})  // each block at another scale, so that scales differ after the transform too
    for (size_t i = 0; i < m->data.size(); ++i) {
      if (i % 32 == 0) low = random.integer(112, 140);
      m->data[i] = random.bf16_with_exponent(low, low + 2);
    }
  const adahop_backend& backend = *adahop_backend_reference(ADAHOP_ABI_VERSION);
  const adahop_exec exec{sizeof(adahop_exec), ADAHOP_MODE_BITEXACT, ADAHOP_MEMORY_HOST, 0, nullptr, nullptr, 0};
  const auto run = [&](const std::string& line, adahop_pattern left, const char* threads) {
    REQUIRE(backend.set_option("threads", threads) == ADAHOP_OK);
    const policy p = policy_with("output=f32,oe_k=8," + line);
    matrix<float> out(80, 72);
    const adahop_matmul_args args{&p,         1,          left,        ADAHOP_PATTERN_NONE, ADAHOP_PATH_FORWARD,
                                  view_of(a), view_of(b), view_of(out)};
    REQUIRE(backend.matmul(&exec, &args) == ADAHOP_OK);
    return bits_of_all(out.data);
  };
  const auto base = run("gemm_model=block_rne", ADAHOP_PATTERN_ROW, "1");
  for (const char* model : kMxModels) {
    const std::string line = std::string("gemm_model=") + model;
    CAPTURE(line);
    const auto one = run(line, ADAHOP_PATTERN_ROW, "1");
    CHECK(one == run(line, ADAHOP_PATTERN_ROW, "3"));
    // mfma_seq differs from block_rne only where terms are subnormal or overflow.
    const std::string name = model;
    CHECK((one == base) == (name == "block_rne" || name == "mfma_seq"));
  }
  for (const char* model : {"exact_sum", "cdna3_trfdpa(8)"}) {
    const std::string line = std::string("bf16_gemm_model=") + model;
    const auto one = run(line, ADAHOP_PATTERN_ROW, "1");
    CHECK(one == run(line, ADAHOP_PATTERN_ROW, "3"));
    CHECK(one != base);
    CHECK(run(line, ADAHOP_PATTERN_NONE, "1") ==
          run("gemm_model=block_rne", ADAHOP_PATTERN_NONE, "1"));  // IHT: no BF16 part
  }
  REQUIRE(backend.set_option("threads", "2") == ADAHOP_OK);
}

TEST_CASE("the record claims every model", "[spec:13.1][spec:1.7]") {
  const adahop_capabilities& have = adahop_backend_reference(ADAHOP_ABI_VERSION)->capabilities;
  for (const policy& p : mx_models()) CHECK((have.gemm_models >> p.gemm_model & 1u) == 1u);
  for (const policy& p : bf16_models()) CHECK((have.bf16_gemm_models >> p.bf16_gemm_model & 1u) == 1u);
}
