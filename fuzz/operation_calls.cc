// Bytes to one call of each operation.
#include "fuzz/operation_calls.h"

#include <algorithm>

#include "fuzz/differential.h"
#include "fuzz/tensors.h"
#include "reference/extent.h"

namespace adahop::fuzz {
namespace {

using namespace adahop::conformance;

constexpr int64_t kMostRows = 48, kMostInner = 288;
// Of the products, whose cost is the product of three dimensions. Beyond 64 begins another tile.
constexpr int64_t kMostSide = 70, kLongSide = 24;

adahop_dtype read_dtype(input& in) { return in.flag() ? ADAHOP_F32 : ADAHOP_BF16; }

// M and N of a product: one of them may be above a tile.
std::pair<int64_t, int64_t> read_sides(input& in) {
  const int64_t one = in.integer(0, kMostSide), other = in.integer(0, kLongSide);
  return in.flag() ? std::pair{other, one} : std::pair{one, other};
}

call read_quantize(input& in, const policy& p, bool transforms) {
  const int64_t outer = in.integer(0, kMostRows), inner = read_inner(in, p, transforms, 0, kMostInner);
  view_input x = read_view(in, "x", read_dtype(in), outer, inner);
  return transforms ? hadamard_quantize_call(p, std::move(x), read_indices(in, "zeroed", outer))
                    : quantize_call(p, std::move(x));
}

call read_dequantize(input& in, const policy& p) {
  const int64_t outer = in.integer(0, kMostRows), logical = read_inner(in, p, false, 0, kMostInner);
  const int64_t inner = reference::extended_inner(p, logical);
  mx_input x = read_mx(in, "x", outer, inner, p.scale_layout);
  const adahop_dtype dtype = read_dtype(in);
  return dequantize_call(p, std::move(x), dtype, in.flag(), logical);
}

call read_hadamard(input& in, const policy& p) {
  const int64_t outer = in.integer(0, kMostRows), inner = read_inner(in, p, true, 0, kMostInner);
  const adahop_dtype dtype = read_dtype(in);
  view_input x = read_view(in, "x", dtype, outer, inner);
  return hadamard_call(p, std::move(x), in.flag());
}

call read_pattern(input& in, const policy& p) {
  const int64_t rows = in.integer(1, kMostRows), cols = in.integer(1, kMostInner);
  const adahop_dtype dtype = read_dtype(in);
  return pattern_call(p, read_view(in, "x", dtype, rows, cols));
}

call read_select(input& in, const policy& p) {
  const int64_t rows = in.integer(0, kMostRows), length = read_inner(in, p, false, 1, kMostInner);
  const adahop_dtype dtype = read_dtype(in);
  return select_outliers_call(p, read_view(in, "x", dtype, rows, length));
}

call read_extract(input& in, const policy& p) {
  const int64_t rows = in.integer(0, kMostRows), length = in.integer(0, kMostInner);
  view_input x = read_view(in, "x", ADAHOP_BF16, rows, length);
  return extract_outliers_call(p, std::move(x), read_indices(in, "indices", rows));
}

call read_mx_gemm(input& in, const policy& p) {
  const auto [m, n] = read_sides(in);
  const int64_t k = kBlockSize * in.integer(0, kMostInner / kBlockSize);
  mx_input a = read_mx(in, "a", m, k, p.scale_layout), b = read_mx(in, "b", n, k, p.scale_layout);
  const adahop_dtype dtype = read_dtype(in);
  return mx_gemm_call(p, std::move(a), std::move(b), dtype, in.flag());
}

call read_bf16_gemm(input& in, const policy& p) {
  const auto [m, n] = read_sides(in);
  const int64_t k = in.integer(0, kMostInner / 2);
  view_input a = read_view(in, "a", ADAHOP_BF16, m, k), b = read_view(in, "b", ADAHOP_BF16, n, k);
  const adahop_dtype dtype = read_dtype(in);
  return bf16_gemm_call(p, std::move(a), std::move(b), dtype, in.flag());
}

call read_scatter_add(input& in, const policy& p) {
  const int64_t m = in.integer(0, kMostRows), n = in.integer(0, kMostRows);
  const adahop_side side = in.flag() ? ADAHOP_SIDE_RIGHT : ADAHOP_SIDE_LEFT;
  const bool rows = side == ADAHOP_SIDE_LEFT;
  index_input at = read_indices(in, "indices", rows ? m : n);
  view_input c = read_view(in, "c", ADAHOP_F32, m, n);
  view_input add = read_view(in, "outlier", ADAHOP_F32, rows ? at.count() : m, rows ? n : at.count());
  const adahop_dtype dtype = read_dtype(in);
  const bool in_place = dtype == ADAHOP_F32 && in.flag();
  return scatter_add_call(p, std::move(c), std::move(add), std::move(at), side, dtype, in_place);
}

call read_call(input& in, adahop_op op, const policy& p) {
  switch (op) {
    case ADAHOP_OP_QUANTIZE: return read_quantize(in, p, false);
    case ADAHOP_OP_DEQUANTIZE: return read_dequantize(in, p);
    case ADAHOP_OP_HADAMARD: return read_hadamard(in, p);
    case ADAHOP_OP_HADAMARD_QUANTIZE: return read_quantize(in, p, true);
    case ADAHOP_OP_PATTERN: return read_pattern(in, p);
    case ADAHOP_OP_SELECT_OUTLIERS: return read_select(in, p);
    case ADAHOP_OP_EXTRACT_OUTLIERS: return read_extract(in, p);
    case ADAHOP_OP_MX_GEMM: return read_mx_gemm(in, p);
    case ADAHOP_OP_BF16_GEMM: return read_bf16_gemm(in, p);
    default: return read_scatter_add(in, p);
  }
}

}  // namespace

bool meets_nonfinite(call c) {
  c.rules.nonfinite = ADAHOP_NONFINITE_BLOCK_NAN;
  c.rules.nibble_order = ADAHOP_NIBBLES_LINEAR;
  const execution ran = execute(c, reference(), 0x3C);
  const guarded_array& scales = output_of(ran, "scales");
  for (int64_t r = 0; r < scales.spec().rows; ++r)
    for (int64_t b = 0; b < scales.spec().cols; ++b)
      if (scales.bits(r, b) == kE8m0Nan) return true;
  return false;
}

adahop_status expected_status(const policy& p, bool meets_nonfinite) {
  if (p.nibble_order != ADAHOP_NIBBLES_LINEAR) return ADAHOP_UNSUPPORTED;
  return p.nonfinite == ADAHOP_NONFINITE_REJECT && meets_nonfinite ? ADAHOP_NONFINITE : ADAHOP_OK;
}

adahop_op read_op(input& in) { return static_cast<adahop_op>(in.integer(0, kOperations - 1)); }

call read_operation(input& in, adahop_op op) {
  const policy p = read_policy(in, op);
  call c = read_call(in, op, p);
  const bool quantizes = op == ADAHOP_OP_QUANTIZE || op == ADAHOP_OP_HADAMARD_QUANTIZE;
  // Extraction takes no policy.
  if (op != ADAHOP_OP_EXTRACT_OUTLIERS) c.expected = expected_status(p, quantizes && meets_nonfinite(c));
  read_surroundings(in, c);
  return c;
}

}  // namespace adahop::fuzz
