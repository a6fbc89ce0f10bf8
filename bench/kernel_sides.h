// Any kernel of kernels.def, of one instruction set, as a side: overloads by what a kernel takes. A kernel that takes
// something new does not compile until the benches know it.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "adahop/policy.h"
#include "bench/session.h"
#include "reference/simd/kernels.h"

namespace adahop::bench {

/// Calls of a kernel over operands that fit in L2, as many in a run as make a time that the clock can tell. `expected` is
/// the scalar oracle's where it has the operation, that of plain loops for transposes and BF16 panels; empty for MX
/// panels, stores of tiles and int8 sums.
class kernel_sides {
 public:
  /// `level`: "avx512" or "avx2". Operands and outputs live as long as this.
  kernel_sides(const session& s, std::string level, const reference::simd::kernel_table& kernels);

  using scale_choice = reference::simd::scale_choice;
  using random_words = reference::simd::random_words;
  using run_report = reference::simd::run_report;
  using transform = reference::simd::transform;
  using mx_lines = reference::simd::mx_lines;
  using scale_range = reference::simd::scale_range;

  side of(const std::string& name, run_report (*)(const scale_choice&, const float*, int64_t, uint8_t*, uint8_t*));
  side of(const std::string& name, run_report (*)(const scale_choice&, const uint16_t*, int64_t, uint8_t*, uint8_t*));
  side of(const std::string& name,
          run_report (*)(const scale_choice&, const random_words&, const float*, int64_t, uint8_t*, uint8_t*));
  side of(const std::string& name, run_report (*)(const scale_choice&, bool, const float*, int64_t, uint8_t*, uint8_t*));
  side of(const std::string& name, run_report (*)(const scale_choice&, bool, const uint16_t*, int64_t, uint8_t*, uint8_t*));
  side of(const std::string& name, void (*)(const uint8_t*, const uint8_t*, int64_t, float*, bool));
  side of(const std::string& name, void (*)(const uint8_t*, const uint8_t*, int64_t, uint16_t*, bool));
  side of(const std::string& name, void (*)(const transform&, const float*, int64_t, float*, bool));
  side of(const std::string& name, void (*)(const transform&, const float*, int64_t, uint16_t*, bool));
  side of(const std::string& name, void (*)(const transform&, const uint16_t*, int64_t, float*, bool));
  side of(const std::string& name, void (*)(const transform&, const uint16_t*, int64_t, uint16_t*, bool));
  side of(const std::string& name, void (*)(const uint32_t*, int64_t, int64_t, int64_t, uint32_t*, int64_t));
  side of(const std::string& name, void (*)(const uint16_t*, int64_t, int64_t, int64_t, uint16_t*, int64_t));
  side of(const std::string& name, void (*)(const float*, int64_t, int64_t, int64_t, double*));
  side of(const std::string& name, void (*)(const uint16_t*, int64_t, int64_t, int64_t, double*));
  side of(const std::string& name, void (*)(const float*, int64_t, int64_t, int64_t, int64_t, float*));
  side of(const std::string& name, void (*)(const uint16_t*, int64_t, int64_t, int64_t, int64_t, float*));
  side of(const std::string& name, scale_range (*)(const mx_lines&, uint8_t*, uint32_t*));
  side of(const std::string& name, void (*)(const uint8_t*, const uint8_t*, int64_t, float*));
  side of(const std::string& name, void (*)(const uint8_t*, const uint8_t*, int64_t, int32_t*));
  side of(const std::string& name, void (*)(const float*, const float*, int64_t, float*));
  side of(const std::string& name,
          void (*)(const float*, int64_t, int64_t, int64_t, const uint32_t*, const uint32_t*, float*, int64_t));
  side of(const std::string& name,
          void (*)(const float*, int64_t, int64_t, int64_t, const uint32_t*, const uint32_t*, uint16_t*, int64_t));

 private:
  template <class T>
  T* output(int64_t count);
  const uint16_t* y_bits() const;
  side made(double work, const std::function<void()>& kernel, const std::function<void()>& oracle);
  template <class T, class Kernel>
  side quantizer(const policy& p, bool transformed, const tensor<T>& x, const Kernel& kernel);
  template <class T, class Kernel>
  side dequantizer(const Kernel& kernel);
  template <class Out, class In, class Kernel>
  side transformer(const tensor<In>& x, const Kernel& kernel);
  template <class T, class Kernel>
  side transposer(const T* in, const Kernel& kernel);
  template <class In, class Kernel>
  side variance(bool of_rows, const tensor<In>& x, const Kernel& kernel);
  template <class In, class Kernel>
  side foid(const tensor<In>& x, const Kernel& kernel);
  template <class T>
  side mx_tile(void (*f)(const uint8_t*, const uint8_t*, int64_t, T*), const std::function<void(T*)>& oracle);
  template <class Out>
  side store(void (*f)(const float*, int64_t, int64_t, int64_t, const uint32_t*, const uint32_t*, Out*, int64_t));

  const session& session_;
  std::string level_;
  const reference::simd::kernel_table& kernels_;
  tensor<float> x_;
  tensor<bf16> y_;
  mx_tensor a_, b_;
  std::vector<array<std::byte>> held_;
  std::vector<bytes> outputs_;  ///< of the side that is being made
};

}  // namespace adahop::bench
