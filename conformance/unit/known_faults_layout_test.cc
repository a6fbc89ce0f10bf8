// Known faults in layout and padding: F11 and F13.
#include <string>

#include "catch.h"
#include "known_faults_support.h"

using namespace adahop_test;

namespace {

/// The message of the calling thread's last error.
std::string error_of(const adahop_backend& backend) { return backend.last_error(); }

/// An MX matrix whose rows lie apart, with hostile bytes between them.
struct spread_mx {
  std::vector<uint8_t> codes, scales;
  adahop_mx view;

  spread_mx(const adahop::mx_matrix& x, int64_t codes_stride, int64_t scales_stride)
      : codes(static_cast<size_t>(x.outer * codes_stride), 0x77),
        scales(static_cast<size_t>(x.outer * scales_stride), 0xFF) {
    for (int64_t row = 0; row < x.outer; ++row) {
      for (int64_t i = 0; i < x.inner / 2; ++i)
        codes[static_cast<size_t>(row * codes_stride + i)] = x.codes[static_cast<size_t>(row * x.inner / 2 + i)];
      for (int64_t i = 0; i < x.inner / 32; ++i)
        scales[static_cast<size_t>(row * scales_stride + i)] = x.scales[static_cast<size_t>(row * x.inner / 32 + i)];
    }
    view = {codes.data(), scales.data(), x.outer, x.inner, codes_stride, scales_stride};
  }
};

}  // namespace

TEST_CASE("F11: products whose K is no multiple of 256 read no scale and no code of a neighbour",
          "[known_fault][spec:1.6][spec:3.1][spec:10.4]") {
  source random(33);
  const adahop_policy policy = adahop::default_policy();
  for_each_backend([&](const adahop_backend& backend) {
    for (const int k : {32, 96, 128, 160, 224, 256, 288})
      for (const int m : {1, 31, 33}) {
        const independent::mx_tensor a =
            independent::quantize(make(random, m, k, content::unit, true), independent::scale_rule::even, 0);
        const independent::mx_tensor b =
            independent::quantize(make(random, 35, k, content::unit, true), independent::scale_rule::even, 0);
        const std::vector<uint32_t> expected = independent::mx_gemm(a, b).bits;
        CAPTURE(m, k);
        const matrix_call dense = mx_gemm(backend, policy, packed(a), packed(b), ADAHOP_F32);
        REQUIRE(dense.status == ADAHOP_OK);
        CHECK(difference(dense.out.bits, expected) == "");

        // Scale rows padded to a multiple of 8 bytes, the padding NaN; code rows padded likewise.
        const int64_t padded_scales = (k / 32 + 7) / 8 * 8 + 8;
        const spread_mx a_spread(packed(a), k / 2 + 48, padded_scales), b_spread(packed(b), k / 2 + 16, padded_scales);
        adahop::matrix<float> out(m, 35);
        const adahop_exec exec = host_exec();
        const adahop_mx_gemm_args args{&policy, a_spread.view, b_spread.view, adahop::view_of(out)};
        REQUIRE(backend.mx_gemm(&exec, &args) == ADAHOP_OK);
        CHECK(difference(patterns_of(out).bits, expected) == "");
      }
  });
}

TEST_CASE("F11: a shuffled scale layout that is not claimed is refused, never taken for the linear one",
          "[known_fault][spec:1.7]") {
  source random(34);
  adahop_policy policy = adahop::default_policy();
  policy.scale_layout = ADAHOP_LAYOUT_GFX950_SHUFFLE;
  const independent::fp32_matrix x = make(random, 32, 160, content::unit, true);
  const adahop::matrix<adahop::bf16> values = to_bf16s(x);
  const adahop_view view = adahop::view_of(values);
  const adahop::mx_matrix mx = packed(independent::quantize(x, independent::scale_rule::even, 0));
  for_each_backend([&](const adahop_backend& backend) {
    if ((backend.capabilities.scale_layouts >> ADAHOP_LAYOUT_GFX950_SHUFFLE & 1u) != 0) return;
    CHECK(quantize(backend, policy, view).status == ADAHOP_UNSUPPORTED);
    CHECK(error_of(backend).find("scale_layout") != std::string::npos);
    CHECK(dequantize(backend, policy, mx, ADAHOP_F32).status == ADAHOP_UNSUPPORTED);
    CHECK(hadamard_quantize(backend, policy, view, {}).status == ADAHOP_UNSUPPORTED);
    CHECK(mx_gemm(backend, policy, mx, mx, ADAHOP_F32).status == ADAHOP_UNSUPPORTED);
    const matrix_call whole =
        matmul(backend, policy, 1, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE, ADAHOP_PATH_FORWARD, view, view);
    CHECK(whole.status == ADAHOP_UNSUPPORTED);
  });
}

TEST_CASE("F13: an inner dimension of 33 is refused by its number, and padding is never silent",
          "[known_fault][spec:3.4][spec:1.7]") {
  adahop::matrix<float> x(1, 33);
  for (float& v : x.data) v = 1.0f;
  x.data[32] = 3.0f;
  for_each_backend([&](const adahop_backend& backend) {
    adahop_policy policy = adahop::default_policy();
    policy.scale_rule = ADAHOP_SCALE_FLOOR;
    const auto quantize_into = [&](int64_t inner) {
      adahop::mx_matrix out(1, 64);
      adahop_mx out_view = adahop::view_of(out);
      out_view.inner = inner;
      const adahop_exec exec = host_exec();
      adahop_quantize_result result{};
      const adahop_quantize_args args{&policy, adahop::view_of(x), out_view, &result};
      return backend.quantize(&exec, &args);
    };
    for (const int64_t inner : {33, 32, 64}) {
      CAPTURE(inner);
      CHECK(quantize_into(inner) == ADAHOP_INVALID_ARGUMENT);
      CHECK(error_of(backend).find("33") != std::string::npos);
    }
    policy.pad = ADAHOP_PAD_ZERO;
    if ((backend.capabilities.pads >> ADAHOP_PAD_ZERO & 1u) != 0) return;
    CHECK(quantize_into(64) == ADAHOP_UNSUPPORTED);
    CHECK(error_of(backend).find("pad") != std::string::npos);
  });
}

TEST_CASE("F13: the second block of 33 values padded by the caller has its own amax",
          "[known_fault][spec:3.1][spec:5.1]") {
  adahop::matrix<float> x(1, 64);
  for (size_t i = 0; i < 32; ++i) x.data[i] = 1.0f;
  x.data[32] = 3.0f;
  for_each_backend([&](const adahop_backend& backend) {
    adahop_policy policy = adahop::default_policy();
    policy.scale_rule = ADAHOP_SCALE_FLOOR;
    const quantize_call call = quantize(backend, policy, adahop::view_of(x));
    REQUIRE(call.status == ADAHOP_OK);
    CHECK(difference(call.mx.scales, std::vector<uint8_t>{125, 126}) == "");
    std::vector<uint8_t> codes(32, 0);
    std::fill_n(codes.begin(), 16, uint8_t{0x66});
    codes[16] = 0x07;
    CHECK(difference(call.mx.codes, codes) == "");
  });
}
