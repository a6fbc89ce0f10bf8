// The caller's matrices on the device. Host matrices are packed element by element, so that nothing between or past the
// elements of a view is touched (SPEC 1.6); the order of the axes in memory is kept. Device memory is used as it is.
#pragma once
#include <vector>

#include "adahop/tensor.h"
#include "pipeline/context.h"

namespace adahop::hip {

/// A matrix on the device and, where it was staged, its memory.
struct device_matrix {
  device_buffer memory;
  adahop_view view;
};

/// An MXFP4 matrix on the device, rows without gaps where it was staged; its scales lie as the policy of the call says.
struct device_mx {
  device_buffer memory;
  adahop_mx mx;
};

/// A row-major device matrix, contents undefined.
result<device_matrix> make_matrix(const context& on, int32_t dtype, int64_t rows, int64_t cols);
/// An MXFP4 device matrix, contents undefined.
result<device_mx> make_mx(const context& on, int64_t outer, int64_t inner, int32_t scale_layout);

/// An input view's elements on the device.
result<device_matrix> stage_input(const context& on, const adahop_view& from);
result<device_mx> stage_input(const context& on, const adahop_mx& from, int32_t scale_layout);

/// Room on the device for an output view; store_output() brings the elements to the caller. Both do nothing but pass
/// the caller's pointers through for device memory.
result<device_matrix> stage_output(const context& on, const adahop_view& to);
result<device_mx> stage_output(const context& on, const adahop_mx& to, int32_t scale_layout);
status store_output(const context& on, const device_matrix& from, const adahop_view& to);
status store_output(const context& on, const device_mx& from, const adahop_mx& to, int32_t scale_layout);

/// An array of the caller on the device: one to fill (`values` may be null) and one to read.
template <class T>
struct device_array {
  device_buffer memory;
  T* data = nullptr;
};

template <class T>
result<device_array<T>> stage_output_array(const context& on, T* values, int64_t count) {
  if (on.memory == ADAHOP_MEMORY_DEVICE && values != nullptr) return device_array<T>{{}, values};
  ADAHOP_ASSIGN(memory, allocate(on, count * static_cast<int64_t>(sizeof(T))));
  T* const data = memory.template as<T>();
  return device_array<T>{std::move(memory), data};
}

template <class T>
status store_output_array(const context& on, const device_array<T>& from, T* values, int64_t count) {
  if (values == nullptr || values == from.data || count == 0) return {};
  return on.target.copy_to_host(values, from.data, static_cast<size_t>(count) * sizeof(T), on.stream);
}

/// Indices in the caller's memory: on the device, and a host copy for the checks.
struct staged_indices {
  device_array<const int32_t> device;
  std::vector<int32_t> host;
};
result<staged_indices> stage_indices(const context& on, const int32_t* indices, int64_t count);

}  // namespace adahop::hip
