// Clipped count and first non-finite position of a thread block, without atomics: a sum and a minimum of integers, so
// the order cannot show. Implements SPEC 5.9, 5.15, 3.8.
#pragma once
#include "kernels/block_grid.h"
#include "kernels/quantize_block.h"

namespace adahop::hip {

ADAHOP_DEVICE_FN uint64_t min_position(uint64_t a, uint64_t b) { return a < b ? a : b; }

/// Reduces the partials of 256 threads; thread 0 returns the total. Every thread of the block must call it.
ADAHOP_DEVICE_FN quantize_partial reduce_partials(const quantize_partial& mine) {
  constexpr uint32_t kThreads = 256, kGroup = 16;
  ADAHOP_SHARED(uint64_t, clipped, 256);
  ADAHOP_SHARED(uint64_t, first, 256);
  const uint32_t t = thread_x();
  clipped.at(t) = mine.clipped;
  first.at(t) = mine.first_nonfinite;
  ADAHOP_BARRIER();
  quantize_partial total = mine;
  if (t < kThreads / kGroup) {
    total = {0, kNoPosition};
    for (uint32_t i = 0; i < kGroup; ++i) {
      total.clipped += clipped.at(t * kGroup + i);
      total.first_nonfinite = min_position(total.first_nonfinite, first.at(t * kGroup + i));
    }
  }
  ADAHOP_BARRIER();
  if (t < kThreads / kGroup) {
    clipped.at(t) = total.clipped;
    first.at(t) = total.first_nonfinite;
  }
  ADAHOP_BARRIER();
  if (t == 0) {
    total = {0, kNoPosition};
    for (uint32_t i = 0; i < kThreads / kGroup; ++i) {
      total.clipped += clipped.at(i);
      total.first_nonfinite = min_position(total.first_nonfinite, first.at(i));
    }
  }
  return total;
}

/// What one block adds to the report, its first element being element `at` of the stored order.
ADAHOP_DEVICE_FN quantize_partial partial_of(const quantized_block& q, const stored_position& at) {
  if (q.first_nonfinite < 0) return {q.clipped, kNoPosition};
  return {q.clipped, at.row * at.row_length + at.column + static_cast<uint64_t>(q.first_nonfinite)};
}

/// Quantizes the thread's block and stores it; returns its part of the report.
template <class Rounding>
ADAHOP_DEVICE_FN quantize_partial quantize_and_store(const quantize_args& args, const block_position& at,
                                                     const float (&v)[32]) {
  const stored_position first = {static_cast<uint64_t>(at.row), static_cast<uint64_t>(32 * at.block),
                                 static_cast<uint64_t>(args.index_row)};
  quantized_block q;
  quantize_block<Rounding>(v, args, first, q);
  store_block(args.out, at.row, at.block, q);
  return partial_of(q, first);
}

/// Writes the thread block's partial, if the caller wants a report.
ADAHOP_DEVICE_FN void write_partial(const quantize_args& args, const quantize_partial& mine) {
  if (args.partials == nullptr) return;
  const quantize_partial total = reduce_partials(mine);
  if (thread_x() == 0) args.partials[uint64_t{block_y()} * args.grid.grid_x + block_x()] = total;
}

}  // namespace adahop::hip
