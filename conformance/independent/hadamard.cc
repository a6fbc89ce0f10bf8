// The block-32 Walsh-Hadamard transform. Implements SPEC 6.1 to 6.5.
#include "hadamard.h"

namespace independent {
namespace {

constexpr uint32_t kInverseSqrt32 = 0x3E3504F3u;

}  // namespace

void hadamard_block(uint32_t* bits) {
  for (int stride = 1; stride < kBlock; stride *= 2)
    for (int i = 0; i < kBlock; ++i) {
      if ((i / stride) % 2 != 0) continue;  // the upper partner of a pair already done
      const uint32_t a = bits[i], b = bits[i + stride];
      bits[i] = add(a, b);
      bits[i + stride] = subtract(a, b);
    }
  for (int i = 0; i < kBlock; ++i) bits[i] = multiply(bits[i], kInverseSqrt32);
}

fp32_matrix hadamard(fp32_matrix x, bool to_bf16) {
  for (size_t start = 0; start + kBlock <= x.bits.size(); start += kBlock) hadamard_block(&x.bits[start]);
  if (to_bf16)
    for (uint32_t& v : x.bits) v = widen_bf16(bf16_of(v));
  return x;
}

}  // namespace independent
