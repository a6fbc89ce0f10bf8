// A run of values to codes and scales under a policy, wherever the layout puts them, and the sum of what runs report.
#pragma once
#include <atomic>

#include "adahop/policy.h"
#include "adahop/tensor.h"
#include "reference/simd/isa.h"

namespace adahop::reference::simd {

/// The report of a call, added up by threads in any order.
class report_sum {
 public:
  void add(const run_report& found);
  adahop_quantize_result total() const;

 private:
  std::atomic<int64_t> clipped_{0};
  std::atomic<int64_t> first_nonfinite_{INT64_MAX};
};

/// Writes runs of one quantized matrix.
class encoder {
 public:
  /// `inner` is the dimension that indices count with (SPEC 3.8).
  encoder(const kernel_table& k, const policy& p, const adahop_mx& out, int64_t inner);

  /// Whether RNE is asked for, whose kernels also take BF16.
  bool rounds_to_nearest() const { return policy_.element_rounding == ADAHOP_ROUND_RNE; }

  /// Quantizes `count` values, whole blocks, at (row, column) and adds to `found`, whose index is row * inner + column.
  void write(run_report& found, int64_t row, int64_t column, const float* x, int64_t count) const;
  void write(run_report& found, int64_t row, int64_t column, const uint16_t* x, int64_t count) const;
  /// The same through the fused Hadamard of size 32 without signs, under RNE.
  void write_transformed(run_report& found, int64_t row, int64_t column, const float* x, int64_t count) const;
  void write_transformed(run_report& found, int64_t row, int64_t column, const uint16_t* x, int64_t count) const;
  /// `count` zeros, all +0.
  void write_zeros(int64_t row, int64_t column, int64_t count) const;

 private:
  template <class Kernel>
  void place(run_report& found, int64_t row, int64_t column, int64_t count, const Kernel& kernel) const;

  const kernel_table& kernels_;
  const policy& policy_;
  adahop_mx out_;
  int64_t inner_;
  scale_choice choice_;
};

/// Adds what a run found, its index counted from `begin`.
inline void add(run_report& sum, const run_report& run, int64_t begin) {
  sum.clipped += run.clipped;
  if (sum.first_nonfinite < 0 && run.first_nonfinite >= 0) sum.first_nonfinite = begin + run.first_nonfinite;
}

/// A task's own report.
struct task_report : run_report {
  task_report() : run_report{0, -1} {}
};

}  // namespace adahop::reference::simd
