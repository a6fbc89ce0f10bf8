// Device memory of hip-cpu: each allocation ends directly before an inaccessible page and begins behind one, and what
// lies between its bytes and those pages (at most 255 bytes behind it) holds a pattern that is checked: writes there
// are found, reads are not. Part of SPEC 1.6.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace adahop::hip::cpu {

class guarded_memory {
 public:
  guarded_memory() = default;
  guarded_memory(const guarded_memory&) = delete;
  guarded_memory& operator=(const guarded_memory&) = delete;
  ~guarded_memory();

  /// `bytes` bytes of 0xFF (a NaN in every float format), 256-byte aligned; null when the system refuses.
  void* allocate(size_t bytes);
  /// False when `memory` is not the start of an allocation.
  bool release(void* memory);

  /// "byte offset +64 of an allocation of 64 bytes" for an address in the guard of an allocation or in it.
  std::optional<std::string> describe(const void* address) const;
  /// True unless `memory` lies in an allocation and fewer than `bytes` bytes of it follow.
  bool covers(const void* memory, size_t bytes) const;
  /// Says which allocation was written around, and repairs its pattern.
  std::optional<std::string> check();

 private:
  struct allocation {
    char* mapping;
    size_t mapping_bytes;
    char* begin;
    size_t bytes;
  };
  using table = std::map<uintptr_t, allocation>;  // by address of the mapping

  const allocation* find(const void* address) const;
  static std::optional<std::string> check(allocation& a);

  table allocations_;
};

}  // namespace adahop::hip::cpu
