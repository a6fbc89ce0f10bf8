// Operands and policies for the tests of accumulation models.
#pragma once
#include <vector>

#include "conformance/suites/models.h"
#include "reference/bf16_gemm.h"
#include "reference/mx_gemm.h"
#include "reference_support.h"

namespace adahop::test {

using conformance::kBf16Models;
using conformance::kMxModels;

inline policy mx_model(const std::string& model) { return policy_with("gemm_model=" + model); }
inline policy bf16_model(const std::string& model) { return policy_with("bf16_gemm_model=" + model); }
inline std::vector<policy> mx_models() {
  std::vector<policy> all;
  for (const char* model : kMxModels) all.push_back(mx_model(model));
  return all;
}
inline std::vector<policy> bf16_models() {
  std::vector<policy> all;
  for (const char* model : kBf16Models) all.push_back(bf16_model(model));
  return all;
}

/// A pair of MX rows that is filled element by element.
struct mx_pair {
  mx_matrix a, b;

  explicit mx_pair(int64_t k) : a(1, k), b(1, k) {
    for (mx_matrix* m : {&a, &b})
      for (uint8_t& s : m->scales) s = 127;
  }
  /// The product of codes at k.
  void set(int64_t k, uint32_t code_a, uint32_t code_b) {
    set_code(a, k, code_a);
    set_code(b, k, code_b);
  }
  /// The sum sa + sb - 254 of a block.
  void set_scale(int64_t block, int exponent) {
    const int half = exponent / 2;
    a.scales[static_cast<size_t>(block)] = static_cast<uint8_t>(127 + half);
    b.scales[static_cast<size_t>(block)] = static_cast<uint8_t>(127 + exponent - half);
  }
  reference::mx_rows rows() const { return {view_of(a), 0, view_of(b), 0}; }
  float dot(const char* model, float c = 0.0f) const { return reference::mx_dot(mx_model(model), rows(), c); }

 private:
  static void set_code(mx_matrix& m, int64_t k, uint32_t code) {
    uint8_t& byte = m.codes[static_cast<size_t>(k / 2)];
    byte =
        pack_e2m1(k % 2 == 0 ? e2m1_of(code) : unpack_e2m1(byte, 0), k % 2 == 1 ? e2m1_of(code) : unpack_e2m1(byte, 1));
  }
};

inline constexpr uint32_t kOne = 2, kHalf = 1, kSix = 7, kMinus = 8;  // E2M1 codes; kMinus is the sign bit

}  // namespace adahop::test
