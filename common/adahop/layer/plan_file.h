// The plan file: a calibration as JSON. Implements SPEC 12.8, 12.5 and 12.6.
//
//   {"format": "adahop-plan/1", "policy": canonical line, "policy_sha256": its hash,
//    "layers": [{"name": text, "in": I, "out": O, "x": T, "w": T, "grad_output": T}, ...]}
//   T = {"verdict": V, "votes": {"row": n, "column": n, "none": n},
//        "steps": [{"verdict": V, "cv_row": number or null, "cv_col": number or null}, ...]}
//   V = "row", "column" or "none"; null stands for a NaN.
//
// A reader needs no arithmetic to use it, so verdict and votes stand there although they follow from the steps; they
// are checked against them.
#pragma once
#include <string>
#include <string_view>

#include "adahop/layer/calibration.h"

namespace adahop::layer {

/// One step a line. ADAHOP_INVALID_ARGUMENT for a plan without layers, a layer without steps, a bad or repeated name,
/// or an infinite statistic.
result<std::string> encode_plan(const calibration_plan& plan);
status write_plan(const std::string& path, const calibration_plan& plan);

/// Untrusted text. Errors are ADAHOP_BAD_FILE "WHERE: field: expected ..., found ...".
result<calibration_plan> parse_plan(std::string_view text, const std::string& where);
result<calibration_plan> read_plan(const std::string& path);

}  // namespace adahop::layer
