// The C ABI under hostile arguments: each call is made on the reference and on one other backend. Whatever the arguments,
// a backend returns what SPEC demands of them, says why in one line, touches its outputs alone, and where the call is
// legal the bytes are the reference's. Implements the fuzzer's side of SPEC 1.1, 1.6, 1.7, 3.4, 3.9, 3.10, 13.1, 13.3, 13.7.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "backend_hip_cpu.h"
#include "fuzz/abi_contract.h"
#include "fuzz/hostile_args.h"
#include "fuzz/hostile_table.h"
#include "reference/backend.h"
#ifdef ADAHOP_HAVE_GFX950_SIM
#include "backend_gfx950_sim.h"
#endif

namespace adahop::fuzz {
namespace {

constexpr int kMaxCalls = 8;           // of one input
constexpr int64_t kMaxDimension = 512;  // of a legal call: what is drawn, and a little more
constexpr uint8_t kGarbage[2] = {0xA5, 0x5A};  // an output that neither backend writes differs

[[noreturn]] void report(const std::string& finding) {
  fmt::print(stderr, "finding: {}\n", finding);
  std::abort();
}

void require_nothing(const std::string& finding) {
  if (!finding.empty()) report(finding);
}

// reference, hip-cpu and, where this build can execute code objects, gfx950-sim.
const std::vector<subject>& subjects() {
  static const std::vector<subject> all = [] {
    std::vector<subject> found{{adahop_backend_reference(ADAHOP_ABI_VERSION), adahop_backend_reference},
                               {adahop_backend_hip_cpu(ADAHOP_ABI_VERSION), adahop_backend_hip_cpu}};
#ifdef ADAHOP_HAVE_GFX950_SIM
    if (adahop_backend_gfx950_sim_unavailable() == nullptr)
      found.push_back({adahop_backend_gfx950_sim(ADAHOP_ABI_VERSION), adahop_backend_gfx950_sim});
#endif
    for (const subject& s : found) s.table->set_option("threads", "1");
    return found;
  }();
  return all;
}

std::string text(const hostile_call& c, const adahop_backend& table) {
  std::string line = fmt::format("{}: op {}, mode {}, memory {}", table.name, c.args.index(), c.exec.mode, c.exec.memory);
  for (const std::string& d : c.damages) line += ", " + d;
  return line;
}

int32_t enter(const adahop_backend& b, const adahop_exec* exec, const any_args& args, bool with_args) {
  const auto call = [&](auto entry, const auto& a) { return entry(exec, with_args ? &a : nullptr); };
  switch (op_of(args)) {
    case ADAHOP_OP_QUANTIZE: return call(b.quantize, std::get<0>(args));
    case ADAHOP_OP_DEQUANTIZE: return call(b.dequantize, std::get<1>(args));
    case ADAHOP_OP_HADAMARD: return call(b.hadamard, std::get<2>(args));
    case ADAHOP_OP_HADAMARD_QUANTIZE: return call(b.hadamard_quantize, std::get<3>(args));
    case ADAHOP_OP_PATTERN: return call(b.pattern, std::get<4>(args));
    case ADAHOP_OP_SELECT_OUTLIERS: return call(b.select_outliers, std::get<5>(args));
    case ADAHOP_OP_EXTRACT_OUTLIERS: return call(b.extract_outliers, std::get<6>(args));
    case ADAHOP_OP_MX_GEMM: return call(b.mx_gemm, std::get<7>(args));
    case ADAHOP_OP_BF16_GEMM: return call(b.bf16_gemm, std::get<8>(args));
    case ADAHOP_OP_SCATTER_ADD: return call(b.scatter_add, std::get<9>(args));
    default: return call(b.matmul, std::get<10>(args));
  }
}

template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// What a call left behind.
struct made {
  int32_t code = ADAHOP_OK;
  std::vector<uint8_t> outputs;
  int64_t first_nonfinite = -1;
};

// The index that a quantizing call reports, -1 where it has no result.
int64_t first_nonfinite(const any_args& args) {
  if (const auto* q = std::get_if<adahop_quantize_args>(&args); q != nullptr && q->result != nullptr)
    return q->result->first_nonfinite;
  if (const auto* h = std::get_if<adahop_hadamard_quantize_args>(&args); h != nullptr && h->result != nullptr)
    return h->result->first_nonfinite;
  return -1;
}

// The query must refuse what the call would; the number of bytes, or 0.
uint64_t asked_workspace(hostile_call& c, const adahop_backend& table) {
  uint64_t bytes = 0;
  const void* const args = std::visit([](const auto& a) { return static_cast<const void*>(&a); }, c.args);
  const int32_t code = table.workspace_size(op_of(c.args), c.with_args ? args : nullptr, &bytes);
  const std::string what = text(c, table) + ": workspace_size";
  if (const std::string wrong = wrong_status(table, code); !wrong.empty()) report(fmt::format("{}: {}", what, wrong));
  const contract due = contract_of_size(c.given_args(), table.capabilities);
  // A backend that needs none need not look at the arguments.
  const bool none = table.device_allocate == nullptr && code == ADAHOP_OK && bytes == 0;
  if (!due.allows(code) && !none) report(fmt::format("{}: status {} ({})", what, code, table.last_error()));
  return code == ADAHOP_OK ? bytes : 0;
}

// Makes the call as it stands on one backend and judges all but the values.
made make(hostile_call& c, const adahop_backend& table, uint8_t garbage) {
  const std::string what = text(c, table);
  contract due = contract_of(c.with_exec ? &c.exec : nullptr, c.given_args(), table.capabilities);
  const uint64_t needed = asked_workspace(c, table);
  const bool on_device = c.exec.memory == ADAHOP_MEMORY_DEVICE && table.device_allocate != nullptr;
  c.memory.prepare(garbage, c.in_place);

  // The workspace is brought where `memory` says, all of it the call's to write.
  hostile_memory scratch;
  const bool brings = c.workspace != workspace_kind::none;
  const size_t skew = c.workspace == workspace_kind::unaligned ? 13 : 0;
  uint64_t given = needed;
  if (c.workspace == workspace_kind::one_byte_short) given -= given > 0;
  if (c.workspace == workspace_kind::half) given /= 2;
  if (c.workspace == workspace_kind::empty) given = 0;
  uint8_t* const workspace = scratch.add(given, skew);
  scratch.claim(workspace, given);
  scratch.remember();

  device_copy copy(table, c.memory), scratch_copy(table, scratch);
  void* stream = nullptr;
  any_args args = c.args;
  adahop_exec exec = c.exec;
  if (brings) exec.workspace = workspace;
  if (brings) exec.workspace_bytes = given;
  if (on_device) {
    if (copy.upload() != ADAHOP_OK || scratch_copy.upload() != ADAHOP_OK || table.stream_create(&stream) != ADAHOP_OK)
      report(fmt::format("{}: no device memory: {}", what, table.last_error()));
    move_pointers(args, copy);
    scratch_copy.move(exec.workspace);
    exec.stream = c.own_stream ? stream : nullptr;
  } else if (c.own_stream && exec.memory == ADAHOP_MEMORY_HOST) {
    exec.stream = workspace;  // is ignored
  }

  const any_args args_before = args;
  const adahop_exec exec_before = exec;
  const adahop_policy rules_before = c.rules;
  if (!on_device) c.memory.forbid_guards(), scratch.forbid_guards();
  made m;
  m.code = enter(table, c.with_exec ? &exec : nullptr, args, c.with_args);
  c.memory.permit_guards(), scratch.permit_guards();
  const std::string wrong = wrong_status(table, m.code);
  const std::string why = table.last_error();
  if (on_device && (copy.download() != ADAHOP_OK || scratch_copy.download() != ADAHOP_OK || table.stream_release(stream) != ADAHOP_OK))
    report(fmt::format("{}: {}", what, table.last_error()));

  if (!wrong.empty()) report(fmt::format("{}: {}", what, wrong));
  const bool too_small = brings && given < needed;  // a backend may make do with less
  if (!due.allows(m.code) && !(too_small && m.code == ADAHOP_INVALID_ARGUMENT))
    report(fmt::format("{}: status {} ({}), SPEC demands {}", what, m.code, why,
                       due.invalid ? "ADAHOP_INVALID_ARGUMENT" : due.unsupported ? "ADAHOP_UNSUPPORTED" : "ADAHOP_OK"));
  for (const hostile_memory* touched : {&c.memory, &scratch})
    if (const std::string v = touched->violation(); !v.empty()) report(fmt::format("{}: {}", what, v));
  if (!same_bytes(args, args_before) || !same_bytes(exec, exec_before) || !same_bytes(c.rules, rules_before))
    report(fmt::format("{}: the argument struct, exec or the policy was changed", what));
  m.outputs = c.memory.outputs();
  m.first_nonfinite = first_nonfinite(c.args);
  return m;
}

// The call as the reference can make it: in host memory, and in place of mode native the model that emulated matrix
// instructions follow (SPEC 10.12), whose default it is on hip-cpu and gfx950-sim.
made make_expected(hostile_call& c, const adahop_backend& reference) {
  const adahop_exec exec = c.exec;
  const adahop_policy rules = c.rules;
  const workspace_kind workspace = c.workspace;
  if (c.exec.mode == ADAHOP_MODE_NATIVE) c.rules.gemm_model = ADAHOP_GEMM_MFMA_FUSED;
  if (c.exec.mode == ADAHOP_MODE_NATIVE) c.rules.gemm_model_param = 4;
  c.exec.mode = ADAHOP_MODE_BITEXACT;
  c.exec.memory = ADAHOP_MEMORY_HOST;
  c.workspace = workspace_kind::none;
  made expected = make(c, reference, kGarbage[0]);
  c.exec = exec;
  c.rules = rules;
  c.workspace = workspace;
  return expected;
}

void try_call(input& in, const adahop_backend& reference, const adahop_backend& candidate) {
  hostile_call c(in);
  for (const adahop_backend* table : {&reference, &candidate}) {
    const contract due = contract_of(c.with_exec ? &c.exec : nullptr, c.given_args(), table->capabilities);
    if (!can_be_made(c.args, due, c.memory, kMaxDimension)) return;
  }
  claim_outputs(c.args, c.memory);
  c.memory.remember();
  make(c, reference, kGarbage[0]);
  const made got = make(c, candidate, kGarbage[1]);
  if (got.code != ADAHOP_OK && got.code != ADAHOP_NONFINITE) return;
  const made expected = make_expected(c, reference);
  if (got.code != expected.code)
    report(fmt::format("{}: status {}, the reference's is {}", text(c, candidate), got.code, expected.code));
  if (got.first_nonfinite != expected.first_nonfinite)
    report(fmt::format("{}: first_nonfinite {}, the reference's is {}", text(c, candidate), got.first_nonfinite,
                       expected.first_nonfinite));
  if (got.code == ADAHOP_NONFINITE) return;
  for (size_t i = 0; i < got.outputs.size(); ++i)
    if (got.outputs[i] != expected.outputs[i])
      report(fmt::format("{}: byte {} of all {} output bytes is {:#04x}, the reference's is {:#04x}", text(c, candidate), i,
                         got.outputs.size(), got.outputs[i], expected.outputs[i]));
}

void try_one(input& in) {
  const std::vector<subject>& all = subjects();
  const uint8_t choice = in.byte();
  const subject& candidate = (choice & 7) == 7 ? all.back() : all[1];  // gfx950-sim costs the most
  const subject& any = all[(choice & 15) % all.size()];
  switch (choice >> 4) {
    case 12: return require_nothing(try_option(in, *any.table));
    case 13: return require_nothing(try_device_function(in, *any.table));
    case 14: return require_nothing(try_workspace_size(in, *any.table));
    case 15: return require_nothing(try_entry(in, any));
    default: return try_call(in, *all[0].table, *candidate.table);
  }
}

}  // namespace
}  // namespace adahop::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  adahop::fuzz::input in({data, size});
  for (int i = 0; i < adahop::fuzz::kMaxCalls && !in.empty(); ++i) adahop::fuzz::try_one(in);
  return 0;
}
