// Grouping the tensors of a file into layers.
#include "conformance/cli/layer_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "adahop/io/file.h"
#include "adahop/io/safetensors.h"

namespace adahop::cli {
namespace {

constexpr std::string_view kTensors[] = {"x", "w", "gy"};

// The name of the one layer of a file whose tensors have no prefix.
std::string own_name(const io::safetensors& file, const std::string& path) {
  if (const auto at = file.meta().find("layer"); at != file.meta().end()) return at->second;
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::string ending = ".safetensors";
  return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : name;
}

result<operand> load_tensor(const io::safetensors& file, const std::string& name) {
  if (file.find(name) == nullptr)
    return bad_file(
        fmt::format("{}: expected tensors x, w and gy of each layer, found no {}", file.where(), io::in_quotes(name)));
  result<io::array> data = file.load(name);
  if (!data.ok()) return data.why();
  return to_operand({fmt::format("{}: {}", file.where(), io::in_quotes(name)), std::move(data).value()});
}

}  // namespace

result<std::vector<layer_tensors>> load_layers(const std::string& path) {
  const result<io::safetensors> file = io::safetensors::read(path);
  if (!file.ok()) return file.why();
  // "layers.0.wq." of "layers.0.wq.x"; empty for "x".
  std::vector<std::string> prefixes;
  std::set<std::string> seen;
  for (const io::tensor_entry& t : file->tensors()) {
    const size_t split = t.name.rfind('.') + 1;  // 0 where there is no dot
    if (std::find(std::begin(kTensors), std::end(kTensors), t.name.substr(split)) == std::end(kTensors))
      return bad_file(fmt::format("{}: {}: expected tensors named x, w, gy or LAYER.x, LAYER.w, LAYER.gy", path,
                                  io::in_quotes(t.name)));
    if (seen.insert(t.name.substr(0, split)).second)
      prefixes.push_back(t.name.substr(0, split));
  }
  if (prefixes.empty()) return bad_file(fmt::format("{}: expected tensors x, w and gy, found none", path));

  std::vector<layer_tensors> layers;
  for (const std::string& prefix : prefixes) {
    layer_tensors layer;
    layer.name = prefix.empty() ? own_name(file.value(), path) : prefix.substr(0, prefix.size() - 1);
    for (const auto& [name, where] : {std::pair{"x", &layer.x}, std::pair{"w", &layer.w}, std::pair{"gy", &layer.gy}}) {
      result<operand> t = load_tensor(file.value(), prefix + name);
      if (!t.ok()) return t.why();
      *where = std::move(t).value();
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

}  // namespace adahop::cli
