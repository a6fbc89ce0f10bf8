// The wording of shared-memory faults. Implements SPEC 13.4.
#include "device/cpu/shared_array.h"

#include <fmt/format.h>

#include <utility>

namespace adahop::hip::cpu {

// Each text is finished before fail(), which abandons the frame: see there.

void fail_shared_index(const shared_declaration& array, int64_t index, const source_site& site) {
  std::string detail = fmt::format("{}[{}] of {} elements", array.name, index, array.count);
  running_block->fail("shared index out of bounds", site, std::move(detail));
}

void fail_shared_unwritten(const shared_declaration& array, uint32_t index, const source_site& site) {
  std::string detail = fmt::format("no thread of the block has written {}[{}]", array.name, index);
  running_block->fail("read of unwritten shared memory", site, std::move(detail));
}

void fail_shared_race(const shared_declaration& array, uint32_t index, const source_site& site, bool writes,
                      uint16_t other, bool other_wrote, packed_site other_site) {
  std::string detail = fmt::format("{} {}[{}], which {} {} at {} with no barrier between", writes ? "writes" : "reads",
                                   array.name, index, lane_text(other), other_wrote ? "wrote" : "read",
                                   text_of(running_block->shared.unpack(other_site)));
  running_block->fail("shared memory race", site, std::move(detail));
}

shared_storage& declare_shared(const shared_declaration& declaration) {
  block_execution& block = *running_block;
  shared_storage* storage = block.shared.declare(declaration);
  if (storage == nullptr) {
    std::string detail = fmt::format("{} of {} bytes after {} bytes of other arrays, a block has {}", declaration.name,
                                     size_t{declaration.element_bytes} * declaration.count,
                                     block.shared.declared_bytes(), kMaxSharedBytes);
    block.fail("too much shared memory", {declaration.file, declaration.line}, std::move(detail));
  }
  return *storage;
}

}  // namespace adahop::hip::cpu
