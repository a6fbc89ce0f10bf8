// Runs to codes and scales: which kernel, which random words, which scale bytes. Implements SPEC 3.1, 3.5, 3.8, 5.1-5.21.
#include "reference/simd/encoder.h"

#include <algorithm>

#include "reference/scale_storage.h"
#include "reference/simd/staging.h"

namespace adahop::reference::simd {
namespace {

// Scale bytes of a layout that does not keep a row's together are written here first.
constexpr int64_t kScratchBlocks = 128;

}  // namespace

void report_sum::add(const run_report& found) {
  if (found.clipped != 0) clipped_.fetch_add(found.clipped, std::memory_order_relaxed);
  if (found.first_nonfinite < 0) return;
  int64_t first = first_nonfinite_.load(std::memory_order_relaxed);
  while (found.first_nonfinite < first && !first_nonfinite_.compare_exchange_weak(first, found.first_nonfinite)) {
  }
}

adahop_quantize_result report_sum::total() const {
  const int64_t first = first_nonfinite_.load();
  return {clipped_.load(), first == INT64_MAX ? -1 : first};
}

encoder::encoder(const kernel_table& k, const policy& p, const adahop_mx& out, int64_t inner)
    : kernels_(k), policy_(p), out_(out), inner_(inner), choice_{p.scale_rule, p.min_scale_byte} {
  clear_scale_padding(out, p.scale_layout);
}

template <class Kernel>
void encoder::place(run_report& found, int64_t row, int64_t column, int64_t count, const Kernel& kernel) const {
  uint8_t* const codes = out_.codes + row * out_.codes_stride + column / 2;
  const int64_t first_block = column / kBlockSize, blocks = count / kBlockSize;
  const int64_t begin = row * inner_ + column;
  if (policy_.scale_layout == ADAHOP_LAYOUT_LINEAR) {
    add(found, kernel(0, blocks, codes, out_.scales + row * out_.scales_stride + first_block), begin);
    return;
  }
  for (int64_t done = 0; done < blocks; done += kScratchBlocks) {
    uint8_t scales[kScratchBlocks];
    const int64_t n = std::min(kScratchBlocks, blocks - done);
    add(found, kernel(done, n, codes + done * kBlockBytes, scales), begin + done * kBlockSize);
    for (int64_t i = 0; i < n; ++i) scale_at(out_, policy_.scale_layout, row, first_block + done + i) = scales[i];
  }
}

void encoder::write(run_report& found, int64_t row, int64_t column, const float* x, int64_t count) const {
  place(found, row, column, count, [&](int64_t done, int64_t blocks, uint8_t* codes, uint8_t* scales) {
    const float* const run = x + done * kBlockSize;
    const int64_t at = column + done * kBlockSize;
    if (policy_.element_rounding == ADAHOP_ROUND_STOCHASTIC) {
      const uint64_t position = policy_.sr_offset + static_cast<uint64_t>(row * inner_ + at);
      return kernels_.quantize_stochastic(choice_, {policy_.sr_seed, position, policy_.sr_bits}, run, blocks, codes, scales);
    }
    if (policy_.element_rounding == ADAHOP_ROUND_GFX950_SR) {
      const uint64_t pair = static_cast<uint64_t>(row * ((inner_ + 1) / 2) + at / 2);
      return kernels_.quantize_gfx950_sr(choice_, {policy_.sr_seed, pair, 0}, run, blocks, codes, scales);
    }
    return kernels_.quantize_f32(choice_, run, blocks, codes, scales);
  });
}

void encoder::write(run_report& found, int64_t row, int64_t column, const uint16_t* x, int64_t count) const {
  if (rounds_to_nearest()) {
    place(found, row, column, count, [&](int64_t done, int64_t blocks, uint8_t* codes, uint8_t* scales) {
      return kernels_.quantize_bf16(choice_, x + done * kBlockSize, blocks, codes, scales);
    });
    return;
  }
  constexpr int64_t kWidened = 2048;
  for (int64_t done = 0; done < count; done += kWidened) {
    float wide[kWidened];
    const int64_t n = std::min(kWidened, count - done);
    widen(x + done, n, wide);
    write(found, row, column + done, wide, n);
  }
}

void encoder::write_transformed(run_report& found, int64_t row, int64_t column, const float* x, int64_t count) const {
  place(found, row, column, count, [&](int64_t done, int64_t blocks, uint8_t* codes, uint8_t* scales) {
    const bool round_bf16 = policy_.hadamard_output == ADAHOP_BF16;
    return kernels_.hadamard_quantize_f32(choice_, round_bf16, x + done * kBlockSize, blocks, codes, scales);
  });
}

void encoder::write_transformed(run_report& found, int64_t row, int64_t column, const uint16_t* x, int64_t count) const {
  place(found, row, column, count, [&](int64_t done, int64_t blocks, uint8_t* codes, uint8_t* scales) {
    const bool round_bf16 = policy_.hadamard_output == ADAHOP_BF16;
    return kernels_.hadamard_quantize_bf16(choice_, round_bf16, x + done * kBlockSize, blocks, codes, scales);
  });
}

void encoder::write_zeros(int64_t row, int64_t column, int64_t count) const {
  run_report none{0, -1};
  place(none, row, column, count, [&](int64_t, int64_t blocks, uint8_t* codes, uint8_t* scales) {
    std::fill_n(codes, blocks * kBlockBytes, uint8_t{0});
    std::fill_n(scales, blocks, static_cast<uint8_t>(choice_.min_scale_byte));  // SPEC 5.7
    return run_report{0, -1};
  });
}

}  // namespace adahop::reference::simd
