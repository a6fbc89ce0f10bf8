// Sums the partials of a quantizing launch into one report, in one thread block. Implements SPEC 5.9, 5.15.
#include "kernels/quantize_partials.h"

namespace adahop::hip {

ADAHOP_KERNEL(quantize_report, quantize_report_args, 256) {
  quantize_partial mine = {0, kNoPosition};
  for (int64_t i = thread_x(); i < args.count; i += 256) {
    mine.clipped += args.partials[i].clipped;
    mine.first_nonfinite = min_position(mine.first_nonfinite, args.partials[i].first_nonfinite);
  }
  const quantize_partial total = reduce_partials(mine);
  if (thread_x() == 0) *args.total = total;
}

}  // namespace adahop::hip
