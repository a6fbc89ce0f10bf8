// Laws that hold for every input, with shrinking: the encoder's order and symmetry, the transform's inverse, scales
// under powers of two, and a backend's whole product against the reference.
#include "check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "adahop/plan.h"
#include "adahop/policy.h"
#include "adahop/tensor.h"
#include "backend_hip_cpu.h"
#include "reference/backend.h"
#include "reference/encode.h"
#include "reference/hadamard.h"
#include "reference/scale.h"

namespace adahop {
// How RapidCheck prints a shrunk input.
std::ostream& operator<<(std::ostream& os, bf16 v) { return os << "0x" << std::hex << v.bits << std::dec; }
}  // namespace adahop

using namespace adahop;

namespace {

// A finite FP32 of any exponent: bits, not values, so that subnormals and both zeros are common.
rc::Gen<float> finite_float() {
  return rc::gen::map(rc::gen::tuple(rc::gen::inRange<uint32_t>(0, 255), rc::gen::inRange<uint32_t>(0, 1u << 23),
                                     rc::gen::arbitrary<bool>()),
                      [](const std::tuple<uint32_t, uint32_t, bool>& t) {
                        const auto [exponent, mantissa, negative] = t;
                        return float_of((negative ? 0x80000000u : 0u) | exponent << 23 | mantissa);
                      });
}

rc::Gen<adahop_scale_rule> any_rule() {
  return rc::gen::element(ADAHOP_SCALE_FLOOR, ADAHOP_SCALE_CEIL, ADAHOP_SCALE_EVEN, ADAHOP_SCALE_RCEIL);
}

rc::Gen<adahop_pattern> any_pattern() {
  return rc::gen::element(ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN);
}

// BF16 of moderate exponents, now and then a zero, an outlier, an Inf or a NaN.
rc::Gen<bf16> any_bf16() {
  const auto with_exponents = [](uint16_t low, uint16_t high) {
    return rc::gen::map(rc::gen::tuple(rc::gen::inRange<uint16_t>(low, high), rc::gen::inRange<uint16_t>(0, 128),
                                       rc::gen::inRange<uint16_t>(0, 2)),
                        [](const std::tuple<uint16_t, uint16_t, uint16_t>& t) {
                          const auto [exponent, mantissa, sign] = t;
                          return bf16{static_cast<uint16_t>(sign << 15 | exponent << 7 | mantissa)};
                        });
  };
  return rc::gen::weightedOneOf<bf16>({{20, with_exponents(118, 130)},
                                       {4, with_exponents(0, 255)},
                                       {2, rc::gen::element(bf16{0x0000}, bf16{0x8000})},
                                       {1, rc::gen::element(bf16{0x7F80}, bf16{0xFF80}, bf16{0x7FC1}, bf16{0x0001})}});
}

matrix<bf16> some_matrix(int64_t rows, int64_t cols) {
  matrix<bf16> m(rows, cols);
  m.data = *rc::gen::container<std::vector<bf16>>(static_cast<size_t>(rows * cols), any_bf16());
  return m;
}

}  // namespace

TEST_CASE("encode keeps the order of values", "[property][spec:5.11][spec:5.12]") {
  check_property("a <= b gives code value of a <= code value of b", [] {
    float a = *finite_float(), b = *finite_float();
    if (a > b) std::swap(a, b);
    const e8m0 scale = e8m0_of(*rc::gen::inRange<uint32_t>(0, 255));
    RC_ASSERT(value_x2(reference::encode_e2m1(a, scale)) <= value_x2(reference::encode_e2m1(b, scale)));
  });
}

TEST_CASE("encode is odd", "[property][spec:5.13]") {
  check_property("the code of -v is the code of v with the other sign", [] {
    const float v = *finite_float();
    const e8m0 scale = e8m0_of(*rc::gen::inRange<uint32_t>(0, 255));
    RC_ASSERT(code_of(reference::encode_e2m1(float_of(bits_of(v) ^ 0x80000000u), scale)) ==
              (code_of(reference::encode_e2m1(v, scale)) ^ 8u));
  });
}

