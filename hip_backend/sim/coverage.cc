// Adding up what was executed.
#include "sim/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "sim/basic_blocks.h"
#include "sim/report_place.h"

namespace adahop::hip::sim {
namespace {

auto place_of(const kernel_coverage& k) {
  return std::tie(k.level, k.object, k.code.front().address, k.kernel);
}

}  // namespace

std::vector<covered_block> blocks_of(const kernel_coverage& k) {
  std::vector<covered_block> blocks;
  for (size_t n = 0; n < k.code.size(); ++n) {
    if (k.code[n].starts_block || blocks.empty()) blocks.push_back({n, n});
    blocks.back().end = n + 1;
  }
  return blocks;
}

coverage_totals totals_of(const kernel_coverage& k) {
  coverage_totals t;
  for (const covered_instruction& i : k.code) {
    t.instructions += 1;
    t.executed += i.executed != 0 ? 1 : 0;
    if (!i.conditional) continue;
    t.branch_ways += 2;
    t.branch_ways_taken += (i.taken != 0 ? 1u : 0u) + (i.taken != i.executed ? 1u : 0u);
  }
  for (const covered_block& b : blocks_of(k)) {
    t.blocks += 1;
    t.blocks_executed += k.code[b.first].executed != 0 ? 1 : 0;
  }
  return t;
}

void add(coverage_totals& into, const coverage_totals& more) {
  into.instructions += more.instructions;
  into.executed += more.executed;
  into.blocks += more.blocks;
  into.blocks_executed += more.blocks_executed;
  into.branch_ways += more.branch_ways;
  into.branch_ways_taken += more.branch_ways_taken;
}

std::string image_hash(std::span<const std::byte> image) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (const std::byte b : image) hash = (hash ^ std::to_integer<uint64_t>(b)) * 0x100000001B3u;
  return fmt::format("{:016x}", hash);
}

kernel_coverage empty_coverage(std::string_view level, const program& code, const sim_kernel& kernel) {
  kernel_coverage k;
  k.level = level;
  k.object = code.name;
  k.object_hash = image_hash(code.image);
  k.kernel = kernel.name;
  const std::vector<bool> starts = block_starts(code, kernel);
  for (uint32_t n = kernel.entry; n < kernel.end; ++n) {
    const instruction& i = code.code[n];
    covered_instruction& made = k.code.emplace_back();
    made.address = i.address;
    made.text = i.text;
    made.starts_block = starts[n - kernel.entry];
    made.conditional = is_conditional_branch(i);
  }
  return k;
}

void add_sources(std::span<kernel_coverage> kernels, std::span<const std::byte> image) {
  std::vector<uint64_t> addresses;
  for (const kernel_coverage& k : kernels)
    for (const covered_instruction& i : k.code) addresses.push_back(i.address);
  const std::vector<std::string> places = source_places(image, addresses);
  size_t n = 0;
  for (kernel_coverage& k : kernels)
    for (covered_instruction& i : k.code) i.source = places[n++];
}

void add(kernel_coverage& into, const execution_counts& counts) {
  for (size_t n = 0; n < into.code.size(); ++n) {
    into.code[n].executed += counts.executed()[n];
    into.code[n].taken += counts.taken()[n];
  }
}

status merge(coverage& into, const coverage& more) {
  for (const kernel_coverage& k : more) {
    const auto same = std::ranges::find_if(
        into, [&](const kernel_coverage& o) { return o.level == k.level && o.kernel == k.kernel; });
    if (same == into.end()) {
      into.push_back(k);
      continue;
    }
    if (same->object_hash != k.object_hash || same->code.size() != k.code.size())
      return invalid_argument(fmt::format("coverage of kernel {}, level {}: counts of another build of code object {} ({}, "
                                          "expected {}); begin a new file",
                                          k.kernel, k.level, k.object, same->object_hash, k.object_hash));
    for (size_t n = 0; n < k.code.size(); ++n) {
      covered_instruction& i = same->code[n];
      i.executed += k.code[n].executed;
      i.taken += k.code[n].taken;
      if (i.source.empty()) i.source = k.code[n].source;
    }
  }
  std::ranges::sort(into, [](const kernel_coverage& a, const kernel_coverage& b) { return place_of(a) < place_of(b); });
  return {};
}

}  // namespace adahop::hip::sim
