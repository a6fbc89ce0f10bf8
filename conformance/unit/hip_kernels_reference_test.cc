// hip-cpu against the reference through the C ABI: random policies, shapes, strides and values, every byte of every
// output, pad bytes included; and native mode against the reference's accumulation models.
#include <algorithm>
#include <cstring>
#include <random>

#include "adahop/formats/scale_layout.h"
#include "adahop/plan.h"
#include "hip_kernels_support.h"
#include "reference/backend.h"
#include "repetitions.h"

using namespace adahop;
using namespace adahop_test;

namespace {

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

class generator {
 public:
  explicit generator(uint64_t seed) : engine_(seed) {}
  uint64_t word() { return engine_(); }
  int64_t below(int64_t n) { return static_cast<int64_t>(engine_() % static_cast<uint64_t>(n)); }
  bool one_in(int64_t n) { return below(n) == 0; }
  template <class T>
  T of(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<int64_t>(values.size()))];
  }

  // Finite values of mixed size, many of them on or next to rounding boundaries; now and then a NaN or an Inf.
  float value(bool nonfinite) {
    if (nonfinite && one_in(3000)) return float_of(of<uint32_t>({0x7F800000u, 0xFF800000u, 0x7F812345u, 0xFFC00001u}));
    const uint32_t sign = static_cast<uint32_t>(word()) & 0x80000000u;
    if (one_in(12)) return float_of(sign);
    if (one_in(20)) return float_of(sign | (static_cast<uint32_t>(word()) & 0x007FFFFFu));  // subnormal
    const auto exponent = static_cast<uint32_t>(one_in(6) ? below(255) : 120 + below(9));
    const auto mantissa = static_cast<uint32_t>(one_in(2) ? below(8) << 20 : below(1 << 23));
    return float_of(sign | (exponent << 23) | mantissa);
  }

 private:
  std::mt19937_64 engine_;
};

policy random_policy(generator& g) {
  policy p = default_policy();
  p.scale_rule = static_cast<int32_t>(g.below(4));
  p.min_scale_byte = static_cast<int32_t>(g.below(2));
  p.element_rounding = static_cast<int32_t>(g.below(3));
  p.sr_bits = static_cast<int32_t>(1 + g.below(32));
  p.sr_seed = g.word();
  p.sr_offset = g.one_in(2) ? g.word() : ~uint64_t{0} - static_cast<uint64_t>(g.below(2000));
  if (p.element_rounding == ADAHOP_ROUND_RNE) p.sr_bits = 0, p.sr_seed = p.sr_offset = 0;
  if (p.element_rounding == ADAHOP_ROUND_GFX950_SR) p.sr_bits = 0, p.sr_offset = 0;
  p.nonfinite = g.one_in(6) ? ADAHOP_NONFINITE_REJECT : ADAHOP_NONFINITE_BLOCK_NAN;
  p.hadamard_size = g.of({16, 32, 64, 128});
  p.hadamard_signs = static_cast<int32_t>(g.below(2));
  p.hadamard_seed = p.hadamard_signs == ADAHOP_SIGNS_RANDOM ? g.word() : 0;
  p.hadamard_output = static_cast<int32_t>(g.below(2));
  p.output = static_cast<int32_t>(g.below(2));
  p.oe_k = static_cast<int32_t>(1 + g.below(20));
  p.foid_window = g.of({32, 64});
  p.left_oe_on_dw = static_cast<int32_t>(g.below(2));
  p.pad = static_cast<int32_t>(g.below(2));
  p.scale_layout = static_cast<int32_t>(g.below(2));
  return p;
}

// An F32 or BF16 matrix, row- or column-major, with gaps.
struct tensor {
  std::vector<uint8_t> bytes;
  adahop_view view{};

