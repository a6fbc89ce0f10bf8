// The Hadamard transform of a run of groups, FP32 or BF16 in and out. For AVX-512. Implements SPEC 6.1-6.5, 6.10, 6.11.
#include "reference/simd/avx512/hadamard_butterflies.h"
#include "reference/simd/avx512/prefetch.h"
#include "reference/simd/avx512/streaming_store.h"

namespace adahop::reference::simd {
namespace {

[[gnu::always_inline]] inline __m512 load_lanes(const float* x) { return _mm512_loadu_ps(x); }

[[gnu::always_inline]] inline __m512 load_lanes(const uint16_t* x) {
  const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}

template <int kVectors>
[[gnu::always_inline]] inline void store_values(store_kind kind, const __m512 (&y)[kVectors], bool round_bf16,
                                                float* out) {
  __m512i bits[kVectors];
  for (int i = 0; i < kVectors; ++i)
    bits[i] = _mm512_castps_si512(round_bf16 ? rounded_to_bf16(y[i]) : canonical(y[i]));
  store_all(kind, bits, out);
}

template <int kVectors>
[[gnu::always_inline]] inline void store_values(store_kind kind, const __m512 (&y)[kVectors], bool, uint16_t* out) {
  if constexpr (kVectors == 1) {
    const __m256i half = _mm512_castsi512_si256(bf16_of(y[0], y[0]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), half);
  } else {
    __m512i bits[kVectors / 2];
    for (int i = 0; i < kVectors / 2; ++i) bits[i] = bf16_of(y[2 * i], y[2 * i + 1]);
    store_all(kind, bits, out);
  }
}

/// The groups in kAll vectors from `first` on.
template <int kVectors, int kAll, class In, class Out>
[[gnu::always_inline]] inline void transform_at(const transform& how, const In* x, int64_t first, Out* out,
                                                store_kind kind) {
  __m512 y[kAll];
  for (int i = 0; i < kAll; ++i) {
    y[i] = load_lanes(x + first + kLanes * i);
    if (how.signs != nullptr) y[i] = _mm512_xor_ps(y[i], _mm512_loadu_ps(how.signs + first + kLanes * i));
  }
  transform_groups<kVectors>(y);
  store_values(kind, y, how.round_bf16, out + first);
}

/// Several groups at once, then those that are left.
template <int kVectors, class In, class Out>
[[gnu::noinline]] void run_size(const transform& how, const In* x, int64_t count, Out* out, store_kind kind) {
  constexpr int kAtOnce = 8;
  int64_t first = 0;
  for (; first + kLanes * kAtOnce <= count; first += kLanes * kAtOnce) {
    prefetch_ahead<kLanes * kAtOnce * sizeof(In)>(x + first);
    transform_at<kVectors, kAtOnce>(how, x, first, out, kind);
  }
  for (; first < count; first += kLanes * kVectors) transform_at<kVectors, kVectors>(how, x, first, out, kind);
}

template <class In, class Out>
[[gnu::always_inline]] inline void run(const transform& how, const In* x, int64_t count, Out* out, bool stream) {
  const store_kind kind = store_kind_of(out, stream);
  switch (how.size) {
    case 16:
      run_size<1>(how, x, count, out, kind);
      break;
    case 32:
      run_size<2>(how, x, count, out, kind);
      break;
    case 64:
      run_size<4>(how, x, count, out, kind);
      break;
    case 128:
      run_size<8>(how, x, count, out, kind);
      break;
  }
  order_stores(kind);
}

}  // namespace

void hadamard_f32_f32__avx512(const transform& how, const float* x, int64_t count, float* out, bool stream) {
  run(how, x, count, out, stream);
}

void hadamard_f32_bf16__avx512(const transform& how, const float* x, int64_t count, uint16_t* out, bool stream) {
  run(how, x, count, out, stream);
}

void hadamard_bf16_f32__avx512(const transform& how, const uint16_t* x, int64_t count, float* out, bool stream) {
  run(how, x, count, out, stream);
}

void hadamard_bf16_bf16__avx512(const transform& how, const uint16_t* x, int64_t count, uint16_t* out, bool stream) {
  run(how, x, count, out, stream);
}

}  // namespace adahop::reference::simd
