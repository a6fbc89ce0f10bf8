// What was executed of each kernel: instructions, basic blocks, both ways of conditional branches. Plain data, added up over
// launches, runs and files. Implements SPEC 13.11's measure.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adahop/status.h"
#include "sim/coverage_counts.h"
#include "sim/program.h"

namespace adahop::hip::sim {

struct covered_instruction {
  uint64_t address = 0;       ///< in the code object, as the disassembler counts
  std::string text;
  std::string source;         ///< "file.h:12"; empty where it is not known
  uint64_t executed = 0;      ///< by waves
  uint64_t taken = 0;         ///< of a branch
  bool starts_block = false;
  bool conditional = false;   ///< a branch that may go both ways
};

struct kernel_coverage {
  std::string level;          ///< "O3", or the file that replaced the build's kernels
  std::string object;         ///< code object, "quantize"
  std::string object_hash;
  std::string kernel;
  std::vector<covered_instruction> code;
};

/// By level, then code object, then address.
using coverage = std::vector<kernel_coverage>;

/// Half-open range of kernel_coverage::code.
struct covered_block {
  size_t first = 0, end = 0;
};
std::vector<covered_block> blocks_of(const kernel_coverage& k);

struct coverage_totals {
  uint64_t instructions = 0, executed = 0;
  uint64_t blocks = 0, blocks_executed = 0;
  uint64_t branch_ways = 0, branch_ways_taken = 0;  ///< two a conditional branch
};
coverage_totals totals_of(const kernel_coverage& k);
void add(coverage_totals& into, const coverage_totals& more);

/// 16 hexadecimal digits (FNV-1a) that tell two builds of a code object apart.
std::string image_hash(std::span<const std::byte> image);

/// One kernel with nothing executed. Source lines are left empty: add_sources().
kernel_coverage empty_coverage(std::string_view level, const program& code, const sim_kernel& kernel);

/// Names the source lines of every instruction of these kernels, which all lie in this code object.
void add_sources(std::span<kernel_coverage> kernels, std::span<const std::byte> image);

/// Of the same kernel.
void add(kernel_coverage& into, const execution_counts& counts);

/// Adds counts to kernels that are there and puts the others in order. ADAHOP_INVALID_ARGUMENT where a kernel is of
/// another build of its code object.
status merge(coverage& into, const coverage& more);

}  // namespace adahop::hip::sim
