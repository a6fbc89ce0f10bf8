// FOID scores of eight rows at once: the tree of 64 slots ends in a reduction of eight vectors to one. Implements
// SPEC 9.1-9.3 over contiguous rows.
#include "reference/simd/avx2/statistics_load.h"
#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int kRows = 8;

// Eight vectors with slots 0 to 7 of a row each, to the trees' sums, lane r that of row r. The additions are those of
// SPEC 9.2; only where they are made in a register differs.
__m256 reduce_rows(__m256 (&v)[kRows]) {
  // Distance 4: the lower halves of rows i and i + 4, plus their upper halves.
  for (int i = 0; i < 4; ++i)
    v[i] = _mm256_add_ps(_mm256_permute2f128_ps(v[i], v[i + 4], 0x20), _mm256_permute2f128_ps(v[i], v[i + 4], 0x31));
  // Distances 2 and 1, inside 128-bit lanes.
  for (int i = 0; i < 2; ++i)
    v[i] = _mm256_add_ps(_mm256_shuffle_ps(v[i], v[i + 2], 0x44), _mm256_shuffle_ps(v[i], v[i + 2], 0xEE));
  const __m256 sums = _mm256_add_ps(_mm256_shuffle_ps(v[0], v[1], 0x88), _mm256_shuffle_ps(v[0], v[1], 0xDD));
  return _mm256_permutevar8x32_ps(sums, _mm256_setr_epi32(0, 2, 1, 3, 4, 6, 5, 7));
}

// The sum over a row's slots of term(part), part the number of a vector of 8, at the distances 32, 16 and 8. Slots
// beyond a window of 32 are +0.
template <int kWindow, class Term>
__m256 tree_top(const Term& term) {
  __m256 part[4];
  for (int i = 0; i < 4; ++i) part[i] = _mm256_add_ps(term(i), kWindow == 64 ? term(i + 4) : _mm256_setzero_ps());
  return _mm256_add_ps(_mm256_add_ps(part[0], part[2]), _mm256_add_ps(part[1], part[3]));
}

template <int kWindow, bool kFull, class Element>
__m256 scores_of(const Element* const (&row)[kRows], int64_t present) {
  const auto slots = [&](int r, int part) {
    if (kFull) return load_values(row[r] + 8 * part);
    return load_first_values(row[r] + 8 * part, present - 8 * part);
  };
  __m256 v[kRows];
  for (int r = 0; r < kRows; ++r) v[r] = tree_top<kWindow>([&](int part) { return slots(r, part); });
  alignas(32) float mean[kRows];
  _mm256_store_ps(mean, _mm256_mul_ps(reduce_rows(v), _mm256_set1_ps(1.0f / kWindow)));
  for (int r = 0; r < kRows; ++r) {
    const __m256 m = _mm256_set1_ps(mean[r]);
    v[r] = tree_top<kWindow>([&](int part) {
      const __m256 distance = _mm256_sub_ps(slots(r, part), m);
      return _mm256_mul_ps(distance, distance);
    });
  }
  const __m256 score = reduce_rows(v);
  return _mm256_blendv_ps(score, _mm256_set1_ps(__builtin_nanf("")), _mm256_cmp_ps(score, score, _CMP_UNORD_Q));
}

template <int kWindow, class Element>
void scores_under(const Element* x, int64_t stride, int64_t rows, int64_t present, float* scores) {
  for (int64_t first = 0; first < rows; first += kRows) {
    const Element* row[kRows];
    // Past the last row, row 0 again: its score is not stored.
    for (int64_t i = 0; i < kRows; ++i) row[i] = x + (first + i < rows ? first + i : 0) * stride;
    alignas(32) float score[kRows];
    _mm256_store_ps(
        score, present == kWindow ? scores_of<kWindow, true>(row, present) : scores_of<kWindow, false>(row, present));
    for (int64_t i = 0; i < kRows && first + i < rows; ++i) scores[first + i] = score[i];
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

void foid_scores_f32__avx2(const float* x, int64_t stride, int64_t rows, int64_t present, int64_t window,
                           float* scores) {
  foid_scores(x, stride, rows, present, window, scores);
}

void foid_scores_bf16__avx2(const uint16_t* x, int64_t stride, int64_t rows, int64_t present, int64_t window,
                            float* scores) {
  foid_scores(x, stride, rows, present, window, scores);
}

}  // namespace adahop::reference::simd
