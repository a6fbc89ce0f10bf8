// What `adahop linear` prints of the layers it ran: pairs, kinds of product, hashes, and saved bytes against BF16.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "adahop/io/array.h"
#include "adahop/layer/linear.h"

namespace adahop::cli {

/// What is said of an output; its bytes may be gone by then.
struct linear_output {
  io::dtype type;
  std::vector<int64_t> shape;
  std::string sha256;
};

struct linear_run {
  std::string layer;
  layer::linear_rules rules;
  layer::linear_shape shape;
  layer::saved_bytes saved;
  std::array<linear_output, 3> outputs;  ///< y, gx, gw: in the order of adahop_path
  std::vector<adahop_path> differing;    ///< paths that differ from the whole product, where that was checked
};

struct linear_report_options {
  std::string backend, out;
  bool checked = false, json = false;
};
void print_runs(const std::vector<linear_run>& runs, const linear_report_options& o);

}  // namespace adahop::cli
