// An opcode of the simulator: its mnemonic, the operand form the text must have, its semantics, what the checks must
// know, and how certain its semantics are. The tables of all families together are every instruction there is.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "sim/instruction.h"

namespace adahop::hip::sim {

/// How the semantics of an opcode are known, by its least certain part; the letters of the project's facts about the
/// hardware.
enum class certainty : char {
  manual = 'A',    ///< the ISA manual's pseudocode or prose, or plain IEEE arithmetic that it names
  model = 'B',     ///< AMD's software models, or what LLVM counts on for gfx950
  inferred = 'C',  ///< numbers as `manual`; at an edge (which NaN, denormals, partly out of range) our inference
  chosen = '?',    ///< part of it is not public: an option of numerics/options.h chooses
};

/// What the checks around a handler must know.
enum opcode_flag : uint32_t {
  kPlain = 0,
  kWholeWave = 1u << 0,      ///< reads and writes all 64 lanes whatever EXEC says (MFMA)
  kMove = 1u << 1,           ///< copies lanes: copying a never-written register is no fault, its use is
  kCrossLane = 1u << 2,      ///< reads lanes of its own choice; checks them itself through lanes.h
  kReadsVcc = 1u << 3,       ///< implicitly, not in the text
  kWritesVcc = 1u << 4,
  kReadsExec = 1u << 5,      ///< as data, implicitly
  kWritesExec = 1u << 6,
  kReadsM0 = 1u << 7,
  kReadsScc = 1u << 8,
  kWritesScc = 1u << 9,
  kBranch = 1u << 10,
  kEndsBlock = 1u << 11,     ///< nothing follows in line: s_branch, s_endpgm
  kVmCounter = 1u << 12,     ///< counts in vmcnt until done; destinations are pending until waited for
  kLgkmCounter = 1u << 13,   ///< in lgkmcnt, in order (LDS)
  kScalarLoad = 1u << 14,    ///< in lgkmcnt, out of order (SMEM)
  kKeepsRest = 1u << 15,     ///< writes part of its destination and keeps the rest
  kTests = 1u << 16,         ///< its form's optional scalar destination (v_cmp) is written whole
  kVop3p = 1u << 17,         ///< op_sel_hi means halves; op_sel, neg_lo, neg_hi are taken
  kOpSel = 1u << 18,         ///< takes op_sel (16-bit halves or the byte of a conversion)
  kFloatModifiers = 1u << 19,  ///< takes neg, abs, clamp, mul, div
  kClamp = 1u << 20,         ///< takes clamp (integer saturation)
  kSdwaDpp = 1u << 21,       ///< may be encoded with SDWA or DPP; the helpers of lanes.h apply them
  kOffset = 1u << 22,        ///< takes offset (memory)
  kOffsets = 1u << 23,       ///< takes offset0, offset1 (two-address LDS)
  kMatrix = 1u << 24,        ///< takes cbsz, abid, blgp
  kBitop = 1u << 25,         ///< takes bitop3
  kBarrier = 1u << 26,
  kSwap = 1u << 27,          ///< takes bound_ctrl and fi without a DPP pattern (v_permlane16_swap, v_permlane32_swap)
};

/// The operand form: items separated by blanks, in the order of the text.
///   D<n>  vector destination of n registers        X<n>  vector destination that is read too
///   v<n>  vector register source                    s<n>  vector, scalar or constant source
///   M<n>  scalar destination                        Y<n>  scalar destination that is read too
///   m<n>  scalar or constant source                 i     immediate integer (in operand::integer)
///   o     "off" (kind none) or a scalar pair: the base address of a global access; the first v2 of such a form is its
///         address and is one register (the offset) where the base is a scalar pair
///   b1    "off" (kind none) or, with offen, one vector register: the offset of a buffer access
///   r<n>  scalar registers: a buffer resource
///   A B   vector source of a f8f6f4 matrix instruction: 8, 6 or 4 registers as cbsz (A) or blgp (B) says FP8, FP6 or FP4
/// Alternatives are separated by '|', each with another number of operands: "v2 v1 o|D1 v2 v1 o" is an atomic without
/// and with its result.
/// A modifier that no flag allows and an operand that does not fit are fatal.
struct opcode {
  std::string_view mnemonic;  ///< without _e32, _e64, _dpp, _sdwa
  std::string_view form;
  handler run;
  uint32_t flags;
  certainty known;
};

/// The families; find_opcode() searches all of them.
std::span<const opcode> scalar_arithmetic_opcodes();   ///< moves, sums, products
std::span<const opcode> scalar_bit_opcodes();          ///< logic, shifts, bit fields, EXEC saved
std::span<const opcode> scalar_compare_opcodes();
std::span<const opcode> scalar_flow_opcodes();         ///< branches, waits, barrier, end
std::span<const opcode> scalar_memory_opcodes();
std::span<const opcode> integer_move_opcodes();        ///< vector moves, selects, accumulation registers
std::span<const opcode> integer_arithmetic_opcodes();  ///< vector 32 and 64 bit sums, products, extremes
std::span<const opcode> integer_bit_opcodes();         ///< vector logic, shifts, bit fields, bytes
std::span<const opcode> integer_16_opcodes();          ///< vector 16 bit
std::span<const opcode> integer_packed_opcodes();      ///< two 16 bit halves, dot products
std::span<const opcode> integer_compare_opcodes();
std::span<const opcode> float_f32_opcodes();           ///< arithmetic, minimum, maximum
std::span<const opcode> float_f64_opcodes();
std::span<const opcode> float_f16_opcodes();           ///< one value or two halves
std::span<const opcode> float_mix_opcodes();           ///< FP16 and FP32 sources
std::span<const opcode> float_packed_opcodes();        ///< two FP32
std::span<const opcode> float_integral_opcodes();      ///< rounding to integral values, ldexp, frexp, fract
std::span<const opcode> float_division_opcodes();
std::span<const opcode> float_compare_f32_opcodes();
std::span<const opcode> float_compare_f64_opcodes();
std::span<const opcode> float_compare_f16_opcodes();
std::span<const opcode> conversion_opcodes();          ///< between integers, FP16, FP32, FP64
std::span<const opcode> conversion_scaled_opcodes();   ///< FP4 and BF16
std::span<const opcode> matrix_opcodes();
std::span<const opcode> cross_lane_opcodes();    ///< readlane, permlane, mbcnt
std::span<const opcode> lds_opcodes();                 ///< reads and writes
std::span<const opcode> lds_atomic_opcodes();
std::span<const opcode> lds_lanes_opcodes();           ///< permutes, swizzles, transposing reads
std::span<const opcode> global_opcodes();              ///< loads and stores
std::span<const opcode> global_atomic_opcodes();
std::span<const opcode> global_lds_opcodes();          ///< loads into LDS
std::span<const opcode> buffer_opcodes();              ///< raw buffers; "_lds" in a name stands for the modifier lds

/// Every opcode of every family.
std::vector<const opcode*> all_opcodes();

/// Null when there is no such instruction. The mnemonic has no encoding suffix.
const opcode* find_opcode(std::string_view mnemonic);

}  // namespace adahop::hip::sim
