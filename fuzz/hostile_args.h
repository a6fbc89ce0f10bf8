// A call of the C ABI from a fuzzer's bytes: first one over guarded memory that is legal but for odd shapes, then up to
// three of its fields are damaged. Pointers are damaged only to null, which a callee can notice.
#pragma once
#include <string>
#include <vector>

#include "fuzz/abi_contract.h"
#include "fuzz/hostile_memory.h"
#include "fuzz/input.h"

namespace adahop::fuzz {

/// The workspace that the caller brings, by what the backend's query names.
enum class workspace_kind : uint8_t { none, exact, unaligned, one_byte_short, half, empty };

struct hostile_call {
  /// Reads the call; it points into itself and stays where it is.
  explicit hostile_call(input& in);
  hostile_call(const hostile_call&) = delete;
  hostile_call& operator=(const hostile_call&) = delete;

  any_args args;
  adahop_policy rules;
  adahop_exec exec{};
  bool with_args = true, with_exec = true;
  bool in_place = false;      ///< of scatter_add: out is the view c
  bool own_stream = false;    ///< in device memory one made for the call; for host memory an address that is nobody's
  workspace_kind workspace = workspace_kind::none;
  hostile_memory memory;
  std::vector<int32_t*> listed;      ///< every index of the call's list, whatever becomes of its pointer and count
  std::vector<std::string> damages;  ///< "field=value" of each, for people

  any_args* given_args() { return with_args ? &args : nullptr; }

 private:
  void read_policy(input& in);
  void read_args(input& in, adahop_op op);
};

/// Device addresses for everything that `copy` has on the device.
void move_pointers(any_args& args, const device_copy& copy);

}  // namespace adahop::fuzz
