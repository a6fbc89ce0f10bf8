// What SPEC and the C ABI's header say of a call before it is made: its parts, the statuses that it may return, and whether
// its pointers are good for what they promise. Written from SPEC 1.7, 3.4, 3.7, 3.9, 3.10, 4.7, 6.10, 9.1, 11.7 and 13.1,
// apart from the checks of every backend.
#pragma once
#include <cstdint>
#include <variant>
#include <vector>

#include "adahop/backend.h"
#include "fuzz/hostile_memory.h"

namespace adahop::fuzz {

/// The argument struct of each operation, in the order of adahop_op.
using any_args =
    std::variant<adahop_quantize_args, adahop_dequantize_args, adahop_hadamard_args, adahop_hadamard_quantize_args,
                 adahop_pattern_args, adahop_select_outliers_args, adahop_extract_outliers_args, adahop_mx_gemm_args,
                 adahop_bf16_gemm_args, adahop_scatter_add_args, adahop_matmul_args>;

inline adahop_op op_of(const any_args& args) { return static_cast<adahop_op>(args.index()); }

struct view_part {
  adahop_view* view;
  bool output;
};
struct mx_part {
  adahop_mx* mx;
  bool output;
};
/// An output array or result; `bytes` follows from the dimensions of x, 0 where x itself is refused.
struct array_part {
  const void* data;
  int64_t bytes;
  bool required;  ///< must not be null
};
struct list_part {
  const int32_t* indices;
  int64_t count, limit;
};
struct call_parts {
  const adahop_policy* policy = nullptr;
  bool takes_policy = true;
  std::vector<view_part> views;
  std::vector<mx_part> mxs;
  std::vector<array_part> arrays;
  std::vector<list_part> lists;
};
call_parts parts_of(any_args& args);

/// What is wrong with a call. Where several things are, a backend may find any of them first.
struct contract {
  bool invalid = false;      ///< ADAHOP_INVALID_ARGUMENT is due
  bool unsupported = false;  ///< ADAHOP_UNSUPPORTED is due
  bool may_reject = false;   ///< ADAHOP_NONFINITE is possible
  bool allows(int32_t code) const;
};

/// The whole call on a backend of these capabilities; null pointers for exec and args that were not given.
contract contract_of(const adahop_exec* exec, any_args* args, const adahop_capabilities& can);

/// The same of what workspace_size() looks at: neither exec nor what lists hold, and every gemm_model.
contract contract_of_size(any_args* args, const adahop_capabilities& can);

/// Whether each view, matrix, array and list that is in order by itself lies in `memory` as a whole and aligned, no output has two
/// elements in one place, and, where the call is legal, no output lies on an input unless it may and no dimension is above
/// `limit`: only such calls are made.
bool can_be_made(any_args& args, const contract& c, const hostile_memory& memory, int64_t limit);

/// Marks in `memory` what the call may write.
void claim_outputs(any_args& args, hostile_memory& memory);

}  // namespace adahop::fuzz
