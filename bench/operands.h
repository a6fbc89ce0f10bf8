// Memory of the benches and what stands in it: the same values on every machine.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "adahop/backend.h"
#include "adahop/formats/bf16.h"

namespace adahop::bench {

using bytes = std::span<std::byte>;

/// `size` bytes, all 0; from 2 MB on at a multiple of it, in huge pages where the kernel gives them, else at one of 4096.
std::byte* allocate(size_t size);

/// An array of T that is not initialized twice; movable.
template <class T>
class array {
 public:
  explicit array(int64_t count)
      : data_(reinterpret_cast<T*>(allocate(static_cast<size_t>(count) * sizeof(T)))), count_(static_cast<size_t>(count)) {}

  T* data() const { return data_.get(); }
  size_t size() const { return count_; }
  std::span<T> all() const { return {data(), count_}; }
  bench::bytes bytes() const { return std::as_writable_bytes(all()); }

 private:
  struct release {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T, release> data_;
  size_t count_;
};

/// [rows x cols] of F32 (T = float) or BF16 (T = bf16).
template <class T>
struct tensor {
  int64_t rows, cols;
  array<T> values;

  tensor(int64_t r, int64_t c) : rows(r), cols(c), values(r * c) {}
  adahop_view view() const {
    return {values.data(), sizeof(T) == 2 ? ADAHOP_BF16 : ADAHOP_F32, 0, rows, cols, cols, 1};
  }
  std::vector<bench::bytes> bytes() const { return {values.bytes()}; }
};

/// An MXFP4 matrix in the linear layout, [outer x inner].
struct mx_tensor {
  int64_t outer, inner;
  array<uint8_t> codes, scales;

  mx_tensor(int64_t o, int64_t i) : outer(o), inner(i), codes(o * i / 2), scales(o * i / 32) {}
  adahop_mx view() const { return {codes.data(), scales.data(), outer, inner, inner / 2, inner / 32}; }
  std::vector<bench::bytes> bytes() const { return {codes.bytes(), scales.bytes()}; }
};

/// Bell-shaped values around 0 with a deviation near 1, whose rows differ by powers of two.
void fill(tensor<float>& t, uint64_t seed);
void fill(tensor<bf16>& t, uint64_t seed);
/// Random codes, scale bytes 118 to 135.
void fill(mx_tensor& t, uint64_t seed);
/// Integers from -4 to 4: sums of up to a million products are exact in FP32 in any order.
void fill_small_integers(std::span<float> values, uint64_t seed);

/// Bytes of all these.
double size_of(const std::vector<bytes>& parts);

/// "8192 x 8192 F32".
std::string shape_text(int64_t rows, int64_t cols, const char* type);
/// "4096 x 4096 x 1024": M, N, K.
std::string shape_text(int64_t m, int64_t n, int64_t k);

}  // namespace adahop::bench
