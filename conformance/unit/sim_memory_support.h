// What the tests of the simulator's memory share: device memory, LDS and waves of several workgroups, and descriptions of
// what a memory instruction moves, byte by byte.
#pragma once
#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/fault.h"
#include "sim/launch_memory.h"
#include "sim/lds_memory.h"
#include "sim/output_footprint.h"
#include "sim/waiting.h"
#include "sim_support.h"

namespace adahop::hip::sim::test {

inline uint8_t pattern(size_t n) { return static_cast<uint8_t>(0x35 + 29 * n + n / 256 * 7); }

inline std::vector<uint8_t> pattern_bytes(size_t bytes) {
  std::vector<uint8_t> values(bytes);
  for (size_t n = 0; n < bytes; ++n) values[n] = pattern(n);
  return values;
}

/// `bytes` bytes of the pattern from `at` on, little-endian.
inline uint32_t pattern_value(size_t at, unsigned bytes) {
  uint32_t v = 0;
  for (unsigned b = 0; b < bytes; ++b) v |= uint32_t{pattern(at + b)} << (8 * b);
  return v;
}

/// What a test stores from register `reg` of its data.
inline uint32_t stored_value(unsigned reg, unsigned lane) { return 0x91000000u + reg * 0x00410000u + lane * 0x0203u; }

/// A piece that an instruction moves between memory and one register: `bytes` bytes at the lane's address plus `offset`
/// are bits [shift, ...) of register `reg` of its data.
struct moved_piece {
  unsigned reg;
  int offset;
  unsigned bytes;
  unsigned shift = 0;
};

/// Two workgroups or more of a launch on one device.
class memory_world {
 public:
  explicit memory_world(unsigned groups = 1, unsigned waves = 1, uint32_t lds_bytes = 4096) : lds_(groups) {
    for (unsigned g = 0; g < groups; ++g) {
      lds_[g].begin_workgroup(lds_bytes);
      auto made = std::make_unique<workgroup>();
      made->settings = &settings;
      made->lds = &lds_[g];
      made->x = made->linear = g;
      made->threads = waves * kLanes;
      for (unsigned n = 0; n < waves; ++n) {
        auto w = std::make_unique<wave>();
        w->number = n;
        w->group = made.get();
        w->set_exec(kAllLanes);
        w->vgpr_defined.fill(kAllLanes);
        w->sgpr_defined.fill(kAllBits);
        made->waves.push_back(std::move(w));
      }
      groups_.push_back(std::move(made));
    }
  }

  /// After the allocations are made and the settings chosen.
  void launch(const output_footprint* outputs = nullptr, std::span<const std::byte> kernarg = {}) {
    launch_.emplace(memory, kernarg, outputs, static_cast<uint32_t>(groups_.size()), settings);
    for (const auto& g : groups_) g->global = &*launch_;
  }

  std::byte* allocate(size_t bytes) { return static_cast<std::byte*>(memory.allocate(bytes)); }
  /// Filled with the pattern.
  std::byte* allocate_written(size_t bytes) {
    std::byte* made = allocate(bytes);
    const std::vector<uint8_t> values = pattern_bytes(bytes);
    REQUIRE(memory.copy_in(made, values.data(), bytes).ok());
    return made;
  }

  wave& at(unsigned group, unsigned number = 0) { return *groups_[group]->waves[number]; }
  workgroup& group(unsigned n = 0) { return *groups_[n]; }
  lds_memory& lds(unsigned n = 0) { return lds_[n]; }

  void set(wave& w, unsigned reg, const lane_function& value) {
    for (unsigned l = 0; l < kLanes; ++l) w.vgpr[reg][l] = value(l);
  }
  void set64(wave& w, unsigned reg, const std::function<uint64_t(unsigned)>& value) {
    for (unsigned l = 0; l < kLanes; ++l) {
      w.vgpr[reg][l] = static_cast<uint32_t>(value(l));
      w.vgpr[reg + 1][l] = static_cast<uint32_t>(value(l) >> 32);
    }
  }
  /// Base + step * lane as a 64-bit address.
  void set_address(wave& w, unsigned reg, const std::byte* base, int64_t step) {
    set64(w, reg, [&](unsigned l) {
      return reinterpret_cast<uintptr_t>(base) + static_cast<uint64_t>(step * static_cast<int64_t>(l));
    });
  }

  /// "" or "kind: detail" of the fault.
  std::string run(wave& w, std::string_view text) {
    const instruction& i = parsed(text);
    try {
      i.run(w, i);
    } catch (const fault& f) {
      lane = f.lane;
      return f.kind + ": " + f.detail;
    }
    return "";
  }
  void wait(wave& w) { wait_for(w, 0, 0); }

  options settings;
  device_memory memory;
  int lane = -1;  ///< of the last fault

 private:
  std::vector<lds_memory> lds_;
  std::vector<std::unique_ptr<workgroup>> groups_;
  std::optional<launch_memory> launch_;
};

inline bool starts(const std::string& text, std::string_view with) { return text.substr(0, with.size()) == with; }

}  // namespace adahop::hip::sim::test
