// Reading a saved case, and making its call again.
#include "conformance/report/saved_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "adahop/formats/scale_layout.h"
#include "adahop/io/file.h"
#include "adahop/io/safetensors.h"
#include "conformance/backends/registry.h"
#include "conformance/report/save_case.h"

namespace adahop::conformance {
namespace {

using json = nlohmann::json;

constexpr int64_t kMaxElements = int64_t{1} << 26;      // of one array of a case, and each of its dimensions
constexpr uint64_t kLargestJson = uint64_t{1} << 20;  // a case has a dozen arrays; bounds the parsed tree

// get<int64_t>() would take true, 1e300 and 2^63 too.
int64_t integer_of(const json& value) {
  const bool fits = value.is_number_integer() &&
                    (!value.is_number_unsigned() || value.get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX));
  if (!fits) throw json::other_error::create(501, "expected an integer of 64 bits", nullptr);
  return value.get<int64_t>();
}

result<element> element_of(const std::string& text) {
  for (const element e : {element::bf16, element::f32, element::f64, element::i32, element::i64, element::e2m1, element::e8m0})
    if (text == element_name(e)) return e;
  return bad_file(fmt::format("element: expected BF16, FP32, E2M1 or another type of a case, found {}", io::in_quotes(text)));
}

// One entry of "tensors" with its data.
result<saved_array> load_array(const io::safetensors& file, const std::string& tensor, element kind, int64_t rows,
                               int64_t cols) {
  const bool bounded = rows >= 0 && cols >= 0 && rows <= kMaxElements && cols <= kMaxElements;
  if (!bounded || rows * cols > kMaxElements)
    return bad_file(fmt::format("{}: shape: expected at most {} elements", io::in_quotes(tensor), kMaxElements));
  auto loaded = file.load(tensor);
  if (!loaded.ok()) return bad_file(loaded.why().message());
  const io::tensor_bytes& bytes = loaded.value().bytes;
  const int64_t size = element_bits(kind), count = rows * cols;
  if (loaded.value().type != stored_type(kind) || static_cast<int64_t>(bytes.size()) != (count * size + 7) / 8)
    return bad_file(fmt::format("{}: {}: expected {} x {} elements of type {}", file.where(), io::in_quotes(tensor), rows, cols,
                                element_name(kind)));
  saved_array a{kind, rows, cols, std::vector<uint64_t>(static_cast<size_t>(count))};
  for (int64_t i = 0; i < count; ++i) {
    uint64_t& bits = a.bits[static_cast<size_t>(i)];
    if (kind == element::e2m1)
      bits = (bytes[static_cast<size_t>(i / 2)] >> (4 * (i % 2))) & 0xFu;
    else
      std::memcpy(&bits, bytes.data() + i * size / 8, static_cast<size_t>(size / 8));
  }
  return a;
}

// Throws nlohmann::json exceptions, which parse_case() catches.
status fill(const json& document, const io::safetensors& file, saved_case& c) {
  c.name = document.at("case").get<std::string>();
  c.stage = document.at("stage").get<std::string>();
  c.clauses = document.at("clauses").get<std::string>();
  c.reason = document.at("reason").get<std::string>();
  c.backend = document.at("backend").get<std::string>();
  c.about = document.at("about").get<std::string>();
  c.native = document.value("mode", "bitexact") == "native";
  const auto operation = document.at("operation").get<std::string>();
  for (int op = 0; op < ADAHOP_OP_COUNT; ++op)
    if (operation == op_name(static_cast<adahop_op>(op))) c.op = static_cast<adahop_op>(op);
  if (c.op == ADAHOP_OP_COUNT) return bad_file(fmt::format("operation: {} is none of the C ABI's", io::in_quotes(operation)));
  constexpr std::string_view kPrefix = "adahop-policy/1 ";
  const auto line = document.at("policy").get<std::string>();
  if (line.rfind(kPrefix, 0) != 0) return bad_file("policy: expected a canonical line, 'adahop-policy/1 ...'");
  auto rules = parse_policy(line.substr(kPrefix.size()), default_policy());
  if (!rules.ok()) return bad_file(io::printable(rules.why().message()));
  c.rules = rules.value();
  for (const json& entry : document.at("tensors")) {
    const auto tensor = entry.at("tensor").get<std::string>();
    auto kind = element_of(entry.at("element").get<std::string>());
    if (!kind.ok()) return kind.why();
    if (c.arrays.contains(tensor)) return bad_file(fmt::format("tensors: expected each once, found {} twice", io::in_quotes(tensor)));
    const json& shape = entry.at("shape");
    auto array = load_array(file, tensor, kind.value(), integer_of(shape.at(0)), integer_of(shape.at(1)));
    if (!array.ok()) return array.why();
    c.arrays.emplace(tensor, std::move(array).value());
  }
  if (!document.contains("difference"))
    return bad_file(fmt::format("difference: this case differs in no element: {}", io::printable(c.reason)));
  c.output = document.at("difference").at("output").get<std::string>();
  c.row = integer_of(document.at("difference").at("row"));
  c.col = integer_of(document.at("difference").at("col"));
  // Fields of a record are saved under the record's name.
  if (c.output == "clipped" || c.output == "first_nonfinite") c.output = "result";
  if (c.output == "cv_row" || c.output == "cv_col") c.output = "cv";
  for (const char* side : {"expected.", "got."}) {
    const auto found = c.arrays.find(side + c.output);
    if (found == c.arrays.end()) return bad_file(fmt::format("tensors: expected {}{}", side, io::printable(c.output)));
    if (c.row < 0 || c.row >= found->second.rows || c.col < 0 || c.col >= found->second.cols)
      return bad_file(fmt::format("difference: row {}, col {} is outside {}{}", c.row, c.col, side, io::printable(c.output)));
  }
  return {};
}

status missing_input(int i, const char* what) { return bad_file(fmt::format("tensors: expected input.{}, {}", i, what)); }

// The call, its outputs not yet compared with those of the case.
result<call> make_call(const saved_case& c);

}  // namespace

