// The Walsh-Hadamard transform of runs of groups, for AVX2. Implements SPEC 6.1-6.5, 6.10, 6.11.
#include "reference/simd/avx2/hadamard_group.h"

namespace adahop::reference::simd {
namespace {

template <int kSize, class Element, class Result>
[[gnu::always_inline]] inline void transform_all(const transform& how, const Element* x, int64_t count, store_kind kind,
                                                 Result* out) {
  if (how.signs == nullptr)
    transform_run<kSize, false>(how.round_bf16, x, nullptr, count, kind, out);
  else
    transform_run<kSize, true>(how.round_bf16, x, how.signs, count, kind, out);
}

template <class Element, class Result>
[[gnu::always_inline]] inline void hadamard(const transform& how, const Element* x, int64_t count, Result* out,
                                            bool stream) {
  const store_kind kind = store_kind_of(out, stream);
  switch (how.size) {
    case 16: transform_all<16>(how, x, count, kind, out); break;
    case 64: transform_all<64>(how, x, count, kind, out); break;
    case 128: transform_all<128>(how, x, count, kind, out); break;
    default: transform_all<32>(how, x, count, kind, out); break;
  }
  if (kind != store_kind::plain) _mm_sfence();
}

}  // namespace

void hadamard_f32_f32__avx2(const transform& how, const float* x, int64_t count, float* out, bool stream) {
  hadamard(how, x, count, out, stream);
}

void hadamard_f32_bf16__avx2(const transform& how, const float* x, int64_t count, uint16_t* out, bool stream) {
  hadamard(how, x, count, out, stream);
}

void hadamard_bf16_f32__avx2(const transform& how, const uint16_t* x, int64_t count, float* out, bool stream) {
  hadamard(how, x, count, out, stream);
}

void hadamard_bf16_bf16__avx2(const transform& how, const uint16_t* x, int64_t count, uint16_t* out, bool stream) {
  hadamard(how, x, count, out, stream);
}

}  // namespace adahop::reference::simd
