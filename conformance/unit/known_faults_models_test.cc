// Known faults in accumulation: F20, and the spares on scales that one matrix instruction takes from another's place.
#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "catch.h"
#include "known_faults_capabilities.h"

using namespace adahop_test;

namespace {

uint32_t bits(float v) { return std::bit_cast<uint32_t>(v); }

/// A row of blocks: one product of 2^x in each, all else zero.
struct block_terms {
  independent::mx_tensor a, b;

  explicit block_terms(const std::vector<int>& exponents) {
    a.outer = b.outer = 1;
    a.inner = b.inner = 32 * static_cast<int>(exponents.size());
    a.codes.assign(static_cast<size_t>(a.inner), 0);
    b.codes.assign(static_cast<size_t>(b.inner), 2);
    for (size_t i = 0; i < exponents.size(); ++i) {
      a.codes[32 * i + 5] = 2;
      a.scales.push_back(static_cast<uint8_t>(127 + exponents[i]));
      b.scales.push_back(127);
    }
  }
};

/// The backend's one FP32 output under the model, or nothing where the model is not claimed and was refused.
std::optional<uint32_t> mx_output_of(const adahop_backend& backend, const char* model, const block_terms& x) {
  const adahop_policy policy = policy_with(std::string("output=f32,gemm_model=") + model);
  const matrix_call call = mx_gemm(backend, policy, packed(x.a), packed(x.b), ADAHOP_F32);
  if (!claims(backend, policy)) {
    check_refused(backend, call.status, "gemm_model");
    return std::nullopt;
  }
  REQUIRE(call.status == ADAHOP_OK);
  return call.out.bits[0];
}

std::optional<uint32_t> bf16_output_of(const adahop_backend& backend, const char* model,
                                       const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  const adahop_policy policy = policy_with(std::string("output=f32,bf16_gemm_model=") + model);
  independent::fp32_matrix x(1, static_cast<int>(a.size())), y(1, static_cast<int>(b.size()));
  x.bits = a, y.bits = b;
  const adahop::matrix<adahop::bf16> a16 = to_bf16s(x), b16 = to_bf16s(y);
  const matrix_call call = bf16_gemm(backend, policy, adahop::view_of(a16), adahop::view_of(b16), ADAHOP_F32);
  if (!claims(backend, policy)) {
    check_refused(backend, call.status, "gemm_model");
    return std::nullopt;
  }
  REQUIRE(call.status == ADAHOP_OK);
  return call.out.bits[0];
}

void check_if_claimed(const std::optional<uint32_t>& got, float expected) {
  if (got) CHECK(*got == bits(expected));
}

/// [outer x inner] of ones whose every scale byte differs from those of the neighbouring blocks and rows.
independent::mx_tensor with_distinct_scales(int outer, int inner, int first, int row_step) {
  independent::mx_tensor x;
  x.outer = outer;
  x.inner = inner;
  x.codes.assign(static_cast<size_t>(outer) * static_cast<size_t>(inner), 2);
  for (int row = 0; row < outer; ++row)
    for (int block = 0; block < inner / 32; ++block)
      x.scales.push_back(static_cast<uint8_t>(first + (row_step * row + block) % 11));
  return x;
}

}  // namespace

TEST_CASE("F20: 2^24 + 1 + 1 is 2^24 step by step and 2^24 + 2 in one sum, both by name",
          "[known_fault][spec:10.4][spec:10.9][spec:10.11][spec:10.12][spec:10.13][spec:10.18]") {
  const block_terms terms({24, 0, 0});
  const std::vector<uint32_t> factors = {bits(4096.0f), bits(1.0f), bits(1.0f)};
  for_each_backend([&](const adahop_backend& backend) {
    for (const char* const threads : {"1", "2", "3"}) {
      backend.set_option("threads", threads);  // a backend without threads says so and is the same
      CAPTURE(threads);
      check_if_claimed(mx_output_of(backend, "block_rne", terms), 16777216.0f);
      check_if_claimed(mx_output_of(backend, "mfma_seq", terms), 16777216.0f);
      check_if_claimed(mx_output_of(backend, "exact_sum", terms), 16777218.0f);
      check_if_claimed(mx_output_of(backend, "mfma_fused(4)", terms), 16777218.0f);
      check_if_claimed(mx_output_of(backend, "mfma_fused(2)", terms), 16777216.0f);
      check_if_claimed(mx_output_of(backend, "block_first_fdpa(4)", terms), 16777218.0f);
      check_if_claimed(bf16_output_of(backend, "seq_fma", factors, factors), 16777216.0f);
      check_if_claimed(bf16_output_of(backend, "exact_sum", factors, factors), 16777218.0f);
      check_if_claimed(bf16_output_of(backend, "cdna3_trfdpa(8)", factors, factors), 16777218.0f);
    }
    backend.set_option("threads", "2");
  });
}

