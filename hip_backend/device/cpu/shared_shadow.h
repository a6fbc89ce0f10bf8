// Block-shared arrays and their shadow: who wrote and who read each element, between which barriers.
//
// Two accesses of one element by different threads, one of them a write, must have a barrier between them, also within
// a wave: lanes of a wave are not promised to run in step, a shuffle orders registers and not memory, and a compiler
// may move a shared access across either. Implements SPEC 13.4.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/cpu/fault.h"

namespace adahop::hip::cpu {

/// One ADAHOP_SHARED; its address identifies the array.
struct shared_declaration {
  const char* name;
  uint32_t element_bytes;
  uint32_t count;
  const char* file;
  uint32_t line;
};

/// A source site in 32 bits: file number (8), line (24).
using packed_site = uint32_t;

/// The history of one element. An epoch is the stretch between two barriers; numbers rise from block to block, so
/// nothing has to be cleared. Two different readers are enough: whoever writes, one of them is somebody else.
struct shared_cell {
  uint32_t write_epoch;
  uint32_t read_epoch;
  packed_site write_site;
  packed_site read_site;
  packed_site other_read_site;
  uint16_t writer;
  uint16_t reader;
  uint16_t other_reader;  // equal to `reader` while there is only one
};

/// A declared array of the running block.
struct shared_storage {
  const shared_declaration* declaration = nullptr;
  std::unique_ptr<std::byte[]> memory;
  std::byte* data = nullptr;
  std::unique_ptr<shared_cell[]> cells;
  uint32_t filled_epoch = 0;
};

/// The shared memory of one worker, which runs one block at a time.
class shared_shadow {
 public:
  /// Forgets the arrays of the kernel before.
  void begin_kernel();
  /// What earlier blocks wrote is not there any more.
  void begin_block();
  void barrier() { epoch_++; }

  /// The array of a declaration, made and filled with garbage at its first use in a block; null when the block's
  /// arrays exceed kMaxSharedBytes.
  shared_storage* declare(const shared_declaration& declaration);

  uint32_t epoch() const { return epoch_; }
  uint32_t first_epoch() const { return first_epoch_; }
  size_t declared_bytes() const { return declared_bytes_; }

  packed_site pack(const source_site& site) {
    if (site.file != last_file_) find_file(site.file);
    return last_number_ << 24 | (site.line & 0xFFFFFFu);
  }
  source_site unpack(packed_site site) const { return {files_[site >> 24], site & 0xFFFFFFu}; }

 private:
  void find_file(const char* file);

  uint32_t epoch_ = 1;
  uint32_t first_epoch_ = 1;
  const char* last_file_ = nullptr;
  uint32_t last_number_ = 0;
  std::vector<const char*> files_{"other files"};
  std::vector<std::unique_ptr<shared_storage>> arrays_;
  size_t declared_bytes_ = 0;
};

}  // namespace adahop::hip::cpu
