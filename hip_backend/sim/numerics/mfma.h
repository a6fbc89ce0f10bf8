// gfx950's matrix instructions that adahop's kernels use, on the registers of a whole wave; all 64 lanes take part whatever
// EXEC says. Layouts: AMD's matrix-core article and kernels that run on gfx950 [A]; numerics: named models (options.h). [?]
//
// All is done in integers but bf16_combine::fma_chain, which uses the host's fma: its thread must round to nearest and
// flush nothing.
// Registers are given as [register][lane], 64 lanes a register. The result may lie over C, A or B: it is written last.
#pragma once
#include <cstdint>
#include <span>

#include "sim/numerics/options.h"

namespace adahop::hip::sim {

inline constexpr unsigned kWaveLanes = 64;

template <unsigned Registers>
using source_registers = std::span<const uint32_t, Registers * kWaveLanes>;
template <unsigned Registers>
using result_registers = std::span<uint32_t, Registers * kWaveLanes>;

/// The scale operand of A or B: each lane's byte belongs to the 32 elements that this lane holds.
struct scale_source {
  source_registers<1> lanes;
  uint32_t byte = 0;  ///< 0 to 3
};

/// The byte that op_sel and op_sel_hi choose, one bit each for A (index 0) and B (index 1). [A]
constexpr uint32_t scale_byte(bool op_sel, bool op_sel_hi) { return (op_sel ? 1u : 0u) + (op_sel_hi ? 2u : 0u); }

// FP4 times FP4 (cbsz = blgp = 4; other formats are the caller's to refuse). Lane l holds row (A) or column (B) l % rows,
// k = 32 * (l / rows) + i for its elements i = 0..31, eight a register, from the lowest nibble up.

/// V_MFMA_SCALE_F32_16X16X128_F8F6F4.
void mfma_scale_f32_16x16x128_fp4(source_registers<4> a, source_registers<4> b, source_registers<4> c, scale_source scale_a,
                                  scale_source scale_b, result_registers<4> d, const mfma_options& options = {});
/// V_MFMA_SCALE_F32_32X32X64_F8F6F4.
void mfma_scale_f32_32x32x64_fp4(source_registers<4> a, source_registers<4> b, source_registers<16> c, scale_source scale_a,
                                 scale_source scale_b, result_registers<16> d, const mfma_options& options = {});
/// V_MFMA_F32_16X16X128_F8F6F4: every scale is 1.
void mfma_f32_16x16x128_fp4(source_registers<4> a, source_registers<4> b, source_registers<4> c, result_registers<4> d,
                            const mfma_options& options = {});
/// V_MFMA_F32_32X32X64_F8F6F4.
void mfma_f32_32x32x64_fp4(source_registers<4> a, source_registers<4> b, source_registers<16> c, result_registers<16> d,
                           const mfma_options& options = {});

// BF16 times BF16. Lane l holds row or column l % rows, k = n * (l / rows) + j for its n elements j, two a register, the
// low half first. cbsz, abid and blgp are 0.

/// V_MFMA_F32_16X16X32_BF16.
void mfma_f32_16x16x32_bf16(source_registers<4> a, source_registers<4> b, source_registers<4> c, result_registers<4> d,
                            const mfma_options& options = {});
/// V_MFMA_F32_32X32X16_BF16.
void mfma_f32_32x32x16_bf16(source_registers<4> a, source_registers<4> b, source_registers<16> c, result_registers<16> d,
                            const mfma_options& options = {});
/// V_MFMA_F32_16X16X16_BF16 (also written ..bf16_1k).
void mfma_f32_16x16x16_bf16(source_registers<2> a, source_registers<2> b, source_registers<4> c, result_registers<4> d,
                            const mfma_options& options = {});
/// V_MFMA_F32_32X32X8_BF16 (also written ..bf16_1k).
void mfma_f32_32x32x8_bf16(source_registers<2> a, source_registers<2> b, source_registers<16> c, result_registers<16> d,
                           const mfma_options& options = {});

}  // namespace adahop::hip::sim