  tensor(generator& g, int32_t dtype, int64_t rows, int64_t cols, bool values, bool nonfinite = true) {
    const int64_t step = 1 + g.below(2);
    const bool by_columns = g.one_in(2);
    const int64_t across = (by_columns ? rows : cols) * step + g.below(3);
    view = {nullptr, dtype, 0, rows, cols, by_columns ? step : across, by_columns ? across : step};
    bytes.assign(static_cast<size_t>((by_columns ? cols : rows) * across * dtype_size(dtype)), 0xA5);
    for (int64_t r = 0; values && r < rows; ++r)
      for (int64_t c = 0; c < cols; ++c) {
        const uint32_t bits = bits_of(g.value(nonfinite));
        const size_t at = static_cast<size_t>((r * view.row_stride + c * view.col_stride) * dtype_size(dtype));
        if (dtype == ADAHOP_BF16)
          std::memcpy(&bytes[at], reinterpret_cast<const uint8_t*>(&bits) + 2, 2);
        else
          std::memcpy(&bytes[at], &bits, 4);
      }
  }
  adahop_view on() {
    view.data = bytes.data();
    return view;
  }
};

struct quantized {
  std::vector<uint8_t> codes, scales;
  adahop_mx mx{};
  quantized(const policy& p, int64_t outer, int64_t inner) {
    const int64_t blocks = inner / 32;
    const bool linear = p.scale_layout == ADAHOP_LAYOUT_LINEAR;
    codes.assign(static_cast<size_t>(outer * inner / 2), 0xEE);
    scales.assign(static_cast<size_t>(linear ? outer * blocks : shuffled_scale_bytes(outer, blocks)), 0xEE);
    mx = {nullptr, nullptr, outer, inner, inner / 2, linear ? blocks : 0};
  }
  adahop_mx on() {
    mx.codes = codes.data();
    mx.scales = scales.data();
    return mx;
  }
};

// The inner dimension of SPEC 3.7, or one that the policy takes as it is.
int64_t random_inner(generator& g, const policy& p, bool transformed) {
  if (p.pad == ADAHOP_PAD_ZERO) return 1 + g.below(300);
  const int64_t multiple = transformed ? std::max(32, p.hadamard_size) : 32;
  return multiple * (1 + g.below(4));
}
int64_t extended(const policy& p, int64_t inner) {
  return p.pad == ADAHOP_PAD_ZERO ? round_up(inner, std::max(32, p.hadamard_size)) : inner;
}

// Calls both backends; `run` is given one of them and fills one set of outputs.
template <class Run>
void require_same_status(const policy& p, Run run) {
  INFO(canonical_line(p));
  const int32_t expected = run(reference());
  INFO("reference: " << expected << " " << reference().last_error());
  const int32_t found = run(hip_cpu());
  INFO("hip-cpu: " << found << " " << hip_cpu().last_error());
  REQUIRE(found == expected);
}

bool is_reference(const adahop_backend& b) { return &b == &reference(); }

}  // namespace

