// LLVM's disassembler of gfx950, reached through its C interface in a library that is loaded at run time: building the
// simulator needs no LLVM. Decides nothing; the text is LLVM's.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "adahop/status.h"
#include "sim/elf_object.h"

namespace adahop::hip::sim {

struct decoded {
  std::string text;     ///< one line, blanks trimmed: "v_add_u32_e32 v0, s1, v2"
  uint32_t bytes = 0;   ///< of the instruction; 0 where LLVM knows none
};

/// For one thread at a time; several may exist.
class llvm_decoder {
 public:
  /// Loads libLLVM of LLVM 22, or what ADAHOP_LLVM_LIBRARY names. ADAHOP_DEVICE, one line: not there, or without the
  /// AMDGPU target.
  static result<llvm_decoder> open();

  /// The instruction at the front of `code`, which lies at `address` of the code object.
  decoded decode(byte_span code, uint64_t address);

 private:
  struct close_context {
    void (*dispose)(void*);
    void operator()(void* context) const { dispose(context); }
  };
  using context = std::unique_ptr<void, close_context>;
  using decode_function = size_t (*)(void* context, uint8_t* bytes, uint64_t size, uint64_t address, char* text,
                                     size_t text_size);

  llvm_decoder(context c, decode_function f) : context_(std::move(c)), decode_(f) {}

  context context_;
  decode_function decode_;
};

}  // namespace adahop::hip::sim
