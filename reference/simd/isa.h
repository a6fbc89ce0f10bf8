// Which instruction set the simd backend uses: the best of this CPU, or the one that ADAHOP_ISA or set_option("isa") asks
// for. Implements SPEC 13.13.
#pragma once
#include "adahop/status.h"
#include "reference/simd/kernels.h"

namespace adahop::reference::simd {

enum class isa { scalar, avx2, avx512 };

/// "scalar", "avx2", "avx512".
const char* name(isa level);

/// Whether this CPU, its operating system and this build have it.
bool supported(isa level);

/// The level in use. The first call reads ADAHOP_ISA; where that asks for what is not there, startup_error() says so and
/// usable() refuses.
isa level();

/// Null, or why ADAHOP_ISA could not be followed: one line.
const char* startup_error();

/// ADAHOP_UNSUPPORTED with startup_error() until set_level() has succeeded.
status usable();

/// ADAHOP_INVALID_ARGUMENT for another name, ADAHOP_UNSUPPORTED for a level that is not there. Not while operations run.
status set_level(const char* name);

/// Whether set_level() takes this name.
bool has_level(const char* name);

/// The kernels of the level in use; null for scalar.
const kernel_table* kernels();

/// The kernels of a level other than scalar; null where it is not supported.
const kernel_table* kernels_of(isa level);

}  // namespace adahop::reference::simd
