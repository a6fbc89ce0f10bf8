// The real tensors: layers of a trained model (conformance/data), where they are found, and what is known of them.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "conformance/suites/operands.h"

namespace adahop::conformance {

/// A layer that the suite names, so that the names of its cases do not depend on the data being there.
struct known_layer {
  std::string_view name;    ///< file name without ".safetensors"
  int64_t tokens, in, out;  ///< X [tokens x in], W [out x in], G_Y [tokens x out]
  adahop_pattern x, w, gy;  ///< verdicts in their own orientation, from the manifest
};
std::span<const known_layer> known_layers();

/// Statistics that the manifest states of one tensor; made by another implementation (NumPy) of SPEC chapter 7.
struct stated_pattern {
  adahop_pattern pattern;
  double cv_row, cv_col;
};

struct stated_layer {
  stated_pattern x, w, gy;
};

struct real_layer {
  std::shared_ptr<const tensor> x, w, gy;
  stated_pattern x_stated, w_stated, gy_stated;
};

struct real_data {
  std::string folder;
  std::map<std::string, real_layer, std::less<>> layers;  ///< by known_layer::name
};

/// The folder of the data: `asked` if given, else $ADAHOP_DATA, else the one that was installed with this program
/// (which may have been moved since), else the source tree's, else the one of the configured prefix; empty
/// when there is none. A folder that was named but holds no manifest.json is an error.
result<std::string> find_data(const std::string& asked);

/// What a manifest.json states of the known layers, by known_layer::name. ADAHOP_BAD_FILE in one line that names `where`.
result<std::map<std::string, stated_layer, std::less<>>> parse_manifest(std::string_view text, const std::string& where);

/// Reads all known layers and the manifest. ADAHOP_BAD_FILE where a file is not what the suite expects.
result<real_data> load_data(const std::string& folder);

/// The first `rows` x `cols` of a tensor, as a copy; the whole where it is smaller.
std::shared_ptr<const tensor> cropped(const tensor& t, int64_t rows, int64_t cols);

}  // namespace adahop::conformance
