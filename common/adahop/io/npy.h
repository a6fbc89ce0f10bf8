// NumPy .npy files, versions 1.0, 2.0 and 3.0, C order: F32 '<f4', F64 '<f8', U8 '|u1', and BF16 as '<V2' or '|V2', or
// as '<u2' where the caller says so. Fortran order and big-endian data are refused by name. Implements SPEC 12.5.
#pragma once
#include <string>
#include <vector>

#include "adahop/io/array.h"

namespace adahop::io {

/// What a '<u2' array is. NumPy without extension types has no BF16, so people keep its bits as 16-bit integers.
enum class u2_meaning { refused, bf16 };

/// Errors are ADAHOP_BAD_FILE "WHERE: field: expected ..., found ...". The array shares the file's bytes; those of
/// read_npy are mapped.
result<array> parse_npy(const tensor_bytes& file, const std::string& where, u2_meaning u2 = u2_meaning::refused);
result<array> read_npy(const std::string& path, u2_meaning u2 = u2_meaning::refused);

/// Version 1.0, header padded so that data starts at a multiple of 64; BF16 as '<V2'. ADAHOP_INVALID_ARGUMENT for types
/// that NumPy has no name for (F4, F8_E8M0).
result<std::vector<uint8_t>> encode_npy(const array& a);
status write_npy(const std::string& path, const array& a);

}  // namespace adahop::io
