// The wording of shared-memory faults. Implements SPEC 13.4.
#include "device/cpu/shared_array.h"

#include <fmt/format.h>

namespace adahop::hip::cpu {

void fail_shared_index(const shared_declaration& array, int64_t index, const source_site& site) {
  running_block->fail("shared index out of bounds", site,
                      fmt::format("{}[{}] of {} elements", array.name, index, array.count));
}

void fail_shared_unwritten(const shared_declaration& array, uint32_t index, const source_site& site) {
  running_block->fail("read of unwritten shared memory", site,
                      fmt::format("no thread of the block wrote {}[{}]", array.name, index));
}

void fail_shared_race(const shared_declaration& array, uint32_t index, const source_site& site, bool writes,
                      uint16_t other, bool other_wrote, packed_site other_site) {
  running_block->fail("shared memory race", site,
                      fmt::format("{} {}[{}], which {} {} at {} with no barrier between", writes ? "writes" : "reads",
                                  array.name, index, lane_text(other), other_wrote ? "wrote" : "read",
                                  text_of(running_block->shared.unpack(other_site))));
}

shared_storage& declare_shared(const shared_declaration& declaration) {
  block_execution& block = *running_block;
  shared_storage* storage = block.shared.declare(declaration);
  if (storage == nullptr) {
    block.fail("too much shared memory", {declaration.file, declaration.line},
               fmt::format("{} of {} bytes after {} bytes of other arrays, a block has {}", declaration.name,
                           size_t{declaration.element_bytes} * declaration.count, block.shared.declared_bytes(),
                           kMaxSharedBytes));
  }
  return *storage;
}

}  // namespace adahop::hip::cpu
