// The listing of a kernel.
#include "sim/listing.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "sim/basic_blocks.h"
#include "sim/opcode.h"
#include "sim/report_place.h"

namespace adahop::hip::sim {

std::string kernel_listing(const program& code, const sim_kernel& kernel) {
  const std::vector<bool> starts = block_starts(code, kernel);
  std::vector<uint64_t> addresses;
  for (uint32_t n = kernel.entry; n < kernel.end; ++n) addresses.push_back(code.code[n].address);
  const std::vector<std::string> sources = source_places(code.image, addresses);
  const kernel_descriptor& d = kernel.descriptor;
  std::string text =
      fmt::format("{} of {}: {} instructions, {} VGPRs (a0 is number {}), {} SGPRs, {} bytes of LDS\n", kernel.name, code.name,
                  addresses.size(), d.vgprs, d.accum_offset, d.sgprs, d.lds_bytes);
  std::string last;
  unsigned block = 0;
  for (uint32_t n = kernel.entry; n < kernel.end; ++n) {
    const instruction& i = code.code[n];
    const uint32_t at = n - kernel.entry;
    if (starts[at]) fmt::format_to(std::back_inserter(text), "block {}:\n", block++);
    fmt::format_to(std::back_inserter(text), "  {:6x}  {}", i.address, i.text);
    if ((i.op->flags & kBranch) != 0) fmt::format_to(std::back_inserter(text), "  -> {:x}", code.code[i.target].address);
    if (!sources[at].empty() && sources[at] != last) fmt::format_to(std::back_inserter(text), "  ; {}", sources[at]);
    last = sources[at];
    text += '\n';
  }
  return text;
}

}  // namespace adahop::hip::sim
