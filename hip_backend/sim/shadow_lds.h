// What the checks keep about every byte of LDS: whether it has a value, whether a load is still to bring it, and who
// accessed it since the last barrier. Accesses of one byte by different waves, one of them a write, need a barrier
// between; atomics do not conflict among themselves. Our rule, after the memory model of a kernel without fences.
#pragma once
#include <array>
#include <cstddef>
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
  /// Nothing has a value, nobody accessed anything, no barrier was passed.
  void begin_workgroup(uint32_t bytes);
  /// The workgroup has passed `epoch` barriers.
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
  // A stamp: number of the stretch between two barriers (16 bits, from 1), waves that accessed in it (16 bits); 0: nobody.
  // A workgroup has at most 16 waves. Stretches of later workgroups have higher numbers, so nothing has to be cleared
  // until they run out.
  using stamps = std::vector<uint32_t>;
  uint32_t stamp_of(uint32_t epoch, uint32_t wave) const { return (base_ + epoch) << 16 | 1u << wave; }
  void clear_stamps();
  bool others_active(lds_access kind, uint32_t wave) const {
    return (active_[static_cast<size_t>(kind)] & ~(1u << wave)) != 0;
  }
  static std::optional<lds_conflict> find(const stamps& s, uint32_t at, uint32_t count, lds_access kind, uint32_t mine);
  static void mark(stamps& s, uint32_t at, uint32_t count, uint32_t mine);

  std::array<uint32_t, 3> active_{};  // by lds_access: waves that made such an access since the barrier, anywhere
  uint32_t arriving_ = 0;             // bytes
  uint32_t base_ = 1;       // number of the stretch before the first barrier, modulo 2^32
  uint32_t last_epoch_ = 0;
  std::vector<uint8_t> state_;
  stamps write_, read_, atomic_;
};

}  // namespace adahop::hip::sim
