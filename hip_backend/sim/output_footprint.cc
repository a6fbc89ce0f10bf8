// The outputs of each argument struct. A struct without an overload of outputs() does not compile.
#include "sim/output_footprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "kernels/args.h"

namespace adahop::hip::sim {

/// Collects byte ranges. Once a range lies in no allocation nothing more is added: the kernel is then given memory that is
/// not there, and its accesses fault by themselves.
class footprint_builder {
 public:
  explicit footprint_builder(const allocation_list& memory) : memory_(memory) {}

  void bytes(const void* data, int64_t count) {
    const auto address = reinterpret_cast<uintptr_t>(data);
    if (lost_ || count <= 0) return;
    const auto n = static_cast<size_t>(count);
    if (last_ == nullptr || !last_->holds(address, n)) seek(address, n);
    if (lost_) return;
    bitmap_->set(address - last_->begin(), n);
  }

  /// Rows x columns elements of `size` bytes.
  void matrix(const void* data, int64_t row_stride, int64_t col_stride, int64_t rows, int64_t cols, int64_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    if (row_stride == 1 && col_stride != 1) {
      std::swap(row_stride, col_stride);
      std::swap(rows, cols);
    }
    for (int64_t r = 0; r < rows && !lost_; ++r) {
      const std::byte* row = first + r * row_stride * size;
      if (col_stride == 1 || cols == 1)
        bytes(row, cols * size);
      else
        for (int64_t c = 0; c < cols && !lost_; ++c) bytes(row + c * col_stride * size, size);
    }
  }
  void matrix(const matrix_out& out, int64_t rows, int64_t cols) {
    matrix(out.data, out.row_stride, out.col_stride, rows, cols, out.is_bf16 != 0 ? 2 : 4);
  }

  /// What lies at `data`, for outputs that follow from it; null where it lies in no allocation.
  template <class T>
  const T* read(const T* data, int64_t count) const {
    const auto address = reinterpret_cast<uintptr_t>(data);
    const auto n = static_cast<size_t>(count) * sizeof(T);
    for (const auto& a : memory_)
      if (count >= 0 && a->holds(address, n)) return data;
    return nullptr;
  }

  output_footprint take() { return std::move(made_); }

 private:
  void seek(uintptr_t address, size_t count) {
    for (const auto& a : memory_) {
      if (!a->holds(address, count)) continue;
      last_ = a.get();
      bitmap_ = &made_.writable_.try_emplace(a->number(), a->bytes()).first->second;
      return;
    }
    lost_ = true;
  }

