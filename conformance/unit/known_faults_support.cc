// The backends under the known-fault tests, and the checks those tests share.
#include "known_faults_support.h"

#include <algorithm>
#include <bit>
#include <map>

#include "adahop/formats/mx_block.h"
#include "catch.h"
#include "hip_backend/backend_hip_cpu.h"
#include "reference/backend.h"
#include "repetitions.h"

namespace adahop_test {
namespace {

using backend_entry = const adahop_backend*(uint32_t);

constexpr backend_entry* kBackends[] = {
    adahop_backend_reference,
    adahop_backend_hip_cpu,
};

/// make() of a key, called for the first backend; the independent implementation is slow.
template <class Make>
const auto& once(const std::vector<uint32_t>& key, const Make& make) {
  static std::map<std::vector<uint32_t>, decltype(make())> made;
  const auto found = made.find(key);
  return found != made.end() ? found->second : made.emplace(key, make()).first->second;
}

/// x with the lower halves cleared: BF16 values.
independent::fp32_matrix truncated(independent::fp32_matrix x) {
  for (uint32_t& bits : x.bits) bits &= 0xFFFF0000u;
  return x;
}

void check_call(const quantize_call& call, const independent::mx_tensor& expected) {
  REQUIRE(call.status == ADAHOP_OK);
  CHECK(difference(call.mx.codes, packed(expected).codes) == "");
  CHECK(difference(call.mx.scales, expected.scales) == "");
  CHECK(call.result.clipped == expected.clipped);
}

/// Row i holds 1.0 (code 2 under byte 127) at place i and 0 elsewhere.
independent::mx_tensor one_hot_rows() {
  independent::mx_tensor x;
  x.outer = x.inner = 32;
  x.codes.assign(32 * 32, 0);
  for (size_t i = 0; i < 32; ++i) x.codes[33 * i] = 2;
  x.scales.assign(32, 127);
  return x;
}

/// What quantizing x must give, as FP32 and as BF16, in the order of rules and clamps of check_quantized.
struct expected_tensors {
  std::vector<independent::mx_tensor> fp32, bf16;
};
constexpr int kClamps[] = {0, 1};

expected_tensors quantized_independently(const independent::fp32_matrix& x) {
  expected_tensors out;
  const independent::fp32_matrix bf16_values = truncated(x);
  for (const adahop_scale_rule rule : kScaleRules)
    for (const int min_byte : kClamps) {
      out.fp32.push_back(independent::quantize(x, rule_of(rule), min_byte));
      out.bf16.push_back(independent::quantize(bf16_values, rule_of(rule), min_byte));
    }
  return out;
}

/// What decoding x must give.
struct expected_values {
  independent::fp32_matrix fp32, bf16;
};

expected_values decoded_independently(const independent::mx_tensor& x) {
  expected_values out{{x.outer, 32}, {x.outer, 32}};
  for (int row = 0; row < x.outer; ++row)
    for (int i = 0; i < 32; ++i) {
      const uint8_t code = x.codes[static_cast<size_t>(32 * row + i)], byte = x.scales[static_cast<size_t>(row)];
      out.fp32.at(row, i) = independent::decode_fp32(code, byte);
      out.bf16.at(row, i) = independent::widen_bf16(independent::decode_bf16(code, byte));
    }
  return out;
}

}  // namespace

void for_each_backend(const std::function<void(const adahop_backend&)>& test) {
  for (backend_entry* entry : kBackends) {
    const adahop_backend* backend = entry(ADAHOP_ABI_VERSION);
    REQUIRE(backend != nullptr);
    CAPTURE(backend->name);
    test(*backend);
  }
}

independent::fp32_matrix block_of(std::initializer_list<float> values) {
  independent::fp32_matrix block(1, 32);
  size_t i = 0;
  for (const float v : values) block.bits[i++] = std::bit_cast<uint32_t>(v);
  return block;
}

void check_block(const adahop_backend& backend, adahop_scale_rule rule, const independent::fp32_matrix& block,
                 const expected_block& expected) {
  adahop_policy policy = adahop::default_policy();
  policy.scale_rule = rule;
  independent::mx_tensor right;
  right.outer = 1;
  right.inner = 32;
  right.codes = expected.codes;
  right.codes.resize(32, 0);
  right.scales = {expected.byte};
  right.clipped = expected.clipped;
  CAPTURE(rule);
  const adahop::matrix<float> floats = to_floats(block);
  check_call(quantize(backend, policy, adahop::view_of(floats)), right);
  if (truncated(block).bits != block.bits) return;
  const adahop::matrix<adahop::bf16> bf16s = to_bf16s(block);
  check_call(quantize(backend, policy, adahop::view_of(bf16s)), right);
}

void check_quantized(const adahop_backend& backend, const independent::fp32_matrix& x) {
  const expected_tensors& expected = once(x.bits, [&] { return quantized_independently(x); });
  const adahop::matrix<float> floats = to_floats(x);
  const adahop::matrix<adahop::bf16> bf16s = to_bf16s(truncated(x));
  size_t i = 0;
  for (const adahop_scale_rule rule : kScaleRules)
    for (const int min_byte : kClamps) {
      adahop_policy policy = adahop::default_policy();
      policy.scale_rule = rule;
      policy.min_scale_byte = min_byte;
      CAPTURE(rule, min_byte);
      check_call(quantize(backend, policy, adahop::view_of(floats)), expected.fp32[i]);
      check_call(quantize(backend, policy, adahop::view_of(bf16s)), expected.bf16[i]);
      if (rule == ADAHOP_SCALE_EVEN && min_byte == 0) check_decoded(backend, expected.fp32[i]);
      ++i;
    }
}

void check_decoded(const adahop_backend& backend, const independent::mx_tensor& x) {
  REQUIRE(x.inner == 32);
  const int n = x.outer;
  std::vector<uint32_t> codes_and_scales(x.codes.begin(), x.codes.end());
  codes_and_scales.insert(codes_and_scales.end(), x.scales.begin(), x.scales.end());
  const auto& [fp32, bf16] = once(codes_and_scales, [&] { return decoded_independently(x); });
  independent::fp32_matrix product(n, 32), turned_product(32, n);
  std::vector<uint32_t> scalar;
  for (int row = 0; row < n; ++row)
    for (int i = 0; i < 32; ++i) {
      const uint8_t code = x.codes[static_cast<size_t>(32 * row + i)], byte = x.scales[static_cast<size_t>(row)];
      scalar.push_back(adahop::decode_element_bits(adahop::e2m1_of(code), adahop::e8m0_of(byte)));
      // A product is never -0 here: an exact zero sum is +0 (SPEC 10.5).
      product.at(row, i) = turned_product.at(i, row) = fp32.at(row, i) == 0x80000000u ? 0u : fp32.at(row, i);
    }
  const adahop_policy policy = adahop::default_policy();
  const adahop::mx_matrix codes = packed(x), unit = packed(one_hot_rows());
  const auto check = [](const char* decode_path, const matrix_call& call, const independent::fp32_matrix& right) {
    CAPTURE(decode_path);
    REQUIRE(call.status == ADAHOP_OK);
    CHECK(difference(call.out.bits, right.bits) == "");
  };
  CHECK(difference(scalar, fp32.bits) == "");
  check("dequantize f32", dequantize(backend, policy, codes, ADAHOP_F32), fp32);
  check("dequantize bf16", dequantize(backend, policy, codes, ADAHOP_BF16), bf16);
  check("mx_gemm, left operand", mx_gemm(backend, policy, codes, unit, ADAHOP_F32), product);
  check("mx_gemm, right operand", mx_gemm(backend, policy, unit, codes, ADAHOP_F32), turned_product);
}

independent::fp32_matrix at_every_exponent(const independent::fp32_matrix& block) {
  return once(block.bits, [&] {
    independent::fp32_matrix out;
    out.cols = 32;
    for (int t = -300; t <= 300; t += adahop::test::kReduction) {
      std::vector<uint32_t> row;
      for (const uint32_t bits : block.bits) {
        const uint32_t magnitude = independent::round_to_fp32(independent::value_of(bits).magnitude().scaled(t));
        row.push_back(magnitude | (bits & 0x80000000u));
      }
      const bool finite = std::all_of(row.begin(), row.end(), independent::is_finite);
      const bool all_zero = std::all_of(row.begin(), row.end(), independent::is_zero);
      if (!finite || all_zero) continue;
      out.bits.insert(out.bits.end(), row.begin(), row.end());
      for (uint32_t& bits : row) bits ^= 0x80000000u;
      out.bits.insert(out.bits.end(), row.begin(), row.end());
      out.rows += 2;
    }
    return out;
  });
}

}  // namespace adahop_test
