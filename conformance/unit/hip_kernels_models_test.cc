// Native mode of hip-cpu under each mfma_model against the reference's gemm_model of the same name, bit for bit, on
// operands whose K is filled to whole instructions; and against every model where an output is certified.
#include <algorithm>
#include <cstring>
#include <random>

#include "hip_kernels_support.h"
#include "reference/backend.h"
#include "repetitions.h"

using namespace adahop;
using namespace adahop_test;

namespace {

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

struct product {
  mx_matrix a, b;
  product(int64_t m, int64_t n, int64_t k) : a(m, k), b(n, k) {}
};

// Random codes, some blocks sparse or zero. `spread` is the range of the exponents about 2^0.
product random_product(std::mt19937_64& g, int64_t m, int64_t n, int64_t k, int spread, bool nan) {
  product x(m, n, k);
  for (mx_matrix* q : {&x.a, &x.b}) {
    for (size_t block = 0; block < q->scales.size(); ++block) {
      const auto exponent = static_cast<int>(g() % static_cast<uint64_t>(2 * spread + 1)) - spread;
      q->scales[block] = static_cast<uint8_t>(std::clamp(127 + exponent, 0, 254));
      if (nan && g() % 60 == 0) q->scales[block] = 0xFF;
      const uint64_t kind = g() % 8;  // 0: zeros of both signs, 1: one element, else all random
      for (size_t i = 0; i < 16; ++i) {
        const auto random = static_cast<uint8_t>(g());
        const bool lone = kind == 1 && i == block % 16;
        q->codes[16 * block + i] = kind == 0 || (kind == 1 && !lone) ? random & 0x88 : random;
      }
    }
  }
  return x;
}

// The operand with K filled by zero blocks of scale 2^0.
mx_matrix filled(const mx_matrix& q, int64_t k) {
  mx_matrix out(q.outer, k);
  std::fill(out.scales.begin(), out.scales.end(), uint8_t{127});
  for (int64_t r = 0; r < q.outer; ++r) {
    std::memcpy(&out.codes[static_cast<size_t>(r * k / 2)], &q.codes[static_cast<size_t>(r * q.inner / 2)],
                static_cast<size_t>(q.inner / 2));
    std::memcpy(&out.scales[static_cast<size_t>(r * k / 32)], &q.scales[static_cast<size_t>(r * q.inner / 32)],
                static_cast<size_t>(q.inner / 32));
  }
  return out;
}

std::vector<uint32_t> native(const product& x) {
  policy p = default_policy();
  p.gemm_model = ADAHOP_GEMM_EXACT_SUM;  // ignored
  matrix<float> c(x.a.outer, x.b.outer);
  adahop_exec exec = host_exec();
  exec.mode = ADAHOP_MODE_NATIVE;
  const adahop_mx_gemm_args args{&p, view_of(x.a), view_of(x.b), view_of(c)};
  const int32_t code = hip_cpu().mx_gemm(&exec, &args);
  INFO(hip_cpu().last_error());
  REQUIRE(code == ADAHOP_OK);
  return bits(c);
}

std::vector<uint32_t> modelled(const product& x, const std::string& model, int64_t k) {
  const policy p = parse_policy("gemm_model=" + model, default_policy()).value();
  const mx_matrix a = filled(x.a, k), b = filled(x.b, k);
  matrix<float> c(a.outer, b.outer);
  const adahop_mx_gemm_args args{&p, view_of(a), view_of(b), view_of(c)};
  const int32_t code = call(reference().mx_gemm, args);
  INFO(reference().last_error());
  REQUIRE(code == ADAHOP_OK);
  return bits(c);
}

struct tile {
  const char* name;
  int64_t k;
  const char* fused;
  std::vector<const char*> models;
};
const tile kTiles[] = {
    {"16x16x128", 128, "mfma_fused(4)",
     {"mfma_seq", "cdna3_trfdpa(16)", "cdna3_trfdpa(32)", "cdna3_trfdpa(64)", "cdna3_trfdpa(128)", "cdna3_gtrfdpa(16)",
      "cdna3_gtrfdpa(32)", "cdna3_gtrfdpa(64)", "cdna3_gtrfdpa(128)", "block_first_fdpa(1)", "block_first_fdpa(2)",
      "block_first_fdpa(4)"}},
    {"32x32x64", 64, "mfma_fused(2)",
     {"mfma_seq", "cdna3_trfdpa(16)", "cdna3_trfdpa(32)", "cdna3_trfdpa(64)", "cdna3_gtrfdpa(16)", "cdna3_gtrfdpa(32)",
      "cdna3_gtrfdpa(64)", "block_first_fdpa(1)", "block_first_fdpa(2)"}}};

void restore() {
  set_option("mx_tile", "16x16x128");
  set_option("mfma_model", "mfma_fused");
}

}  // namespace

TEST_CASE("native mode under each mfma_model is the reference's model of that name",
          "[hip-kernels][spec:10.24][spec:10.12][spec:10.13][spec:10.14][spec:10.15][spec:10.16][spec:10.17]") {
  for (const tile& t : kTiles) {
    set_option("mx_tile", t.name);
    size_t models_that_differ = 0;
    std::vector<const char*> models = t.models;
    models.push_back(nullptr);  // mfma_fused, whose group is the instruction
    std::vector<std::vector<uint32_t>> first_results;
    for (const char* model : models) {
      set_option("mfma_model", model == nullptr ? "mfma_fused" : model);
      const std::string expected_model = model == nullptr ? t.fused : model;
      INFO(t.name << ", " << expected_model);
      std::mt19937_64 same(7);
      adahop::test::case_picker picked;
      for (const int spread : {0, 3, 9, 14, 40, 127}) {
        for (int round = 0; round < 2; ++round) {
          const bool compared = spread == 14 && round == 0;
          if (!picked.runs() && !compared) continue;
          const auto dimension = [&](uint64_t limit) { return static_cast<int64_t>(1 + same() % limit); };
          const int64_t m = dimension(36), n = dimension(36), k = 32 * dimension(9);
          INFO(m << " x " << n << " x " << k << ", exponents to +-" << spread);
          const product x = random_product(same, m, n, k, spread, spread == 127);
          const std::vector<uint32_t> found = native(x);
          REQUIRE(found == modelled(x, expected_model, (k + t.k - 1) / t.k * t.k));
          if (compared) first_results.push_back(found);
        }
      }
    }
    for (size_t i = 0; i < first_results.size(); ++i) {
      bool unlike_all = true;
      for (size_t j = 0; j < first_results.size(); ++j)
        unlike_all = unlike_all && (i == j || first_results[i] != first_results[j]);
      models_that_differ += unlike_all;
    }
    CHECK(models_that_differ >= 6);  // the models are different computations
  }
  restore();
}

TEST_CASE("certified outputs are the same bits in native mode", "[hip-kernels][spec:10.22][spec:10.24]") {
  // Scales 2^-1 to 2^1 and K up to 352: terms are multiples of 2^-4 and sum to less than 2^17.
  std::mt19937_64 g(10);
  const policy p = default_policy();
  for (const tile& t : kTiles) {
    set_option("mx_tile", t.name);
    for (const char* model : t.models) {
      set_option("mfma_model", model);
      const product x = random_product(g, 65, 33, 352, 1, false);
      matrix<float> expected(65, 33);
      require_ok(hip_cpu().mx_gemm, adahop_mx_gemm_args{&p, view_of(x.a), view_of(x.b), view_of(expected)});
      REQUIRE(native(x) == bits(expected));
    }
  }
  restore();
}
