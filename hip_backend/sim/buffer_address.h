// The addresses of a buffer instruction on a raw buffer (ISA manual, "Memory buffer instructions"): resource in four scalar
// registers, 32-bit offsets of a vector and of a scalar register, and of the instruction. Which dwords are in range.
#pragma once
#include <array>
#include <cstdint>

#include "sim/instruction.h"
#include "sim/launch_memory.h"
#include "sim/wave.h"

namespace adahop::hip::sim {

/// Addresses of the lanes, and of each dword (or of the byte or short) the lanes that have it in range: its end does not
/// pass the number of records, less the scalar offset. What is out of range reads 0 and is not written. For an access
/// that begins inside and ends outside, this is our reading: each dword is looked at by itself.
struct buffer_access {
  lane_addresses at;
  std::array<uint64_t, 4> in_range;  ///< by dword, within EXEC
};

/// `first` is the number of the address operand; resource and scalar offset follow it. A structured or swizzled buffer
/// and one that adds the lane's number are faults.
buffer_access buffer_addresses(const wave& w, const instruction& i, unsigned first, unsigned bytes);

}  // namespace adahop::hip::sim
