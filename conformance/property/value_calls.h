// Single operations on tensors through a backend's C ABI. Every call lays its inputs out as their placement says, and
// fails the property if the call changes an input, writes between the elements of an output (SPEC 1.6), or returns
// another status than ADAHOP_OK where none is returned here.
#pragma once
#include "conformance/independent/mxfp4.h"
#include "conformance/independent/rounding.h"
#include "pick.h"

namespace adahop::property {

/// The reference, or in one case of six hip-cpu and in two simd, at each of its levels; picked under the name "backend".
const adahop_backend& pick_backend();
const adahop_backend& reference_backend();

/// What a quantizing call gave: codes packed, scales in the layout of the policy.
struct quantized {
  int32_t status = ADAHOP_OK;
  adahop_quantize_result result{};
  mx_matrix mx;                 ///< scales [outer][inner / 32] whatever the layout
  std::vector<uint8_t> stored;  ///< the scale bytes as the call left them
  uint32_t code(int64_t r, int64_t c) const;
  uint32_t scale(int64_t r, int64_t block) const;
};
/// The property fails unless codes, scales and clipped counts are equal.
void require_equal(const quantized& got, const quantized& wanted, const std::string& what,
                   std::source_location where = std::source_location::current());
void require_equal(const tensor& got, const tensor& wanted, const std::string& what,
                   std::source_location where = std::source_location::current());

/// Rows of codes and of linear scales lie as far apart as the gap of x says.
quantized quantize(const adahop_backend& b, const policy& p, const tensor& x);
quantized hadamard_quantize(const adahop_backend& b, const policy& p, const tensor& x,
                            const std::vector<int32_t>& zeroed);
/// To [outer x cols], whose gap is that of codes and scales too; `stored`, if not empty, are the scales in the policy's
/// layout instead of those of `mx`.
tensor dequantize(const adahop_backend& b, const policy& p, const mx_matrix& mx, int32_t dtype, int64_t cols,
                  const placement& where = {}, const std::vector<uint8_t>& stored = {});
/// The output has the policy's dtype and extended dimension.
tensor hadamard(const adahop_backend& b, const policy& p, const tensor& x, const placement& where = {});

struct pattern_report {
  int32_t pattern;
  double cv_row, cv_col;
  std::vector<double> row_variance, col_variance;
};
pattern_report pattern(const adahop_backend& b, const policy& p, const tensor& x);

struct selection {
  std::vector<uint32_t> scores;  ///< FP32 patterns
  std::vector<int32_t> indices;
};
selection select_outliers(const adahop_backend& b, const policy& p, const tensor& x);
tensor extract(const adahop_backend& b, const tensor& x, const std::vector<int32_t>& indices);
/// c [M x N] FP32, outlier FP32; the output has p.output.
tensor scatter_add(const adahop_backend& b, const policy& p, const tensor& c, const tensor& outlier,
                   const std::vector<int32_t>& indices, adahop_side side);

/// x with columns of +0 up to `cols`.
tensor zero_extended(const tensor& x, int64_t cols);

/// For the second implementation.
independent::fp32_matrix independent_of(const tensor& x);
independent::scale_rule independent_rule(const policy& p);
independent::rounding independent_rounding(const policy& p);

}  // namespace adahop::property
