// Products through a backend's C ABI, their outputs as bits: one operation, a whole product, and a whole product composed
// of its stages. Implements the property side of SPEC 8.4 to 8.6, 9.6 to 9.8, 11.1 to 11.4.
#pragma once
#include <source_location>
#include <string>
#include <vector>

#include "product_inputs.h"

namespace adahop::property {

/// What a call left: its status and, where that is ADAHOP_OK, the output's bits, of BF16 in the lower half.
struct output_bits {
  int32_t status = ADAHOP_OK;
  int64_t rows = 0, cols = 0;
  std::vector<uint32_t> bits;

  output_bits() = default;
  output_bits(int64_t r, int64_t c) : rows(r), cols(c), bits(static_cast<size_t>(r * c)) {}
  uint32_t at(int64_t r, int64_t c) const { return bits[static_cast<size_t>(r * cols + c)]; }
  uint32_t& at(int64_t r, int64_t c) { return bits[static_cast<size_t>(r * cols + c)]; }
};

/// The built-in backend of that name, which has to be there.
const adahop_backend& backend_named(const char* name);
/// The reference on one thread: small products cost more to share out than to compute.
const adahop_backend& the_reference();

output_bits mx_gemm(const adahop_backend& on, const policy& p, const mx_matrix& a, const mx_matrix& b,
                    adahop_dtype out = ADAHOP_F32);
/// a and b are BF16, in the memory that their placement says.
output_bits bf16_gemm(const adahop_backend& on, const policy& p, const tensor& a, const tensor& b,
                      adahop_dtype out = ADAHOP_F32);

/// The output under the policy of `x`, FP32.
output_bits product_of(const adahop_backend& on, const mx_product& x);
output_bits product_of(const adahop_backend& on, const bf16_product& x);

/// The backend's whole product.
output_bits whole(const adahop_backend& on, const whole_product& x);

enum class route { iht, oe_left, oe_right, bf16 };
/// SPEC 8.4 to 8.6, written out pair by pair.
route route_of(const whole_product& x);

/// The same product by the backend's single operations, one after the other, as chapter 11 says. The status is that of the
/// first stage that fails.
output_bits composed(const adahop_backend& on, const whole_product& x, route how);

/// The rows that the operand loses under an extraction, by the backend.
std::vector<int32_t> outliers(const adahop_backend& on, const policy& p, const tensor& x);

/// The property fails at the first element that differs, or where the statuses do.
void require_same(const output_bits& got, const output_bits& wanted, const std::string& what,
                  std::source_location where = std::source_location::current());

output_bits transpose(const output_bits& x);

}  // namespace adahop::property
