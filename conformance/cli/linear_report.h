// What `adahop linear` prints of the layers it ran: pairs, kinds of product, hashes, and saved bytes against BF16.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "adahop/io/array.h"
#include "adahop/layer/linear.h"

namespace adahop::cli {

struct linear_run {
  std::string layer;
  layer::linear_rules rules;
  layer::linear_shape shape;
  layer::saved_bytes saved;
  std::array<io::array, 3> outputs;    ///< y, gx, gw: in the order of adahop_path
  std::vector<adahop_path> differing;  ///< paths that differ from the whole product, where that was checked
};

struct linear_report_options {
  std::string backend, out;
  bool checked = false, json = false;
};
void print_runs(const std::vector<linear_run>& runs, const linear_report_options& o);

}  // namespace adahop::cli
