// Finding and reading the real tensors and their manifest.
#include "conformance/suites/real_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "adahop/io/file.h"
#include "adahop/io/safetensors.h"

namespace adahop::conformance {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestManifest = uint64_t{1} << 20;

constexpr adahop_pattern kRow = ADAHOP_PATTERN_ROW, kColumn = ADAHOP_PATTERN_COLUMN, kNone = ADAHOP_PATTERN_NONE;
constexpr std::array<known_layer, 5> kLayers{{
    {"minilm_l6.layer0.attention_query", 160, 384, 384, kNone, kRow, kRow},
    {"minilm_l6.layer2.attention_key", 224, 384, 384, kColumn, kColumn, kRow},
    {"minilm_l6.layer3.ffn_up", 160, 384, 1536, kColumn, kNone, kRow},
    {"minilm_l6.layer3.ffn_down", 192, 1536, 384, kColumn, kRow, kRow},
    {"minilm_l6.layer5.attention_query", 192, 384, 384, kColumn, kNone, kNone},
}};

std::string file_name(const known_layer& known) { return fmt::format("{}.safetensors", known.name); }

result<std::shared_ptr<const tensor>> load_tensor(const io::safetensors& file, const char* name, int64_t rows,
                                                  int64_t cols) {
  auto loaded = file.load(name);
  if (!loaded.ok()) return loaded.why();
  auto read = io::matrix_bf16(loaded.value(), fmt::format("{}: {}", file.where(), name));
  if (!read.ok()) return read.why();
  const matrix<bf16>& m = read.value();
  if (m.rows != rows || m.cols != cols)
    return bad_file(
        fmt::format("{}: {}: expected shape [{}, {}], found [{}, {}]", file.where(), name, rows, cols, m.rows, m.cols));
  auto t = std::make_shared<tensor>(ADAHOP_BF16, rows, cols, cols);
  std::memcpy(t->bytes.data(), m.data.data(), t->bytes.size());
  return std::shared_ptr<const tensor>(std::move(t));
}

// The manifest's statistics of one tensor. Throws nlohmann::json exceptions, which parse_manifest() catches.
stated_pattern stated(const nlohmann::json& entry, const char* tensor_name) {
  const nlohmann::json& s = entry.at("tensors").at(tensor_name).at("statistics");
  const auto word = s.at("pattern").get<std::string>();
  if (word != "row" && word != "column" && word != "none")
    throw nlohmann::json::other_error::create(501, "pattern: expected row, column or none", nullptr);
  const adahop_pattern pattern = word == "row" ? kRow : word == "column" ? kColumn : kNone;
  return {pattern, s.at("cv_row").get<double>(), s.at("cv_col").get<double>()};
}

result<real_layer> load_layer(const std::string& folder, const known_layer& known, const stated_layer& said) {
  auto file = io::safetensors::read(folder + "/" + file_name(known));
  if (!file.ok()) return file.why();
  auto x = load_tensor(file.value(), "x", known.tokens, known.in);
  auto w = load_tensor(file.value(), "w", known.out, known.in);
  auto gy = load_tensor(file.value(), "gy", known.tokens, known.out);
  for (const auto* t : {&x, &w, &gy})
    if (!t->ok()) return t->why();
  return real_layer{x.value(), w.value(), gy.value(), said.x, said.w, said.gy};
}

// The data of an installation that was moved: where it lies as seen from the program. Empty where that cannot be known.
std::string beside_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? std::string() : (program.parent_path() / ADAHOP_DATA_FROM_PROGRAM).lexically_normal().string();
}

}  // namespace

std::span<const known_layer> known_layers() { return kLayers; }

result<std::string> find_data(const std::string& asked) {
  const auto has_manifest = [](const std::string& folder) {
    std::error_code ignored;
    return !folder.empty() && fs::exists(folder + "/manifest.json", ignored);
  };
  const char* variable = std::getenv("ADAHOP_DATA");
  const std::string named = !asked.empty() ? asked : variable != nullptr ? variable : "";
  if (!named.empty()) {
    if (has_manifest(named)) return named;
    return io_error(fmt::format("{}: expected a folder with manifest.json and the real tensors", named));
  }
  for (const std::string& folder : {beside_program(), std::string(ADAHOP_SOURCE_DATA), std::string(ADAHOP_INSTALLED_DATA)})
    if (has_manifest(folder)) return folder;
  return std::string();
}

result<std::map<std::string, stated_layer, std::less<>>> parse_manifest(std::string_view text, const std::string& where) {
  std::map<std::string, stated_layer, std::less<>> layers;
  try {
    const nlohmann::json manifest = nlohmann::json::parse(text);
    for (const known_layer& known : kLayers)
      for (const nlohmann::json& entry : manifest.at("files"))
        if (entry.at("file").get_ref<const std::string&>() == file_name(known))
          layers.emplace(known.name, stated_layer{stated(entry, "x"), stated(entry, "w"), stated(entry, "gy")});
  } catch (const nlohmann::json::exception& e) {
    return bad_file(fmt::format("{}: {}", where, io::printable(e.what())));
  }
  for (const known_layer& known : kLayers)
    if (!layers.contains(known.name))
      return bad_file(fmt::format("{}: files: expected an entry for {}, found none", where, file_name(known)));
  return layers;
}

result<real_data> load_data(const std::string& folder) {
  const std::string path = folder + "/manifest.json";
  auto text = io::read_file(path, kLargestManifest);
  if (!text.ok()) return text.why();
  const auto said = parse_manifest({reinterpret_cast<const char*>(text->data()), text->size()}, path);
  if (!said.ok()) return said.why();
  real_data data{folder, {}};
  for (const known_layer& known : kLayers) {
    auto layer = load_layer(folder, known, said.value().find(known.name)->second);
    if (!layer.ok()) return layer.why();
    data.layers.emplace(known.name, std::move(layer).value());
  }
  return data;
}

std::shared_ptr<const tensor> cropped(const tensor& t, int64_t rows, int64_t cols) {
  rows = std::min(rows, t.rows);
  cols = std::min(cols, t.cols);
  auto part = std::make_shared<tensor>(t.dtype, rows, cols, cols);
  for (int64_t r = 0; r < rows; ++r)
    std::memcpy(part->bytes.data() + 2 * r * cols, t.bytes.data() + 2 * r * t.pitch, static_cast<size_t>(2 * cols));
  return part;
}

}  // namespace adahop::conformance
