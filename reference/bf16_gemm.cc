// BF16 matrix product. Implements SPEC 10.7-10.9, 10.18, 10.19.
#include "reference/bf16_gemm.h"

#include <algorithm>
#include <array>

#include "reference/accumulate/bf16_exact_sum.h"
#include "reference/accumulate/cdna3_trfdpa.h"
#include "reference/accumulate/seq_fma.h"
#include "reference/output.h"
#include "reference/parallel.h"

namespace adahop::reference {
namespace {

constexpr int64_t kGroup = 8;  // the one parameter that the policy admits

float chain_trfdpa(float acc, const bf16_rows& rows) {
  std::array<product, kGroup> group;
  for (int64_t first = 0; first < rows.k; first += kGroup) {
    const int64_t count = std::min(kGroup, rows.k - first);
    special_sum special;
    for (int64_t i = 0; i < count; ++i) {
      const bf16 a = rows.a_at(first + i), b = rows.b_at(first + i);
      note_nonfinite(a, b, special);
      group[static_cast<size_t>(i)] = product_of(a, b);
    }
    acc = accumulate_cdna3_trfdpa(acc, std::span<const product>(group.data(), static_cast<size_t>(count)), special);
  }
  return acc;
}

}  // namespace

float bf16_dot(const policy& p, const bf16_rows& rows, float c) {
  if (p.bf16_gemm_model == ADAHOP_BF16_EXACT_SUM) return accumulate_bf16_exact_sum(c, rows);
  if (p.bf16_gemm_model == ADAHOP_BF16_CDNA3_TRFDPA) return chain_trfdpa(c, rows);
  for (int64_t k = 0; k < rows.k; ++k) c = accumulate_seq_fma(c, rows.a_at(k), rows.b_at(k));
  return c;
}

void bf16_gemm(const policy& p, const adahop_view& a, const adahop_view& b, const adahop_view& out) {
  for_each_index(out.rows * out.cols, a.cols, [&](int64_t i) {
    const int64_t m = i / out.cols, n = i % out.cols;
    store(out, m, n, bf16_dot(p, bf16_rows(a, m, b, n)));
  });
}

}  // namespace adahop::reference
