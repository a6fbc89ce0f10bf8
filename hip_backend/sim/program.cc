// Loading a code object: which of its symbols are kernels, their descriptors, their instructions.
#include "sim/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "sim/elf_object.h"
#include "sim/kernel_descriptor.h"
#include "sim/llvm_decoder.h"
#include "sim/metadata_note.h"
#include "sim/opcode.h"
#include "sim/operand_parser.h"

namespace adahop::hip::sim {
namespace {

constexpr std::string_view kDescriptorSuffix = ".kd";
constexpr uint64_t kEntryAlignment = 256;  // AMDGPU usage guide: a kernel's entry address
constexpr size_t kMaxInstructions = size_t{1} << 20;  // half a gigabyte of them

// A kernel before its code is decoded.
struct kernel_extent {
  std::string_view name;
  kernel_descriptor descriptor;
  uint64_t address = 0;
  byte_span code;
};

result<byte_span> bytes_of(const elf_object& object, const elf_symbol& symbol, std::string_view section_name) {
  if (symbol.section >= object.sections.size() || object.sections[symbol.section].name != section_name)
    return bad_file(fmt::format("{} lies outside {}", symbol.name, section_name));
  const elf_section& section = object.sections[symbol.section];
  if (!section.contains(symbol.address, symbol.size))
    return bad_file(fmt::format("{} reaches outside {}", symbol.name, section_name));
  return section.bytes.subspan(symbol.address - section.address, symbol.size);
}

using symbol_index = std::unordered_map<std::string_view, const elf_symbol*>;

result<kernel_extent> find_kernel(const elf_object& object, const symbol_index& symbols,
                                  const elf_symbol& descriptor_symbol) {
  kernel_extent k;
  k.name = descriptor_symbol.name;
  k.name.remove_suffix(kDescriptorSuffix.size());
  const auto descriptor_bytes = bytes_of(object, descriptor_symbol, ".rodata");
  if (!descriptor_bytes.ok()) return descriptor_bytes.why();
  const auto descriptor = read_descriptor(descriptor_bytes.value());
  if (!descriptor.ok()) return bad_file(fmt::format("kernel {}: its descriptor {}", k.name, descriptor.why().message()));
  k.descriptor = descriptor.value().descriptor;

  const auto at = symbols.find(k.name);
  if (at == symbols.end() || at->second->type != kSymbolFunction)
    return bad_file(fmt::format("kernel {} has a descriptor and no code", k.name));
  const auto code = bytes_of(object, *at->second, ".text");
  if (!code.ok()) return code.why();
  k.code = code.value();
  k.address = at->second->address;
  if (k.code.empty() || k.code.size() % 4 != 0 || k.address % kEntryAlignment != 0)
    return bad_file(fmt::format("kernel {}: {} bytes of code at 0x{:x}, whole dwords at a multiple of {} expected",
                                k.name, k.code.size(), k.address, kEntryAlignment));
  if (k.address != descriptor_symbol.address + static_cast<uint64_t>(descriptor.value().entry_offset))
    return bad_file(fmt::format("kernel {}: its descriptor's entry is not 0x{:x}, where its code begins", k.name, k.address));
  return k;
}

// In address order.
result<std::vector<kernel_extent>> find_kernels(const elf_object& object) {
  symbol_index symbols;
  for (const elf_symbol& s : object.symbols)
    if (!s.name.empty() && !symbols.emplace(s.name, &s).second)
      return bad_file(fmt::format("symbol {} stands twice", s.name));
  std::vector<kernel_extent> kernels;
  for (const elf_symbol& s : object.symbols) {
    const bool named_so = s.name.size() > kDescriptorSuffix.size() && s.name.ends_with(kDescriptorSuffix);
    if (s.type != kSymbolObject || !named_so) continue;
    auto k = find_kernel(object, symbols, s);
    if (!k.ok()) return k.why();
    kernels.push_back(k.value());
  }
  if (kernels.empty()) return bad_file("no kernel: no symbol NAME.kd");
  std::sort(kernels.begin(), kernels.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
  for (size_t n = 1; n < kernels.size(); ++n)
    if (kernels[n].address - kernels[n - 1].address < kernels[n - 1].code.size())
      return bad_file(fmt::format("kernels {} and {} overlap", kernels[n - 1].name, kernels[n].name));
  return kernels;
}

status decode_kernel(const kernel_extent& k, llvm_decoder& decoder, std::vector<instruction>& code) {
  for (uint64_t offset = 0; offset < k.code.size();) {
    const uint64_t address = k.address + offset;
    if (code.size() == kMaxInstructions) return unsupported(fmt::format("more than {} instructions", kMaxInstructions));
    const decoded d = decoder.decode(k.code.subspan(offset), address);
    if (d.bytes == 0) return unsupported(fmt::format("kernel {}: 0x{:x}: no instruction of gfx950", k.name, address));
    auto i = parse_instruction(d.text, address, d.bytes);
    if (!i.ok()) return unsupported(fmt::format("kernel {}: {}", k.name, i.why().message()));
    i->index = static_cast<uint32_t>(code.size());
    code.push_back(std::move(i).value());
    offset += d.bytes;
  }
  return {};
}

// Turns distances into indices and makes sure that no path runs past the kernel's end.
status resolve_branches(const sim_kernel& k, std::vector<instruction>& code) {
  const auto first = code.begin() + k.entry, last = code.begin() + k.end;
  for (auto i = first; i != last; ++i) {
    if ((i->op->flags & kBranch) == 0) continue;
    const uint64_t to = i->address + i->bytes + 4 * static_cast<uint64_t>(i->operands[0].integer);
    const auto at = std::lower_bound(first, last, to, [](const instruction& c, uint64_t a) { return c.address < a; });
    if (at == last || at->address != to)
      return bad_file(fmt::format("kernel {}: 0x{:x}, '{}': its target 0x{:x} is no instruction of the kernel", k.name,
                                  i->address, i->text, to));
    i->target = static_cast<uint32_t>(at - code.begin());
  }
  if (((last - 1)->op->flags & kEndsBlock) == 0)
    return bad_file(fmt::format("kernel {}: 0x{:x}, '{}': the kernel's last instruction does not end it", k.name,
                                (last - 1)->address, (last - 1)->text));
  return {};
}

status load(byte_span image, program& p) {
  const auto object = read_elf(image);
  if (!object.ok()) return object.why();
  const auto kernels = find_kernels(object.value());
  if (!kernels.ok()) return kernels.why();
  const auto workgroup_sizes = read_workgroup_sizes(object.value().metadata);
  if (!workgroup_sizes.ok()) return workgroup_sizes.why();
  auto decoder = llvm_decoder::open();
  if (!decoder.ok()) return decoder.why();
  for (const kernel_extent& k : kernels.value()) {
    sim_kernel s;
    s.name = k.name;
    s.descriptor = k.descriptor;
    s.entry = static_cast<uint32_t>(p.code.size());
    ADAHOP_TRY(decode_kernel(k, decoder.value(), p.code));
    s.end = static_cast<uint32_t>(p.code.size());
    ADAHOP_TRY(resolve_branches(s, p.code));
    const auto size = workgroup_sizes.value().find(k.name);
    if (size != workgroup_sizes.value().end()) s.max_threads = size->second;
    p.kernels.push_back(std::move(s));
  }
  return {};
}

}  // namespace

const sim_kernel* program::find(std::string_view kernel) const {
  const auto at = std::find_if(kernels.begin(), kernels.end(), [&](const sim_kernel& k) { return k.name == kernel; });
  return at == kernels.end() ? nullptr : &*at;
}

const sim_kernel* program::kernel_of(uint32_t index) const {
  const auto at = std::upper_bound(kernels.begin(), kernels.end(), index,
                                   [](uint32_t n, const sim_kernel& k) { return n < k.end; });
  return at == kernels.end() || index < at->entry ? nullptr : &*at;
}

result<program> load_program(std::string_view name, std::span<const std::byte> image) {
  program p;
  p.name = name;
  p.image.assign(image.begin(), image.end());
  if (const status s = load(p.image, p); !s.ok()) return status{s.code(), fmt::format("{}: {}", name, s.message())};
  return p;
}

}  // namespace adahop::hip::sim
