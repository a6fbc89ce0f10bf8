// Device memory of gfx950-sim: host memory in allocations far apart, with what the checks keep about every byte: whether
// it has a value, and who accessed it last. Decides nothing numeric.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "adahop/status.h"

namespace adahop::hip::sim {

/// A bit a byte: which bytes have a value.
class byte_bitmap {
 public:
  explicit byte_bitmap(size_t bytes) : words_((bytes + 63) / 64) {}
  void set(size_t begin, size_t count);
  /// The first byte of [begin, begin + count) that is not set; begin + count where all are.
  size_t first_unset(size_t begin, size_t count) const;

 private:
  std::vector<uint64_t> words_;
};

/// Who wrote, read and atomically updated each byte: one stamp of shadow_global.h a byte and kind.
struct access_stamps {
  std::unique_ptr<uint64_t[], void (*)(void*)> write{nullptr, nullptr}, read{nullptr, nullptr}, atomic{nullptr, nullptr};
};

/// Bytes that share a lock.
inline constexpr size_t kStripe = 1024;

class allocation {
 public:
  allocation(size_t bytes, uint32_t number);
  allocation(const allocation&) = delete;
  allocation& operator=(const allocation&) = delete;
  ~allocation();

  std::byte* data() const { return data_; }
  uintptr_t begin() const { return reinterpret_cast<uintptr_t>(data_); }
  size_t bytes() const { return bytes_; }
  uint32_t number() const { return number_; }
  bool holds(uint64_t address, size_t count) const {
    return address >= begin() && count <= bytes_ && address - begin() <= bytes_ - count;
  }
  void mark_written(size_t offset, size_t count) { written.set(offset, count); }
  /// The stamps, all zero at first. Not from two threads.
  access_stamps& stamps();
  void clear_stamps() { stamps_ = {}; }
  /// Of the stripe that holds `offset`; guards `written` and the stamps of its bytes while a launch runs.
  std::atomic<uint8_t>& lock(size_t offset) { return locks_[offset / kStripe]; }

  byte_bitmap written;

 private:
  std::byte* memory_ = nullptr;
  std::byte* data_ = nullptr;
  size_t bytes_;
  uint32_t number_;
  access_stamps stamps_;
  std::unique_ptr<std::atomic<uint8_t>[]> locks_;
};

using allocation_list = std::vector<std::shared_ptr<allocation>>;  ///< by address

/// The allocations of a SimDevice. Every member may be called from any thread; a launch works on a list of its own, so
/// releasing memory while it runs is safe for the simulator. The caller orders copies and launches of the same memory.
class device_memory {
 public:
  /// `bytes` bytes of 0xFF (a NaN in every float format) that have no value yet, 256-byte aligned; null when the system
  /// refuses.
  void* allocate(size_t bytes);
  /// False when `memory` is not the start of an allocation.
  bool release(void* memory);

  /// Copies into device memory, which then has values. ADAHOP_INVALID_ARGUMENT: not all of it lies in one allocation.
  status copy_in(void* target, const void* source, size_t bytes);
  /// Copies out of device memory, values or not.
  status copy_out(void* target, const void* source, size_t bytes) const;
  status fill_zero(void* target, size_t bytes);

  allocation_list list() const;
  /// "byte offset +64 of allocation 3 (64 bytes)" for an address in an allocation or less than its gap away from one,
  /// else "in no allocation".
  std::string describe(uint64_t address) const;

  /// Numbers for the workgroups of a launch, never 0, rising; the first of `count` consecutive ones. When they run out,
  /// every stamp is cleared and they start again.
  uint32_t take_serials(uint32_t count);

 private:
  result<std::shared_ptr<allocation>> find(const void* memory, size_t bytes, const char* what) const;

  mutable std::mutex mutex_;
  std::map<uintptr_t, std::shared_ptr<allocation>> allocations_;
  uint32_t next_number_ = 1;
  uint32_t next_serial_ = 1;
};

}  // namespace adahop::hip::sim
