// Which bytes a kernel of kernels.def may write, from its argument struct: the elements of its output matrices and
// nothing between them. Written separately from the kernels' own addressing. The scale layout is that of SPEC 3.5.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "device/device.h"
#include "sim/device_memory.h"

namespace adahop::hip::sim {

class output_footprint {
 public:
  /// None for a kernel that is not in kernels.def, whose outputs nobody knows. ADAHOP_INVALID_ARGUMENT when `args` does
  /// not have the size of the kernel's struct. Where the outputs follow from data (indices), that is read here.
  static result<std::optional<output_footprint>> of(std::string_view kernel, std::span<const std::byte> args,
                                                    extent3 grid, const allocation_list& memory);

  /// The bytes of the allocation with this number that may be written; null: none.
  const byte_bitmap* find(uint32_t allocation_number) const;

 private:
  friend class footprint_builder;
  std::map<uint32_t, byte_bitmap> writable_;
};

}  // namespace adahop::hip::sim