TEST_CASE("rceil never clips and is never twice too large", "[property][spec:5.5][spec:5.9]") {
  check_property("6 * scale >= amax > 3 * scale, but for byte 0", [] {
    const float amax = std::fabs(*finite_float());
    const uint8_t byte = reference::scale_byte(bits_of(amax), ADAHOP_SCALE_RCEIL, 0);
    const double scale = std::ldexp(1.0, byte - 127);
    RC_ASSERT(6 * scale >= double{amax});
    RC_ASSERT(byte == 0 || 3 * scale < double{amax});
    RC_ASSERT(!reference::clips(amax, e8m0_of(byte)));
  });
}

TEST_CASE("a power of two moves the scale and leaves the codes", "[property][spec:5.2][spec:5.6][spec:5.8]") {
  check_property("byte(2^n amax) = byte(amax) + n and equal codes", [] {
    const adahop_scale_rule rule = *any_rule();
    const uint32_t exponent = *rc::gen::inRange<uint32_t>(10, 200);
    const uint32_t n = *rc::gen::inRange<uint32_t>(0, 40);
    const uint32_t mantissa = *rc::gen::inRange<uint32_t>(0, 1u << 23);
    const uint32_t small = exponent << 23 | mantissa, large = (exponent + n) << 23 | mantissa;
    const uint32_t byte = reference::scale_byte(small, rule, 0);
    RC_ASSERT(reference::scale_byte(large, rule, 0) == byte + n);
    RC_ASSERT(reference::encode_e2m1(float_of(small), e8m0_of(byte)) ==
              reference::encode_e2m1(float_of(large), e8m0_of(byte + n)));
  });
}

TEST_CASE("the butterflies are their own inverse", "[property][spec:6.6]") {
  check_property("H H x = 32 x for multiples of 2^q of which the magnitudes sum to at most 2^(q+24)", [] {
    const int q = *rc::gen::inRange(-100, 80);
    std::array<float, 32> x{}, y{};
    for (float& v : x) v = std::ldexp(static_cast<float>(*rc::gen::inRange(-(1 << 19), 1 << 19)), q);
    y = x;
    reference::hadamard_butterflies(y.data(), 32);
    reference::hadamard_butterflies(y.data(), 32);
    for (size_t i = 0; i < 32; ++i) RC_ASSERT(bits_of(y[i]) == bits_of(x[i] == 0 ? 0.0f : 32 * x[i]));
  });
}

TEST_CASE("hip-cpu gives the reference's bytes for any whole product", "[property][spec:1.1][spec:13.2]") {
  const adahop_backend* const backends[2] = {adahop_backend_reference(ADAHOP_ABI_VERSION),
                                             adahop_backend_hip_cpu(ADAHOP_ABI_VERSION)};
  check_property("equal status and equal bytes", [&] {
    policy p = default_policy();
    p.scale_rule = *any_rule();
    p.oe_k = *rc::gen::inRange(1, 9);
    p.output = *rc::gen::element<int32_t>(ADAHOP_F32, ADAHOP_BF16);
    p.nonfinite = *rc::gen::weightedElement<int32_t>({{5, ADAHOP_NONFINITE_BLOCK_NAN}, {1, ADAHOP_NONFINITE_REJECT}});
    const int64_t k = 32 * *rc::gen::inRange<int64_t>(1, 4);
    const matrix<bf16> a = some_matrix(*rc::gen::inRange<int64_t>(1, 20), k);
    const matrix<bf16> b = some_matrix(*rc::gen::inRange<int64_t>(1, 20), k);
    adahop_matmul_args args{};
    args.policy = &p;
    args.level = *rc::gen::inRange(1, 3);
    args.left_pattern = *any_pattern();
    args.right_pattern = *any_pattern();
    args.path = *rc::gen::inRange(0, 3);
    args.a = view_of(a);
    args.b = view_of(b);
    adahop_exec exec{};
    exec.struct_size = sizeof exec;
    std::array<matrix<float>, 2> out{matrix<float>(a.rows, b.rows), matrix<float>(a.rows, b.rows)};
    std::array<int32_t, 2> code{};
    for (size_t i = 0; i < 2; ++i) {
      args.out = view_of(out[i]);
      args.out.dtype = p.output;  // BF16 fills the first half of each matrix's bytes
      code[i] = backends[i]->matmul(&exec, &args);
    }
    RC_ASSERT(code[0] == code[1]);
    if (code[0] != ADAHOP_OK) return;
    for (size_t i = 0; i < out[0].data.size(); ++i) RC_ASSERT(bits_of(out[0].data[i]) == bits_of(out[1].data[i]));
  });
}
