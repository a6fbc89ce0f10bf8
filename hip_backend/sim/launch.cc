// Initial state of waves and the argument segment.
#include "sim/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "sim/execute.h"
#include "sim/opcode.h"
#include "sim/register_checks.h"

namespace adahop::hip::sim {
namespace {

constexpr uint32_t kMaxGroupThreads = 1024;
constexpr uint64_t kMaxGroups = uint64_t{1} << 27;  ///< what shadow_global.h can number
constexpr uint32_t kMaxUserScalars = 16;
// Registers that nobody wrote read as NaN.
constexpr uint32_t kGarbage = 0xFFFFFFFF;
// The hidden arguments, from the first multiple of 8 after the explicit ones.
constexpr size_t kHiddenAlignment = 8;
constexpr size_t kHiddenKnown = 66;  ///< block counts to dimensions; what follows are pointers into a runtime
constexpr size_t kHiddenBytes = 256;
// A kernel with preloaded arguments has a prologue for firmware that cannot preload; others start behind it.
constexpr uint64_t kPreloadPrologue = 256;

template <class T>
void put(std::vector<std::byte>& bytes, size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

uint32_t threads_of(const extent3& e) { return e.x * e.y * e.z; }

status refuse(const grid_launch& launch, std::string why) {
  return unsupported(fmt::format("gfx950-sim: kernel {}: {}", launch.kernel->name, why));
}

// The scalar registers of a launch, filled in the documented order.
class scalar_filler {
 public:
  explicit scalar_filler(wave& w) : wave_(w) {}
  void add(uint32_t value) {
    wave_.sgpr[next_] = value;
    wave_.sgpr_defined[next_++] = kAllBits;
  }
  void add64(uint64_t value) {
    add(static_cast<uint32_t>(value));
    add(static_cast<uint32_t>(value >> 32));
  }

 private:
  wave& wave_;
  unsigned next_ = 0;
};

uint32_t entry_of(const grid_launch& launch) {
  const sim_kernel& k = *launch.kernel;
  if (k.descriptor.kernarg_preload_dwords == 0) return k.entry;
  const std::vector<instruction>& code = launch.code->code;
  const auto first = code.begin() + k.entry, last = code.begin() + k.end;
  const auto at = std::lower_bound(first, last, first->address + kPreloadPrologue,
                                   [](const instruction& i, uint64_t address) { return i.address < address; });
  return static_cast<uint32_t>(at - code.begin());
}

}  // namespace

status check_launch(const grid_launch& launch) {
  const kernel_descriptor& d = launch.kernel->descriptor;
  const extent3& t = launch.threads;
  if (t.x == 0 || t.y == 0 || t.z == 0 || t.x > kMaxGroupThreads || t.y > kMaxGroupThreads || t.z > kMaxGroupThreads ||
      uint64_t{t.x} * t.y * t.z > kMaxGroupThreads)
    return refuse(launch,
                  fmt::format("workgroups of {} x {} x {}, expected 1 to {} work-items", t.x, t.y, t.z, kMaxGroupThreads));
  if (launch.kernel->max_threads != 0 && threads_of(t) > launch.kernel->max_threads)
    return refuse(launch, fmt::format("workgroups of {} work-items, it is compiled for at most {}", threads_of(t),
                                      launch.kernel->max_threads));
  const extent3& g = launch.groups;
  if (uint64_t{g.x} * g.y > kMaxGroups || uint64_t{g.x} * g.y * g.z > kMaxGroups)
    return refuse(launch, fmt::format("a grid of {} x {} x {} workgroups, expected at most {}", g.x, g.y, g.z, kMaxGroups));
  const std::pair<bool, const char*> missing[] = {
      {d.private_segment_buffer, "a private segment buffer"}, {d.dispatch_ptr, "the dispatch packet"},
      {d.queue_ptr, "the queue"},                             {d.dispatch_id, "the dispatch id"},
      {d.flat_scratch_init, "flat scratch"},                  {d.private_segment_size, "the private segment's size"},
      {d.workgroup_info, "the workgroup info"},               {d.scratch_bytes != 0, "scratch memory"}};
  for (const auto& [wanted, what] : missing)
    if (wanted) return refuse(launch, fmt::format("it asks for {}, which the simulator does not provide", what));
  if (d.kernarg_preload_dwords > kMaxUserScalars - (d.kernarg_segment_ptr ? 2u : 0u))
    return refuse(launch, fmt::format("it asks for {} dwords of preloaded arguments, there is room for {}",
                                      d.kernarg_preload_dwords, kMaxUserScalars));
  if (d.kernarg_preload_dwords != 0) {
    const instruction& first = launch.code->code[launch.kernel->entry];
    const instruction& last = launch.code->code[launch.kernel->end - 1];
    if (last.address < first.address + kPreloadPrologue)
      return refuse(launch, "its descriptor preloads arguments, but it has no prologue of 256 bytes");
    if (uint64_t{d.kernarg_preload_offset} + d.kernarg_preload_dwords > d.kernarg_bytes / 4)
      return refuse(launch, "its descriptor preloads more than its arguments");
  }
  return {};
}

status check_register_counts(const program& code) {
  for (const sim_kernel& k : code.kernels) {
    const kernel_descriptor& d = k.descriptor;
    for (uint32_t n = k.entry; n < k.end; ++n) {
      const instruction& i = code.code[n];
      const auto outside = [&](const register_range& r) -> bool {
        const unsigned end = unsigned{r.reg} + r.width;
        if (r.kind == operand_kind::scalar) return r.reg < kVccLow && end > d.sgprs;
        if (r.kind != operand_kind::vector) return false;
        if (r.reg >= kFirstAgpr) return end - kFirstAgpr > d.vgprs - std::min(d.accum_offset, d.vgprs);
        return end > d.accum_offset;
      };
      const auto check = [&](const register_range& r) -> status {
        if (!outside(r)) return {};
        return bad_file(fmt::format("{}: kernel {}, {:#x}: '{}' names {}, but the descriptor grants {} VGPRs, {} AGPRs and "
                                    "{} SGPRs",
                                    code.name, k.name, i.address, i.text,
                                    register_name(r.kind, unsigned{r.reg} + r.width - 1), d.accum_offset,
                                    d.vgprs - std::min(d.accum_offset, d.vgprs), d.sgprs));
      };
      for (unsigned r = 0; r < i.read_count; ++r) ADAHOP_TRY(check(i.reads[r]));
      for (unsigned r = 0; r < i.write_count; ++r) ADAHOP_TRY(check(i.writes[r]));
    }
  }
  return {};
}

result<argument_segment> make_arguments(const grid_launch& launch, std::span<const std::byte> args) {
  const size_t wanted = launch.kernel->descriptor.kernarg_bytes;
  const size_t hidden = (args.size() + kHiddenAlignment - 1) / kHiddenAlignment * kHiddenAlignment;
  argument_segment made;
  made.bytes.resize(std::max(wanted, args.size()));
  std::copy(args.begin(), args.end(), made.bytes.begin());
  made.given = made.written = args.size();
  if (wanted == args.size()) return made;
  if (wanted != hidden + kHiddenBytes)
    return refuse(launch, fmt::format("{} bytes of arguments, expected {} (with hidden ones {})", args.size(), wanted,
                                      args.size() + kHiddenBytes));
  const std::array groups{launch.groups.x, launch.groups.y, launch.groups.z};
  const std::array threads{launch.threads.x, launch.threads.y, launch.threads.z};
  for (size_t d = 0; d < 3; ++d) {
    put(made.bytes, hidden + 4 * d, groups[d]);
    put(made.bytes, hidden + 12 + 2 * d, static_cast<uint16_t>(threads[d]));
    put(made.bytes, hidden + 18 + 2 * d, uint16_t{0});   // no partial workgroup at the end
    put(made.bytes, hidden + 40 + 8 * d, uint64_t{0});  // offset of the grid
  }
  const bool deep = groups[2] * threads[2] > 1, wide = groups[1] * threads[1] > 1;
  put(made.bytes, hidden + 64, static_cast<uint16_t>(deep ? 3 : wide ? 2 : 1));
  made.written = hidden + kHiddenKnown;
  return made;
}

void start_wave(wave& w, const grid_launch& launch, uint64_t arguments, const argument_segment& segment) {
  const kernel_descriptor& d = launch.kernel->descriptor;
  const workgroup& g = *w.group;
  forget_registers(w);
  std::fill_n(w.vgpr[0], size_t{std::min(d.accum_offset, uint32_t{kFirstAgpr})} * kLanes, kGarbage);
  if (d.vgprs > d.accum_offset)
    std::fill_n(w.vgpr[kFirstAgpr], size_t{std::min(d.vgprs - d.accum_offset, uint32_t{kFirstAgpr})} * kLanes, kGarbage);
  std::fill_n(w.sgpr, kScalarRegisters, kGarbage);
  w.scc = false;
  w.pc = entry_of(launch);
  w.state = wave_state::running;
  w.executed = 0;

  scalar_filler scalars(w);
  if (d.kernarg_segment_ptr) scalars.add64(arguments);
  for (uint32_t n = 0; n < d.kernarg_preload_dwords; ++n) {
    uint32_t dword = 0;
    std::memcpy(&dword, segment.bytes.data() + (size_t{d.kernarg_preload_offset} + n) * 4, sizeof dword);
    scalars.add(dword);
  }
  if (d.workgroup_id_x) scalars.add(g.x);
  if (d.workgroup_id_y) scalars.add(g.y);
  if (d.workgroup_id_z) scalars.add(g.z);

  const uint64_t lanes = lanes_of_wave(g.threads, w.number);
  w.set_exec(lanes);
  w.sgpr_defined[kExecLow] = w.sgpr_defined[kExecLow + 1] = kAllBits;
  for (unsigned l = 0; l < kLanes && (lanes >> l & 1u) != 0; ++l) {
    const uint32_t item = w.number * kLanes + l;
    uint32_t packed = item % launch.threads.x;
    if (d.workitem_id_dimensions > 1) packed |= item / launch.threads.x % launch.threads.y << 10;
    if (d.workitem_id_dimensions > 2) packed |= item / launch.threads.x / launch.threads.y << 20;
    w.vgpr[0][l] = packed;
  }
  w.vgpr_defined[0] = lanes;
}

}  // namespace adahop::hip::sim
