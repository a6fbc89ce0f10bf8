// FOID scores of sixteen rows at once: the tree of 64 slots ends in a reduction of sixteen vectors to one. Implements
// SPEC 9.1-9.3 over contiguous rows.
#include "reference/simd/avx512/statistics_load.h"
#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int kRows = 16;

// Sixteen vectors with slots 0 to 15 of a row each, to the trees' sums, lane r that of row r. The additions are those
// of SPEC 9.2; only where they are made in a register differs.
__m512 reduce_rows(__m512 (&v)[kRows]) {
  // Distance 8: the lower halves of rows i and i + 8, plus their upper halves.
  for (int i = 0; i < 8; ++i)
    v[i] = _mm512_add_ps(_mm512_shuffle_f32x4(v[i], v[i + 8], 0x44), _mm512_shuffle_f32x4(v[i], v[i + 8], 0xEE));
  // Distance 4: afterwards the 128-bit lanes of v[i] are of the rows i, i + 8, i + 4, i + 12.
  for (int i = 0; i < 4; ++i)
    v[i] = _mm512_add_ps(_mm512_shuffle_f32x4(v[i], v[i + 4], 0x88), _mm512_shuffle_f32x4(v[i], v[i + 4], 0xDD));
  // Distances 2 and 1, inside 128-bit lanes.
  for (int i = 0; i < 2; ++i)
    v[i] = _mm512_add_ps(_mm512_shuffle_ps(v[i], v[i + 2], 0x44), _mm512_shuffle_ps(v[i], v[i + 2], 0xEE));
  const __m512 sums = _mm512_add_ps(_mm512_shuffle_ps(v[0], v[1], 0x88), _mm512_shuffle_ps(v[0], v[1], 0xDD));
  const __m512i lane_of_row = _mm512_setr_epi32(0, 2, 1, 3, 8, 10, 9, 11, 4, 6, 5, 7, 12, 14, 13, 15);
  return _mm512_permutexvar_ps(lane_of_row, sums);
}

// Sixteen slots of a row from slot 16 * part on; kFull: all of them hold elements.
template <bool kFull, class Element>
__m512 slots(const Element* row, int64_t part, int64_t present) {
  if (kFull) return load_values(row + 16 * part);
  const __mmask16 mask = first_lanes(present - 16 * part);
  return mask == 0 ? _mm512_setzero_ps() : load_values(row + 16 * part, mask);
}

template <int kWindow, bool kFull, class Element>
__m512 scores_of(const Element* const (&row)[kRows], int64_t present) {
  const __m512 zero = _mm512_setzero_ps();
  __m512 v[kRows];
  for (int r = 0; r < kRows; ++r) {
    const __m512 a = slots<kFull>(row[r], 0, present), b = slots<kFull>(row[r], 1, present);
    const __m512 c = kWindow == 64 ? slots<kFull>(row[r], 2, present) : zero;
    const __m512 d = kWindow == 64 ? slots<kFull>(row[r], 3, present) : zero;
    v[r] = _mm512_add_ps(_mm512_add_ps(a, c), _mm512_add_ps(b, d));  // distances 32 and 16
  }
  alignas(64) float mean[kRows];
  _mm512_store_ps(mean, _mm512_mul_ps(reduce_rows(v), _mm512_set1_ps(1.0f / kWindow)));
  for (int r = 0; r < kRows; ++r) {
    const __m512 m = _mm512_set1_ps(mean[r]);
    const auto square = [&](int64_t part) {
      const __m512 distance = _mm512_sub_ps(slots<kFull>(row[r], part, present), m);
      return _mm512_mul_ps(distance, distance);
    };
    const __m512 c = kWindow == 64 ? square(2) : zero, d = kWindow == 64 ? square(3) : zero;
    v[r] = _mm512_add_ps(_mm512_add_ps(square(0), c), _mm512_add_ps(square(1), d));
  }
  const __m512 score = reduce_rows(v);
  return _mm512_mask_mov_ps(score, _mm512_cmp_ps_mask(score, score, _CMP_UNORD_Q), _mm512_set1_ps(__builtin_nanf("")));
}

template <int kWindow, class Element>
void scores_under(const Element* x, int64_t stride, int64_t rows, int64_t present, float* scores) {
  for (int64_t first = 0; first < rows; first += kRows) {
    const Element* row[kRows];
    // Past the last row, row 0 again: its score is not stored.
    for (int64_t i = 0; i < kRows; ++i) row[i] = x + (first + i < rows ? first + i : 0) * stride;
    const __m512 score =
        present == kWindow ? scores_of<kWindow, true>(row, present) : scores_of<kWindow, false>(row, present);
    _mm512_mask_storeu_ps(scores + first, first_lanes(rows - first), score);
  }
}

template <class Element>
void foid_scores(const Element* x, int64_t stride, int64_t rows, int64_t present, int64_t window, float* scores) {
  if (window == 64)
    scores_under<64>(x, stride, rows, present, scores);
  else
    scores_under<32>(x, stride, rows, present, scores);
}

}  // namespace

void foid_scores_f32__avx512(const float* x, int64_t stride, int64_t rows, int64_t present, int64_t window,
                             float* scores) {
  foid_scores(x, stride, rows, present, window, scores);
}

void foid_scores_bf16__avx512(const uint16_t* x, int64_t stride, int64_t rows, int64_t present, int64_t window,
                              float* scores) {
  foid_scores(x, stride, rows, present, window, scores);
}

}  // namespace adahop::reference::simd
