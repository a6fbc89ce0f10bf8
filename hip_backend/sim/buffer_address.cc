// Resource words, offsets and the range check of raw buffers.
#include "sim/buffer_address.h"

#include <algorithm>

#include "sim/fault.h"
#include "sim/scalar.h"

namespace adahop::hip::sim {

buffer_access buffer_addresses(const wave& w, const instruction& i, unsigned first, unsigned bytes) {
  const operand &vector_offset = i.operands[first], &resource = i.operands[first + 1];
  const uint32_t* const words = &w.sgpr[resource.reg];
  constexpr uint32_t kStride = 0x3FFF0000u, kSwizzle = 0x80000000u;  // of word 1
  constexpr uint32_t kAddLane = 1u << 23, kType = 3u << 30;          // of word 3
  if ((words[1] & (kStride | kSwizzle)) != 0 || (words[3] & (kAddLane | kType)) != 0)
    fail(w, i, "not modelled", "a buffer resource with a stride, swizzled, adding the lane, or not of a buffer");

  const uint64_t base = words[0] | uint64_t{words[1] & 0xFFFFu} << 32;
  const uint32_t records = words[2], scalar_offset = read_scalar(w, i.operands[first + 2]);
  const uint64_t limit = records > scalar_offset ? records - scalar_offset : 0;
  const uint32_t* const offsets = vector_offset.kind == operand_kind::vector ? w.vgpr[vector_offset.reg] : nullptr;
  const uint32_t each = std::min(bytes, 4u);
  const uint64_t exec = w.exec();
  buffer_access out{};
  for (unsigned l = 0; l < kLanes; ++l) {
    const uint64_t offset = uint64_t{offsets == nullptr ? 0u : offsets[l]} + static_cast<uint32_t>(i.mod.offset);
    out.at[l] = base + scalar_offset + offset;
    for (unsigned d = 0; d < (bytes + 3) / 4; ++d)
      if ((exec >> l & 1u) != 0 && offset + 4 * d + each <= limit) out.in_range[d] |= uint64_t{1} << l;
  }
  return out;
}

}  // namespace adahop::hip::sim
