// A failing case read back: what save_case() wrote, checked field by field, since a file is anybody's.
#pragma once
#include <map>
#include <string_view>

#include "adahop/io/safetensors.h"
#include "conformance/judge/calls.h"
#include "conformance/report/summary.h"

namespace adahop::conformance {

/// An array of the case, its elements as bit patterns in row-major order.
struct saved_array {
  element kind = element::i32;
  int64_t rows = 0, cols = 0;
  std::vector<uint64_t> bits;

  uint64_t at(int64_t r, int64_t c) const { return bits[static_cast<size_t>(r * cols + c)]; }
};

struct saved_case {
  std::string name, stage, clauses, reason, backend, about;
  adahop_op op = ADAHOP_OP_COUNT;
  policy rules = default_policy();
  bool native = false;
  std::map<std::string, saved_array> arrays;  ///< "input.0", "expected.out", ...
  std::string output;                         ///< of the first differing element
  int64_t row = 0, col = 0;
};

/// A case from the text of its JSON and the file of its arrays. ADAHOP_BAD_FILE in one line that names `where` and the
/// field; also for a case that differs in no element, a wrong status say, since there is nothing to replay.
result<saved_case> parse_case(std::string_view text, const io::safetensors& file, const std::string& where);
/// Reads NAME.json and the NAME.safetensors beside it. Errors as parse_case(), and ADAHOP_IO.
result<saved_case> read_case(const std::string& json_path);

/// The same call again, ready for any backend; in mode bitexact. ADAHOP_BAD_FILE where inputs are missing or do not fit
/// each other or the results of the case.
result<call> call_of(const saved_case& c);

/// Input i as what the operation takes; the case is known to have it where call_of() succeeded.
result<view_input> view_of_input(const saved_case& c, int i);
result<mx_input> mx_of_input(const saved_case& c, int i, int32_t scale_layout);
result<index_input> indices_of_input(const saved_case& c, int i);

/// Level, pair and path of a saved whole product.
result<product> product_of(const saved_case& c);

}  // namespace adahop::conformance
