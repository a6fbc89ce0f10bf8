// Argument structs and grids of the kernels. Nothing here rounds.
#include "pipeline/stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/extent.h"

namespace adahop::hip {
namespace {

static_assert(static_cast<int>(kScaleFloor) == ADAHOP_SCALE_FLOOR && static_cast<int>(kScaleCeil) == ADAHOP_SCALE_CEIL &&
              static_cast<int>(kScaleEven) == ADAHOP_SCALE_EVEN && static_cast<int>(kScaleRceil) == ADAHOP_SCALE_RCEIL);

matrix_in input(const adahop_view& v) { return {v.data, v.row_stride, v.col_stride}; }
matrix_out output(const adahop_view& v) { return {v.data, v.row_stride, v.col_stride, v.dtype == ADAHOP_BF16, 0}; }
int64_t scale_blocks(const adahop_policy& p, const adahop_mx& m) {
  return p.scale_layout == ADAHOP_LAYOUT_LINEAR ? 0 : m.inner / kBlockSize;
}
mx_in input(const adahop_policy& p, const adahop_mx& m) {
  return {m.codes, m.scales, m.codes_stride, m.scales_stride, scale_blocks(p, m)};
}
mx_out output(const adahop_policy& p, const adahop_mx& m) {
  return {m.codes, m.scales, m.codes_stride, m.scales_stride, scale_blocks(p, m)};
}
transform_args transform(const adahop_policy& p, const uint32_t* signs) { return {signs, p.hadamard_size, 0}; }
kernel by_type(const adahop_view& v, kernel f32, kernel bf16) { return v.dtype == ADAHOP_BF16 ? bf16 : f32; }

struct grid_of_blocks {
  block_grid argument;
  int64_t x, y;
};

// One thread a block of 32 of a matrix whose elements lie as in `v`, each row filled to `blocks` blocks. Groups of more
// than one block must lie in neighbouring lanes.
grid_of_blocks cover(const adahop_view& v, int64_t blocks, int32_t group_size = kBlockSize) {
  const bool outer_fastest = v.row_stride < v.col_stride && group_size <= kBlockSize;
  const grid_shape shape = outer_fastest ? kOuterFastest : kInnerFastest;
  const int64_t x = divide_up(v.rows, shape.rows);
  const int64_t y = divide_up(blocks, shape.blocks);
  return {{v.rows, blocks, v.cols, outer_fastest, static_cast<uint32_t>(std::min<int64_t>(x, UINT32_MAX))}, x, y};
}

struct quantize_kernels {
  kernel f32, bf16;
};

// Of the policy's rounding.
quantize_kernels by_rounding(const adahop_policy& p, quantize_kernels rne, quantize_kernels stochastic,
                             quantize_kernels sr) {
  if (p.element_rounding == ADAHOP_ROUND_STOCHASTIC) return stochastic;
  return p.element_rounding == ADAHOP_ROUND_GFX950_SR ? sr : rne;
}

// The pad bytes of the shuffled layout, before a kernel writes the others (SPEC 3.6).
status clear_scales(const context& on, const adahop_policy& p, const adahop_mx& out) {
  const int64_t blocks = out.inner / kBlockSize;
  const int64_t bytes = shuffled_scale_bytes(out.outer, blocks);
  if (p.scale_layout == ADAHOP_LAYOUT_LINEAR || bytes == out.outer * blocks) return {};
  return on.target.fill_zero(out.scales, static_cast<size_t>(bytes), on.stream);
}

// Launches a quantizing kernel; `arguments` gives its struct from the quantize_args inside. Positions count rows of
// `index_row` elements (SPEC 3.8).
template <class Arguments>
status launch_quantize(const context& on, const adahop_policy& p, const adahop_view& x, const adahop_mx& out,
                       adahop_quantize_result* report, kernel k, const grid_of_blocks& grid, int64_t index_row,
                       Arguments arguments) {
  ADAHOP_TRY(clear_scales(on, p, out));
  quantize_args q{input(x),      output(p, out), grid.argument, index_row, {p.sr_seed, p.sr_offset, p.sr_bits, 0},
                  p.scale_rule, p.min_scale_byte, nullptr};
  const bool reject = p.nonfinite == ADAHOP_NONFINITE_REJECT;
  if (report == nullptr && !reject) return on.launch(k, grid.x, grid.y, arguments(q));

  quantize_partial total{0, kNoPosition};
  if (const int64_t count = grid.x * grid.y; count != 0) {
    ADAHOP_ASSIGN(partials, allocate(on, (count + 1) * static_cast<int64_t>(sizeof(quantize_partial))));
    q.partials = partials.as<quantize_partial>();
    ADAHOP_TRY(on.launch(k, grid.x, grid.y, arguments(q)));
    const quantize_report_args reduce{q.partials, count, q.partials + count};
    ADAHOP_TRY(on.launch(kernel::quantize_report, 1, 1, reduce));
    ADAHOP_TRY(on.target.synchronize(on.stream));
    ADAHOP_TRY(on.target.copy_to_host(&total, reduce.total, sizeof total, on.stream));
  }
  const int64_t first = total.first_nonfinite == kNoPosition ? -1 : static_cast<int64_t>(total.first_nonfinite);
  if (report != nullptr) *report = {static_cast<int64_t>(total.clipped), first};
  if (reject && first >= 0 && !on.dry_run)  // a dry run has no elements
    return {ADAHOP_NONFINITE,
            fmt::format("quantize: element ({}, {}) is NaN or Inf, policy nonfinite=reject wants finite values",
                        first / index_row, first % index_row)};
  return {};
}

// Outputs of a thread block of a tuned product, along M and along N.
constexpr int64_t kTunedTile = 128;

// Whether the tuned products can read an operand: 16-byte accesses of codes, 4-byte ones of shuffled scales.
bool fits_tuned(const adahop_policy& p, const adahop_mx& m) {
  const auto multiple = [](const void* address, uintptr_t of) { return reinterpret_cast<uintptr_t>(address) % of == 0; };
  return multiple(m.codes, 16) && m.codes_stride % 16 == 0 &&
         (p.scale_layout == ADAHOP_LAYOUT_LINEAR || multiple(m.scales, 4));
}

// The operand with shuffled scales; linear ones are copied into `memory`.
result<mx_in> shuffled_input(const context& on, const adahop_policy& p, const adahop_mx& m, device_buffer& memory) {
  if (p.scale_layout != ADAHOP_LAYOUT_LINEAR) return input(p, m);
  const int64_t blocks = m.inner / kBlockSize;
  ADAHOP_ASSIGN(scales, allocate(on, shuffled_scale_bytes(m.outer, blocks)));
  const int64_t grid_y = std::min<int64_t>(divide_up(blocks, kShuffleBlocks), 1024);
  ADAHOP_TRY(on.launch(kernel::shuffle_scales, divide_up(m.outer, 4 * kShuffleRows), grid_y,
                       shuffle_scales_args{m.scales, m.scales_stride, scales.as<uint32_t>(), m.outer, blocks, grid_y}));
  const mx_in shuffled{m.codes, scales.as<const uint8_t>(), m.codes_stride, 0, blocks};
  memory = std::move(scales);
  return shuffled;
}

status tuned_mx_gemm(const context& on, const adahop_policy& p, const adahop_mx& a, const adahop_mx& b,
                     const adahop_view& out) {
  device_buffer a_scales, b_scales;
  ADAHOP_ASSIGN(left, shuffled_input(on, p, a, a_scales));
  ADAHOP_ASSIGN(right, shuffled_input(on, p, b, b_scales));
  const mx_gemm_args args{left, right, output(out), a.outer, b.outer, a.inner / kBlockSize};
  const bool native = on.mode == ADAHOP_MODE_NATIVE;
  ADAHOP_TRY(on.launch(native ? kernel::tuned_mx_gemm_native : kernel::tuned_mx_gemm, divide_up(a.outer, kTunedTile),
                       divide_up(b.outer, kTunedTile), args));
  return p.scale_layout == ADAHOP_LAYOUT_LINEAR ? on.target.synchronize(on.stream) : status{};  // copies are freed here
}

// Whether the blocks that mfma_model sums at once are there in one matrix instruction.
status check_mfma_model(const context& on) {
  const bool products = on.mfma.combine == mfma_combine::trfdpa || on.mfma.combine == mfma_combine::gtrfdpa;
  const int64_t blocks = products ? divide_up(on.mfma.group, kBlockSize) : on.mfma.group;
  const int64_t there = on.tile == mx_tile::k16x16x128 ? 4 : 2;
  if (blocks <= there) return {};
  return unsupported(
      fmt::format("mfma_model: sums {} blocks at once, the matrix instruction of mx_tile has {}", blocks, there));
}

}  // namespace

status quantize(const context& on, const adahop_policy& p, const adahop_view& x, const adahop_mx& out,
                adahop_quantize_result* report) {
  const quantize_kernels kernels = by_rounding(p, {kernel::quantize_f32, kernel::quantize_bf16},
                                               {kernel::quantize_stochastic_f32, kernel::quantize_stochastic_bf16},
                                               {kernel::quantize_sr_f32, kernel::quantize_sr_bf16});
  return launch_quantize(on, p, x, out, report, by_type(x, kernels.f32, kernels.bf16), cover(x, out.inner / kBlockSize),
                         x.cols, [](const quantize_args& q) { return q; });
}

result<device_buffer> hadamard_signs(const context& on, const adahop_policy& p, int64_t inner) {
  if (p.hadamard_signs == ADAHOP_SIGNS_NONE) return device_buffer{};
  const int64_t words = inner / kBlockSize;
  ADAHOP_ASSIGN(signs, allocate(on, words * static_cast<int64_t>(sizeof(uint32_t))));
  ADAHOP_TRY(on.launch(kernel::hadamard_signs, divide_up(inner, 256), 1,
                       hadamard_signs_args{p.hadamard_seed, signs.as<uint32_t>(), words}));
  return signs;
}

status hadamard_quantize(const context& on, const adahop_policy& p, const adahop_view& x, const uint32_t* signs,
                         const int32_t* positions, const adahop_mx& out, adahop_quantize_result* report) {
  const quantize_kernels kernels =
      by_rounding(p, {kernel::hadamard_quantize_f32, kernel::hadamard_quantize_bf16},
                  {kernel::hadamard_quantize_stochastic_f32, kernel::hadamard_quantize_stochastic_bf16},
                  {kernel::hadamard_quantize_sr_f32, kernel::hadamard_quantize_sr_bf16});
  const int32_t round = p.hadamard_output == ADAHOP_BF16;
  return launch_quantize(on, p, x, out, report, by_type(x, kernels.f32, kernels.bf16),
                         cover(x, out.inner / kBlockSize, p.hadamard_size), out.inner, [&](const quantize_args& q) {
                           return hadamard_quantize_args{q, transform(p, signs), positions, round, 0};
                         });
}

status hadamard(const context& on, const adahop_policy& p, const adahop_view& x, const uint32_t* signs,
                const adahop_view& out) {
  const grid_of_blocks grid = cover(x, out.cols / kBlockSize, p.hadamard_size);
  return on.launch(by_type(x, kernel::hadamard_f32, kernel::hadamard_bf16), grid.x, grid.y,
                   hadamard_args{input(x), output(out), grid.argument, transform(p, signs)});
}

status dequantize(const context& on, const adahop_policy& p, const adahop_mx& x, const adahop_view& out) {
  const grid_of_blocks grid = cover(out, divide_up(out.cols, kBlockSize));
  return on.launch(kernel::dequantize, grid.x, grid.y, dequantize_args{input(p, x), output(out), grid.argument});
}

status row_variances(const context& on, const adahop_view& x, double* variance) {
  return on.launch(by_type(x, kernel::line_variance_f32, kernel::line_variance_bf16), divide_up(x.rows, 64), 1,
                   line_variance_args{input(x), variance, x.rows, x.cols});
}

status select_outliers(const context& on, const adahop_policy& p, const adahop_view& x, int64_t k, float* scores,
                       int32_t* indices) {
  const auto window = static_cast<int32_t>(std::min<int64_t>(p.foid_window, extended(p, x.cols)));
  ADAHOP_TRY(on.launch(by_type(x, kernel::foid_score_f32, kernel::foid_score_bf16), divide_up(x.rows, 64), 1,
                       foid_score_args{input(x), scores, x.rows, x.cols, window, 0}));
  ADAHOP_ASSIGN(selected, allocate(on, x.rows * static_cast<int64_t>(sizeof(int32_t))));
  ADAHOP_TRY(on.launch(kernel::select_rank, divide_up(x.rows, 256), 1,
                       select_rank_args{scores, selected.as<int32_t>(), x.rows, k}));
  ADAHOP_TRY(on.launch(kernel::select_compact, 1, 1, select_compact_args{selected.as<int32_t>(), indices, x.rows}));
  return on.target.synchronize(on.stream);  // `selected` is freed here
}

status gather_outliers(const context& on, const adahop_view& x, const int32_t* indices, const adahop_view& out) {
  return on.launch(kernel::gather_outliers, out.rows, divide_up(out.cols, 256),
                   gather_outliers_args{input(x), output(out), indices, out.cols});
}

result<device_buffer> positions_of(const context& on, const int32_t* indices, int64_t count, int64_t length) {
  const int64_t bytes = length * static_cast<int64_t>(sizeof(int32_t));
  ADAHOP_ASSIGN(positions, allocate(on, bytes));
  if (bytes == 0) return positions;
  ADAHOP_TRY(on.target.fill_zero(positions.as<void>(), static_cast<size_t>(bytes), on.stream));
  ADAHOP_TRY(on.launch(kernel::mark_positions, divide_up(count, 64), 1,
                       mark_positions_args{indices, positions.as<int32_t>(), count}));
  return positions;
}

status mx_gemm(const context& on, const adahop_policy& p, const adahop_mx& a, const adahop_mx& b,
               const adahop_view& out) {
  const bool wide_k = on.tile == mx_tile::k16x16x128;
  if (on.takes_tuned() && fits_tuned(p, a) && fits_tuned(p, b)) return tuned_mx_gemm(on, p, a, b, out);
  const int64_t x = divide_up(a.outer, 64), y = divide_up(b.outer, 64);
  const mx_gemm_args args{input(p, a), input(p, b), output(out), a.outer, b.outer, a.inner / kBlockSize};
  if (on.mode != ADAHOP_MODE_NATIVE)
    return on.launch(wide_k ? kernel::mx_gemm_16x16x128 : kernel::mx_gemm_32x32x64, x, y, args);
  ADAHOP_TRY(check_mfma_model(on));
  return on.launch(wide_k ? kernel::mx_gemm_native_16x16x128 : kernel::mx_gemm_native_32x32x64, x, y,
                   mx_gemm_native_args{args, on.mfma});
}

status outlier_gemm(const context& on, const adahop_policy& p, const mx_pair& residual, const adahop_view& a,
                    const adahop_view& b, const int32_t* positions, adahop_side side, float* part, const adahop_view& out) {
  const mx_gemm_args product{input(p, residual.a.mx), input(p, residual.b.mx), output(out), a.rows, b.rows,
                             residual.a.mx.inner / kBlockSize};
  const bool native = on.mode == ADAHOP_MODE_NATIVE;
  return on.launch(native ? kernel::tuned_outlier_gemm_native : kernel::tuned_outlier_gemm,
                   divide_up(a.rows, kTunedTile), divide_up(b.rows, kTunedTile),
                   outlier_gemm_args{product, input(a), input(b), positions, part, a.cols, side == ADAHOP_SIDE_LEFT, 0});
}

status bf16_gemm(const context& on, const adahop_view& a, const adahop_view& b, const adahop_view& out) {
  return on.launch(kernel::bf16_gemm, divide_up(a.rows, 64), divide_up(b.rows, 64),
                   bf16_gemm_args{input(a), input(b), output(out), a.rows, b.rows, a.cols});
}

status scatter_add(const context& on, const adahop_view& c, const adahop_view& outlier, const int32_t* positions,
                   adahop_side side, const adahop_view& out) {
  return on.launch(kernel::scatter_add, divide_up(c.rows, 4), divide_up(c.cols, 64),
                   scatter_add_args{input(c), input(outlier), positions, output(out), c.rows, c.cols,
                                    side == ADAHOP_SIDE_LEFT, 0});
}

}  // namespace adahop::hip
