// Output memory of a call under judgement: garbage everywhere before the call, guard bytes in front of it, behind it
// and between its lines, which must survive (SPEC 1.6).
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "adahop/backend.h"

namespace adahop::conformance {

/// What one element of an output is.
enum class element { bf16, f32, f64, i32, i64, e2m1, e8m0 };

/// Bits of an element: 4 to 64.
int element_bits(element kind);
/// "BF16", "E2M1" and so on.
const char* element_name(element kind);

/// Shape and place of one output of a call.
struct output_spec {
  std::string name;
  element kind;
  int64_t rows = 1, cols = 1;
  bool transposed = false;               ///< stored by columns, as for a result along axis 0
  std::vector<std::string> fields = {};  ///< names of the columns where they are fields of a record
};

/// One output in guarded memory. Lines (rows, or columns if transposed) lie a few elements apart, so that a backend
/// that ignores a stride writes into a gap. `garbage` differs between the two backends of a comparison, so that an
/// element which neither writes differs.
class guarded_array {
 public:
  guarded_array(const output_spec& spec, uint8_t garbage);

  const output_spec& spec() const { return spec_; }
  void* data() { return bytes_.data() + kGuardBytes; }
  const void* data() const { return bytes_.data() + kGuardBytes; }
  /// Everything that the array owns, guards included.
  std::span<uint8_t> whole() { return bytes_; }
  /// Bytes between two lines.
  int64_t pitch() const { return pitch_; }

  /// The array as a view of the C ABI; only for bf16 and f32.
  adahop_view view();

  /// The pattern of element (row, col), zero-extended.
  uint64_t bits(int64_t row, int64_t col) const;

  /// Which guard byte was changed, in words; empty when all survived.
  std::string touched() const;

  static constexpr int64_t kGuardBytes = 64;

 private:
  uint8_t garbage_at(size_t i) const;
  int64_t lines() const { return spec_.transposed ? spec_.cols : spec_.rows; }
  int64_t line_bytes() const;

  output_spec spec_;
  uint8_t garbage_;
  int64_t pitch_;
  std::vector<uint8_t> bytes_;
};

}  // namespace adahop::conformance
