// What the tests of models, roundings, transforms and layouts share beyond independent_support.h: names of all models,
// MX tensors of several kinds, and calls with padded and shuffled outputs.
#pragma once
#include "independent_support.h"

namespace adahop_test {

inline constexpr const char* kMxModels[] = {
    "block_rne",         "exact_sum",         "mfma_fused(2)",      "mfma_fused(4)",       "mfma_seq",
    "cdna3_trfdpa(16)",  "cdna3_trfdpa(32)",  "cdna3_trfdpa(64)",   "cdna3_trfdpa(128)",   "cdna3_gtrfdpa(16)",
    "cdna3_gtrfdpa(32)", "cdna3_gtrfdpa(64)", "cdna3_gtrfdpa(128)", "block_first_fdpa(1)", "block_first_fdpa(2)",
    "block_first_fdpa(4)"};
inline constexpr const char* kBf16Models[] = {"seq_fma", "exact_sum", "cdna3_trfdpa(8)"};

/// Random codes and bytes within `spread` of `centre`.
independent::mx_tensor random_mx(source& random, int outer, int inner, int centre, int spread);
/// The same with most codes zero, so that whole groups have few products or none.
independent::mx_tensor sparse_mx(source& random, int outer, int inner, int centre, int spread);
/// Codes of few magnitudes and random signs in runs, so that blocks and neighbouring blocks cancel.
independent::mx_tensor cancelling_mx(source& random, int outer, int inner, int centre, int spread);

/// An MX output as a policy lays it out: the inner dimension extended under pad=zero, scales linear or shuffled. Guard
/// bytes behind both arrays show a write past the end.
struct mx_output {
  int64_t outer, inner;
  std::vector<uint8_t> codes, scales;

  mx_output(const adahop_policy& policy, int64_t rows, int64_t extended_inner);
  adahop_mx view();
  /// Whether the guard bytes are as they were; removes them.
  bool take_guards();
};

struct laid_out_call {
  int32_t status;
  mx_output mx;
  adahop_quantize_result result;
};
/// quantize, or hadamard_quantize, of x with any number of columns; the guards are checked and gone.
laid_out_call quantize_laid_out(const adahop_backend& backend, const adahop_policy& policy, const adahop_view& x);
laid_out_call hadamard_quantize_laid_out(const adahop_backend& backend, const adahop_policy& policy,
                                         const adahop_view& x, const std::vector<int32_t>& zeroed);

/// `n` up to the next multiple of 32 and of `size`.
int64_t extended(int64_t n, int32_t size);

/// Expected codes, packed; and scales in the policy's layout with pad bytes 0.
std::vector<uint8_t> packed_codes(const independent::mx_tensor& x);
std::vector<uint8_t> laid_out_scales(const adahop_policy& policy, const independent::mx_tensor& x);

}  // namespace adahop_test
