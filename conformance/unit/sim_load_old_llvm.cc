// A stand-in for the library of an LLVM from before gfx950: it tells its version and, like the real one, ends the process when
// anything else is asked of it.
#include <cstdlib>

extern "C" {

void LLVMGetVersion(unsigned* major, unsigned* minor, unsigned* patch) {
  if (major != nullptr) *major = 19;
  if (minor != nullptr) *minor = 1;
  if (patch != nullptr) *patch = 0;
}
void LLVMInitializeAMDGPUTargetInfo() { std::abort(); }
void LLVMInitializeAMDGPUTargetMC() { std::abort(); }
void LLVMInitializeAMDGPUDisassembler() { std::abort(); }
void* LLVMCreateDisasmCPU() { std::abort(); }
void LLVMDisasmDispose() { std::abort(); }
void LLVMDisasmInstruction() { std::abort(); }
}