result<saved_case> parse_case(std::string_view text, const io::safetensors& file, const std::string& where) {
  saved_case c;
  try {
    if (const status s = fill(json::parse(text), file, c); !s.ok())
      return status(s.code(), fmt::format("{}: {}", where, s.message()));
  } catch (const json::exception& e) {
    return bad_file(fmt::format("{}: {}", where, io::printable(e.what())));
  }
  return c;
}

result<saved_case> read_case(const std::string& json_path) {
  const size_t stem = json_path.rfind(".json");
  if (stem == json_path.npos || stem + 5 != json_path.size())
    return invalid_argument(fmt::format("{}: expected the .json file of a saved case", json_path));
  auto text = io::read_file(json_path, kLargestJson);
  if (!text.ok()) return text.why();
  auto file = io::safetensors::read(json_path.substr(0, stem) + ".safetensors");
  if (!file.ok()) return file.why();
  return parse_case({reinterpret_cast<const char*>(text->data()), text->size()}, file.value(), json_path);
}

result<view_input> view_of_input(const saved_case& c, int i) {
  const auto found = c.arrays.find(fmt::format("input.{}", i));
  const bool fits = found != c.arrays.end() && (found->second.kind == element::bf16 || found->second.kind == element::f32);
  if (!fits) return missing_input(i, "a matrix of BF16 or FP32");
  const saved_array& a = found->second;
  const int64_t size = element_bits(a.kind) / 8;
  auto bytes = std::make_shared<std::vector<uint8_t>>(std::max<size_t>(1, a.bits.size() * static_cast<size_t>(size)));
  for (size_t e = 0; e < a.bits.size(); ++e)
    std::memcpy(bytes->data() + e * static_cast<size_t>(size), &a.bits[e], static_cast<size_t>(size));
  const adahop_view view{bytes->data(), a.kind == element::bf16 ? ADAHOP_BF16 : ADAHOP_F32, 0, a.rows, a.cols,
                         std::max<int64_t>(1, a.cols), 1};
  return view_input{fmt::format("input.{}", i), view, std::move(bytes)};
}

result<mx_input> mx_of_input(const saved_case& c, int i, int32_t scale_layout) {
  const auto codes = c.arrays.find(fmt::format("input.{}.codes", i)), scales = c.arrays.find(fmt::format("input.{}.scales", i));
  const bool there = codes != c.arrays.end() && scales != c.arrays.end() && codes->second.kind == element::e2m1 &&
                     scales->second.kind == element::e8m0;
  if (!there) return missing_input(i, "codes and scales");
  const int64_t outer = codes->second.rows, inner = codes->second.cols, blocks = inner / kBlockSize;
  if (inner % kBlockSize != 0 || scales->second.rows != outer || scales->second.cols != blocks)
    return missing_input(i, "scales that fit the codes");
  auto m = std::make_shared<mx_matrix>(outer, inner);
  for (size_t e = 0; e < codes->second.bits.size(); ++e)
    m->codes[e / 2] |= static_cast<uint8_t>(codes->second.bits[e] << (4 * (e % 2)));
  const bool linear = scale_layout == ADAHOP_LAYOUT_LINEAR;
  if (!linear) m->scales.assign(static_cast<size_t>(shuffled_scale_bytes(outer, blocks)), 0);
  for (int64_t r = 0; r < outer; ++r)
    for (int64_t b = 0; b < blocks; ++b)
      m->scales[static_cast<size_t>(linear ? r * blocks + b : shuffled_scale_offset(r, b, blocks))] =
          static_cast<uint8_t>(scales->second.at(r, b));
  const adahop_mx view = view_of(*m);
  return mx_input{fmt::format("input.{}", i), view, std::move(m), scale_layout};
}

