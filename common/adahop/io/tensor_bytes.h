// The bytes of a tensor: memory to compute them into, and bytes that nobody changes any more, which copies share,
// whether they are a vector's, a computed buffer's or part of a mapped file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "adahop/tensor.h"

namespace adahop::io {

struct aligned_delete {
  size_t alignment = 0;
  void operator()(uint8_t* memory) const;
};

/// Memory for a tensor that is to be computed: of any content, aligned to 64 bytes at least.
class tensor_buffer {
 public:
  tensor_buffer() = default;
  /// Throws std::bad_alloc.
  explicit tensor_buffer(size_t bytes);
  uint8_t* data() { return data_.get(); }
  const uint8_t* data() const { return data_.get(); }
  size_t size() const { return size_; }

 private:
  std::unique_ptr<uint8_t[], aligned_delete> data_;
  size_t size_ = 0;
};

/// Constant bytes and what keeps them: copies are cheap and share.
class tensor_bytes {
 public:
  tensor_bytes() = default;
  tensor_bytes(std::vector<uint8_t> bytes);
  tensor_bytes(tensor_buffer bytes);
  template <class T>
  explicit tensor_bytes(matrix<T> m) {
    const auto kept = std::make_shared<const matrix<T>>(std::move(m));
    *this = tensor_bytes(kept, {reinterpret_cast<const uint8_t*>(kept->data.data()), kept->data.size() * sizeof(T)});
  }
  /// `bytes` stay as they are for as long as `owner` lives.
  tensor_bytes(std::shared_ptr<const void> owner, std::span<const uint8_t> bytes)
      : owner_(std::move(owner)), bytes_(bytes) {}

  const uint8_t* data() const { return bytes_.data(); }
  size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  const uint8_t* begin() const { return data(); }
  const uint8_t* end() const { return data() + size(); }
  uint8_t operator[](size_t i) const { return bytes_[i]; }
  /// `count` bytes from `from` on, which must be there; shares.
  tensor_bytes part(size_t from, size_t count) const { return {owner_, bytes_.subspan(from, count)}; }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const uint8_t> bytes_;
};

/// Compares contents.
bool operator==(const tensor_bytes& a, const tensor_bytes& b);

}  // namespace adahop::io
