// One K step of a tile's outlier product in shared memory, and which rows of the tile are chosen. Decides order of work and places
// only, nothing numeric.
//
// A stage holds 64 elements of K of 128 + 8 rows, the 128 laid out as the codes of mx_stage.h: 16 bytes, eight elements,
// where those have a block. Where K allows it rows come by direct loads while the stage before is multiplied.
#pragma once
#include "arch/gfx950/mx_stage.h"

namespace adahop::hip {

inline constexpr uint32_t kLines = 8;             // chosen rows that are multiplied at a time
inline constexpr uint32_t kChunkElements = 8;     // BF16 in 16 bytes
inline constexpr uint32_t kStepElements = kStageBlocks * kChunkElements;

/// The rows of the tile that are chosen, ascending, and how many there are.
struct line_list {
  uint32_t count;
  uint32_t rows[kStageRows];
  uint32_t counts[kStageRows / kWave];  ///< of the waves that look
};

/// Finds the rows first .. first + 127, those below `rows`, with non-zero positions.
ADAHOP_DEVICE_FN void find_lines(const int32_t* positions, int64_t first, int64_t rows, line_list& list) {
  const uint32_t wave = wave_number();
  const int64_t row = first + thread_x();
  const bool chosen = thread_x() < kStageRows && row < rows && positions[row] != 0;
  const uint64_t votes = ballot(chosen);
  if (lane() == 0 && wave < kStageRows / kWave) list.counts[wave] = static_cast<uint32_t>(__builtin_popcountll(votes));
  ADAHOP_BARRIER();
  const uint64_t lower_lanes = votes & ((uint64_t{1} << lane()) - 1);
  const uint32_t before = wave == 0 ? 0 : list.counts[0];
  if (chosen) list.rows[before + static_cast<uint32_t>(__builtin_popcountll(lower_lanes))] = thread_x();
  if (thread_x() == 0) list.count = list.counts[0] + list.counts[1];
  ADAHOP_BARRIER();
}

/// Row `row` of `rows` of a BF16 operand, the last one for those past the end.
ADAHOP_DEVICE_FN int64_t row_inside(int64_t row, int64_t rows) { return row < rows ? row : rows - 1; }

/// Whether rows can be loaded 16 bytes at a time up to their end.
ADAHOP_DEVICE_FN bool loads_chunks(const matrix_in& x, int64_t k) {
  return x.col_stride == 1 && k % kChunkElements == 0 && x.row_stride % kChunkElements == 0 &&
         reinterpret_cast<uint64_t>(x.data) % 16 == 0;
}

/// The operands of a tile's outlier product: the chosen rows `lines` of `chosen` and the tile's rows of `other`.
struct outlier_operands {
  matrix_in chosen, other;
  int64_t chosen_first, other_first;  ///< of the tile
  int64_t other_rows;
  int64_t k;
};

/// Brings steps by direct loads; loads_chunks() holds for both operands. Chunks past K repeat the last one.
class chunk_loader {
 public:
  /// The lines from number `line` on of `count`.
  ADAHOP_DEVICE_FN chunk_loader(const outlier_operands& x, const line_list& list, uint32_t line, uint32_t count)
      : wave_(wave_number()), chunks_(x.k / kChunkElements) {
    ADAHOP_UNROLL
    for (uint32_t i = 0; i < kLoadsOfWave; ++i) {
      const int64_t row = x.other_first + wave_ * kRowsOfWave + i * kRowsOfLoad + lane() / kStageBlocks;
      other_[i] = row_of(x.other, row_inside(row, x.other_rows)) + 16 * chunk_of(i);
    }
    const uint32_t mine = line + lane() / kStageBlocks;
    chosen_ = row_of(x.chosen, x.chosen_first + list.rows[mine < count ? mine : count - 1]) + 16 * line_chunk();
  }

  ADAHOP_DEVICE_FN void load(int64_t step, mx_stage& to) const {
    const int64_t at = step * (16 * kStageBlocks);
    if (wave_ == 0) load_block_to_shared(chosen_ + at, to.a.codes);
    ADAHOP_UNROLL
    for (uint32_t i = 0; i < kLoadsOfWave; ++i) load_block_to_shared(other_[i] + at, place(to, i));
  }

