// Uninitialised memory for panels, aligned for whole vectors.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace adahop::reference::simd {

class gemm_buffer {
 public:
  /// `bytes` >= 0; throws std::bad_alloc.
  explicit gemm_buffer(int64_t bytes)
      : data_(static_cast<uint8_t*>(::operator new(static_cast<size_t>(bytes) + 1, kAlignment))) {}
  uint8_t* data() const { return data_.get(); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct release {
    void operator()(uint8_t* p) const { ::operator delete(p, kAlignment); }
  };
  std::unique_ptr<uint8_t, release> data_;
};

}  // namespace adahop::reference::simd
