// Where a call runs: a device, a stream, options; launching kernels by enumerator; device memory that frees itself.
#pragma once
#include <cstdint>
#include <utility>

#include "adahop/status.h"
#include "device/device.h"
#include "pipeline/kernel_table.h"

namespace adahop::hip {

/// Which matrix instruction the MX product is tiled with; in mode bitexact both give the same bits.
enum class mx_tile { k16x16x128, k32x32x64 };

class workspace;

struct context {
  device& target;
  void* stream = nullptr;
  adahop_memory memory = ADAHOP_MEMORY_HOST;  ///< where the caller's matrices and index arrays live
  mx_tile tile = mx_tile::k16x16x128;
  bool tuned = false;  ///< the tuned MX products, which the target then has, are taken where they fit
  adahop_mode mode = ADAHOP_MODE_BITEXACT;        ///< native: the MX product chains the matrix instruction
  mfma_model mfma = {mfma_combine::fused, 0};     ///< of an emulated matrix instruction in native mode
  workspace* from = nullptr;  ///< the caller's memory for intermediate matrices; null: the device's
  bool dry_run = false;       ///< nothing is executed, only memory is counted: index arrays are taken as valid

  /// Whether a tuned product may stand for a portable one: the native one chains 16x16x128 instructions, the bitexact one
  /// has the bits of either tile.
  bool takes_tuned() const { return tuned && (mode != ADAHOP_MODE_NATIVE || tile == mx_tile::k16x16x128); }

  /// Launches grid_x x grid_y blocks; an empty grid does nothing. ADAHOP_UNSUPPORTED beyond the grid limits.
  template <class Args>
  status launch(kernel k, int64_t grid_x, int64_t grid_y, const Args& args) const {
    return launch_bytes(k, grid_x, grid_y, &args, sizeof args);
  }

 private:
  status launch_bytes(kernel k, int64_t grid_x, int64_t grid_y, const void* args, size_t args_bytes) const;
};

/// Device memory, freed with the object; memory of a workspace has no owner.
class device_buffer {
 public:
  device_buffer() = default;
  device_buffer(device* owner, void* memory) : owner_(owner), memory_(memory) {}
  device_buffer(device_buffer&& other) noexcept
      : owner_(std::exchange(other.owner_, nullptr)), memory_(std::exchange(other.memory_, nullptr)) {}
  device_buffer& operator=(device_buffer&& other) noexcept {
    std::swap(owner_, other.owner_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~device_buffer() {
    if (owner_ != nullptr) owner_->release(memory_);
  }

  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  device* owner_ = nullptr;
  void* memory_ = nullptr;
};

/// `bytes` of device memory, from the workspace where there is one; none for 0.
result<device_buffer> allocate(const context& on, int64_t bytes);

/// ceil(a / b) for a >= 0, b > 0.
constexpr int64_t divide_up(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace adahop::hip