  ADAHOP_DEVICE_FN void load_rest(int64_t step, mx_stage& to) const {
    if (wave_ == 0) load_block_to_shared(chosen_ + inside(step, line_chunk()), to.a.codes);
    ADAHOP_UNROLL
    for (uint32_t i = 0; i < kLoadsOfWave; ++i) load_block_to_shared(other_[i] + inside(step, chunk_of(i)), place(to, i));
  }

 private:
  ADAHOP_DEVICE_FN static const uint8_t* row_of(const matrix_in& x, int64_t row) {
    return reinterpret_cast<const uint8_t*>(static_cast<const bf16*>(x.data) + row * x.row_stride);
  }
  /// The chunk that belongs into slot lane % 8 in load i.
  ADAHOP_DEVICE_FN static uint32_t chunk_of(uint32_t i) {
    return lane() % kStageBlocks ^ ((i * kRowsOfLoad + lane() / kStageBlocks) / 2 % kStageBlocks);
  }
  /// Lines lie straight: all lanes of a wave read the same chunk of one.
  ADAHOP_DEVICE_FN static uint32_t line_chunk() { return lane() % kStageBlocks; }
  /// Byte offset from chunk `first` of the first step to that of `step`, not past K.
  ADAHOP_DEVICE_FN int64_t inside(int64_t step, uint32_t first) const {
    const int64_t chunk = step * kStageBlocks + first;
    return 16 * ((chunk < chunks_ ? chunk : chunks_ - 1) - first);
  }
  ADAHOP_DEVICE_FN staged_codes* place(mx_stage& to, uint32_t i) const {
    return &to.b.codes[(wave_ * kRowsOfWave + i * kRowsOfLoad) * kStageBlocks];
  }

  uint32_t wave_;
  int64_t chunks_;
  const uint8_t* other_[kLoadsOfWave];
  const uint8_t* chosen_;
};

/// Brings steps of any matrices element by element. Chunks past K are not touched, and what lies past K in the last one
/// is not to be used.
class element_loader {
 public:
  ADAHOP_DEVICE_FN element_loader(const outlier_operands& x, const line_list& list, uint32_t line, uint32_t count)
      : x_(x), list_(list), line_(line), count_(count) {}

  /// `chunks` of the step begin inside K.
  ADAHOP_DEVICE_FN void load(int64_t step, uint32_t chunks, mx_stage& to) const {
    // Neighbouring threads take neighbouring rows; each brings whole chunks.
#pragma unroll 1
    for (uint32_t i = thread_x(); i < kStageRows * chunks; i += kWave * kStageWaves) {
      const uint32_t row = i % kStageRows, chunk = i / kStageRows;
      to.b.codes[staged_block(row, chunk)] =
          chunk_at(x_.other, row_inside(x_.other_first + row, x_.other_rows), step, chunk);
    }
    if (thread_x() < kLines * chunks) {
      const uint32_t line = thread_x() % kLines, chunk = thread_x() / kLines;
      const uint32_t number = line_ + line < count_ ? line_ + line : count_ - 1;
      to.a.codes[line * kStageBlocks + chunk] = chunk_at(x_.chosen, x_.chosen_first + list_.rows[number], step, chunk);
    }
  }

 private:
  /// Past K the chunk's first element stands.
  ADAHOP_DEVICE_FN staged_codes chunk_at(const matrix_in& x, int64_t row, int64_t step, uint32_t chunk) const {
    const int64_t k = step * kStepElements + chunk * kChunkElements;
    const auto* const first = static_cast<const uint16_t*>(x.data) + row * x.row_stride + k * x.col_stride;
    const auto* at = first;
    staged_codes out = {0, 0, 0, 0};
    ADAHOP_UNROLL
    for (uint32_t i = 0; i < kChunkElements; ++i, at += x.col_stride)
      out[i / 2] |= uint32_t{*(k + i < x_.k ? at : first)} << (16 * (i % 2));
    return out;
  }

  const outlier_operands& x_;
  const line_list& list_;
  uint32_t line_, count_;
};

}  // namespace adahop::hip
