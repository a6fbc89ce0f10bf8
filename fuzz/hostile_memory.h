// The memory that a call under hostile arguments gets pointers into: regions between guards, of which each byte is known to
// be the call's to write or not; on a device too. Judges SPEC 1.6.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "adahop/backend.h"

namespace adahop::fuzz {

class hostile_memory {
 public:
  /// A region of `bytes` bytes, `skew` bytes behind a 64-byte boundary, with guards around it; it stays where it is.
  /// Result structs and counts are `host_only`, wherever the matrices live.
  uint8_t* add(size_t bytes, size_t skew, bool host_only = false);

  /// Whether `bytes` bytes from `p` on lie in one region. Nothing lies anywhere.
  bool holds(const void* p, __int128 bytes) const;

  /// Marks bytes of a region as outputs of the call; those that are not `compared` may hold anything afterwards.
  void claim(const void* p, size_t bytes, bool compared = true);

  /// What the regions hold now is what a call finds; claimed bytes hold `garbage` instead, unless `keep_claimed`.
  void remember();
  void prepare(uint8_t garbage, bool keep_claimed);

  /// The claimed and compared bytes of all regions in order.
  std::vector<uint8_t> outputs() const;

  /// Where a byte that is nobody's output was changed, in words; empty when all survived.
  std::string violation() const;

  /// Under AddressSanitizer: guards may not even be read while a call runs.
  void forbid_guards();
  void permit_guards();

 private:
  friend class device_copy;
  enum class use : uint8_t { kept, output, scratch };
  struct region {
    std::vector<uint8_t> bytes;  ///< guards included
    std::vector<uint8_t> before;
    std::vector<use> uses;
    size_t begin, size;
    bool host_only;
  };
  region* region_of(const void* p);
  const region* region_of(const void* p) const { return const_cast<hostile_memory*>(this)->region_of(p); }

  std::deque<region> regions_;
};

/// The regions in the memory of a backend that claims device memory, but for those that are host memory always.
class device_copy {
 public:
  device_copy(const adahop_backend& backend, hostile_memory& memory) : backend_(backend), memory_(memory) {}
  device_copy(const device_copy&) = delete;
  device_copy& operator=(const device_copy&) = delete;
  ~device_copy();

  /// Each of the two returns the table's status.
  int32_t upload();
  int32_t download();

  /// The address on the device; a null, host memory and an address outside every region stay as they are.
  template <class T>
  void move(T*& p) const {
    p = static_cast<T*>(const_cast<void*>(moved(p)));
  }

 private:
  const void* moved(const void* p) const;

  const adahop_backend& backend_;
  hostile_memory& memory_;
  std::vector<void*> regions_;  ///< on the device, in order; null for a region that stays on the host
};

}  // namespace adahop::fuzz
