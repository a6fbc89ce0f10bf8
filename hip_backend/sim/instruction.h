// One decoded instruction: what LLVM's text says, checked against the opcode's operand form, bound to its semantics.
// Decides nothing numeric.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "sim/value_rule.h"

namespace adahop::hip::sim {

struct wave;
struct instruction;
struct opcode;

/// The semantics of an opcode for one wave: reads and writes registers and wave::pc through the helpers of lanes.h, valu.h
/// and scalar.h, memory through launch_memory.h and lds_memory.h. Checks of registers and of pending loads happen outside it.
using handler = void (*)(wave&, const instruction&);

/// Scalar registers have their hardware operand numbers; VCC, M0 and EXEC live in the same file.
inline constexpr uint16_t kVccLow = 106;
inline constexpr uint16_t kM0 = 124;
inline constexpr uint16_t kExecLow = 126;
inline constexpr uint16_t kScalarRegisters = 128;
/// v0-v255, then a0-a255.
inline constexpr uint16_t kFirstAgpr = 256;
inline constexpr uint16_t kVectorRegisters = 512;

enum class operand_kind : uint8_t { none, vector, scalar, constant };

struct operand {
  operand_kind kind = operand_kind::none;
  uint8_t width = 1;       ///< registers
  uint16_t reg = 0;        ///< first register
  bool negate = false;     ///< -x of a float source
  bool absolute = false;   ///< |x|, before negate
  bool sign_extend = false;  ///< sext(x) of an SDWA integer source
  bool is_real = false;    ///< a constant written as a float: 1.0, -0.5, 0.15915494
  int64_t integer = 0;     ///< a constant's value, as written (0xffffffff is 4294967295, -1 is -1)
  double real = 0;
};

/// Where a DPP source comes from (VOP_DPP), by its name in the text; `amount` is n of row_shl:n and its like.
enum class dpp_pattern : uint8_t {
  none, quad_perm, row_shl, row_shr, row_ror, row_mirror, row_half_mirror, row_bcast, row_newbcast, wave_shl, wave_shr,
  wave_rol, wave_ror
};
inline constexpr int8_t kNoLane = -1;
struct dpp_modifier {
  dpp_pattern pattern = dpp_pattern::none;
  uint8_t amount = 0;
  std::array<uint8_t, 4> quad{};
  uint8_t row_mask = 0xF, bank_mask = 0xF;
  bool bound_ctrl = false;  ///< lanes without a source read 0 instead of keeping the destination
  std::array<int8_t, 64> from{};  ///< each lane's source or kNoLane; bind_dpp() of lanes.h fills it in
};

/// What part of a register an SDWA operand is.
enum class sdwa_select : uint8_t { byte_0, byte_1, byte_2, byte_3, word_0, word_1, dword };
enum class sdwa_unused : uint8_t { pad, sext, preserve };
struct sdwa_modifier {
  bool present = false;
  sdwa_select dst = sdwa_select::dword, src0 = sdwa_select::dword, src1 = sdwa_select::dword;
  sdwa_unused unused = sdwa_unused::preserve;
};

/// Output modifier of a float result.
enum class omod : uint8_t { none, mul_2, mul_4, div_2 };

inline constexpr uint8_t kNoWait = 0xFF;

struct modifiers {
  bool clamp = false;
  omod output = omod::none;
  uint8_t op_sel = 0;       ///< bit i is the i-th number of op_sel:[...]
  uint8_t op_sel_hi = 0xF;  ///< likewise; the text leaves it out where all are 1
  uint8_t neg_lo = 0, neg_hi = 0;
  int32_t offset = 0;       ///< bytes; of DS also offset0 alone
  uint8_t offset0 = 0, offset1 = 0;
  bool offen = false;       ///< of a buffer access: its address operand is an offset
  uint8_t cbsz = 0, abid = 0, blgp = 0;
  uint8_t bitop3 = 0;       ///< truth table
  uint8_t wait_vm = kNoWait, wait_lgkm = kNoWait, wait_exp = kNoWait;  ///< s_waitcnt: at most so many outstanding
  bool fetch_inactive = false;  ///< fi:1 of v_permlane*_swap; its bound_ctrl:1 is dpp.bound_ctrl
  dpp_modifier dpp;
  sdwa_modifier sdwa;
};

inline constexpr unsigned kMaxOperands = 8;

/// Registers an instruction touches, for the checks; `reg` counts as operand::reg does.
struct register_range {
  operand_kind kind = operand_kind::none;
  uint16_t reg = 0;
  uint8_t width = 0;
};

struct instruction {
  handler run = nullptr;
  const opcode* op = nullptr;
  value_rule rule = value_rule::nothing;
  uint32_t index = 0;          ///< in program::code
  uint32_t target = 0;         ///< of a branch: index of its destination
  uint64_t address = 0;        ///< in the code object, as the disassembler counts
  uint32_t bytes = 0;
  uint8_t operand_count = 0;
  uint8_t read_count = 0, write_count = 0;
  std::array<operand, kMaxOperands> operands;  ///< in the order of the text: destinations first
  std::array<register_range, kMaxOperands + 2> reads;  ///< with the implicit ones (VCC, EXEC, M0)
  std::array<register_range, 4> writes;
  modifiers mod;
  std::string text;            ///< the disassembler's, blanks trimmed
};

}  // namespace adahop::hip::sim
