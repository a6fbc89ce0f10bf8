// Walsh-Hadamard transform. Implements SPEC 6.1-6.5.
#include "reference/hadamard.h"

#include "reference/output.h"
#include "reference/parallel.h"

namespace adahop::reference {

void hadamard_butterflies32(float* x) {
  for (int stride = 1; stride < kBlockSize; stride *= 2) {
    for (int i = 0; i < kBlockSize; ++i) {
      if ((i & stride) != 0) continue;
      const float a = x[i], b = x[i + stride];
      x[i] = a + b;
      x[i + stride] = a - b;
    }
  }
}

void hadamard32(float* x) {
  constexpr float kInverseSqrt32 = float_of(0x3E3504F3u);
  hadamard_butterflies32(x);
  for (int i = 0; i < kBlockSize; ++i) x[i] = canonical(x[i] * kInverseSqrt32);
}

void hadamard(const adahop_view& x, const adahop_view& out) {
  for_each_index(x.rows, x.cols, [&](int64_t r) {
    for (int64_t c = 0; c < x.cols; c += kBlockSize) {
      float block[kBlockSize];
      for (int i = 0; i < kBlockSize; ++i) block[i] = load(x, r, c + i);
      hadamard32(block);
      for (int i = 0; i < kBlockSize; ++i) store(out, r, c + i, block[i]);
    }
  });
}

}  // namespace adahop::reference
