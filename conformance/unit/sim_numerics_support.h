// Matrices laid out in registers as AMD documents it (facts about the hardware, not code of the simulator), and instructions
// called by name.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "sim/numerics/mfma.h"

namespace adahop::test {

inline uint32_t bits_of(float v) { return std::bit_cast<uint32_t>(v); }
inline float float_of(uint32_t bits) { return std::bit_cast<float>(bits); }

/// The value of each FP4 code.
inline constexpr double kFp4Value[16] = {0, .5, 1, 1.5, 2, 3, 4, 6, -0., -.5, -1, -1.5, -2, -3, -4, -6};
/// The code of a value that has one; -0 is told from +0.
inline uint32_t fp4_code(double value) {
  for (uint32_t code = 0; code < 16; ++code)
    if (kFp4Value[code] == value && std::signbit(kFp4Value[code]) == std::signbit(value)) return code;
  FAIL("no FP4 code has the value " << value);
  return 0;
}

/// One FP4 matrix instruction: rows x rows outputs, 2048 / rows products each.
struct fp4_instruction {
  unsigned rows = 16;  ///< 16 or 32
  unsigned inner() const { return 2048 / rows; }
  unsigned blocks() const { return inner() / 32; }

  std::vector<uint32_t> a = std::vector<uint32_t>(4 * 64), b = std::vector<uint32_t>(4 * 64);
  std::vector<uint32_t> scale_a = std::vector<uint32_t>(64, 0x7F7F7F7F), scale_b = std::vector<uint32_t>(64, 0x7F7F7F7F);
  uint32_t byte_a = 0, byte_b = 0;
  std::vector<uint32_t> c = std::vector<uint32_t>(16 * 64), d = std::vector<uint32_t>(16 * 64);

  /// A(row, k) and B(k, column): lane row % rows + rows * (k / 32), nibble k % 8 of register k % 32 / 8.
  void set_a(unsigned row, unsigned k, uint32_t code) { put(a, row, k, code); }
  void set_b(unsigned k, unsigned column, uint32_t code) { put(b, column, k, code); }
  /// The scale of A's row (B's column) in block k / 32, in the byte that is selected.
  void set_scale_a(unsigned row, unsigned block, uint32_t value) { put_byte(scale_a[row + rows * block], byte_a, value); }
  void set_scale_b(unsigned column, unsigned block, uint32_t value) { put_byte(scale_b[column + rows * block], byte_b, value); }
  /// Where C and D (row, column) are: four rows a lane, then the next lanes, then the next four registers.
  size_t at(unsigned row, unsigned column) const {
    const unsigned period = rows == 16 ? 16 : 8;
    const unsigned lane = column + rows * (row % period / 4);
    return 64 * (row % 4 + row / period * 4) + lane;
  }

  void run(const hip::sim::mfma_options& options = {}) {
    using namespace hip::sim;
    const scale_source sa{source_registers<1>(scale_a.data(), 64), byte_a};
    const scale_source sb{source_registers<1>(scale_b.data(), 64), byte_b};
    const source_registers<4> ra(a.data(), 256), rb(b.data(), 256);
    if (rows == 16)
      mfma_scale_f32_16x16x128_fp4(ra, rb, source_registers<4>(c.data(), 256), sa, sb, result_registers<4>(d.data(), 256),
                                   options);
    else
      mfma_scale_f32_32x32x64_fp4(ra, rb, source_registers<16>(c.data(), 1024), sa, sb, result_registers<16>(d.data(), 1024),
                                  options);
  }

 private:
  void put(std::vector<uint32_t>& into, unsigned line, unsigned k, uint32_t code) {
    uint32_t& word = into[64 * (k % 32 / 8) + line + rows * (k / 32)];
    const unsigned at_bit = 4 * (k % 8);
    word = (word & ~(15u << at_bit)) | code << at_bit;
  }
  static void put_byte(uint32_t& word, uint32_t byte, uint32_t value) {
    word = (word & ~(0xFFu << (8 * byte))) | value << (8 * byte);
  }
};

/// Every FP4 model of the simulator, by name.
inline const std::vector<std::string>& fp4_models() {
  static const std::vector<std::string> names = {
      "mfma_fused",         "mfma_seq",           "cdna3_trfdpa(16)",   "cdna3_trfdpa(32)",    "cdna3_trfdpa(64)",
      "cdna3_trfdpa(128)",  "cdna3_gtrfdpa(16)",  "cdna3_gtrfdpa(32)",  "cdna3_gtrfdpa(64)",   "cdna3_gtrfdpa(128)",
      "block_first_fdpa(1)", "block_first_fdpa(2)", "block_first_fdpa(4)"};
  return names;
}

inline hip::sim::mfma_options model(const std::string& name) {
  hip::sim::mfma_options out;
  const status s = hip::sim::set_mfma_model(out, name);
  if (!s.ok()) FAIL(s.message());
  return out;
}

}  // namespace adahop::test
