// Hadamard by kernels. Implements SPEC 6.1-6.5, 6.10, 6.11.
#include "reference/simd/hadamard.h"

#include "reference/hadamard.h"
#include "reference/simd/pieces.h"
#include "reference/simd/run_output.h"

namespace adahop::reference::simd {
namespace {

void transform_run(const kernel_table& k, const transform& how, const float* x, int64_t n, float* out, bool stream) {
  k.hadamard_f32_f32(how, x, n, out, stream);
}
void transform_run(const kernel_table& k, const transform& how, const float* x, int64_t n, uint16_t* out, bool stream) {
  k.hadamard_f32_bf16(how, x, n, out, stream);
}
void transform_run(const kernel_table& k, const transform& how, const uint16_t* x, int64_t n, float* out, bool stream) {
  k.hadamard_bf16_f32(how, x, n, out, stream);
}
void transform_run(const kernel_table& k, const transform& how, const uint16_t* x, int64_t n, uint16_t* out, bool stream) {
  k.hadamard_bf16_bf16(how, x, n, out, stream);
}

template <class From, class To>
void hadamard_as(const kernel_table& k, const policy& p, const adahop_view& x, const adahop_view& out) {
  const std::vector<uint32_t> signs = sign_words(p, out.cols);
  const bool stream = goes_past_caches(out);
  struct nothing {};
  for_each_piece<From, nothing>(
      k, x, out.cols,
      [&](nothing&, const piece& at, const From* values) {
        write_run<To>(out, at.row, at.column, at.count, [&](int64_t done, int64_t n, To* to) {
          const uint32_t* const s = signs.empty() ? nullptr : signs.data() + at.column + done;
          transform_run(k, {p.hadamard_size, false, s}, values + done, n, to, stream);
        });
      },
      [](const nothing&) {});
}

}  // namespace

std::vector<uint32_t> sign_words(const policy& p, int64_t inner) {
  std::vector<uint32_t> words;
  if (p.hadamard_signs == ADAHOP_SIGNS_NONE) return words;
  words.resize(static_cast<size_t>(inner));
  for_each_index(inner, 16, [&](int64_t i) {
    words[static_cast<size_t>(i)] = hadamard_negates(p.hadamard_seed, i) ? 0x80000000u : 0u;
  });
  return words;
}

void hadamard(const policy& p, const adahop_view& x, const adahop_view& out) {
  const kernel_table* const k = kernels();
  if (k == nullptr || x.rows == 0) return reference::hadamard(p, x, out);
  const bool from_bf16 = x.dtype == ADAHOP_BF16, to_bf16 = out.dtype == ADAHOP_BF16;
  const auto run = from_bf16 ? (to_bf16 ? hadamard_as<uint16_t, uint16_t> : hadamard_as<uint16_t, float>)
                             : (to_bf16 ? hadamard_as<float, uint16_t> : hadamard_as<float, float>);
  run(*k, p, x, out);
}

}  // namespace adahop::reference::simd
