// Waves of 32 lanes give the bytes of waves of 64, where a wave's width could show: ballots, exchanges between lanes,
// tails of rows that fill no wave, shuffled orders.
#include <cstring>
#include <vector>

#include "adahop/policy.h"
#include "adahop/tensor.h"
#include "catch.h"
#include "conformance/backends/registry.h"

using namespace adahop;
using namespace adahop::conformance;

namespace {

const adahop_backend* open(const std::string& name) {
  const auto table = open_backend(name);
  INFO(table.why().message());
  REQUIRE(table.ok());
  return table.value();
}

matrix<bf16> filled(int64_t rows, int64_t cols, uint32_t seed, uint32_t distinct_rows) {
  matrix<bf16> x(rows, cols);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) {
      uint32_t h = seed * 2654435761u + static_cast<uint32_t>(r % distinct_rows) * 40503u + static_cast<uint32_t>(c) * 2246822519u;
      h = (h ^ (h >> 15)) * 2654435769u;
      x.at(r, c) = {static_cast<uint16_t>((h & 0x8000u) | ((118 + (h >> 28)) << 7) | ((h >> 16) & 0x7Fu))};
    }
  return x;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

policy policy_with(const std::string& text) {
  const auto p = parse_policy(text, default_policy());
  INFO(text << ": " << p.why().message());
  REQUIRE(p.ok());
  return p.value();
}

struct both {
  caller narrow{open(ADAHOP_WAVE32_PLUGIN)}, wide{open("hip-cpu")};

  template <class Args>
  void run(const Args& on_narrow, const Args& on_wide) const {
    const status a = narrow.run(on_narrow), b = wide.run(on_wide);
    INFO(a.message() << " | " << b.message());
    REQUIRE(a.ok());
    REQUIRE(b.ok());
  }
};

}  // namespace

TEST_CASE("wave 32: outlier selection with ties, at any number of rows", "[hip-wave32][spec:1.2][spec:9.4][spec:9.5]") {
  const both backends;
  for (const int64_t rows : {1, 31, 32, 33, 63, 64, 65, 255, 256, 257, 700})
    for (const uint32_t distinct : {7u, 1000u})
      for (const int32_t k : {1, 40, 300}) {
        policy p = default_policy();
        p.oe_k = k;
        const matrix<bf16> x = filled(rows, 64, 3, distinct);
        std::vector<float> scores(static_cast<size_t>(rows)), wide_scores(scores.size());
        std::vector<int32_t> indices(static_cast<size_t>(std::min<int64_t>(k, rows)), -1), wide_indices(indices.size(), -2);
        int64_t count = 0, wide_count = 0;
        backends.run(adahop_select_outliers_args{&p, view_of(x), scores.data(), indices.data(), &count},
                     adahop_select_outliers_args{&p, view_of(x), wide_scores.data(), wide_indices.data(), &wide_count});
        INFO(rows << " rows, k = " << k);
        REQUIRE(count == wide_count);
        REQUIRE(same_bytes(scores, wide_scores));
        REQUIRE(indices == wide_indices);
      }
}

TEST_CASE("wave 32: transforms of every size, with and without signs", "[hip-wave32][spec:1.2][spec:6.10][spec:6.11]") {
  const both backends;
  for (const char* text : {"hadamard_size=16", "hadamard_size=32", "hadamard_size=64", "hadamard_size=128",
                           "hadamard_size=64,hadamard_signs=random(9)", "hadamard_size=128,hadamard_signs=random(10)",
                           "hadamard_signs=random(11)"})
    for (const char* seed : {"0", "5"}) {
      REQUIRE(backends.narrow.set_option("lane_seed", seed).ok());
      const policy p = policy_with(text);
      INFO(text << ", lane_seed " << seed);
      const matrix<bf16> x = filled(45, 384, 4, 1000);
      matrix<bf16> out(45, 384), wide_out(45, 384);
      backends.run(adahop_hadamard_args{&p, view_of(x), view_of(out)}, adahop_hadamard_args{&p, view_of(x), view_of(wide_out)});
      REQUIRE(same_bytes(out.data, wide_out.data));
      mx_matrix q(45, 384), wide_q(45, 384);
      adahop_quantize_result report{}, wide_report{};
      const std::vector<int32_t> zeroed{0, 31, 32, 44};
      backends.run(adahop_hadamard_quantize_args{&p, view_of(x), zeroed.data(), 4, view_of(q), &report},
                   adahop_hadamard_quantize_args{&p, view_of(x), zeroed.data(), 4, view_of(wide_q), &wide_report});
      REQUIRE(q.codes == wide_q.codes);
      REQUIRE(q.scales == wide_q.scales);
      REQUIRE(report.clipped == wide_report.clipped);
    }
}

TEST_CASE("wave 32: quantizing under every rounding, and the BF16 product", "[hip-wave32][spec:1.2][spec:5.17][spec:5.20]") {
  const both backends;
  for (const char* text : {"element_rounding=rne", "element_rounding=stochastic(8,1,2)", "element_rounding=gfx950_sr(3)"}) {
    const policy p = policy_with(text);
    INFO(text);
    const matrix<bf16> x = filled(67, 160, 6, 1000);
    mx_matrix q(67, 160), wide_q(67, 160);
    backends.run(adahop_quantize_args{&p, view_of(x), view_of(q), nullptr}, adahop_quantize_args{&p, view_of(x), view_of(wide_q), nullptr});
    REQUIRE(q.codes == wide_q.codes);
    REQUIRE(q.scales == wide_q.scales);
  }
  const policy p = default_policy();
  const matrix<bf16> a = filled(67, 96, 7, 1000), b = filled(35, 96, 8, 1000);
  matrix<float> c(67, 35), wide_c(67, 35);
  backends.run(adahop_bf16_gemm_args{&p, view_of(a), view_of(b), view_of(c)},
               adahop_bf16_gemm_args{&p, view_of(a), view_of(b), view_of(wide_c)});
  REQUIRE(same_bytes(c.data, wide_c.data));
}
