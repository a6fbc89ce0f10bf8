// What the checks keep about every byte of LDS: whether it has a value, whether a load is still to bring it, and who
// accessed it since the last barrier. Accesses of one byte by different waves, one of them a write, need a barrier
// between; atomics do not conflict among themselves. Our rule, after the memory model of a kernel without fences.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace adahop::hip::sim {

enum class lds_access : uint8_t { read, write, atomic };

/// The first byte of an access that conflicts, and the other side.
struct lds_conflict {
  uint32_t at = 0;
  lds_access access = lds_access::read;
  uint32_t wave = 0;
};

class lds_shadow {
 public:
  /// Nothing has a value, nobody accessed anything.
  void reset(uint32_t bytes);
  /// A barrier was passed; numbers of barriers repeat after 2^16.
  void begin_epoch(uint32_t epoch);

  void mark_written(uint32_t at, uint32_t count);
  void mark_arriving(uint32_t at, uint32_t count);
  void mark_arrived(uint32_t at, uint32_t count);
  /// The first byte of the range that has no value, or that is still to arrive.
  std::optional<uint32_t> find_unwritten(uint32_t at, uint32_t count) const;
  std::optional<uint32_t> find_arriving(uint32_t at, uint32_t count) const;

  /// Checks a range against what other waves did in `epoch` and stamps it.
  std::optional<lds_conflict> access(uint32_t at, uint32_t count, lds_access kind, uint32_t epoch, uint32_t wave);
  void stamp(uint32_t at, uint32_t count, lds_access kind, uint32_t epoch, uint32_t wave);

 private:
  // A stamp: barriers passed (16 bits), waves since (16 bits); 0: nobody. A workgroup has at most 16 waves.
  using stamps = std::vector<uint32_t>;
  static std::optional<lds_conflict> find(const stamps& s, uint32_t at, uint32_t count, lds_access kind, uint32_t mine);
  static void mark(stamps& s, uint32_t at, uint32_t count, uint32_t mine);

  bool atomics_ = false;  // any since reset()
  std::vector<uint8_t> state_;
  stamps write_, read_, atomic_;
};

}  // namespace adahop::hip::sim
