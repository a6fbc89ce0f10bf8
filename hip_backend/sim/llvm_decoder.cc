// Finding LLVM's library and its disassembler. The declarations are those of llvm-c/Disassembler.h, llvm-c/Core.h and of the
// AMDGPU target's initializers, which no release has changed.
#include "sim/llvm_decoder.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <type_traits>

namespace adahop::hip::sim {
namespace {

constexpr const char* kTriple = "amdgcn-amd-amdhsa";
constexpr const char* kProcessor = "gfx950";
constexpr unsigned kOldestVersion = 20;  // the first with gfx950; older ones end the process when asked for it
constexpr size_t kTextBytes = 512;      // LLVM's longest gfx950 text has less than 200
constexpr size_t kLongestInstruction = 20;  // v_mfma_scale with its scale half: 16

struct llvm_library {
  void* (*create)(const char* triple, const char* processor, void* info, int tag, void* operand_info, void* lookup);
  void (*dispose)(void* context);
  size_t (*decode)(void* context, uint8_t* bytes, uint64_t size, uint64_t address, char* text, size_t text_size);
};

std::string one_line(const char* text) {
  std::string line = text == nullptr ? "no reason given" : text;
  for (char& c : line)
    if (c == '\n' || c == '\r') c = ' ';
  return line;
}

result<void*> open_library(std::string& file) {
  if (const char* named = std::getenv("ADAHOP_LLVM_LIBRARY"); named != nullptr && *named != '\0') {
    file = named;
    if (void* library = dlopen(named, RTLD_NOW | RTLD_LOCAL)) return library;
    return status{ADAHOP_DEVICE, fmt::format("gfx950-sim: ADAHOP_LLVM_LIBRARY: {}", one_line(dlerror()))};
  }
  for (const char* name : {"libLLVM.so.22.1", "libLLVM-22.so", "/usr/lib/llvm-22/lib/libLLVM.so.22.1",
                           "/opt/rocm/llvm/lib/libLLVM.so.22.1", "/opt/rocm/llvm/lib/libLLVM.so"}) {
    file = name;
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return status{ADAHOP_DEVICE, "gfx950-sim: no libLLVM.so.22.1, which decodes (apt-get install libllvm22, or set "
                               "ADAHOP_LLVM_LIBRARY)"};
}

result<llvm_library> load_library() {
  std::string file;
  const auto opened = open_library(file);
  if (!opened.ok()) return opened.why();
  void* const library = opened.value();
  std::string missing;
  const auto bind = [&](auto& slot, const char* name) {
    slot = reinterpret_cast<std::remove_reference_t<decltype(slot)>>(dlsym(library, name));
    if (slot == nullptr && missing.empty()) missing = name;
  };
  llvm_library l{};
  bind(l.create, "LLVMCreateDisasmCPU");
  bind(l.dispose, "LLVMDisasmDispose");
  bind(l.decode, "LLVMDisasmInstruction");
  std::array<void (*)(), 3> initialize{};
  bind(initialize[0], "LLVMInitializeAMDGPUTargetInfo");
  bind(initialize[1], "LLVMInitializeAMDGPUTargetMC");
  bind(initialize[2], "LLVMInitializeAMDGPUDisassembler");
  void (*get_version)(unsigned* major, unsigned* minor, unsigned* patch) = nullptr;
  bind(get_version, "LLVMGetVersion");
  if (!missing.empty())
    return status{ADAHOP_DEVICE, fmt::format("gfx950-sim: {}: expected LLVM's library with the AMDGPU target, it lacks {}",
                                             file, missing)};
  unsigned major = 0;
  get_version(&major, nullptr, nullptr);
  if (major < kOldestVersion)
    return status{ADAHOP_DEVICE, fmt::format("gfx950-sim: {}: LLVM {}, expected {} or later, which know gfx950", file, major,
                                             kOldestVersion)};
  for (const auto f : initialize) f();
  return l;
}

// Words that LLVM 22's decoder or printer crashes on instead of refusing them; found by decoding random words. Fields from
// the ISA manual's chapter on microcode formats.
bool crashes_llvm(const field_reader& code) {
  const auto word = [&](unsigned n) { return code.at<uint32_t>(4 * n).value_or(0); };
  // VOP_SDWA with a selection or a fill that there is not. VOP1, VOP2 and VOPC begin with a 0; VOPC has no selection of
  // its destination.
  constexpr uint32_t kSdwaSource = 0xF9, kVopc = 0x3E, kNoSelect = 7, kNoFill = 3;
  if (word(0) >> 31 == 0 && (word(0) & 0x1FF) == kSdwaSource) {
    const uint32_t sdwa = word(1), dst = sdwa >> 8 & 7, fill = sdwa >> 11 & 3, src0 = sdwa >> 16 & 7, src1 = sdwa >> 24 & 7;
    const bool has_dst = word(0) >> 25 != kVopc;
    return src0 == kNoSelect || src1 == kNoSelect || (has_dst && (dst == kNoSelect || fill == kNoFill));
  }
  // v_mfma_*_f8f6f4, perhaps after the half with its scales: matrices that are no vector registers, or literals, for which
  // there is no room behind both halves.
  constexpr uint32_t kLiteral = 0xFF, kScales = 0xD3AC, kSmall = 0xD3AD, kLarge = 0xD3AE;
  const auto source = [&](unsigned n, unsigned which) { return word(n) >> (9 * which) & 0x1FF; };
  const auto is_vector = [](uint32_t encoded) { return encoded >> 8 != 0; };
  const bool scaled = word(0) >> 16 == kScales;
  if (scaled && (source(1, 0) == kLiteral || source(1, 1) == kLiteral || source(1, 2) == kLiteral)) return true;
  const unsigned at = scaled ? 2 : 0;
  if (word(at) >> 16 != kSmall && word(at) >> 16 != kLarge) return false;
  return !is_vector(source(at + 1, 0)) || !is_vector(source(at + 1, 1)) || source(at + 1, 2) == kLiteral;
}

std::string trimmed(const char* text) {
  std::string line = text;
  const size_t first = line.find_first_not_of(" \t\n");
  if (first == std::string::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\n") - first + 1);
}

}  // namespace

result<llvm_decoder> llvm_decoder::open() {
  static const result<llvm_library> library = load_library();
  if (!library.ok()) return library.why();
  void* const c = library.value().create(kTriple, kProcessor, nullptr, 0, nullptr, nullptr);
  if (c == nullptr) return status{ADAHOP_DEVICE, "gfx950-sim: LLVM has no disassembler for gfx950"};
  return llvm_decoder(context(c, close_context{library.value().dispose}), library.value().decode);
}

decoded llvm_decoder::decode(byte_span code, uint64_t address) {
  // Zeros beyond the end: LLVM 22 crashes where a literal is cut off instead of refusing.
  std::array<uint8_t, kLongestInstruction> bytes{};
  const size_t size = std::min(code.size(), bytes.size());
  for (size_t n = 0; n < size; ++n) bytes[n] = std::to_integer<uint8_t>(code[n]);
  if (crashes_llvm(field_reader(code))) return {};
  std::array<char, kTextBytes> text{};
  const size_t used = decode_(context_.get(), bytes.data(), bytes.size(), address, text.data(), text.size());
  if (used == 0 || used > size) return {};
  return {trimmed(text.data()), static_cast<uint32_t>(used)};
}

}  // namespace adahop::hip::sim
