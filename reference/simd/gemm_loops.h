// The loops of every product C = A * transpose(B): a large tile of C at a time, over it the depth in chunks; of each
// chunk the panels of both operands are packed, then register tiles run over them. Each register tile of a chunk is one
// thread's and takes chunks in ascending order, so the bytes of C depend neither on threads nor on these sizes, and
// what a product holds beside its operands does not grow with them.
#pragma once
#include <algorithm>
#include <cstdint>

#include "reference/parallel.h"
#include "reference/simd/gemm_buffer.h"

namespace adahop::reference::simd {

/// [begin, end) along the depth, in the product's units.
struct depth_range {
  int64_t begin, end;
  int64_t size() const { return end - begin; }
};

/// A register tile in C; `rows` and `columns` are those that exist.
struct tile_place {
  int64_t row, column, rows, columns;
};

constexpr int64_t ceil_div(int64_t n, int64_t d) { return (n + d - 1) / d; }

/// Of C; whole panels of 6 and of 12 rows. With several chunks the sums between them want to stay near; with one,
/// threads wait less for each other over a larger tile.
inline constexpr int64_t kLargeTileRows = 1032, kLargeTileColumns = 1024;
inline constexpr int64_t kOneChunkRows = 4128, kOneChunkColumns = 4096;

/// `Product` describes the operands and the register tile:
///   value                          of an accumulator, 4 bytes
///   kRows, kColumns                the register tile
///   kRowsUnit, kColumnsUnit        bytes of a panel for one unit of depth
///   kChunk                         units of depth of which both panels fit in L1
///   kWorkPerUnit                   multiplications of an output in one unit
///   rows(), columns(), depth()     of the whole product
///   pack_rows(row, depth, to), pack_columns(column, depth, to): the panel from there on; called by any thread, in
///                                  ascending depth, each panel of the large tile once a chunk
///   multiply(place, a, b, units, tile)   adds a chunk to the tile
///   expect(place)                  the tile will be finished after the next multiply: a time to ask for its memory
///   finish(place, tile)            after the last chunk
/// None of them throws.
template <class Product>
class gemm_loops {
 public:
  explicit gemm_loops(Product& product)
      : product_(product),
        chunks_(std::max<int64_t>(1, ceil_div(product.depth(), Product::kChunk))),
        large_rows_(round_to(std::min(chunks_ > 1 ? kLargeTileRows : kOneChunkRows, product.rows()), Product::kRows)),
        large_columns_(round_to(std::min(chunks_ > 1 ? kLargeTileColumns : kOneChunkColumns, product.columns()),
                                Product::kColumns)),
        memory_(columns_bytes() + accumulator_bytes() + rows_bytes()) {}

  /// Computes columns [first, end) of C; first is a multiple of Product::kColumns.
  void run(int64_t first, int64_t end) {
    for (int64_t column = first; column < end; column += large_columns_)
      for (int64_t row = 0; row < product_.rows(); row += large_rows_)
        large_tile({row, column, std::min(large_rows_, product_.rows() - row), std::min(large_columns_, end - column)});
  }

 private:
  using value = typename Product::value;
  static constexpr int64_t kTile = Product::kRows * Product::kColumns;
  static constexpr int64_t kTaskRowPanels = 240 / Product::kRows;  // of A, packed: a part of L2
  static constexpr int64_t kTaskColumnPanels = 8;
  static constexpr int64_t kLine = 64;  // of the caches
  static constexpr int64_t kSerialWork = int64_t{1} << 20;  // below it starting threads costs more than it saves

  static int64_t round_to(int64_t n, int64_t multiple) { return ceil_div(n, multiple) * multiple; }
  int64_t chunk_units() const { return std::min(product_.depth(), Product::kChunk); }
  // Columns first: their panels, and the tiles, want the alignment.
  int64_t columns_bytes() const { return large_columns_ / Product::kColumns * Product::kColumnsUnit * chunk_units(); }
  int64_t rows_bytes() const { return large_rows_ / Product::kRows * Product::kRowsUnit * chunk_units(); }
  // A product of one chunk keeps its register tiles on the stack.
  int64_t accumulator_bytes() const { return chunks_ > 1 ? large_rows_ * large_columns_ * 4 : 0; }

  template <class Body>
  static void over_tasks(int count, int64_t tasks, const Body& body) {
#pragma omp parallel num_threads(count)
    {
      const default_fp_environment environment;
#pragma omp for schedule(dynamic)
      for (int64_t i = 0; i < tasks; ++i) body(i);
    }
  }

