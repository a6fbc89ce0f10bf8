// Synthetic tensors, built as bit patterns from counter-based random words: no float arithmetic, so the same bytes
// everywhere. Each has one of the three outlier patterns on top of a distribution.
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "adahop/backend.h"
#include "conformance/judge/call.h"

namespace adahop::conformance {

enum class source {
  uniform,    ///< about uniform in (-1, 1)
  spread,     ///< exponents over 13 octaves
  grid,       ///< values of E2M1 only: exact ties, cancellation to zero, -0
  subnormal,  ///< exponent fields 0 to 8
  zeros,      ///< a quarter of the 32x32 tiles holds zeros of both signs
  huge,       ///< exponent fields 247 to 254: butterflies and products overflow
  nonfinite,  ///< uniform with a few NaN (several payloads) and Inf
};
std::string_view source_name(source s);

/// An owning F32 or BF16 matrix; rows lie `pitch` elements apart and what lies between is NaN.
struct tensor {
  int32_t dtype = ADAHOP_BF16;
  int64_t rows = 0, cols = 0, pitch = 0;
  std::vector<uint8_t> bytes;

  tensor(int32_t type, int64_t r, int64_t c, int64_t p);
  void set_bits(int64_t row, int64_t col, uint32_t bits);
  adahop_view view() const;
};

/// A tensor, or its transpose, as the input of a call.
view_input input_of(std::string name, std::shared_ptr<const tensor> t);
view_input transposed_input_of(std::string name, std::shared_ptr<const tensor> t);

struct tensor_spec {
  source what = source::uniform;
  int64_t rows = 0, cols = 0;
  adahop_pattern pattern = ADAHOP_PATTERN_NONE;  ///< about one row (column) in eight is 32 times larger
  adahop_dtype dtype = ADAHOP_BF16;
  bool pitched = false;  ///< rows five elements further apart than they need be
};

/// Element (r, c) depends on (seed, name, r, c, spec) alone.
std::shared_ptr<const tensor> generate(const tensor_spec& spec, uint64_t seed, std::string_view name);

}  // namespace adahop::conformance
