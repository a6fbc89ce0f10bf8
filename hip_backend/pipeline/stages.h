// One function a kernel (or kernel pair): device matrices in, device matrices out, shapes already checked. Launches are
// asynchronous; only the reports wait.
#pragma once
#include "pipeline/transfer.h"

namespace adahop::hip {

/// Quantizes x [outer x inner] into `out`, whose inner dimension is the extended one. A report is made where `report`
/// is given or the policy rejects non-finite values, which then is ADAHOP_NONFINITE. Implements SPEC chapter 5.
status quantize(const context& on, const adahop_policy& p, const adahop_view& x, const adahop_mx& out,
                adahop_quantize_result* report);

/// The signs of SPEC 6.11 for `inner` elements, a bit each; none where the policy wants none.
result<device_buffer> hadamard_signs(const context& on, const adahop_policy& p, int64_t inner);

/// Hadamard and quantize into out, of the extended inner dimension; `signs` from hadamard_signs(); rows with non-zero
/// `positions` [outer] (device memory, may be null) count as +0. SPEC 6.7-6.11, 3.7.
status hadamard_quantize(const context& on, const adahop_policy& p, const adahop_view& x, const uint32_t* signs,
                         const int32_t* positions, const adahop_mx& out, adahop_quantize_result* report);

/// SPEC 6.1-6.5, 6.10, 6.11; the output type is the view's, its inner dimension the extended one.
status hadamard(const context& on, const adahop_policy& p, const adahop_view& x, const uint32_t* signs,
                const adahop_view& out);

/// SPEC 5.10; `out` has the logical inner dimension.
status dequantize(const context& on, const adahop_policy& p, const adahop_mx& x, const adahop_view& out);

/// The variance of each row of x, [rows] on the device. SPEC 7.1-7.4.
status row_variances(const context& on, const adahop_view& x, double* variance);

/// Scores [rows] and the k first rows' indices [k], both on the device. SPEC 9.1-9.5.
status select_outliers(const context& on, const adahop_policy& p, const adahop_view& x, int64_t k, float* scores,
                       int32_t* indices);

/// The chosen rows of a BF16 matrix. SPEC 9.6.
status gather_outliers(const context& on, const adahop_view& x, const int32_t* indices, const adahop_view& out);

/// int32 [length] on the device: 1 + i at indices[i], 0 elsewhere.
result<device_buffer> positions_of(const context& on, const int32_t* indices, int64_t count, int64_t length);

/// SPEC 10.1-10.8, in native mode 10.24: out [M x N] from a [M x K] and b [N x K]. ADAHOP_UNSUPPORTED where the matrix
/// instruction is too short for mfma_model.
status mx_gemm(const context& on, const adahop_policy& p, const adahop_mx& a, const adahop_mx& b,
               const adahop_view& out);

/// Both operands of an MX product.
struct mx_pair {
  device_mx a, b;
};

/// A product with extracted outliers in one launch, where on.takes_tuned(): the MX product of `residual`, whose scales are
/// shuffled, and the BF16 product of the rows of a (LEFT) or b (RIGHT) that `positions` marks with the other operand, their
/// sum there, the output rounding. `part` is room for [chosen rows x rows of the other operand]. SPEC 10.7-10.10, 11.2, 11.3.
status outlier_gemm(const context& on, const adahop_policy& p, const mx_pair& residual, const adahop_view& a,
                    const adahop_view& b, const int32_t* positions, adahop_side side, float* part, const adahop_view& out);

/// SPEC 10.7-10.9.
status bf16_gemm(const context& on, const adahop_view& a, const adahop_view& b, const adahop_view& out);

/// SPEC 10.10; `positions` of the rows (LEFT) or columns (RIGHT) of c.
status scatter_add(const context& on, const adahop_view& c, const adahop_view& outlier, const int32_t* positions,
                   adahop_side side, const adahop_view& out);

}  // namespace adahop::hip
