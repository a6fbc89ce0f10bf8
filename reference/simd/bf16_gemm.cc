// The BF16 product under seq_fma: every output is one chain of fma in ascending k, sixteen or eight outputs side by
// side. Implements SPEC 10.7-10.9.
#include "reference/simd/bf16_gemm.h"

#include "reference/bf16_gemm.h"
#include "reference/simd/gemm_loops.h"
#include "reference/simd/gemm_output.h"
#include "reference/simd/staging.h"

namespace adahop::reference::simd {
namespace {

// A `Product` of gemm_loops; a unit of depth is one k.
class bf16_product {
 public:
  using value = float;
  static constexpr int64_t kRows = kBf16TileRows, kColumns = kBf16TileColumns;
  static constexpr int64_t kRowsUnit = kRows * 4, kColumnsUnit = kColumns * 4;
  static constexpr int64_t kChunk = kStagedColumns, kWorkPerUnit = 4;

  bf16_product(const kernel_table& k, const adahop_view& a, const adahop_view& b, const adahop_view& out)
      : kernels_(k), a_(a), b_(b), out_(out) {}

  int64_t rows() const { return out_.rows; }
  int64_t columns() const { return out_.cols; }
  int64_t depth() const { return a_.cols; }
  void pack_rows(int64_t row, const depth_range& depth, uint8_t* to) const { pack(a_, row, kRows, depth, to); }
  void pack_columns(int64_t column, const depth_range& depth, uint8_t* to) const {
    pack(b_, column, kColumns, depth, to);
  }
  void multiply(const tile_place&, const uint8_t* a, const uint8_t* b, int64_t units, float* tile) const {
    kernels_.gemm_bf16_tile(reinterpret_cast<const float*>(a), reinterpret_cast<const float*>(b), units, tile);
  }
  void expect(const tile_place& place) const { expect_tile(out_, place); }
  void finish(const tile_place& place, const float* tile) const {
    static constexpr uint32_t kNoNan[kBf16TileColumns] = {};
    store_tile(kernels_, out_, place, tile, kColumns, kNoNan, kNoNan);
  }

 private:
  void pack(const adahop_view& x, int64_t line, int64_t width, const depth_range& depth, uint8_t* to) const {
    const int64_t count = std::min(width, x.rows - line);
    float* const panel = reinterpret_cast<float*>(to);
    if (x.col_stride == 1) {
      const uint16_t* const first = row_of<uint16_t>(x, line) + depth.begin;
      return kernels_.gemm_pack_bf16(first, x.row_stride, count, depth.size(), width, panel);
    }
    alignas(64) uint16_t staged[kStagedRows * kStagedColumns];
    stage(kernels_, x, line, count, depth.begin, depth.size(), staged);
    kernels_.gemm_pack_bf16(staged, depth.size(), count, depth.size(), width, panel);
  }

  const kernel_table& kernels_;
  adahop_view a_, b_, out_;
};

static_assert(kBf16TileColumns <= kStagedRows);

}  // namespace

void bf16_gemm(const policy& p, const adahop_view& a, const adahop_view& b, const adahop_view& out) {
  const kernel_table* const k = kernels();
  const bool empty = out.rows == 0 || out.cols == 0;
  if (k == nullptr || empty || p.bf16_gemm_model != ADAHOP_BF16_SEQ_FMA) return reference::bf16_gemm(p, a, b, out);
  // An output whose columns lie together is the transpose of one whose rows do: a product's factors may change places.
  if (out.col_stride != 1 && out.row_stride == 1) return bf16_gemm(p, b, a, transposed(out));
  bf16_product product(*k, a, b, out);
  gemm_loops(product).run(0, out.cols);
}

}  // namespace adahop::reference::simd
