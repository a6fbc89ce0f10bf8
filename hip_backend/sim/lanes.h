// Vector operands of a handler: reading 64 lanes with DPP and SDWA applied, writing them under EXEC. Decides how the
// modifiers choose lanes and parts of registers (ISA manual, VOP_DPP and VOP_SDWA); nothing rounds here.
#pragma once
#include <cstdint>

#include "sim/fault.h"
#include "sim/wave.h"

namespace adahop::hip::sim {

using lane_pairs = uint64_t[kLanes];

/// The pattern of a constant in a 32-bit operation; a real is FP32.
uint32_t constant_u32(const operand& o);
/// In a 64-bit integer operation: sign-extended where inline or written negative, else zero-extended; a real is FP64, as
/// LLVM writes such operands.
uint64_t constant_u64(const operand& o);
/// In an FP64 operation: a real is FP64, an inline integer is a pattern, a 32-bit literal is the upper half.
uint64_t constant_f64(const operand& o);

/// 64 patterns of a 32-bit source: the register itself or `buffer`, filled. DPP (first source) and SDWA (first two) are
/// applied; neg and abs are not. `n` counts operands from 0, destinations included.
const uint32_t* read_lanes(const wave& w, const instruction& i, unsigned n, lane_row& buffer);

/// 64 patterns of the register `part` (0, 1, ...) of a wider source. Of a constant, part 0 is that of a 32-bit operation
/// and the others its sign; a fault for the others of a real, which no source defines.
const uint32_t* read_part(const wave& w, const instruction& i, unsigned n, unsigned part, lane_row& buffer);

/// 64 16-bit patterns, zero-extended: the low half of a 32-bit source or, where op_sel says so, the high one. A fault for
/// a constant written as a float: what a 16-bit integer operation makes of it no source defines.
const uint32_t* read_halves(const wave& w, const instruction& i, unsigned n, lane_row& buffer);

/// 64 patterns of a 64-bit source; `real` says that constants are those of an FP64 operation.
void read_lanes64(const wave& w, const instruction& i, unsigned n, lane_pairs& out, bool real = false);

/// EXEC less the lanes that DPP switches off.
uint64_t writable_lanes(const wave& w, const instruction& i);

/// Writes the lanes of writable_lanes(), where SDWA says so only a part of the register.
void write_lanes(wave& w, const instruction& i, unsigned n, const lane_row& values);
/// Register `part` of a wider destination.
void write_part(wave& w, const instruction& i, unsigned n, unsigned part, const lane_row& values);
void write_lanes64(wave& w, const instruction& i, unsigned n, const lane_pairs& values);

/// One half of the register is written, the other kept: the high one where bit `op_sel_bit` of op_sel is set.
void write_half(wave& w, const instruction& i, unsigned n, unsigned op_sel_bit, const lane_row& values);

/// A wave-wide mask (VCC or a scalar pair) as carry-in, condition or comparison result.
uint64_t read_mask(const wave& w, const operand& o);
/// A mask result: lanes outside EXEC get 0.
void write_mask(wave& w, const operand& o, uint64_t lanes);

/// Works out the source lane of every lane, once an instruction is read.
void bind_dpp(dpp_modifier& dpp);

/// The lane that lane l of a DPP source reads, or kNoLane.
inline int dpp_source_lane(const dpp_modifier& dpp, unsigned l) { return dpp.from[l]; }

/// All ones in the lanes of the mask, else zero.
void expand_mask(uint64_t lanes, lane_row& out);

/// A fault unless the instruction writes all lanes of EXEC: what a lane mask gets where DPP switches a lane off no source
/// defines.
void require_no_dpp_gaps(const wave& w, const instruction& i);

}  // namespace adahop::hip::sim
