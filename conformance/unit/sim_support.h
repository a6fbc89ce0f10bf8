// What the unit tests of hip_backend/sim share: a wave with easy setters that runs instructions given as the
// disassembler's text, and rows of hand-made vectors. Nothing here knows what an instruction does.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "sim/fault.h"
#include "sim/instruction.h"
#include "sim/opcode.h"
#include "sim/wave.h"

namespace adahop::hip::sim::test {

using lane_function = std::function<uint32_t(unsigned lane)>;

inline constexpr uint64_t kAllLanes = ~uint64_t{0};

/// The bound instruction of a line as the disassembler prints it ("v_add_u32_e32 v0, v1, v2"); the encoding suffix may be
/// left out. A line that does not parse fails the test. It lives as long as the program.
const instruction& parsed(std::string_view text);

/// A wave in a workgroup of its own. Every register starts with a value of its own in every lane, so that a stray write
/// shows; all count as written before. EXEC starts full, VCC and M0 zero, SCC clear.
class sim_test_wave {
 public:
  sim_test_wave();
  sim_test_wave(const sim_test_wave&) = delete;
  sim_test_wave& operator=(const sim_test_wave&) = delete;

  wave& state() { return *wave_; }
  workgroup& group() { return group_; }
  options& settings() { return settings_; }

  // Vector registers, counted as operand::reg does: v0 is 0, a0 is kFirstAgpr.
  void set_vector(unsigned reg, const lane_function& value);
  void set_vector(unsigned reg, uint32_t value);
  /// Lane l gets values[l]; further lanes keep what they have.
  void set_vector(unsigned reg, const std::vector<uint32_t>& values);
  /// Register pair reg, reg + 1.
  void set_vector64(unsigned reg, const std::function<uint64_t(unsigned)>& value);
  uint32_t vector(unsigned reg, unsigned lane) const { return wave_->vgpr[reg][lane]; }
  uint64_t vector64(unsigned reg, unsigned lane) const {
    return wave_->vgpr[reg][lane] | uint64_t{wave_->vgpr[reg + 1][lane]} << 32;
  }

  void set_scalar(unsigned reg, uint32_t value);
  void set_scalar64(unsigned reg, uint64_t value);
  uint32_t scalar(unsigned reg) const { return wave_->sgpr[reg]; }
  uint64_t scalar64(unsigned reg) const { return wave_->pair(reg); }

  void set_exec(uint64_t lanes) { wave_->set_exec(lanes); }
  void set_vcc(uint64_t lanes) { set_scalar64(kVccLow, lanes); }
  void set_scc(bool value) { wave_->scc = value; }
  bool scc() const { return wave_->scc; }

  /// Runs one instruction's handler and checks that it touched nothing else: registers outside its operand list, lanes
  /// that EXEC switched off (unless it takes the whole wave or chooses lanes itself), SCC, EXEC and VCC unless its flags
  /// say that it writes them. pc is index + 1 before the handler, as in a launch.
  void run(std::string_view text);
  /// The kind of the fault that the handler throws; empty where it throws none. Nothing else is checked.
  std::string fault_of(std::string_view text);

  /// Every lane of the register; of lanes that EXEC switched off (as it was before the last run), the value before it.
  void expect_lanes(unsigned reg, const lane_function& value) const;
  void expect_lanes64(unsigned reg, const std::function<uint64_t(unsigned)>& value) const;

 private:
  void check_vectors(const instruction& i) const;
  void check_scalars(const instruction& i) const;

  options settings_;
  workgroup group_;
  std::unique_ptr<wave> wave_, before_;  ///< now; before the last run
};

/// One lane of a vector instruction: its register sources in the order of the text, and the result. A destination that
/// is read as well (X in its form, or flag kKeepsRest) has `old` before.
struct lane_case {
  std::vector<uint64_t> sources;
  uint64_t result;
  uint64_t old = 0xA5A5A5A5A5A5A5A5u;
};
struct vector_row {
  std::string_view mnemonic;
  std::string_view operands;  ///< and modifiers: "v0, v2, v4 clamp"
  std::vector<lane_case> lanes;
};

/// Puts each case in lanes of its own, every register source in its registers (pairs for 64 bits), and compares the first
/// destination: with EXEC full, with every second lane off, and with EXEC zero. A vector destination of one or two
/// registers, or a lane mask (scalar pair or vcc), whose bit is `result` and 0 where EXEC is off.
void check_row(const vector_row& row);
void check_rows(const std::vector<vector_row>& rows);

/// A scalar instruction: register sources in the order of the text, SCC before; result and SCC after. A destination that
/// is read as well has `old` before. Without a destination `result` is not looked at.
struct scalar_case {
  std::vector<uint64_t> sources;
  uint64_t result = 0;
  bool scc_after = false;
  bool scc_before = false;
  uint64_t old = 0xA5A5A5A5A5A5A5A5u;
};
struct scalar_row {
  std::string_view mnemonic;
  std::string_view operands;
  std::vector<scalar_case> cases;
};
/// An instruction that does not write SCC must keep it: its cases say scc_after equal to scc_before.
void check_scalar_row(const scalar_row& row);
void check_scalar_rows(const std::vector<scalar_row>& rows);

}  // namespace adahop::hip::sim::test
