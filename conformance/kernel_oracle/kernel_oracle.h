// Every line of reference/simd/kernels.def by the scalar oracle's functions, under the signature of the kernel: what
// fuzzing holds the kernels to, and what the benches time beside them. Where the oracle has no function for a line, as
// for panels, it is plain loops over what kernels.h says.
#pragma once
#include "reference/simd/kernels.h"

namespace adahop::conformance::kernel_oracle {

using reference::simd::kernel_table;
using reference::simd::mx_lines;
using reference::simd::random_words;
using reference::simd::run_report;
using reference::simd::scale_choice;
using reference::simd::scale_range;
using reference::simd::transform;

#define ADAHOP_SIMD_KERNEL(name, result, parameters) result name parameters;
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL

/// All of them.
inline constexpr kernel_table kTable = {
#define ADAHOP_SIMD_KERNEL(name, result, parameters) name,
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL
};

/// One line of a block of a panel as kernels.h describes it: `block` points to the block within a panel of A (of B),
/// `codes` to 16 bytes.
void write_rows_line(const uint8_t* codes, uint8_t scale, int64_t line, uint8_t* block);
void write_columns_line(const uint8_t* codes, uint8_t scale, int64_t line, uint8_t* block);

/// The scale byte that a line of a block of a panel of A (of B) holds.
uint8_t scale_of_rows_line(const uint8_t* block, int64_t line);
uint8_t scale_of_columns_line(const uint8_t* block, int64_t line);

}  // namespace adahop::conformance::kernel_oracle
