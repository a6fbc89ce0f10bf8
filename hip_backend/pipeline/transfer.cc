// Packing, copying and unpacking of the caller's matrices. Implements SPEC 1.6, 3.5.
#include "pipeline/transfer.h"

#include <cstring>
#include <numeric>

#include "adahop/formats/scale_layout.h"

namespace adahop::hip {
namespace {

// The packed form of a view: the axis with the smaller stride stays the fast one.
adahop_view packed_like(const adahop_view& v, void* data) {
  const bool columns_fast = v.cols <= 1 || v.rows <= 1 || v.col_stride <= v.row_stride;
  return {data, v.dtype, 0, v.rows, v.cols, columns_fast ? v.cols : 1, columns_fast ? 1 : v.rows};
}

int64_t bytes_of(const adahop_view& v) { return v.rows * v.cols * dtype_size(v.dtype); }
int64_t code_bytes(const adahop_mx& m) { return m.outer * (m.inner / 2); }
int64_t scale_bytes(const adahop_mx& m, int32_t scale_layout) {
  const int64_t blocks = m.inner / kBlockSize;
  return scale_layout == ADAHOP_LAYOUT_LINEAR ? m.outer * blocks : shuffled_scale_bytes(m.outer, blocks);
}

adahop_mx packed_mx(int64_t outer, int64_t inner, uint8_t* memory) {
  uint8_t* const scales = memory == nullptr ? nullptr : memory + outer * (inner / 2);
  return {memory, scales, outer, inner, inner / 2, inner / kBlockSize};
}

// Copies the elements of one view to another of the same shape and type.
void copy_elements(const adahop_view& from, const adahop_view& to) {
  const auto size = static_cast<size_t>(dtype_size(from.dtype));
  const auto at = [size](const adahop_view& v, int64_t r, int64_t c) {
    return static_cast<std::byte*>(v.data) + static_cast<size_t>(r * v.row_stride + c * v.col_stride) * size;
  };
  if (from.cols > 0 && from.col_stride == 1 && to.col_stride == 1) {
    for (int64_t r = 0; r < from.rows; ++r) std::memcpy(at(to, r, 0), at(from, r, 0), static_cast<size_t>(from.cols) * size);
    return;
  }
  for (int64_t r = 0; r < from.rows; ++r)
    for (int64_t c = 0; c < from.cols; ++c) std::memcpy(at(to, r, c), at(from, r, c), size);
}

void copy_mx(const adahop_mx& from, const adahop_mx& to, int32_t scale_layout) {
  if (from.inner == 0) return;
  for (int64_t r = 0; r < from.outer; ++r)
    std::memcpy(to.codes + r * to.codes_stride, from.codes + r * from.codes_stride, static_cast<size_t>(from.inner / 2));
  if (scale_layout != ADAHOP_LAYOUT_LINEAR) {
    std::memcpy(to.scales, from.scales, static_cast<size_t>(scale_bytes(from, scale_layout)));
    return;
  }
  for (int64_t r = 0; r < from.outer; ++r)
    std::memcpy(to.scales + r * to.scales_stride, from.scales + r * from.scales_stride,
                static_cast<size_t>(from.inner / kBlockSize));
}

}  // namespace

result<device_matrix> make_matrix(const context& on, int32_t dtype, int64_t rows, int64_t cols) {
  ADAHOP_ASSIGN(memory, allocate(on, rows * cols * dtype_size(dtype)));
  const adahop_view view{memory.as<void>(), dtype, 0, rows, cols, cols, 1};
  return device_matrix{std::move(memory), view};
}

result<device_mx> make_mx(const context& on, int64_t outer, int64_t inner, int32_t scale_layout) {
  const adahop_mx shape = packed_mx(outer, inner, nullptr);
  ADAHOP_ASSIGN(memory, allocate(on, code_bytes(shape) + scale_bytes(shape, scale_layout)));
  const adahop_mx mx = packed_mx(outer, inner, memory.as<uint8_t>());
  return device_mx{std::move(memory), mx};
}

result<device_matrix> stage_output(const context& on, const adahop_view& to) {
  if (on.memory == ADAHOP_MEMORY_DEVICE) return device_matrix{{}, to};
  ADAHOP_ASSIGN(memory, allocate(on, bytes_of(to)));
  const adahop_view view = packed_like(to, memory.as<void>());
  return device_matrix{std::move(memory), view};
}

result<device_mx> stage_output(const context& on, const adahop_mx& to, int32_t scale_layout) {
  if (on.memory == ADAHOP_MEMORY_DEVICE) return device_mx{{}, to};
  return make_mx(on, to.outer, to.inner, scale_layout);
}

result<device_matrix> stage_input(const context& on, const adahop_view& from) {
  ADAHOP_ASSIGN(staged, stage_output(on, from));
  if (on.memory == ADAHOP_MEMORY_DEVICE || bytes_of(from) == 0) return staged;
  std::vector<std::byte> packed(static_cast<size_t>(bytes_of(from)));
  copy_elements(from, packed_like(from, packed.data()));
  ADAHOP_TRY(on.target.copy_to_device(staged.view.data, packed.data(), packed.size(), on.stream));
  return staged;
}

result<device_mx> stage_input(const context& on, const adahop_mx& from, int32_t scale_layout) {
  ADAHOP_ASSIGN(staged, stage_output(on, from, scale_layout));
  if (on.memory == ADAHOP_MEMORY_DEVICE || code_bytes(from) == 0) return staged;
  std::vector<uint8_t> packed(static_cast<size_t>(code_bytes(from) + scale_bytes(from, scale_layout)));
  copy_mx(from, packed_mx(from.outer, from.inner, packed.data()), scale_layout);
  ADAHOP_TRY(on.target.copy_to_device(staged.mx.codes, packed.data(), packed.size(), on.stream));
  return staged;
}

status store_output(const context& on, const device_matrix& from, const adahop_view& to) {
  if (on.memory == ADAHOP_MEMORY_DEVICE || bytes_of(to) == 0) return {};
  std::vector<std::byte> packed(static_cast<size_t>(bytes_of(to)));
  ADAHOP_TRY(on.target.copy_to_host(packed.data(), from.view.data, packed.size(), on.stream));
  copy_elements(packed_like(to, packed.data()), to);
  return {};
}

status store_output(const context& on, const device_mx& from, const adahop_mx& to, int32_t scale_layout) {
  if (on.memory == ADAHOP_MEMORY_DEVICE || code_bytes(to) == 0) return {};
  std::vector<uint8_t> packed(static_cast<size_t>(code_bytes(to) + scale_bytes(to, scale_layout)));
  ADAHOP_TRY(on.target.copy_to_host(packed.data(), from.mx.codes, packed.size(), on.stream));
  copy_mx(packed_mx(to.outer, to.inner, packed.data()), to, scale_layout);
  return {};
}

result<staged_indices> stage_indices(const context& on, const int32_t* indices, int64_t count) {
  staged_indices staged;
  staged.host.resize(static_cast<size_t>(count));
  if (count == 0) return staged;
  const size_t bytes = staged.host.size() * sizeof(int32_t);
  if (on.memory == ADAHOP_MEMORY_DEVICE) {
    staged.device.data = indices;
    if (on.dry_run) {
      std::iota(staged.host.begin(), staged.host.end(), 0);
      return staged;
    }
    ADAHOP_TRY(on.target.copy_to_host(staged.host.data(), indices, bytes, on.stream));
    return staged;
  }
  std::memcpy(staged.host.data(), indices, bytes);
  ADAHOP_ASSIGN(memory, allocate(on, static_cast<int64_t>(bytes)));
  ADAHOP_TRY(on.target.copy_to_device(memory.as<void>(), indices, bytes, on.stream));
  staged.device.data = memory.as<const int32_t>();
  staged.device.memory = std::move(memory);
  return staged;
}

}  // namespace adahop::hip
