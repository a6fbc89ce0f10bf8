// The backends under the known-fault tests, and the checks those tests share. Each fault is a TEST_CASE named after its
// number in the survey of public bug reports, with the reported input and its right value, then the whole kind of it:
// all exponents, both signs, all four rules and every decode path, where the right value comes from the independent
// implementation. F6 (FP32 to E8M0, nearest) is not an operation of this project: a scale byte comes from a rule of
// SPEC chapter 5 or from a file. F12, F17, F20 and the shuffled layout of F11 are in known_faults_*; the files of F10
// and F14 are tested with the file formats.
#pragma once
#include <functional>
#include <initializer_list>

#include "independent_support.h"

namespace adahop_test {

/// Calls `test` with each backend; a failure inside names the backend.
void for_each_backend(const std::function<void(const adahop_backend&)>& test);

/// One block of FP32 values, the rest +0.
independent::fp32_matrix block_of(std::initializer_list<float> values);

/// The expected bytes of one quantized block: its leading codes, the rest being 0.
struct expected_block {
  uint8_t byte;
  std::vector<uint8_t> codes;
  long clipped = 0;
};

/// Quantizes one block under `rule`, as FP32 and, where the values allow, as BF16.
void check_block(const adahop_backend& backend, adahop_scale_rule rule, const independent::fp32_matrix& block,
                 const expected_block& expected);

/// Quantizes x [n x 32] as FP32, and its upper halves as BF16, under all four rules and both clamps against the
/// independent implementation: codes, bytes and clipped counts. Decodes one of the results by check_decoded.
void check_quantized(const adahop_backend& backend, const independent::fp32_matrix& x);

/// Decodes x [n x 32] by every path there is: dequantize to FP32 and to BF16, the formats' own decode, and mx_gemm
/// against one-hot rows on either side, each against the independent implementation.
void check_decoded(const adahop_backend& backend, const independent::mx_tensor& x);

/// The block times 2^t for every t that keeps it finite, each with both signs: [n x 32].
independent::fp32_matrix at_every_exponent(const independent::fp32_matrix& block);

}  // namespace adahop_test