  void large_tile(const tile_place& c) {
    const int64_t work = c.rows * c.columns * std::max<int64_t>(1, chunk_units()) * Product::kWorkPerUnit;
    const int count = work < kSerialWork ? 1 : threads();
    for (int64_t i = 0; i < chunks_; ++i) {
      const depth_range depth{i * Product::kChunk, std::min((i + 1) * Product::kChunk, product_.depth())};
      if (depth.size() > 0) pack(c, depth, count);
      multiply(c, depth, count);
    }
  }

  void pack(const tile_place& c, const depth_range& depth, int count) {
    const int64_t row_panels = ceil_div(c.rows, Product::kRows), column_panels = ceil_div(c.columns, Product::kColumns);
    over_tasks(count, row_panels + column_panels, [&](int64_t i) {
      if (i < column_panels)
        product_.pack_columns(c.column + i * Product::kColumns, depth, columns_panel(i, depth));
      else
        product_.pack_rows(c.row + (i - column_panels) * Product::kRows, depth, rows_panel(i - column_panels, depth));
    });
  }

  void multiply(const tile_place& c, const depth_range& depth, int count) {
    const int64_t row_panels = ceil_div(c.rows, Product::kRows), column_panels = ceil_div(c.columns, Product::kColumns);
    int64_t task_rows = kTaskRowPanels, task_columns = kTaskColumnPanels;
    const auto tasks = [&] { return ceil_div(row_panels, task_rows) * ceil_div(column_panels, task_columns); };
    // Enough tasks that no thread waits long for the last one.
    while (count > 1 && tasks() < 32 * count && (task_rows > 1 || task_columns > 1))
      (task_columns > 1 ? task_columns : task_rows) /= 2;
    const int64_t across = ceil_div(column_panels, task_columns);
    over_tasks(count, tasks(), [&](int64_t task) {
      const int64_t i0 = task / across * task_rows, j0 = task % across * task_columns;
      const int64_t rows_here = std::min(task_rows, row_panels - i0);
      const int64_t tiles = rows_here * std::min(task_columns, column_panels - j0);
      alignas(64) value local[2][kTile];
      const auto tile_of = [&](int64_t t) {
        if (chunks_ == 1) return local[t % 2];
        return accumulators() + ((j0 + t / rows_here) * row_panels + i0 + t % rows_here) * kTile;
      };
      // A tile is cleared, or asked for, while the one before it is computed: the kernel's wide loads cannot take what
      // narrower stores have not brought to the cache yet.
      const auto prepare = [&](int64_t t) {
        if (t >= tiles) return;
        value* const tile = tile_of(t);
        if (depth.begin == 0) std::fill_n(tile, kTile, value{0});
        for (int64_t i = 0; depth.begin > 0 && i < kTile; i += kLine / 4) __builtin_prefetch(tile + i, 1);
      };
      prepare(0);
      for (int64_t t = 0; t < tiles; ++t) {
        prepare(t + 1);
        register_tile(c, depth, i0 + t % rows_here, j0 + t / rows_here, tile_of(t));
      }
    });
  }

  void register_tile(const tile_place& c, const depth_range& depth, int64_t i, int64_t j, value* tile) {
    const int64_t row = i * Product::kRows, column = j * Product::kColumns;
    const tile_place place{c.row + row, c.column + column, std::min(Product::kRows, c.rows - row),
                           std::min(Product::kColumns, c.columns - column)};
    const bool last = depth.end == product_.depth();
    if (last) product_.expect(place);
    product_.multiply(place, rows_panel(i, depth), columns_panel(j, depth), depth.size(), tile);
    if (last) product_.finish(place, tile);
  }

  value* accumulators() const { return reinterpret_cast<value*>(memory_.data() + columns_bytes()); }
  uint8_t* columns_panel(int64_t j, const depth_range& depth) const {
    return memory_.data() + j * Product::kColumnsUnit * depth.size();
  }
  uint8_t* rows_panel(int64_t i, const depth_range& depth) const {
    return memory_.data() + columns_bytes() + accumulator_bytes() + i * Product::kRowsUnit * depth.size();
  }

  Product& product_;
  int64_t chunks_, large_rows_, large_columns_;
  gemm_buffer memory_;
};

}  // namespace adahop::reference::simd