TEST_CASE("random policies quantize and transform as the reference does",
          "[hip-kernels][spec:1.1][spec:3.6][spec:3.7][spec:3.8][spec:5.18][spec:5.20][spec:6.10][spec:6.11]") {
  generator g(20261129);
  for (int round = 0; round < adahop::test::repetitions(400); ++round) {
    const policy p = random_policy(g);
    const int64_t outer = 1 + g.below(70);
    const bool fused = g.one_in(2);
    const int64_t inner = random_inner(g, p, fused);
    INFO(round << ": " << outer << " x " << inner << (fused ? ", fused" : ""));
    tensor x(g, g.of<int32_t>({ADAHOP_F32, ADAHOP_BF16}), outer, inner, true);
    std::vector<int32_t> zeroed;
    for (int32_t r = 0; r < outer; ++r)
      if (fused && g.one_in(7)) zeroed.push_back(r);
    quantized expected(p, outer, extended(p, inner)), found = expected;
    adahop_quantize_result expected_report{-9, -9}, report{-9, -9};
    require_same_status(p, [&](const adahop_backend& b) {
      quantized& q = is_reference(b) ? expected : found;
      adahop_quantize_result& r = is_reference(b) ? expected_report : report;
      if (!fused) return call(b.quantize, adahop_quantize_args{&p, x.on(), q.on(), &r});
      return call(b.hadamard_quantize, adahop_hadamard_quantize_args{&p, x.on(), zeroed.data(),
                                                                     static_cast<int64_t>(zeroed.size()), q.on(), &r});
    });
    INFO(canonical_line(p));
    REQUIRE(report.first_nonfinite == expected_report.first_nonfinite);
    if (p.nonfinite == ADAHOP_NONFINITE_REJECT && report.first_nonfinite >= 0) continue;
    REQUIRE(report.clipped == expected_report.clipped);
    REQUIRE(found.scales == expected.scales);
    REQUIRE(found.codes == expected.codes);

    generator strides(static_cast<uint64_t>(round));
    tensor values(strides, g.of<int32_t>({ADAHOP_F32, ADAHOP_BF16}), outer, inner, false);
    tensor again = values;
    require_same_status(p, [&](const adahop_backend& b) {
      return call(b.dequantize, adahop_dequantize_args{&p, expected.on(), is_reference(b) ? values.on() : again.on()});
    });
    REQUIRE(again.bytes == values.bytes);

    if (!fused) continue;
    tensor transformed(strides, p.hadamard_output, outer, extended(p, inner), false);
    tensor transformed_again = transformed;
    require_same_status(p, [&](const adahop_backend& b) {
      return call(b.hadamard,
                  adahop_hadamard_args{&p, x.on(), is_reference(b) ? transformed.on() : transformed_again.on()});
    });
    REQUIRE(transformed_again.bytes == transformed.bytes);
  }
}

TEST_CASE("random policies multiply and select as the reference does",
          "[hip-kernels][spec:1.1][spec:3.7][spec:5.22][spec:11.7]") {
  generator g(1129);
  for (int round = 0; round < adahop::test::repetitions(90); ++round) {
    const policy p = random_policy(g);
    const int64_t m = 1 + g.below(70), n = 1 + g.below(70), k = random_inner(g, p, true);
    const pattern_pair pair = kAllPairs[static_cast<size_t>(round % 9)];
    INFO(round << ": " << m << " x " << n << " x " << k << ", " << pair.left << pair.right);
    tensor a(g, ADAHOP_BF16, m, k, true, g.one_in(3)), b(g, ADAHOP_BF16, n, k, true, g.one_in(3));
    tensor expected(g, p.output, m, n, false);
    tensor found = expected;
    const int32_t level = 1 + round / 9 % 2;
    const auto path = static_cast<int32_t>(g.below(3));
    int32_t code = ADAHOP_OK;
    require_same_status(p, [&](const adahop_backend& on) {
      return code = call(on.matmul, adahop_matmul_args{&p, level, pair.left, pair.right, path, a.on(), b.on(),
                                                       is_reference(on) ? expected.on() : found.on()});
    });
    if (code == ADAHOP_OK) REQUIRE(found.bytes == expected.bytes);

    std::vector<float> scores(static_cast<size_t>(m)), scores_again(static_cast<size_t>(m));
    std::vector<int32_t> indices(static_cast<size_t>(m), -1), indices_again(static_cast<size_t>(m), -1);
    int64_t count = -1;
    require_same_status(p, [&](const adahop_backend& on) {
      const bool first = is_reference(on);
      return call(on.select_outliers, adahop_select_outliers_args{&p, a.on(), (first ? scores : scores_again).data(),
                                                                  (first ? indices : indices_again).data(), &count});
    });
    for (size_t i = 0; i < scores.size(); ++i) REQUIRE(bits_of(scores[i]) == bits_of(scores_again[i]));
    REQUIRE(indices_again == indices);
  }
}
