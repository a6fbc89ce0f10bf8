// Argument structs of the kernels, one POD a kernel, shared by host and device. Pointers are device pointers, strides
// and shapes count elements unless a name says bytes. Every kernel expects shapes that the pipeline has checked.
#pragma once
#include <stdint.h>

namespace adahop::hip {

/// Element (r, c) is data[r * row_stride + c * col_stride]; its type is the kernel's.
struct matrix_in {
  const void* data;
  int64_t row_stride, col_stride;
};

/// An F32 or, where is_bf16, BF16 matrix.
struct matrix_out {
  void* data;
  int64_t row_stride, col_stride;
  int32_t is_bf16;
  int32_t reserved;
};

/// An MXFP4 matrix (SPEC 3.1); strides in bytes. scale_blocks is 0 where the scales lie linearly, else the number of
/// blocks in a row of the layout of SPEC 3.5, in which scales_stride has no meaning.
struct mx_out {
  uint8_t* codes;
  uint8_t* scales;
  int64_t codes_stride, scales_stride;
  int64_t scale_blocks;
};
struct mx_in {
  const uint8_t* codes;
  const uint8_t* scales;
  int64_t codes_stride, scales_stride;
  int64_t scale_blocks;
};

/// The scale rules of SPEC 5.2-5.5 by the numbers of the C ABI, whose header device code does not include.
enum scale_rule : int32_t { kScaleFloor = 0, kScaleCeil = 1, kScaleEven = 2, kScaleRceil = 3 };

/// How thread blocks of 256 cover a matrix of MX blocks, one thread a block: 32 rows x 8 blocks each, or 64 rows x 4
/// blocks where neighbouring threads take neighbouring rows. The grid is ceil(outer / rows) x ceil(blocks / columns).
struct grid_shape {
  int32_t rows, blocks;
};
inline constexpr grid_shape kInnerFastest = {32, 8};
inline constexpr grid_shape kOuterFastest = {64, 4};

struct block_grid {
  int64_t outer;         ///< rows
  int64_t blocks;        ///< 32-element blocks in a row
  int64_t length;         ///< elements in a row; where the last blocks reach beyond, they hold +0 (SPEC 3.7)
  int32_t outer_fastest;  ///< kOuterFastest, for an inner dimension that is strided in memory
  uint32_t grid_x;       ///< thread blocks along x
};

/// What a thread block saw; reduced by quantize_report. No atomics, so the report does not depend on order.
struct quantize_partial {
  uint64_t clipped;
  uint64_t first_nonfinite;  ///< position in stored order, kNoPosition if none
};
inline constexpr uint64_t kNoPosition = ~uint64_t{0};

/// Random rounding: where its words come from. Kernels that round to nearest do not look at it.
struct rounding_args {
  uint64_t seed, offset;
  int32_t bits;  ///< stochastic
  int32_t reserved;
};

struct quantize_args {
  matrix_in x;
  mx_out out;
  block_grid grid;
  int64_t index_row;  ///< elements in a row as positions count them (SPEC 3.8)
  rounding_args rounding;
  int32_t rule;  ///< scale_rule
  int32_t min_scale_byte;
  quantize_partial* partials;  ///< one a thread block, or null: no report
};

/// The transform. Sizes above 32 need kInnerFastest: the blocks of a group then lie in neighbouring lanes.
struct transform_args {
  const uint32_t* signs;  ///< [blocks] bit i is set where element i of the block changes sign; null: none does
  int32_t size;           ///< 16, 32, 64, 128
  int32_t reserved;
};

/// Bit i of words[w] is the sign of element 32 w + i of the inner dimension.
struct hadamard_signs_args {
  uint64_t seed;
  uint32_t* words;
  int64_t words_count;
};

struct hadamard_quantize_args {
  quantize_args quantize;
  transform_args transform;
  const int32_t* positions;  ///< [outer] non-zero: the row counts as +0; null: none does
  int32_t round_to_bf16;     ///< hadamard_output
  int32_t reserved;
};

struct quantize_report_args {
  const quantize_partial* partials;
  int64_t count;
  quantize_partial* total;
};

struct hadamard_args {
  matrix_in x;
  matrix_out out;
  block_grid grid;
  transform_args transform;
};

struct dequantize_args {
  mx_in x;
  matrix_out out;
  block_grid grid;
};

/// Variances of `lines` lines of `length` elements; element e of line l is x(l, e).
struct line_variance_args {
  matrix_in x;
  double* variance;
  int64_t lines, length;
};

struct foid_score_args {
  matrix_in x;
  float* scores;
  int64_t rows;
  int64_t length;  ///< elements in a row; a window that reaches beyond sees +0
  int32_t window;  ///< 32 or 64
  int32_t reserved;
};

struct select_rank_args {
  const float* scores;
  int32_t* selected;  ///< [rows] 1 or 0
  int64_t rows, k;
};

struct select_compact_args {
  const int32_t* selected;
  int32_t* indices;  ///< [k] ascending
  int64_t rows;
};

/// positions[indices[i]] = i + 1; the array is zero before.
struct mark_positions_args {
  const int32_t* indices;
  int32_t* positions;
  int64_t count;
};

struct gather_outliers_args {
  matrix_in x;  ///< BF16
  matrix_out out;
  const int32_t* indices;
  int64_t length;
};

/// Scale bytes [rows][blocks] into the layout of SPEC 3.5, pad bytes 0x00.
struct shuffle_scales_args {
  const uint8_t* scales;
  int64_t stride;
  uint32_t* shuffled;
  int64_t rows, blocks;
  int64_t grid_y;  ///< thread blocks along K
};

/// The tuned kernels want scale_blocks above 0 in both operands, codes and their stride at multiples of 16 bytes, scales
/// at multiples of 4.
struct mx_gemm_args {
  mx_in a, b;
  matrix_out out;
  int64_t m, n, blocks;
};

/// A product with extracted outliers at once: `product` is that of the residual, a and b the BF16 operands [m x k] and
/// [n x k]. Where `positions` [m] (by_rows) or [n] are not 0, the row of a (b) is multiplied with all rows of the other
/// operand into row `positions` - 1 of `part`, of n (m) elements, and added.
struct outlier_gemm_args {
  mx_gemm_args product;
  matrix_in a, b;
  const int32_t* positions;
  float* part;
  int64_t k;
  int32_t by_rows;
  int32_t reserved;
};

/// How an emulated matrix instruction combines its blocks with C; matrix cores have their own way and ignore it.
enum class mfma_combine : int32_t { fused, seq, trfdpa, gtrfdpa, block_first };
struct mfma_model {
  mfma_combine combine;
  int32_t group;  ///< products (trfdpa, gtrfdpa) or blocks (block_first) that are summed at once; else 0
};

struct mx_gemm_native_args {
  mx_gemm_args product;
  mfma_model model;
};

struct bf16_gemm_args {
  matrix_in a, b;
  matrix_out out;
  int64_t m, n, k;
};

struct scatter_add_args {
  matrix_in c;
  matrix_in outlier;
  const int32_t* positions;  ///< [m] (by_rows) or [n]: 1 + the line of `outlier`, 0 where C stands alone
  matrix_out out;
  int64_t m, n;
  int32_t by_rows;
  int32_t reserved;
};

}  // namespace adahop::hip