  const allocation_list& memory_;
  const allocation* last_ = nullptr;
  byte_bitmap* bitmap_ = nullptr;
  bool lost_ = false;
  output_footprint made_;
};

namespace {

constexpr int64_t kBlock = 32;

int64_t divide_up(int64_t n, int64_t d) { return (n + d - 1) / d; }

// SPEC 3.5, of row x and block y.
int64_t shuffled_offset(int64_t x, int64_t y, int64_t blocks) {
  const int64_t q = divide_up(blocks, 8) * 8;
  return x / 32 * 32 * q + y / 8 * 256 + y % 4 * 64 + x % 16 * 4 + y % 8 / 4 * 2 + x % 32 / 16;
}

void mx(footprint_builder& to, const mx_out& out, int64_t rows, int64_t blocks) {
  for (int64_t r = 0; r < rows; ++r) to.bytes(out.codes + r * out.codes_stride, 16 * blocks);
  for (int64_t r = 0; r < rows; ++r) {
    if (out.scale_blocks == 0) {
      to.bytes(out.scales + r * out.scales_stride, blocks);
      continue;
    }
    for (int64_t b = 0; b < blocks; ++b) to.bytes(out.scales + shuffled_offset(r, b, out.scale_blocks), 1);
  }
}

void outputs(footprint_builder& to, const quantize_args& a, extent3 grid) {
  mx(to, a.out, a.grid.outer, a.grid.blocks);
  if (a.partials != nullptr) to.bytes(a.partials, int64_t{grid.x} * grid.y * static_cast<int64_t>(sizeof *a.partials));
}
void outputs(footprint_builder& to, const hadamard_quantize_args& a, extent3 grid) { outputs(to, a.quantize, grid); }
void outputs(footprint_builder& to, const quantize_report_args& a, extent3) { to.bytes(a.total, sizeof *a.total); }
void outputs(footprint_builder& to, const hadamard_signs_args& a, extent3) { to.bytes(a.words, 4 * a.words_count); }
void outputs(footprint_builder& to, const hadamard_args& a, extent3) {
  to.matrix(a.out, a.grid.outer, kBlock * a.grid.blocks);
}
void outputs(footprint_builder& to, const dequantize_args& a, extent3) {
  to.matrix(a.out, a.grid.outer, std::min(a.grid.length, kBlock * a.grid.blocks));
}
void outputs(footprint_builder& to, const line_variance_args& a, extent3) { to.bytes(a.variance, 8 * a.lines); }
void outputs(footprint_builder& to, const foid_score_args& a, extent3) { to.bytes(a.scores, 4 * a.rows); }
void outputs(footprint_builder& to, const select_rank_args& a, extent3) { to.bytes(a.selected, 4 * a.rows); }
void outputs(footprint_builder& to, const select_compact_args& a, extent3) {
  const int32_t* selected = to.read(a.selected, a.rows);
  if (selected == nullptr) return;
  to.bytes(a.indices, 4 * std::count_if(selected, selected + a.rows, [](int32_t v) { return v != 0; }));
}
void outputs(footprint_builder& to, const mark_positions_args& a, extent3) {
  const int32_t* indices = to.read(a.indices, a.count);
  if (indices == nullptr) return;
  for (int64_t n = 0; n < a.count; ++n) to.bytes(a.positions + indices[n], 4);
}
void outputs(footprint_builder& to, const gather_outliers_args& a, extent3 grid) { to.matrix(a.out, grid.x, a.length); }
void outputs(footprint_builder& to, const shuffle_scales_args& a, extent3) {
  to.bytes(a.shuffled, divide_up(a.rows, 32) * 32 * (divide_up(a.blocks, 8) * 8));
}
void outputs(footprint_builder& to, const mx_gemm_args& a, extent3) { to.matrix(a.out, a.m, a.n); }
void outputs(footprint_builder& to, const mx_gemm_native_args& a, extent3 grid) { outputs(to, a.product, grid); }
void outputs(footprint_builder& to, const outlier_gemm_args& a, extent3 grid) {
  outputs(to, a.product, grid);
  const bool by_rows = a.by_rows != 0;
  const int64_t lines = by_rows ? a.product.m : a.product.n, length = by_rows ? a.product.n : a.product.m;
  const int32_t* positions = to.read(a.positions, lines);
  for (int64_t n = 0; positions != nullptr && n < lines; ++n)
    if (positions[n] != 0) to.bytes(a.part + (positions[n] - 1) * length, 4 * length);
}
void outputs(footprint_builder& to, const bf16_gemm_args& a, extent3) { to.matrix(a.out, a.m, a.n); }
void outputs(footprint_builder& to, const scatter_add_args& a, extent3) { to.matrix(a.out, a.m, a.n); }

struct known_kernel {
  std::string_view name;
  size_t args_bytes;
  void (*outputs)(footprint_builder&, const std::byte* args, extent3 grid);
};

template <class Args>
void outputs_of(footprint_builder& to, const std::byte* args, extent3 grid) {
  Args a;
  std::memcpy(&a, args, sizeof a);
  outputs(to, a, grid);
}

constexpr known_kernel kKernels[] = {
#define ADAHOP_KERNEL_ENTRY(name, args, threads) {#name, sizeof(args), outputs_of<args>},
#include "kernels/kernels.def"
#undef ADAHOP_KERNEL_ENTRY
};

}  // namespace

result<std::optional<output_footprint>> output_footprint::of(std::string_view kernel, std::span<const std::byte> args,
                                                             extent3 grid, const allocation_list& memory) {
  const auto known = std::find_if(std::begin(kKernels), std::end(kKernels),
                                  [&](const known_kernel& k) { return k.name == kernel; });
  if (known == std::end(kKernels)) return std::optional<output_footprint>{};
  if (args.size() != known->args_bytes)
    return invalid_argument(
        fmt::format("kernel {}: {} bytes of arguments, expected {}", kernel, args.size(), known->args_bytes));
  footprint_builder to(memory);
  known->outputs(to, args.data(), grid);
  return std::optional(to.take());
}

const byte_bitmap* output_footprint::find(uint32_t allocation_number) const {
  const auto at = writable_.find(allocation_number);
  return at == writable_.end() ? nullptr : &at->second;
}

}  // namespace adahop::hip::sim
