// Where two outputs differ: bit for bit, or after decoding (--compare values). Takes no rounding decision.
#pragma once
#include <optional>
#include <string>

#include "conformance/judge/guarded_array.h"

namespace adahop::conformance {

enum class compare_mode { bits, values };

/// The first differing element of an output in row-major order, and how many there are.
struct difference {
  std::string output;                     ///< name of the output, with the field of a record
  int64_t row = 0, col = 0;               ///< of the element; for scales col counts blocks
  std::string expected_bits, got_bits;    ///< "0x3F80"
  std::string expected_value, got_value;  ///< "1", "NaN", "code 5 x 2^-3 = 0.375"
  int64_t count = 0, total = 0;
};

/// "0x" and as many digits as the element has.
std::string bits_text(element kind, uint64_t bits);
/// The decoded value for people: shortest decimal that reads back, "NaN", "2^-3".
std::string value_text(element kind, uint64_t bits);

/// Compares all outputs of a call on two backends, in order; the first output with a difference is reported. Under
/// `values`, codes and scales of an MX result are decoded together, so that another byte on a block of zeros passes,
/// and any NaN equals any NaN. Zeros keep their sign in both modes.
std::optional<difference> compare_outputs(const std::vector<guarded_array>& expected,
                                          const std::vector<guarded_array>& got, compare_mode mode);

}  // namespace adahop::conformance
