// Running a call on a backend: guarded outputs, a workspace where asked for, and the check that inputs survive.
#include "conformance/judge/call.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "conformance/judge/device_memory.h"

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
    return hash_bytes(v->view.data, view_bytes(v->view));
  }
  if (const auto* m = std::get_if<mx_input>(&in)) {
    if (m->mx.codes == nullptr || m->mx.scales == nullptr) return 0;
    return hash_bytes(m->mx.codes, code_bytes(m->mx)) ^ hash_bytes(m->mx.scales, scale_bytes(m->mx, m->scale_layout));
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
  device_memory device(backend);
  call running = c;
  int32_t code = ADAHOP_OK;
  // A backend without device memory is given host pointers, and has to refuse.
  if (c.memory == ADAHOP_MEMORY_DEVICE && backend.device_allocate != nullptr) {
    running.device = &device;
    for (guarded_array& output : e.outputs) device.add_output(output.whole());
    code = device.open(c.default_stream);
    exec.stream = device.stream();
  }
  if (code == ADAHOP_OK) code = c.invoke(running, backend, exec, e.outputs);
  if (code != ADAHOP_OK) e.error = device.error().empty() ? backend.last_error() : device.error();
  e.violation = device.violation();
  if (const int32_t released = device.release(); code == ADAHOP_OK && released != ADAHOP_OK) {
    code = released;
    e.error = device.error();
  }
  e.status = static_cast<adahop_status>(code);

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
