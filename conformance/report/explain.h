// The steps by which SPEC gets the first differing element of a saved case, each with its numbers and its clauses, and
// where the result that was got fits in.
#pragma once
#include "conformance/report/saved_case.h"

namespace adahop::conformance {

struct step {
  std::string title, clauses;
  std::vector<std::string> lines;
};

/// Steps of the case's operation around its differing element. ADAHOP_BAD_FILE where the inputs do not allow them.
result<std::vector<step>> explain(const saved_case& c);

/// The steps of one block of 32 values that stand at (row, first) of a tensor with `inner` columns; codes that were
/// expected and got are compared where given (32 of each, or none).
step explain_block(const policy& p, const float* values, int64_t row, int64_t first, int64_t inner,
                   const std::vector<uint64_t>& expected, const std::vector<uint64_t>& got);

/// The steps of one output of an MX product, scales linear; `got` is an FP32 pattern, or a BF16 one.
step explain_mx_output(const policy& p, const adahop_mx& a, const adahop_mx& b, int64_t m, int64_t n, element kind,
                       uint64_t got);
/// The steps of one output of a BF16 product.
step explain_bf16_output(const policy& p, const adahop_view& a, const adahop_view& b, int64_t m, int64_t n, element kind,
                         uint64_t got);

/// "0x3F800000 = 1".
std::string f32_text(float v);

}  // namespace adahop::conformance