TEST_CASE("F20: a BF16 subnormal is multiplied as what it is",
          "[known_fault][spec:1.3][spec:10.9][spec:10.18][spec:10.19]") {
  for_each_backend([](const adahop_backend& backend) {
    for (const char* const model : kBf16Models) {
      CAPTURE(model);
      const std::optional<uint32_t> got = bf16_output_of(backend, model, {0x00080000u}, {bits(1024.0f)});
      if (got) CHECK(*got == 0x03800000u);
    }
  });
}

TEST_CASE("F20: byte 255 makes a NaN of zero products, by element and by block, under every model",
          "[known_fault][spec:2.6][spec:10.3]") {
  for_each_backend([](const adahop_backend& backend) {
    independent::mx_tensor zeros;
    zeros.outer = 1;
    zeros.inner = 64;
    zeros.codes.assign(64, 0);
    zeros.scales = {127, 255};
    const matrix_call decoded = dequantize(backend, adahop::default_policy(), packed(zeros), ADAHOP_F32);
    REQUIRE(decoded.status == ADAHOP_OK);
    CHECK(std::count(decoded.out.bits.begin(), decoded.out.bits.end(), 0u) == 32);
    CHECK(std::count(decoded.out.bits.begin(), decoded.out.bits.end(), 0x7FC00000u) == 32);
    for (const char* const model : kMxModels) {
      block_terms terms({0, 3});
      CAPTURE(model);
      check_if_claimed(mx_output_of(backend, model, terms), 9.0f);
      terms.a.codes.assign(64, 0);
      terms.a.scales[1] = 255;
      const std::optional<uint32_t> got = mx_output_of(backend, model, terms);
      if (got) CHECK(*got == 0x7FC00000u);
      terms.a.scales[1] = 127;
      terms.b.scales[0] = 255;
      const std::optional<uint32_t> other = mx_output_of(backend, model, terms);
      if (other) CHECK(*other == 0x7FC00000u);
    }
  });
}

TEST_CASE("a product whose every block has its own scale shows an instruction that reads the first slice",
          "[known_fault][spec:10.2][spec:10.4][spec:3.5]") {
  constexpr int kBlocks = 9;
  const independent::mx_tensor a = with_distinct_scales(35, 32 * kBlocks, 120, 3);
  const independent::mx_tensor b = with_distinct_scales(37, 32 * kBlocks, 118, 5);
  const std::vector<uint32_t> right = independent::mx_gemm(a, b).bits;
  // Every output differs if the first block's scale stands for each group of four, or for all; on either side.
  for (const int slices : {4, kBlocks})
    for (const bool left : {true, false}) {
      independent::mx_tensor wrong = left ? a : b;
      for (size_t i = 0; i < wrong.scales.size(); ++i) {
        const size_t block = i % kBlocks, first = block / static_cast<size_t>(slices) * static_cast<size_t>(slices);
        wrong.scales[i] = (left ? a : b).scales[i - block + first];
      }
      const std::vector<uint32_t> outputs =
          (left ? independent::mx_gemm(wrong, b) : independent::mx_gemm(a, wrong)).bits;
      size_t equal = 0;
      for (size_t i = 0; i < right.size(); ++i) equal += outputs[i] == right[i] ? 1u : 0u;
      CAPTURE(slices, left);
      CHECK(equal == 0);
    }
  for_each_backend([&](const adahop_backend& backend) {
    const matrix_call call = mx_gemm(backend, adahop::default_policy(), packed(a), packed(b), ADAHOP_F32);
    REQUIRE(call.status == ADAHOP_OK);
    CHECK(difference(call.out.bits, right) == "");

    const adahop_policy policy = policy_with("scale_layout=gfx950_shuffle");
    if (!claims(backend, policy)) return;
    const adahop::mx_matrix codes_a = packed(a), codes_b = packed(b);
    std::vector<uint8_t> scales_a = laid_out_scales(policy, a), scales_b = laid_out_scales(policy, b);
    adahop_mx view_a = adahop::view_of(codes_a), view_b = adahop::view_of(codes_b);
    view_a.scales = scales_a.data(), view_b.scales = scales_b.data();
    adahop::matrix<float> out(35, 37);
    const adahop_exec exec = host_exec();
    const adahop_mx_gemm_args args{&policy, view_a, view_b, adahop::view_of(out)};
    REQUIRE(backend.mx_gemm(&exec, &args) == ADAHOP_OK);
    CHECK(difference(patterns_of(out).bits, right) == "");
  });
}
