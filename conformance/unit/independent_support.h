// What the tests against the independent implementation share: inputs, conversions, calls through the C ABI, and a
// comparison of bit patterns that names the first difference.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "adahop/policy.h"
#include "adahop/tensor.h"
#include "independent/matmul.h"

namespace adahop_test {

/// Draws of a seeded generator that are the same on every platform.
class source {
 public:
  explicit source(uint64_t seed) : engine_(seed) {}
  uint32_t bits() { return static_cast<uint32_t>(engine_()); }
  /// An integer in [low, high].
  int between(int low, int high) { return low + static_cast<int>(engine_() % static_cast<uint64_t>(high - low + 1)); }
  /// An FP32 pattern of either sign with an exponent field in [low, high] and a random mantissa.
  uint32_t fp32(int low, int high) {
    const uint32_t draw = bits();
    return (draw & 0x807FFFFFu) | (static_cast<uint32_t>(between(low, high)) << 23);
  }

 private:
  std::mt19937_64 engine_;
};

/// Kinds of matrix content; fields are FP32 exponent fields.
enum class content { unit, wide, tiny, huge, mixed_blocks, cancelling, zeros_and_signs, nonfinite };
inline constexpr content kAllContents[] = {content::unit,         content::wide,       content::tiny,
                                           content::huge,         content::mixed_blocks, content::cancelling,
                                           content::zeros_and_signs, content::nonfinite};
inline constexpr content kFiniteContents[] = {content::unit, content::wide,         content::tiny,      content::huge,
                                              content::mixed_blocks, content::cancelling, content::zeros_and_signs};
const char* name(content kind);

/// A rows x cols matrix of FP32 patterns; `bf16_values` clears the lower halves (NaN stays NaN).
independent::fp32_matrix make(source& random, int rows, int cols, content kind, bool bf16_values);

adahop::matrix<float> to_floats(const independent::fp32_matrix& x);
/// x must hold BF16 values.
adahop::matrix<adahop::bf16> to_bf16s(const independent::fp32_matrix& x);
independent::fp32_matrix patterns_of(const adahop::matrix<float>& x);
independent::fp32_matrix patterns_of(const adahop::matrix<adahop::bf16>& x);
/// The packed form of SPEC 3.1, 3.2, packed here and not by the code under test.
adahop::mx_matrix packed(const independent::mx_tensor& x);

inline constexpr adahop_scale_rule kScaleRules[] = {ADAHOP_SCALE_FLOOR, ADAHOP_SCALE_CEIL, ADAHOP_SCALE_EVEN,
                                                    ADAHOP_SCALE_RCEIL};
independent::scale_rule rule_of(int32_t scale_rule);
independent::pattern pattern_of(int32_t pattern);
independent::rounding rounding_of(const adahop_policy& policy);
independent::transform transform_of(const adahop_policy& policy);
independent::mx_accumulation mx_accumulation_of(const adahop_policy& policy);
independent::bf16_accumulation bf16_accumulation_of(const adahop_policy& policy);
independent::product_policy product_policy_of(const adahop_policy& policy);

adahop_exec host_exec();

/// Results of calls through a backend's table on row-major copies of the inputs; `status` is the call's own.
struct quantize_call {
  int32_t status;
  adahop::mx_matrix mx;
  adahop_quantize_result result;
};
quantize_call quantize(const adahop_backend& backend, const adahop_policy& policy, const adahop_view& x);
quantize_call hadamard_quantize(const adahop_backend& backend, const adahop_policy& policy, const adahop_view& x,
                                const std::vector<int32_t>& zeroed);

/// FP32 patterns of what a call wrote, BF16 outputs widened; `dtype` is that of the output.
struct matrix_call {
  int32_t status;
  independent::fp32_matrix out;
};
matrix_call dequantize(const adahop_backend& backend, const adahop_policy& policy, const adahop::mx_matrix& x,
                       int32_t dtype);
matrix_call hadamard(const adahop_backend& backend, const adahop_policy& policy, const adahop_view& x);
matrix_call mx_gemm(const adahop_backend& backend, const adahop_policy& policy, const adahop::mx_matrix& a,
                    const adahop::mx_matrix& b, int32_t dtype);
matrix_call bf16_gemm(const adahop_backend& backend, const adahop_policy& policy, const adahop_view& a,
                      const adahop_view& b, int32_t dtype);
matrix_call matmul(const adahop_backend& backend, const adahop_policy& policy, int level, adahop_pattern left,
                   adahop_pattern right, adahop_path path, const adahop_view& a, const adahop_view& b);

struct outliers_call {
  int32_t status;
  std::vector<uint32_t> scores;  ///< FP32 patterns
  std::vector<int32_t> indices;
};
outliers_call select_outliers(const adahop_backend& backend, const adahop_policy& policy, const adahop_view& x);

/// The default policy with "key=value,..." applied; the text must be valid.
adahop_policy policy_with(const std::string& settings);

/// "" if equal, else the size or the first differing index with both patterns and the number of differences.
std::string difference(const std::vector<uint32_t>& got, const std::vector<uint32_t>& expected);
std::string difference(const std::vector<uint8_t>& got, const std::vector<uint8_t>& expected);

}  // namespace adahop_test
