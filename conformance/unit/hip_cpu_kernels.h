// The kernels that try the hip-cpu executor, seen from the tests: argument structs, names and, for the faulty ones,
// the lines at which they do wrong. Kernels and tests are apart because the kernel language has a macro of the name
// of an enumerator of the C ABI.
#pragma once
#include <cstdint>
#include <span>

#include "device/cpu/kernel.h"

namespace adahop::hip::test {

/// What every test kernel takes.
struct trial {
  const uint32_t* in;
  uint32_t* out;
  uint32_t n;
};

std::span<const cpu_kernel> good_kernels();
std::span<const cpu_kernel> faulty_kernels();

/// Where a faulty kernel does wrong, and the other place that its fault names (0: none).
struct planted_lines {
  const char* kernel;
  int line;
  int other_line;
};
std::span<const planted_lines> planted();

}  // namespace adahop::hip::test