result<index_input> indices_of_input(const saved_case& c, int i) {
  const auto found = c.arrays.find(fmt::format("input.{}", i));
  if (found == c.arrays.end() || found->second.kind != element::i32) return missing_input(i, "a list of indices");
  std::vector<int32_t> list;
  for (const uint64_t bits : found->second.bits) list.push_back(static_cast<int32_t>(static_cast<uint32_t>(bits)));
  return index_input{fmt::format("input.{}", i), std::make_shared<const std::vector<int32_t>>(std::move(list))};
}

result<product> product_of(const saved_case& c) {
  int level = 0;
  char pair[3] = "", path[8] = "";
  if (std::sscanf(c.about.c_str(), "level %d, pair %2s, path %7s", &level, pair, path) == 3)
    if (const auto parsed = parse_pair(pair))
      for (const adahop_path p : {ADAHOP_PATH_FORWARD, ADAHOP_PATH_DX, ADAHOP_PATH_DW})
        if (name(p) == path && (level == 1 || level == 2)) return product{level, parsed->left, parsed->right, p};
  return bad_file(fmt::format("about: expected 'level L, pair AB, path P', found {}", io::in_quotes(c.about)));
}

namespace {

result<call> make_call(const saved_case& c) {
  const auto dtype = [&] { return c.arrays.at("expected." + c.output).kind == element::bf16 ? ADAHOP_BF16 : ADAHOP_F32; };
  const auto logical = [&] { return c.arrays.at("expected." + c.output).cols; };
  const auto indices = [&](int i) { return indices_of_input(c, i); };
  switch (c.op) {
    case ADAHOP_OP_MX_GEMM: {
      auto a = mx_of_input(c, 0, c.rules.scale_layout), b = mx_of_input(c, 1, c.rules.scale_layout);
      if (!a.ok() || !b.ok()) return a.ok() ? b.why() : a.why();
      if (a->mx.inner != b->mx.inner) return missing_input(1, "with the inner dimension of input.0");
      return mx_gemm_call(c.rules, a.value(), b.value(), dtype(), false);
    }
    case ADAHOP_OP_DEQUANTIZE: {
      auto x = mx_of_input(c, 0, c.rules.scale_layout);
      if (!x.ok()) return x.why();
      return dequantize_call(c.rules, x.value(), dtype(), false, logical());
    }
    default: break;
  }
  auto x = view_of_input(c, 0);
  if (!x.ok()) return x.why();
  if (c.op == ADAHOP_OP_QUANTIZE) return quantize_call(c.rules, x.value());
  if (c.op == ADAHOP_OP_HADAMARD) return hadamard_call(c.rules, x.value(), false);
  if (c.op == ADAHOP_OP_PATTERN) return pattern_call(c.rules, x.value());
  if (c.op == ADAHOP_OP_SELECT_OUTLIERS) return select_outliers_call(c.rules, x.value());
  if (c.op == ADAHOP_OP_HADAMARD_QUANTIZE || c.op == ADAHOP_OP_EXTRACT_OUTLIERS) {
    auto rows = indices(1);
    if (!rows.ok()) return rows.why();
    if (c.op == ADAHOP_OP_EXTRACT_OUTLIERS) return extract_outliers_call(c.rules, x.value(), rows.value());
    return hadamard_quantize_call(c.rules, x.value(), rows.value());
  }
  auto y = view_of_input(c, 1);
  if (!y.ok()) return y.why();
  if (c.op == ADAHOP_OP_SCATTER_ADD) {
    auto lines = indices(2);
    if (!lines.ok()) return lines.why();
    const adahop_side side = c.about == "rows" ? ADAHOP_SIDE_LEFT : ADAHOP_SIDE_RIGHT;
    return scatter_add_call(c.rules, x.value(), y.value(), lines.value(), side, dtype(), false);
  }
  if (x->view.cols != y->view.cols) return missing_input(1, "with the inner dimension of input.0");
  if (c.op == ADAHOP_OP_BF16_GEMM) return bf16_gemm_call(c.rules, x.value(), y.value(), dtype(), false);
  auto what = product_of(c);
  if (!what.ok()) return what.why();
  return matmul_call(c.rules, what.value(), x.value(), y.value(), false);
}

}  // namespace

result<call> call_of(const saved_case& c) {
  auto made = make_call(c);
  if (!made.ok()) return made;
  // Small inputs may ask for a vast product: what the case holds as its result bounds the memory of the call.
  for (const output_spec& out : made->outputs) {
    const auto saved = c.arrays.find("expected." + out.name);
    const bool fits = saved != c.arrays.end() && saved->second.kind == out.kind && saved->second.rows == out.rows &&
                      saved->second.cols == out.cols;
    if (!fits)
      return bad_file(fmt::format("tensors: expected expected.{} of {} x {} elements of type {}, as the inputs say", out.name,
                                  out.rows, out.cols, element_name(out.kind)));
  }
  return made;
}

}  // namespace adahop::conformance
