// The tensors of linear layers in a .safetensors: x [.., I], w [O, I] and gy [.., O] as x, w and gy, or as LAYER.x,
// LAYER.w and LAYER.gy for several layers. One file is one training step.
#pragma once
#include <string>
#include <vector>

#include "conformance/cli/operand.h"

namespace adahop::cli {

struct layer_tensors {
  std::string name;  ///< the prefix; without one the file's metadata `layer`, or the file's name without its ending
  operand x, w, gy;
};

/// All layers of the file, in the order of its data. ADAHOP_BAD_FILE names the tensor that is missing, of another kind,
/// or none of the three.
result<std::vector<layer_tensors>> load_layers(const std::string& path);

}  // namespace adahop::cli
