// A failing case on disk: NAME.json says what it is, NAME.safetensors holds its inputs and both results.
#pragma once
#include "adahop/io/safetensors.h"
#include "conformance/report/summary.h"

namespace adahop::conformance {

/// The dtype under which a saved case holds elements of a kind.
io::dtype stored_type(element kind);

/// Writes both files into `folder`, '/' in the case's name replaced by '_'. Tensors: input.I (codes and scales of an MX
/// input: input.I.codes, input.I.scales), expected.OUTPUT, got.OUTPUT. BF16, FP32, E2M1 and E8M0 arrays have their own
/// dtype; scales of inputs are saved [outer x blocks] whatever their layout; int32, int64 and FP64 arrays are U8 with the bytes of an element side by side, and the JSON says so.
status save_case(const std::string& folder, const run_info& info, const test_case& c, const call& made,
                 const outcome& o);

}  // namespace adahop::conformance
