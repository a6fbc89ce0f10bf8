// Variances of rows or columns in FP64, one thread a line, in the two-level order of SPEC 7.1. Implements SPEC 7.1-7.4.
#include "kernels/elements.h"
#include "kernels/two_level_sum.h"

namespace adahop::hip {

template <class T>
ADAHOP_DEVICE_FN void line_variance(const line_variance_args& args) {
  const int64_t line = int64_t{block_x()} * 64 + thread_x();
  if (line >= args.lines) return;
  const double n = static_cast<double>(args.length);
  const auto element = [&](int64_t e) { return static_cast<double>(load<T>(args.x, line, e)); };
  const double mean = two_level_sum(args.length, element) / n;
  const double sum_of_squares = two_level_sum(args.length, [&](int64_t e) {
    const double deviation = element(e) - mean;
    return deviation * deviation;
  });
  const double variance = sum_of_squares / (n - 1);
  // A line of one element, or of none, has no variance.
  const bool is_number = args.length > 1 && variance == variance;
  args.variance[line] = is_number ? variance : __builtin_bit_cast(double, uint64_t{0x7FF8000000000000u});
}

ADAHOP_KERNEL(line_variance_f32, line_variance_args, 64) { line_variance<float>(args); }
ADAHOP_KERNEL(line_variance_bf16, line_variance_args, 64) { line_variance<bf16>(args); }

}  // namespace adahop::hip
