// The quantized file: one safetensors file with `codes` (F4, [outer, inner]), `scales` (F8_E8M0, [outer, inner/32], or
// the array of SPEC 3.5 as [P, Q]) and metadata that says how it came about. Implements SPEC 3.7, 12.1 to 12.4.
//
// Metadata, all texts:
//   format         "adahop-mxfp4/1"
//   policy         the canonical policy line;  policy_sha256  its hash
//   logical_shape  "[3, 64]", the shape of the tensor that was quantized; under pad=zero `inner` is its dimension extended
//   axis           "1": the last dimension of the flattened tensor [-1, last] is the inner one; "0": the first, and the
//                  file holds the transpose (SPEC 3.3)
//   transform      "none", or "hadamard<the policy's hadamard_size>": the codes are those of the transformed tensor
//   clipped        number of elements with |v| / scale > 6
//   nibble_order   "linear"; "ggml_split" is converted on reading
//   scales_format  "e8m0", needed where scales are stored as U8 (SPEC 12.3)
#pragma once
#include <string>
#include <vector>

#include "adahop/io/safetensors.h"
#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::io {

enum class transform { none, hadamard };

/// Room for an MXFP4 matrix [outer x inner] that is to be computed.
struct mx_buffer {
  int64_t outer = 0, inner = 0;
  tensor_buffer codes, scales;
};
adahop_mx view_of(mx_buffer& m);

/// An MXFP4 matrix [outer x inner] whose bytes stay as they are: computed, or part of a mapped file.
struct mx_data {
  int64_t outer = 0, inner = 0;
  tensor_bytes codes, scales;

  mx_data() = default;
  mx_data(mx_matrix m);
  mx_data(mx_buffer m);
};
/// For reading; scales_stride is that of the linear layout.
adahop_mx view_of(const mx_data& m);

struct mx_file {
  mx_data data;                   ///< scales in the policy's scale_layout
  policy how = default_policy();  ///< of the data in memory: nibble_order is always linear here
  std::vector<int64_t> logical_shape;
  int axis = 1;  ///< 0 or 1, of the flattened tensor
  transform applied = transform::none;
  int64_t clipped = 0;

  /// The inner dimension of the tensor that was quantized, without padding.
  int64_t logical_inner() const;
  /// The scale bytes [outer][inner / 32] without the padding of a layout.
  tensor_bytes linear_scales() const;
};

/// Room for [outer x inner] quantized under a policy: the dimension that pad=zero extends `inner` to, and as many scale
/// bytes as the layout has.
mx_buffer make_mx_buffer(const policy& how, int64_t outer, int64_t inner);

/// Whether a safetensors file claims to be a quantized one, by its `format` or its `codes` and `scales`.
bool is_mx_file(const safetensors& file);

/// Codes, scales and metadata are checked against each other; errors are ADAHOP_BAD_FILE "PATH: field: expected ...,
/// found ...".
result<mx_file> parse_mx_file(const safetensors& file);
result<mx_file> read_mx_file(const std::string& path);

result<std::vector<uint8_t>> encode_mx_file(const mx_file& file);
status write_mx_file(const std::string& path, const mx_file& file);

/// Codes of GGML's order (byte j of a block holds elements j and j + 16) in the linear order of SPEC 3.2, in place.
void linear_from_ggml_split(std::vector<uint8_t>& codes);

}  // namespace adahop::io
