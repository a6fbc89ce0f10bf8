// Running a call on a backend: guarded outputs, a workspace where asked for, and the check that inputs survive.
#include "conformance/judge/call.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "adahop/formats/scale_layout.h"
#include "adahop/tensor.h"

namespace adahop::conformance {
namespace {

// FNV-1a over the bytes that an input spans, gaps between its lines included.
uint64_t hash_bytes(const void* data, int64_t bytes) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (int64_t i = 0; i < bytes; ++i) hash = (hash ^ static_cast<const uint8_t*>(data)[i]) * 0x100000001B3u;
  return hash;
}

uint64_t hash_input(const input& in) {
  if (const auto* v = std::get_if<view_input>(&in)) {
    const adahop_view& x = v->view;
    if (x.dtype != ADAHOP_F32 && x.dtype != ADAHOP_BF16) return 0;  // a call that is wrong on purpose
    if (x.data == nullptr || x.rows < 1 || x.cols < 1 || x.row_stride < 0 || x.col_stride < 0) return 0;
    const int64_t last = (x.rows - 1) * x.row_stride + (x.cols - 1) * x.col_stride;
    return hash_bytes(x.data, (last + 1) * dtype_size(x.dtype));
  }
  if (const auto* m = std::get_if<mx_input>(&in)) {
    const adahop_mx& x = m->mx;
    if (x.codes == nullptr || x.scales == nullptr || x.outer < 1 || x.inner < kBlockSize) return 0;
    const int64_t blocks = x.inner / kBlockSize;
    const int64_t scale_bytes = m->scale_layout == ADAHOP_LAYOUT_LINEAR ? (x.outer - 1) * x.scales_stride + blocks
                                                                        : shuffled_scale_bytes(x.outer, blocks);
    return hash_bytes(x.codes, (x.outer - 1) * x.codes_stride + x.inner / 2) ^ hash_bytes(x.scales, scale_bytes);
  }
  const auto& list = std::get<index_input>(in);
  return hash_bytes(list.data(), list.count() * 4);
}

const std::string& input_name(const input& in) {
  return std::visit([](const auto& i) -> const std::string& { return i.name; }, in);
}

}  // namespace

execution execute(const call& c, const adahop_backend& backend, uint8_t garbage) {
  execution e;
  e.outputs.reserve(c.outputs.size());
  for (const output_spec& spec : c.outputs) e.outputs.emplace_back(spec, garbage);
  std::vector<uint64_t> before;
  for (const input& in : c.inputs) before.push_back(hash_input(in));

  adahop_exec exec{};
  exec.struct_size = sizeof exec;
  exec.mode = c.native != nullptr ? ADAHOP_MODE_NATIVE : ADAHOP_MODE_BITEXACT;
  exec.memory = c.memory;
  e.status = static_cast<adahop_status>(c.invoke(c, backend, exec, e.outputs));
  if (e.status != ADAHOP_OK) e.error = backend.last_error();

  for (const guarded_array& output : e.outputs)
    if (e.violation.empty()) e.violation = output.touched();
  for (size_t i = 0; i < c.inputs.size(); ++i)
    if (e.violation.empty() && hash_input(c.inputs[i]) != before[i])
      e.violation = fmt::format("input {} was changed", input_name(c.inputs[i]));
  return e;
}

const guarded_array& output_of(const execution& e, const std::string& name) {
  for (const guarded_array& output : e.outputs)
    if (output.spec().name == name) return output;
  std::abort();
}

guarded_array& output_of(execution& e, const std::string& name) {
  return const_cast<guarded_array&>(output_of(std::as_const(e), name));
}

}  // namespace adahop::conformance
