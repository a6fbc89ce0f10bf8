// The outlier score of a row: FP32 sum of squared deviations of its first 32 or 64 elements, one thread a row.
// Implements SPEC 9.1-9.3, 3.7.
#include "kernels/elements.h"

namespace adahop::hip {

/// The binary tree of SPEC 9.2: slot i takes slot i + distance, distance 32, 16, 8, 4, 2, 1.
ADAHOP_DEVICE_FN float tree_sum(const float (&slots)[64]) {
  float s[32];
  ADAHOP_UNROLL
  for (int i = 0; i < 32; ++i) s[i] = slots[i] + slots[i + 32];
  ADAHOP_UNROLL
  for (int level = 4; level >= 0; --level) {
    const int distance = 1 << level;
    ADAHOP_UNROLL
    for (int i = 0; i < 16; ++i)
      if (i < distance) s[i] = s[i] + s[i + distance];
  }
  return s[0];
}

template <int Window>
struct fixed_window {
  static constexpr int window = Window;
};

/// The score of a row from its elements and +0 behind them.
template <class Window>
ADAHOP_DEVICE_FN float score_of(float (&slots)[64], Window args) {
  const float inverse = args.window == 64 ? 0x1p-6f : 0x1p-5f;
  const float mean = tree_sum(slots) * inverse;
  ADAHOP_UNROLL
  for (int i = 0; i < 64; ++i) {
    const float deviation = slots[i] - mean;
    slots[i] = i < args.window ? deviation * deviation : 0.0f;
  }
  return canonical(tree_sum(slots));
}

template <class T>
ADAHOP_DEVICE_FN void foid_score(const foid_score_args& args) {
  const int64_t row = int64_t{block_x()} * 64 + thread_x();
  if (row >= args.rows) return;
  const int64_t used = args.length < args.window ? args.length : args.window;
  float slots[64];
  ADAHOP_UNROLL
  for (int half = 0; half < 2; ++half) {
    float v[32];
    load_block<T>(args.x, row, half, used, v);
    ADAHOP_UNROLL
    for (int i = 0; i < 32; ++i) slots[32 * half + i] = v[i];
  }
  args.scores[row] = args.window == 64 ? score_of(slots, fixed_window<64>{}) : score_of(slots, fixed_window<32>{});
}

ADAHOP_KERNEL(foid_score_f32, foid_score_args, 64) { foid_score<float>(args); }
ADAHOP_KERNEL(foid_score_bf16, foid_score_args, 64) { foid_score<bf16>(args); }

}  // namespace adahop::hip
