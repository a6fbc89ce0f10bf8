// Code objects from anywhere, as gfx950-sim loads them: ELF image, descriptors, metadata note, decoding, binding of every
// instruction; nothing is launched. An input that is no ELF file goes to the readers of its parts.
#include "hip_backend/sim/program.h"

#include <algorithm>
#include <random>

#include "fuzz/files.h"
#include "hip_backend/sim/basic_blocks.h"
#include "hip_backend/sim/coverage.h"
#include "hip_backend/sim/elf_object.h"
#include "hip_backend/sim/kernel_descriptor.h"
#include "hip_backend/sim/llvm_decoder.h"
#include "hip_backend/sim/metadata_note.h"
#include "hip_backend/sim/opcode.h"
#include "hip_backend/sim/operand_parser.h"

using namespace adahop;
using namespace adahop::hip::sim;

// libFuzzer's; the plain reproducer has none.
extern "C" __attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

void check_refused(const status& s) {
  fuzz::require(s.code() == ADAHOP_BAD_FILE || s.code() == ADAHOP_UNSUPPORTED || s.code() == ADAHOP_DEVICE,
                "a code object is refused as bad, unsupported or for want of LLVM: " + s.message());
  fuzz::require(s.message().starts_with("input.co: "), "a refusal names the file: " + s.message());
  for (const char c : s.message())
    fuzz::require(c >= 0x20 && c != 0x7F, "a refusal is one printable line: " + s.message());
}

void check_loaded(const program& p) {
  fuzz::require(!p.kernels.empty(), "a program has a kernel");
  for (const sim_kernel& k : p.kernels) {
    fuzz::require(k.entry < k.end && k.end <= p.code.size(), "a kernel lies within the code");
    fuzz::require(p.find(k.name) == &k && p.kernel_of(k.entry) == &k && p.kernel_of(k.end - 1) == &k, "a kernel is found");
    for (uint32_t n = k.entry; n < k.end; ++n) {
      const instruction& i = p.code[n];
      fuzz::require(i.index == n && i.op != nullptr && i.bytes > 0, "every instruction is bound");
      fuzz::require(n == k.entry || i.address > p.code[n - 1].address, "instructions stand in address order");
      if ((i.op->flags & kBranch) != 0) fuzz::require(i.target >= k.entry && i.target < k.end, "a branch stays in its kernel");
    }
    const std::vector<bool> starts = block_starts(p, k);
    fuzz::require(starts.size() == k.end - k.entry && starts.front(), "a kernel begins a block");
    fuzz::require(totals_of(empty_coverage("input", p, k)).instructions == k.end - k.entry, "each instruction is counted");
  }
}

// Each word as code, wherever an instruction may begin.
void decode(byte_span code) {
  static auto decoder = llvm_decoder::open();
  if (!decoder.ok()) return;
  for (uint64_t at = 0; at + 4 <= code.size(); at += 4) {
    const decoded d = decoder->decode(code.subspan(at), at);
    fuzz::require(d.bytes <= code.size() - at, "an instruction ends within its code");
    if (d.bytes == 0) continue;
    const auto i = parse_instruction(d.text, at, d.bytes);
    fuzz::require(i.ok() || (i.why().code() == ADAHOP_UNSUPPORTED && !i.why().message().empty()),
                  "an instruction is bound or refused: " + d.text);
  }
}

}  // namespace

// One section changes at a time and keeps its size, so that headers and offsets stay true.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  std::minstd_rand random(seed);
  const auto object = read_elf(std::as_bytes(std::span(data, size)));
  if (!object.ok() || random() % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const elf_section& s = object.value().sections[random() % object.value().sections.size()];
  if (s.bytes.empty()) return LLVMFuzzerMutate(data, size, max_size);
  auto* const first = const_cast<uint8_t*>(reinterpret_cast<const uint8_t*>(s.bytes.data()));
  std::vector<uint8_t> part(first, first + s.bytes.size());
  LLVMFuzzerMutate(part.data(), part.size(), part.size());
  std::copy(part.begin(), part.end(), first);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const byte_span image = std::as_bytes(std::span(data, size));
  const auto p = load_program("input.co", image);
  if (p.ok()) check_loaded(p.value());
  else check_refused(p.why());
  if (size >= 4 && std::equal(data, data + 4, "\x7F" "ELF")) return 0;
  const auto sizes = read_workgroup_sizes(image);
  fuzz::require(sizes.ok() || sizes.why().code() == ADAHOP_BAD_FILE, "metadata is read or refused");
  const auto descriptor = read_descriptor(image.first(std::min<size_t>(size, kDescriptorBytes)));
  fuzz::require(descriptor.ok() || descriptor.why().code() == ADAHOP_BAD_FILE, "a descriptor is read or refused");
  decode(image);
  return 0;
}
