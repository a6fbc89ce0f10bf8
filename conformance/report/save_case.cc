// Packing a failing case into a JSON and safetensors pair.
#include "conformance/report/save_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "adahop/formats/scale_layout.h"
#include "adahop/io/file.h"
#include "adahop/io/safetensors.h"
#include "adahop/tensor.h"
#include "conformance/backends/registry.h"
#include "conformance/report/json_report.h"

namespace adahop::conformance {
namespace {

using json = nlohmann::ordered_json;

// Collects dense arrays and describes them.
class packer {
 public:
  json& list;
  std::vector<io::named_array> arrays = {};

  // `bits` gives element (row, col).
  template <class Bits>
  void add(const std::string& name, const std::string& what, element kind, int64_t rows, int64_t cols,
           const Bits& bits) {
    const int64_t size = element_bits(kind);
    std::vector<uint8_t> bytes(static_cast<size_t>(rows * cols * size / 8));
    for (int64_t i = 0; i < rows * cols; ++i) {
      const uint64_t value = bits(i / cols, i % cols);
      if (kind == element::e2m1)
        bytes[static_cast<size_t>(i / 2)] |= static_cast<uint8_t>(value << (4 * (i % 2)));
      else
        std::memcpy(bytes.data() + i * size / 8, &value, static_cast<size_t>(size / 8));
    }
    list.push_back({{"tensor", name}, {"what", what}, {"element", element_name(kind)}, {"shape", {rows, cols}}});
    io::array a{stored_type(kind), {rows, cols}, std::move(bytes)};
    if (a.type == io::dtype::u8) a.shape = {rows, cols * size / 8};
    arrays.push_back({name, std::move(a)});
  }

  void add(const std::string& name, const guarded_array& array) {
    const output_spec& spec = array.spec();
    add(name, spec.name, spec.kind, spec.rows, spec.cols, [&](int64_t r, int64_t c) { return array.bits(r, c); });
  }

  void add(const std::string& name, const input& in) {
    if (const auto* v = std::get_if<view_input>(&in)) {
      const adahop_view& x = v->view;
      if (!check_view(x, "input").ok()) return;  // a call that is wrong on purpose
      const int64_t size = dtype_size(x.dtype);
      add(name, v->name, x.dtype == ADAHOP_BF16 ? element::bf16 : element::f32, x.rows, x.cols,
          [&](int64_t r, int64_t c) {
            uint64_t bits = 0;
            const auto* bytes = static_cast<const uint8_t*>(x.data);
            std::memcpy(&bits, bytes + size * (r * x.row_stride + c * x.col_stride), static_cast<size_t>(size));
            return bits;
          });
    } else if (const auto* m = std::get_if<mx_input>(&in)) {
      const adahop_mx& x = m->mx;
      add(name + ".codes", m->name, element::e2m1, x.outer, x.inner, [&](int64_t r, int64_t c) {
        return uint64_t{code_of(unpack_e2m1(x.codes[r * x.codes_stride + c / 2], static_cast<uint32_t>(c)))};
      });
      const int64_t blocks = x.inner / kBlockSize;
      const bool linear = m->scale_layout == ADAHOP_LAYOUT_LINEAR;
      const auto offset = [&](int64_t r, int64_t c) {
        return linear ? r * x.scales_stride + c : shuffled_scale_offset(r, c, blocks);
      };
      add(name + ".scales", m->name, element::e8m0, x.outer, blocks,
          [&](int64_t r, int64_t c) { return uint64_t{x.scales[offset(r, c)]}; });
    } else {
      const auto& list_in = std::get<index_input>(in);
      add(name, list_in.name, element::i32, 1, list_in.count(),
          [&](int64_t, int64_t c) { return uint64_t{static_cast<uint32_t>(list_in.data()[c])}; });
    }
  }
};

}  // namespace

io::dtype stored_type(element kind) {
  switch (kind) {
    case element::bf16: return io::dtype::bf16;
    case element::f32: return io::dtype::f32;
    case element::e2m1: return io::dtype::f4;
    case element::e8m0: return io::dtype::f8_e8m0;
    default: return io::dtype::u8;
  }
}

status save_case(const std::string& folder, const run_info& info, const test_case& c, const call& made,
                 const outcome& o) {
  std::string file = c.name;
  std::replace(file.begin(), file.end(), '/', '_');
  json tensors = json::array();
  packer pack{tensors};
  for (size_t i = 0; i < made.inputs.size(); ++i) pack.add(fmt::format("input.{}", i), made.inputs[i]);
  for (const guarded_array& a : o.expected.outputs) pack.add("expected." + a.spec().name, a);
  for (const guarded_array& a : o.got.outputs) pack.add("got." + a.spec().name, a);
  ADAHOP_TRY(io::write_safetensors(fmt::format("{}/{}.safetensors", folder, file), pack.arrays,
                                   {{"case", c.name}, {"policy", canonical_line(made.rules)}}));

  json document = {{"case", c.name},
                   {"operation", op_name(made.op)},
                   {"about", made.about},
                   {"mode", made.native != nullptr ? "native" : "bitexact"},
                   {"memory", made.memory == ADAHOP_MEMORY_DEVICE ? "device" : "host"},
                   {"stage", stage_name(c.where)},
                   {"clauses", clauses(c.where)},
                   {"policy", canonical_line(made.rules)},
                   {"policy_sha256", policy_hash(made.rules)},
                   {"seed", info.seed},
                   {"backend", info.backend},
                   {"reason", o.reason},
                   {"status", {{"expected", status_name(o.expected.status)}, {"got", status_name(o.got.status)}}}};
  if (c.pair) document["pair"] = fmt::format("{}{}", letter(c.pair->left), letter(c.pair->right));
  if (c.option) document["option"] = {{"key", c.option->key}, {"value", c.option->value}};
  if (o.differs) document["difference"] = json_difference(*o.differs);
  document["tensors"] = std::move(tensors);
  const std::string text = document.dump(1) + "\n";
  return io::write_file(fmt::format("{}/{}.json", folder, file),
                        {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

}  // namespace adahop::conformance
