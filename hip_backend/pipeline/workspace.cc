// Handing out a workspace, and counting one by a call on a device that only counts. Implements SPEC 13.3.
#include "pipeline/workspace.h"

#include <fmt/format.h>

#include <cstring>

#include "pipeline/context.h"
#include "pipeline/operations.h"

namespace adahop::hip {
namespace {

constexpr uint64_t kAlignment = 256;

constexpr uint64_t aligned(uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// Gives addresses that nothing reads, and adds up what was asked for. What comes back from it is zeros.
class counting_device final : public device {
 public:
  uint64_t total() const { return total_; }

  std::string_view description() const override { return "counts memory"; }
  int wave_size() const override { return 64; }
  result<void*> allocate(size_t bytes) override {
    total_ += aligned(bytes);
    return reinterpret_cast<void*>(uintptr_t{1} << 40);
  }
  void release(void*) override {}
  status copy_to_device(void*, const void*, size_t, void*) override { return {}; }
  status copy_to_host(void* target, const void*, size_t bytes, void*) override {
    if (bytes != 0) std::memset(target, 0, bytes);
    return {};
  }
  status fill_zero(void*, size_t, void*) override { return {}; }
  result<void*> create_stream() override { return static_cast<void*>(this); }
  status release_stream(void*) override { return {}; }
  result<kernel_handle> find_kernel(std::string_view) override { return kernel_handle{this}; }
  status launch(kernel_handle, extent3, extent3, const void*, size_t, void*) override { return {}; }
  status synchronize(void*) override { return {}; }
  status start_timer(void*) override { return {}; }
  result<double> stop_timer(void*) override { return 0.0; }

 private:
  uint64_t total_ = 0;
};

// Where the results of the counted call go instead of to the caller.
struct unused_results {
  adahop_quantize_result quantize;
  adahop_pattern_result pattern;
  int64_t count;

  void stand_in(adahop_quantize_args& args) {
    if (args.result != nullptr) args.result = &quantize;
  }
  void stand_in(adahop_hadamard_quantize_args& args) {
    if (args.result != nullptr) args.result = &quantize;
  }
  void stand_in(adahop_pattern_args& args) {
    if (args.result != nullptr) args.result = &pattern;
  }
  void stand_in(adahop_select_outliers_args& args) {
    if (args.count != nullptr) args.count = &count;
  }
  template <class Args>
  void stand_in(Args&) {}
};

template <class Args>
status run_counted(const context& on, const void* args) {
  Args counted = *static_cast<const Args*>(args);
  unused_results results{};
  results.stand_in(counted);
  return run(on, counted);
}

status run_counted(const context& on, adahop_op op, const void* args) {
  switch (op) {
    case ADAHOP_OP_QUANTIZE: return run_counted<adahop_quantize_args>(on, args);
    case ADAHOP_OP_DEQUANTIZE: return run_counted<adahop_dequantize_args>(on, args);
    case ADAHOP_OP_HADAMARD: return run_counted<adahop_hadamard_args>(on, args);
    case ADAHOP_OP_HADAMARD_QUANTIZE: return run_counted<adahop_hadamard_quantize_args>(on, args);
    case ADAHOP_OP_PATTERN: return run_counted<adahop_pattern_args>(on, args);
    case ADAHOP_OP_SELECT_OUTLIERS: return run_counted<adahop_select_outliers_args>(on, args);
    case ADAHOP_OP_EXTRACT_OUTLIERS: return run_counted<adahop_extract_outliers_args>(on, args);
    case ADAHOP_OP_MX_GEMM: return run_counted<adahop_mx_gemm_args>(on, args);
    case ADAHOP_OP_BF16_GEMM: return run_counted<adahop_bf16_gemm_args>(on, args);
    case ADAHOP_OP_SCATTER_ADD: return run_counted<adahop_scatter_add_args>(on, args);
    case ADAHOP_OP_MATMUL: return run_counted<adahop_matmul_args>(on, args);
    case ADAHOP_OP_COUNT: break;
  }
  return invalid_argument(fmt::format("op: {} is unknown", static_cast<int>(op)));
}

}  // namespace

workspace::workspace(void* memory, uint64_t bytes)
    : given_(bytes), next_(reinterpret_cast<uintptr_t>(memory)), end_(next_ + bytes) {}

result<void*> workspace::take(size_t bytes) {
  const uintptr_t begin = aligned(next_);
  if (begin > end_ || bytes > end_ - begin)
    return invalid_argument(fmt::format("exec: workspace_bytes {} is too small, expected what workspace_size() names", given_));
  next_ = begin + bytes;
  return reinterpret_cast<void*>(begin);
}

result<uint64_t> workspace_bytes(adahop_op op, const void* args, bool tuned) {
  counting_device counter;
  context on{counter};
  on.memory = ADAHOP_MEMORY_DEVICE;
  on.dry_run = true;
  on.tuned = tuned;
  on.mode = ADAHOP_MODE_NATIVE;  // takes every gemm_model; both modes need the same memory
  ADAHOP_TRY(run_counted(on, op, args));
  // The first address may lie anywhere between two aligned ones.
  return counter.total() == 0 ? 0 : counter.total() + kAlignment - 1;
}

}  // namespace adahop::hip
