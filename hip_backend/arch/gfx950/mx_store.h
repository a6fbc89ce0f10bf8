// Storing the results of a tuned product. Each wave lays its results out in shared memory by row and column, so that
// neighbouring lanes then store neighbouring columns, four at once where the output allows it. Rounding and the canonical
// NaN are those of the portable kernels. Implements SPEC 1.4, 10.8.
#pragma once
#include "arch/gfx950/mx_stage.h"

namespace adahop::hip {

/// Four neighbouring columns of one row.
typedef float result_quad __attribute__((ext_vector_type(4)));

/// Rows x Columns results of one wave in the memory of the two stages, whose loads and reads are over. Quad q of row r
/// lies at slot q ^ r % 16 of the row: in 16 rows at one quad and in one row at 16 quads, all bank groups differ.
template <uint32_t Rows, uint32_t Columns>
class wave_results {
 public:
  static constexpr uint32_t kQuads = Columns / 4;  ///< of a row
  static constexpr uint32_t kSteps = Rows * kQuads / kWave;
  static_assert(2 * Rows * Columns * sizeof(float) <= sizeof(mx_stage), "two waves share a stage");

  ADAHOP_DEVICE_FN wave_results(mx_stage& stage_0, mx_stage& stage_1) {
    const uint32_t wave = wave_number();
    mx_stage* const half = wave < kStageWaves / 2 ? &stage_0 : &stage_1;
    first_ = reinterpret_cast<result_quad*>(half) + wave % 2 * Rows * kQuads;
  }

  ADAHOP_DEVICE_FN result_quad& at(uint32_t row, uint32_t quad) const {
    return first_[row * kQuads + (quad ^ (row % 16))];
  }

 private:
  result_quad* first_;
};

/// Whether a row's columns 4 i .. 4 i + 3 are one aligned 16-byte (F32) or 8-byte (BF16) access.
ADAHOP_DEVICE_FN bool stores_quads(const matrix_out& out) {
  const uint64_t bytes = out.is_bf16 != 0 ? 8 : 16;
  return out.col_stride == 1 && out.row_stride % 4 == 0 && reinterpret_cast<uint64_t>(out.data) % bytes == 0;
}

/// Stores (row, column .. column + 3), all inside the output; stores_quads() holds.
ADAHOP_DEVICE_FN void store_quad(const matrix_out& out, int64_t row, int64_t column, result_quad v) {
  const int64_t at = row * out.row_stride + column;
  if (out.is_bf16 != 0) {
    typedef uint16_t quad __attribute__((ext_vector_type(4)));
    *reinterpret_cast<quad*>(static_cast<uint16_t*>(out.data) + at) =
        quad{round_to_bf16(v.x), round_to_bf16(v.y), round_to_bf16(v.z), round_to_bf16(v.w)};
  } else {
    *reinterpret_cast<result_quad*>(static_cast<float*>(out.data) + at) =
        result_quad{canonical(v.x), canonical(v.y), canonical(v.z), canonical(v.w)};
  }
}

/// Stores a wave's results, the elements inside the product; finish(row, column, quad) is applied first.
template <class Tile, class Finish>
ADAHOP_DEVICE_FN void store_results(const mx_gemm_args& args, int64_t m0, int64_t n0, const Tile& tile,
                                    const typename Tile::results& results, const Finish& finish) {
  constexpr uint32_t kQuads = Tile::results::kQuads;
  const bool quads = stores_quads(args.out);
#pragma unroll 1
  for (uint32_t step = 0; step < Tile::results::kSteps; ++step) {
    const uint32_t i = step * kWave + lane();
    const int64_t row = m0 + tile.row(i / kQuads);
    const int64_t column = n0 + tile.column(4 * (i % kQuads));
    if (row < args.m && column < args.n) {
      const result_quad v = finish(row, column, results.at(i / kQuads, i % kQuads));
      if (quads && column + 4 <= args.n) {
        store_quad(args.out, row, column, v);
      } else {
        ADAHOP_UNROLL
        for (int c = 0; c < 4; ++c)
          if (column + c < args.n) store(args.out, row, column + c, v[c]);
      }
    }
  }
}

/// The end of a product: the tile's results through the stages, whose loads and reads are over, into the output.
template <class Tile, class Finish>
ADAHOP_DEVICE_FN void store_tile(const mx_gemm_args& args, int64_t m0, int64_t n0, const Tile& tile, mx_stage& stage_0,
                                 mx_stage& stage_1, const Finish& finish) {
  finish_stage();
  const typename Tile::results results(stage_0, stage_1);
  tile.lay_out(results);
  ADAHOP_BARRIER();
  store_results(args, m0, n0, tile, results, finish);
}

struct as_it_is {
  ADAHOP_DEVICE_FN result_quad operator()(int64_t, int64_t, result_quad v) const { return v; }
};

}  // namespace adahop::hip
