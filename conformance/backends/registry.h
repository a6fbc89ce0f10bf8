// Which backends there are, how one is opened by name or path, and calls through its C ABI table that turn codes and
// last_error() into adahop::status. Implements SPEC 13.1's side of the caller: a claimed operation must be callable.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "adahop/backend.h"
#include "adahop/status.h"

namespace adahop::conformance {

/// A backend this version knows by name.
struct backend_info {
  std::string name;
  const adahop_backend* table = nullptr;  ///< null when it is not available
  std::string reason;                     ///< why it is not available; empty when it is
  bool available() const { return table != nullptr; }
};

/// Every backend known by name, available or not, in the order in which they are listed for people.
std::vector<backend_info> known_backends();

/// A backend by name ("reference", "simd"), or by path where the text holds a '/' or ends in ".so": the library is
/// loaded, asked for `adahop_backend_entry`, and stays loaded until the process ends. The table has been checked by
/// check_table(). ADAHOP_INVALID_ARGUMENT for an unknown name or a library that is no backend, ADAHOP_UNSUPPORTED for
/// a known one that this build lacks; one line in each case.
result<const adahop_backend*> open_backend(const std::string& name_or_path);

/// ABI version, struct sizes, name, device, a function for each claimed operation, and those of device memory where that
/// is claimed; `where` begins the message.
status check_table(const adahop_backend* table, const std::string& where);

/// Work that a simulating backend has done in this process.
struct simulated_work {
  uint64_t wave_instructions = 0;
  double seconds = 0;  ///< of launches, added up over the threads that made them
};
/// Of gfx950-sim, by name; none of other backends and of plug-ins.
std::optional<simulated_work> work_of(const adahop_backend& backend);

/// The instruction set that the backend `simd` uses, "avx512" say; none of other backends and of plug-ins.
std::optional<std::string> isa_of(const adahop_backend& backend);

/// What its option `isa` takes on this CPU, the best first, "scalar" left out; empty where the build has no such backend.
std::vector<std::string> simd_levels();

/// "quantize", "mx_gemm" and so on: the names of the C ABI's functions.
const char* op_name(adahop_op op);

bool claims(const adahop_backend& backend, adahop_op op);

/// Host memory, bitexact mode, default stream, the backend's own workspace.
adahop_exec host_exec();

/// One call through a table. ADAHOP_UNSUPPORTED where the table has no such function; else the backend's own code, with
/// the message "BACKEND: OPERATION: last_error()".
class caller {
 public:
  explicit caller(const adahop_backend* table, adahop_exec exec = host_exec()) : table_(table), exec_(exec) {}

  const adahop_backend& table() const { return *table_; }

  status run(const adahop_quantize_args& args) const;
  status run(const adahop_dequantize_args& args) const;
  status run(const adahop_hadamard_args& args) const;
  status run(const adahop_hadamard_quantize_args& args) const;
  status run(const adahop_pattern_args& args) const;
  status run(const adahop_select_outliers_args& args) const;
  status run(const adahop_extract_outliers_args& args) const;
  status run(const adahop_mx_gemm_args& args) const;
  status run(const adahop_bf16_gemm_args& args) const;
  status run(const adahop_scatter_add_args& args) const;
  status run(const adahop_matmul_args& args) const;

  /// Bytes of workspace that `args`, the argument struct of `op`, needs.
  result<uint64_t> workspace_size(adahop_op op, const void* args) const;
  status set_option(const std::string& key, const std::string& value) const;

 private:
  template <class Args>
  status call(adahop_op op, int32_t (*function)(const adahop_exec*, const Args*), const Args& args) const;
  status outcome(int32_t code, const char* what) const;

  const adahop_backend* table_;
  adahop_exec exec_;
};

}  // namespace adahop::conformance
