// The Hadamard transform of a run of groups, FP32 or BF16 in and out. For AVX-512. Implements SPEC 6.1-6.5, 6.10, 6.11.
#include "reference/simd/avx512/hadamard_butterflies.h"

namespace adahop::reference::simd {
namespace {

[[gnu::always_inline]] inline __m512 load_lanes(const float* x) { return _mm512_loadu_ps(x); }

[[gnu::always_inline]] inline __m512 load_lanes(const uint16_t* x) {
  const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}

template <bool kStream>
[[gnu::always_inline]] inline void store_64(void* to, __m512i v) {
  if (kStream)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), v);
  else
    _mm512_storeu_si512(to, v);
}

template <int kVectors, bool kStream>
[[gnu::always_inline]] inline void store_group(const __m512 (&y)[kVectors], bool round_bf16, float* out) {
  for (int i = 0; i < kVectors; ++i) {
    const __m512 value = round_bf16 ? rounded_to_bf16(y[i]) : canonical(y[i]);
    store_64<kStream>(out + kLanes * i, _mm512_castps_si512(value));
  }
}

template <int kVectors, bool kStream>
[[gnu::always_inline]] inline void store_group(const __m512 (&y)[kVectors], bool, uint16_t* out) {
  if constexpr (kVectors == 1) {
    const __m256i half = _mm512_castsi512_si256(bf16_of(y[0], y[0]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), half);
  } else {
    for (int i = 0; i < kVectors; i += 2) store_64<kStream>(out + kLanes * i, bf16_of(y[i], y[i + 1]));
  }
}

template <int kVectors, bool kSigns, bool kStream, class In, class Out>
[[gnu::always_inline]] inline void run_groups(const transform& how, const In* x, int64_t count, Out* out) {
  for (int64_t first = 0; first < count; first += kLanes * kVectors) {
    __m512 y[kVectors];
    for (int i = 0; i < kVectors; ++i) {
      y[i] = load_lanes(x + first + kLanes * i);
      if (kSigns) y[i] = _mm512_xor_ps(y[i], _mm512_loadu_ps(how.signs + first + kLanes * i));
    }
    transform_groups<kVectors>(y);
    store_group<kVectors, kStream>(y, how.round_bf16, out + first);
  }
}

template <int kVectors, class In, class Out>
[[gnu::noinline]] void run_size(const transform& how, const In* x, int64_t count, Out* out, bool stream) {
  if (how.signs != nullptr)
    stream ? run_groups<kVectors, true, true>(how, x, count, out) : run_groups<kVectors, true, false>(how, x, count, out);
  else
    stream ? run_groups<kVectors, false, true>(how, x, count, out) : run_groups<kVectors, false, false>(how, x, count, out);
}

template <class In, class Out>
[[gnu::always_inline]] inline void run(const transform& how, const In* x, int64_t count, Out* out, bool stream) {
  stream = stream && reinterpret_cast<uintptr_t>(out) % sizeof(__m512i) == 0;
  switch (how.size) {
    case 16: run_size<1>(how, x, count, out, stream); break;
    case 32: run_size<2>(how, x, count, out, stream); break;
    case 64: run_size<4>(how, x, count, out, stream); break;
    case 128: run_size<8>(how, x, count, out, stream); break;
  }
  if (stream) _mm_sfence();
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
