// The backend `simd`: the oracle's bits by AVX-512 or AVX2. Implements SPEC 13.1, 13.13.
#pragma once
#include "adahop/backend.h"

/// The table, or null for another ABI version. Options: threads=N (shared with the scalar oracle), and
/// isa=scalar|avx2|avx512, not while operations run.
const adahop_backend* adahop_backend_simd(uint32_t abi_version);

/// The instruction set in use: "avx512", "avx2", or "scalar", which is the oracle itself.
const char* adahop_backend_simd_isa();

/// Whether option isa takes this level here.
bool adahop_backend_simd_has(const char* isa);

/// Null, or why the backend cannot be used as ADAHOP_ISA asks: one line. Every operation is ADAHOP_UNSUPPORTED then, until
/// option isa names a level that is there.
const char* adahop_backend_simd_unavailable();
