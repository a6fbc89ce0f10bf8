// Float sources and results of vector instructions: neg and abs on the way in, clamp on the way out. From the ISA manual's
// chapter on VALU modifiers; nothing rounds here.
#pragma once
#include "sim/lanes.h"

namespace adahop::hip::sim {

/// 64 patterns of an FP32 source: the register itself or `buffer`; abs, then neg, flip the sign bit of NaNs too.
const uint32_t* read_f32(const wave& w, const instruction& i, unsigned n, lane_row& buffer);
/// Of an FP16 source: the low half, or with op_sel of a VOP3 instruction (bit `n` less one) the high half; a real constant is
/// FP16. The upper bits are 0.
const uint32_t* read_f16(const wave& w, const instruction& i, unsigned n, lane_row& buffer);
/// Of an FP64 source.
void read_f64(const wave& w, const instruction& i, unsigned n, lane_pairs& out);
/// Of an integer source among float ones: a fault for neg and abs, which no assembler lets through.
const uint32_t* read_integer(const wave& w, const instruction& i, unsigned n, lane_row& buffer);

/// A fault for mul:2, mul:4 and div:2. The manual: output modifiers are ignored while MODE.IEEE is set, and while denormals
/// are kept, so a program that has one does not mean what it does. No compiler emits them under these modes.
void refuse_output_modifier(const wave& w, const instruction& i);
/// A fault for these and for clamp: results that are no floats, and conversions for which the manual gives no clamping.
void refuse_output_modifiers(const wave& w, const instruction& i);

/// Writes operand 0 with the output modifiers. `values` may be changed.
void write_f32(wave& w, const instruction& i, lane_row& values);
void write_f64(wave& w, const instruction& i, lane_pairs& values);
/// The upper half of the register becomes 0, as 16-bit instructions of gfx9 do it.
void write_f16(wave& w, const instruction& i, lane_row& values);

}  // namespace adahop::hip::sim
