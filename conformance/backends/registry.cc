// Backends by name and by path. Built-in ones are linked in; what this version does not build is listed with the reason.
#include "conformance/backends/registry.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#ifdef ADAHOP_HAVE_REFERENCE
#include "reference/backend.h"
#endif
#ifdef ADAHOP_HAVE_SIMD
#include "reference/simd/backend.h"
#endif
#ifdef ADAHOP_HAVE_HIP_CPU
#include "hip_backend/backend_hip_cpu.h"
#endif
#ifdef ADAHOP_HAVE_GFX950_SIM
#include "hip_backend/backend_gfx950_sim.h"
#endif
#ifdef ADAHOP_HAVE_HIP
#include "hip_backend/backend_hip.h"
#endif

namespace adahop::conformance {
namespace {

constexpr std::array<const char*, ADAHOP_OP_COUNT> kOpNames{
    "quantize",         "dequantize", "hadamard",  "hadamard_quantize", "pattern", "select_outliers",
    "extract_outliers", "mx_gemm",    "bf16_gemm", "scatter_add",       "matmul"};

bool has_function(const adahop_backend& b, adahop_op op) {
  switch (op) {
    case ADAHOP_OP_QUANTIZE: return b.quantize != nullptr;
    case ADAHOP_OP_DEQUANTIZE: return b.dequantize != nullptr;
    case ADAHOP_OP_HADAMARD: return b.hadamard != nullptr;
    case ADAHOP_OP_HADAMARD_QUANTIZE: return b.hadamard_quantize != nullptr;
    case ADAHOP_OP_PATTERN: return b.pattern != nullptr;
    case ADAHOP_OP_SELECT_OUTLIERS: return b.select_outliers != nullptr;
    case ADAHOP_OP_EXTRACT_OUTLIERS: return b.extract_outliers != nullptr;
    case ADAHOP_OP_MX_GEMM: return b.mx_gemm != nullptr;
    case ADAHOP_OP_BF16_GEMM: return b.bf16_gemm != nullptr;
    case ADAHOP_OP_SCATTER_ADD: return b.scatter_add != nullptr;
    case ADAHOP_OP_MATMUL: return b.matmul != nullptr;
    case ADAHOP_OP_COUNT: break;
  }
  return false;
}

// A built-in backend's table, or the reason why it cannot be used.
[[maybe_unused]] backend_info built_in(const char* name, const adahop_backend* table) {
  const status s = check_table(table, name);
  return s.ok() ? backend_info{name, table, ""} : backend_info{name, nullptr, s.message()};
}

[[maybe_unused]] backend_info not_built(const char* name) { return {name, nullptr, "not built in this version"}; }

#ifdef ADAHOP_HAVE_REFERENCE
backend_info look_reference(const char* name) { return built_in(name, adahop_backend_reference(ADAHOP_ABI_VERSION)); }
#else
constexpr auto look_reference = not_built;
#endif
#ifdef ADAHOP_HAVE_HIP_CPU
backend_info look_hip_cpu(const char* name) { return built_in(name, adahop_backend_hip_cpu(ADAHOP_ABI_VERSION)); }
#else
constexpr auto look_hip_cpu = not_built;
#endif
// A backend that says itself whether it can work here.
[[maybe_unused]] backend_info built_in_if(const char* name, const char* unavailable, const adahop_backend* (*table)(uint32_t)) {
  return unavailable != nullptr ? backend_info{name, nullptr, unavailable} : built_in(name, table(ADAHOP_ABI_VERSION));
}
#ifdef ADAHOP_HAVE_SIMD
backend_info look_simd(const char* name) {
  return built_in_if(name, adahop_backend_simd_unavailable(), adahop_backend_simd);
}
#else
constexpr auto look_simd = not_built;
#endif
#ifdef ADAHOP_HAVE_GFX950_SIM
backend_info look_gfx950_sim(const char* name) {
  return built_in_if(name, adahop_backend_gfx950_sim_unavailable(), adahop_backend_gfx950_sim);
}
#else
constexpr auto look_gfx950_sim = not_built;
#endif
#ifdef ADAHOP_HAVE_HIP
backend_info look_hip(const char* name) {
  return built_in_if(name, adahop_backend_hip_unavailable(), adahop_backend_hip);
}
#else
constexpr auto look_hip = not_built;
#endif

// A name, and how to see whether the backend is there: only done when asked for, since it may start a device.
struct known_backend {
  const char* name;
  backend_info (*look)(const char* name);
};
constexpr known_backend kKnownBackends[] = {
    {"reference", look_reference},   {"simd", look_simd}, {"hip-cpu", look_hip_cpu},
    {"gfx950-sim", look_gfx950_sim}, {"hip", look_hip},   {"cuda", not_built},
};

bool is_path(const std::string& text) { return text.find('/') != text.npos || text.ends_with(".so"); }

// A message of the operating system or a library, made one line.
std::string one_line(const char* text) {
  std::string line = text == nullptr ? "no reason given" : text;
  for (char& c : line)
    if (c == '\n' || c == '\r') c = ' ';
  return line;
}

result<const adahop_backend*> load_backend(const std::string& path) {
  // dlopen searches library folders for a name without '/'; a user who names a file means the one here.
  const std::string file = path.find('/') == path.npos ? "./" + path : path;
  // dlopen would wait for somebody to write a pipe.
  std::error_code unknown;  // then dlopen says why
  const auto kind = std::filesystem::status(file, unknown).type();
  if (kind == std::filesystem::file_type::fifo || kind == std::filesystem::file_type::character)
    return invalid_argument(fmt::format("backend {}: expected a file, found a pipe or device", path));
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return invalid_argument(fmt::format("backend {}: {}", path, one_line(dlerror())));
  const auto entry = reinterpret_cast<adahop_backend_entry_fn>(dlsym(library, "adahop_backend_entry"));
  const auto refuse = [&](std::string why) -> status {
    dlclose(library);
    return invalid_argument(std::move(why));
  };
  if (entry == nullptr)
    return refuse(fmt::format("backend {}: expected the exported function adahop_backend_entry, found none", path));
  const adahop_backend* table = entry(ADAHOP_ABI_VERSION);
  if (table == nullptr)
    return refuse(
        fmt::format("backend {}: expected ABI version {}, but it cannot serve that", path, ADAHOP_ABI_VERSION));
  if (const status s = check_table(table, "backend " + path); !s.ok()) return refuse(s.message());
  return table;
}

}  // namespace

const char* op_name(adahop_op op) {
  return op >= 0 && op < ADAHOP_OP_COUNT ? kOpNames[static_cast<size_t>(op)] : "unknown operation";
}

bool claims(const adahop_backend& backend, adahop_op op) { return (backend.capabilities.ops >> op & 1u) != 0; }

adahop_exec host_exec() {
  adahop_exec exec{};
  exec.struct_size = sizeof(adahop_exec);
  exec.mode = ADAHOP_MODE_BITEXACT;
  exec.memory = ADAHOP_MEMORY_HOST;
  return exec;
}

status check_table(const adahop_backend* table, const std::string& where) {
  const auto wrong = [&](std::string_view field, auto expected, auto found) {
    return invalid_argument(fmt::format("{}: {}: expected {}, found {}", where, field, expected, found));
  };
  if (table == nullptr) return wrong("table", "one for this ABI version", "null");
  // The version stands first in every version of the table; nothing else may be read before it is known.
  if (table->abi_version != ADAHOP_ABI_VERSION) return wrong("abi_version", ADAHOP_ABI_VERSION, table->abi_version);
  if (table->struct_size != sizeof(adahop_backend))
    return wrong("struct_size", sizeof(adahop_backend), table->struct_size);
  if (table->capabilities.struct_size != sizeof(adahop_capabilities))
    return wrong("capabilities.struct_size", sizeof(adahop_capabilities), table->capabilities.struct_size);
  if (table->name == nullptr) return wrong("name", "a text", "null");
  if (table->device == nullptr) return wrong("device", "a text", "null");
  if (table->last_error == nullptr) return wrong("last_error", "a function", "null");
  if (table->capabilities.ops >> ADAHOP_OP_COUNT != 0)
    return wrong("capabilities.ops", "known operations only", fmt::format("mask {:#x}", table->capabilities.ops));
  for (int32_t i = 0; i < ADAHOP_OP_COUNT; ++i) {
    const auto op = static_cast<adahop_op>(i);
    if (claims(*table, op) && !has_function(*table, op))
      return wrong(op_name(op), "a function, since it is claimed", "null");
  }
  const bool device_functions = table->device_allocate != nullptr && table->device_release != nullptr &&
                                table->copy_to_device != nullptr && table->copy_to_host != nullptr &&
                                table->stream_create != nullptr && table->stream_release != nullptr;
  if ((table->capabilities.memories >> ADAHOP_MEMORY_DEVICE & 1u) != 0 && !device_functions)
    return wrong("device_allocate to stream_release", "six functions, since device memory is claimed", "a null");
  return {};
}

std::vector<backend_info> known_backends() {
  std::vector<backend_info> all;
  for (const known_backend& b : kKnownBackends) all.push_back(b.look(b.name));
  return all;
}

result<const adahop_backend*> open_backend(const std::string& name_or_path) {
  if (is_path(name_or_path)) return load_backend(name_or_path);
  std::string names;
  for (const known_backend& known : kKnownBackends) {
    if (known.name == name_or_path) {
      const backend_info b = known.look(known.name);
      if (b.available()) return b.table;
      return unsupported(fmt::format("backend {}: {}", b.name, b.reason));
    }
    names += fmt::format("{}, ", known.name);
  }
  return invalid_argument(fmt::format("backend '{}': expected one of {}or a path to a .so", name_or_path, names));
}

std::optional<simulated_work> work_of([[maybe_unused]] const adahop_backend& backend) {
#ifdef ADAHOP_HAVE_GFX950_SIM
  if (&backend == adahop_backend_gfx950_sim(ADAHOP_ABI_VERSION)) {
    const adahop_gfx950_sim_work done = adahop_backend_gfx950_sim_executed();
    return simulated_work{done.wave_instructions, done.seconds};
  }
#endif
  return std::nullopt;
}

std::optional<std::string> isa_of([[maybe_unused]] const adahop_backend& backend) {
#ifdef ADAHOP_HAVE_SIMD
  if (&backend == adahop_backend_simd(ADAHOP_ABI_VERSION)) return adahop_backend_simd_isa();
#endif
  return std::nullopt;
}

std::vector<std::string> simd_levels() {
  std::vector<std::string> levels;
#ifdef ADAHOP_HAVE_SIMD
  for (const char* level : {"avx512", "avx2"})
    if (adahop_backend_simd_has(level)) levels.emplace_back(level);
#endif
  return levels;
}

status caller::outcome(int32_t code, const char* what) const {
  if (code == ADAHOP_OK) return {};
  const bool known = code > ADAHOP_OK && code <= ADAHOP_INTERNAL;
  const std::string why = one_line(table_->last_error());
  if (!known) return {ADAHOP_INTERNAL, fmt::format("{}: {}: unknown status {}: {}", table_->name, what, code, why)};
  return {static_cast<adahop_status>(code), fmt::format("{}: {}: {}", table_->name, what, why)};
}

template <class Args>
status caller::call(adahop_op op, int32_t (*function)(const adahop_exec*, const Args*), const Args& args) const {
  if (function == nullptr || !claims(*table_, op))
    return unsupported(fmt::format("{}: {}: the backend does not claim this operation", table_->name, op_name(op)));
  return outcome(function(&exec_, &args), op_name(op));
}

status caller::run(const adahop_quantize_args& a) const { return call(ADAHOP_OP_QUANTIZE, table_->quantize, a); }
status caller::run(const adahop_dequantize_args& a) const { return call(ADAHOP_OP_DEQUANTIZE, table_->dequantize, a); }
status caller::run(const adahop_hadamard_args& a) const { return call(ADAHOP_OP_HADAMARD, table_->hadamard, a); }
status caller::run(const adahop_hadamard_quantize_args& a) const {
  return call(ADAHOP_OP_HADAMARD_QUANTIZE, table_->hadamard_quantize, a);
}
status caller::run(const adahop_pattern_args& a) const { return call(ADAHOP_OP_PATTERN, table_->pattern, a); }
status caller::run(const adahop_select_outliers_args& a) const {
  return call(ADAHOP_OP_SELECT_OUTLIERS, table_->select_outliers, a);
}
status caller::run(const adahop_extract_outliers_args& a) const {
  return call(ADAHOP_OP_EXTRACT_OUTLIERS, table_->extract_outliers, a);
}
status caller::run(const adahop_mx_gemm_args& a) const { return call(ADAHOP_OP_MX_GEMM, table_->mx_gemm, a); }
status caller::run(const adahop_bf16_gemm_args& a) const { return call(ADAHOP_OP_BF16_GEMM, table_->bf16_gemm, a); }
status caller::run(const adahop_scatter_add_args& a) const {
  return call(ADAHOP_OP_SCATTER_ADD, table_->scatter_add, a);
}
status caller::run(const adahop_matmul_args& a) const { return call(ADAHOP_OP_MATMUL, table_->matmul, a); }

result<uint64_t> caller::workspace_size(adahop_op op, const void* args) const {
  uint64_t bytes = 0;
  if (table_->workspace_size == nullptr) return bytes;
  if (status s = outcome(table_->workspace_size(op, args, &bytes), "workspace_size"); !s.ok()) return s;
  return bytes;
}

status caller::set_option(const std::string& key, const std::string& value) const {
  if (table_->set_option == nullptr) return unsupported(fmt::format("{}: it has no options", table_->name));
  return outcome(table_->set_option(key.c_str(), value.c_str()), "set_option");
}

}  // namespace adahop::conformance
