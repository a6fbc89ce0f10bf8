// The accumulation models that cases and tests go through, each name once. What each does is SPEC chapter 10.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

namespace adahop::conformance {

/// First, then second.
template <class T, size_t N, size_t M>
constexpr std::array<T, N + M> joined(const std::array<T, N>& first, const std::array<T, M>& second) {
  std::array<T, N + M> all{};
  std::copy(second.begin(), second.end(), std::copy(first.begin(), first.end(), all.begin()));
  return all;
}

/// Names that the policy's gemm_model and hip-cpu's option mfma_model share.
inline constexpr std::array kSteppedModels{
    "mfma_seq",          "cdna3_trfdpa(16)",  "cdna3_trfdpa(32)",   "cdna3_trfdpa(64)",   "cdna3_trfdpa(128)",  "cdna3_gtrfdpa(16)",
    "cdna3_gtrfdpa(32)", "cdna3_gtrfdpa(64)", "cdna3_gtrfdpa(128)", "block_first_fdpa(1)", "block_first_fdpa(2)", "block_first_fdpa(4)"};

/// Every gemm_model but block_rne, the default, which most other cases run.
inline constexpr auto kOtherMxModels = joined(std::array{"exact_sum", "mfma_fused(2)", "mfma_fused(4)"}, kSteppedModels);

/// Every gemm_model.
inline constexpr auto kMxModels = joined(std::array{"block_rne"}, kOtherMxModels);

/// Every value of mfma_model. mfma_fused adds as many blocks in one step as the matrix tile holds.
inline constexpr auto kMfmaModels = joined(std::array{"mfma_fused"}, kSteppedModels);

/// Every bf16_gemm_model but seq_fma, the default, and all of them.
inline constexpr std::array kOtherBf16Models{"exact_sum", "cdna3_trfdpa(8)"};
inline constexpr auto kBf16Models = joined(std::array{"seq_fma"}, kOtherBf16Models);

}  // namespace adahop::conformance
