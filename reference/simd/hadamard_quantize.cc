// Fused Hadamard and quantization by kernels. Implements SPEC 6.7-6.11.
#include "reference/simd/hadamard_quantize.h"

#include "reference/hadamard_quantize.h"
#include "reference/simd/encoder.h"
#include "reference/simd/hadamard.h"
#include "reference/simd/one_row.h"
#include "reference/simd/pieces.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kPart = 2048;

void transform_part(const kernel_table& k, const transform& how, const float* x, int64_t n, float* out) {
  k.hadamard_f32_f32(how, x, n, out, false);
}
void transform_part(const kernel_table& k, const transform& how, const uint16_t* x, int64_t n, float* out) {
  k.hadamard_bf16_f32(how, x, n, out, false);
}

// Transforms that have no fused kernel: a part at a time through the cache. `values` is null for a row of +0, which signs
// turn into zeros of both signs.
template <class T>
void write_in_parts(const kernel_table& k, const encoder& to, const policy& p, const uint32_t* signs, const piece& at,
                    const T* values, run_report& found) {
  for (int64_t done = 0; done < at.count; done += kPart) {
    alignas(64) float part[kPart];
    const int64_t n = std::min(kPart, at.count - done);
    const transform how{p.hadamard_size, p.hadamard_output == ADAHOP_BF16, signs == nullptr ? nullptr : signs + done};
    static constexpr T kZeros[kPart] = {};
    transform_part(k, how, values == nullptr ? kZeros : values + done, n, part);
    to.write(found, at.row, at.column + done, part, n);
  }
}

template <class T>
adahop_quantize_result hadamard_quantize_as(const kernel_table& k, const policy& p, const adahop_view& x,
                                            std::span<const int32_t> zeroed, const adahop_mx& out) {
  const encoder to(k, p, out, out.inner);
  const std::vector<uint32_t> signs = sign_words(p, out.inner);
  const bool fused = to.rounds_to_nearest() && p.hadamard_size == kBlockSize && signs.empty();
  report_sum sum;
  for_each_piece<T, task_report>(
      k, x, out.inner,
      [&](task_report& found, const piece& at, const T* values) {
        const bool zero = std::binary_search(zeroed.begin(), zeroed.end(), at.row);
        if (zero && signs.empty()) to.write_zeros(at.row, at.column, at.count);
        else if (fused) to.write_transformed(found, at.row, at.column, values, at.count);
        else
          write_in_parts(k, to, p, signs.empty() ? nullptr : signs.data() + at.column, at, zero ? nullptr : values, found);
      },
      [&](const task_report& found) { sum.add(found); });
  return sum.total();
}

}  // namespace

adahop_quantize_result hadamard_quantize(const policy& p, const adahop_view& x, std::span<const int32_t> zeroed,
                                         const adahop_mx& out) {
  const kernel_table* const k = kernels();
  if (k == nullptr || x.rows == 0) return reference::hadamard_quantize(p, x, zeroed, out);
  // Signs belong to columns, zeroed rows to rows.
  const bool linear = p.scale_layout == ADAHOP_LAYOUT_LINEAR;
  if (linear && zeroed.empty() && p.hadamard_signs == ADAHOP_SIGNS_NONE && joins(x, out))
    return hadamard_quantize(p, joined(x), zeroed, joined(out));
  return x.dtype == ADAHOP_BF16 ? hadamard_quantize_as<uint16_t>(*k, p, x, zeroed, out)
                                : hadamard_quantize_as<float>(*k, p, x, zeroed, out);
}

}  // namespace adahop::reference::simd
