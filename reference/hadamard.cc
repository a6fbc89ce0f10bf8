// Walsh-Hadamard transform. Implements SPEC 6.1-6.5, 6.10, 6.11.
#include "reference/hadamard.h"

#include "adahop/formats/philox.h"
#include "reference/extent.h"
#include "reference/output.h"
#include "reference/parallel.h"

namespace adahop::reference {
namespace {

// FP32(1 / sqrt(size)), rounded to nearest.
float inverse_sqrt(int32_t size) {
  switch (size) {
    case 16: return float_of(0x3E800000u);
    case 64: return float_of(0x3E000000u);
    case 128: return float_of(0x3DB504F3u);
    default: return float_of(0x3E3504F3u);  // 32
  }
}

}  // namespace

void hadamard_butterflies(float* x, int64_t size) {
  for (int64_t stride = 1; stride < size; stride *= 2) {
    for (int64_t i = 0; i < size; ++i) {
      if ((i & stride) != 0) continue;
      const float a = x[i], b = x[i + stride];
      x[i] = a + b;
      x[i + stride] = a - b;
    }
  }
}

void hadamard_transform(float* x, int32_t size) {
  hadamard_butterflies(x, size);
  const float factor = inverse_sqrt(size);
  for (int32_t i = 0; i < size; ++i) x[i] = canonical(x[i] * factor);
}

bool hadamard_negates(uint64_t seed, int64_t position) {
  const uint32_t low = static_cast<uint32_t>(position), high = static_cast<uint32_t>(position >> 32);
  return philox4x32_10(seed, {{low, high, 0, 1}}).word[0] >> 31 != 0;
}

void hadamard_groups(const policy& p, float* x, int64_t first, int64_t count) {
  if (p.hadamard_signs == ADAHOP_SIGNS_RANDOM)
    for (int64_t i = 0; i < count; ++i)
      if (hadamard_negates(p.hadamard_seed, first + i)) x[i] = -x[i];
  for (int64_t group = 0; group < count; group += p.hadamard_size) hadamard_transform(x + group, p.hadamard_size);
  if (p.hadamard_output == ADAHOP_BF16)
    for (int64_t i = 0; i < count; ++i) x[i] = decode_bf16(round_bf16(x[i]));
}

void hadamard(const policy& p, const adahop_view& x, const adahop_view& out) {
  if (out.cols == 0) return;  // 2^31 - 1 rows of nothing
  const int64_t group = transform_multiple(p);
  for_each_index(out.rows, out.cols, [&](int64_t r) {
    for (int64_t first = 0; first < out.cols; first += group) {
      float values[kMaxGroup];
      for (int64_t i = 0; i < group; ++i) values[i] = load_padded(x, r, first + i);
      hadamard_groups(p, values, first, group);
      for (int64_t i = 0; i < group; ++i) store(out, r, first + i, values[i]);
    }
  });
}

}  // namespace adahop::reference
