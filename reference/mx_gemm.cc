// MXFP4 matrix product: which model, and how it walks along the inner dimension. Implements
// SPEC 10.1-10.8, 10.11-10.17.
#include "reference/mx_gemm.h"

#include <algorithm>
#include <array>

#include "reference/accumulate/block_first_fdpa.h"
#include "reference/accumulate/block_rne.h"
#include "reference/accumulate/cdna3_gtrfdpa.h"
#include "reference/accumulate/cdna3_trfdpa.h"
#include "reference/accumulate/exact_sum.h"
#include "reference/accumulate/mfma_fused.h"
#include "reference/accumulate/mfma_seq.h"
#include "reference/output.h"
#include "reference/parallel.h"

namespace adahop::reference {
namespace {

constexpr int64_t kMaxProducts = 128;  // of a group: the largest L of cdna3_trfdpa and cdna3_gtrfdpa

// acc = step(acc, first block, number of blocks) over groups of n blocks from k = 0.
template <class Step>
float over_blocks(const mx_rows& rows, int64_t n, float acc, const Step& step) {
  for (int64_t first = 0; first < rows.blocks; first += n) acc = step(acc, first, std::min(n, rows.blocks - first));
  return acc;
}

// acc = step(acc, products) over groups of `length` products from k = 0.
template <class Step>
float over_products(const mx_rows& rows, int64_t length, float acc, const Step& step) {
  std::array<product, kMaxProducts> group;
  const int64_t k = rows.blocks * kBlockSize;
  for (int64_t first = 0; first < k; first += length) {
    const int64_t count = std::min(length, k - first);
    for (int64_t i = 0; i < count; ++i) group[static_cast<size_t>(i)] = rows.product_at(first + i);
    acc = step(acc, std::span<const product>(group.data(), static_cast<size_t>(count)));
  }
  return acc;
}

}  // namespace

float mx_dot(const policy& p, const mx_rows& rows, float c) {
  if (rows.has_nan_scale()) return float_of(kCanonicalNan);
  const int64_t n = p.gemm_model_param;
  switch (p.gemm_model) {
    case ADAHOP_GEMM_BLOCK_RNE:
      return over_blocks(rows, 1, c, [&](float acc, int64_t i, int64_t) {
        return accumulate_block_rne(acc, rows.dot_x4(i), e8m0_of(rows.a_scales[i]), e8m0_of(rows.b_scales[i]));
      });
    case ADAHOP_GEMM_EXACT_SUM:
      return accumulate_exact_sum(c, rows);
    case ADAHOP_GEMM_MFMA_FUSED:
      return over_blocks(rows, n, c, [&](float acc, int64_t first, int64_t count) {
        return accumulate_mfma_fused(acc, rows, first, count);
      });
    case ADAHOP_GEMM_MFMA_SEQ:
      return over_blocks(rows, 1, c, [&](float acc, int64_t i, int64_t) {
        return accumulate_mfma_seq(acc, rows.dot_x4(i), rows.term_exponent(i));
      });
    case ADAHOP_GEMM_CDNA3_TRFDPA:
      return over_products(
          rows, n, c, [](float acc, std::span<const product> group) { return accumulate_cdna3_trfdpa(acc, group); });
    case ADAHOP_GEMM_CDNA3_GTRFDPA:
      return over_products(
          rows, n, c, [](float acc, std::span<const product> group) { return accumulate_cdna3_gtrfdpa(acc, group); });
    case ADAHOP_GEMM_BLOCK_FIRST_FDPA:
      return over_blocks(rows, n, c, [&](float acc, int64_t first, int64_t count) {
        return accumulate_block_first_fdpa(acc, rows, first, count);
      });
    default:
      return float_of(kCanonicalNan);  // not reached: policies are checked at the boundary
  }
}

void mx_gemm(const policy& p, const adahop_mx& a, const adahop_mx& b, const adahop_view& out) {
  for_each_index(out.rows * out.cols, a.inner, [&](int64_t i) {
    const int64_t m = i / out.cols, n = i % out.cols;
    store(out, m, n, mx_dot(p, mx_rows(a, m, b, n)));
  });
}

}  // namespace adahop::reference
