// Lines of a trace.
#include "sim/trace_wave.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>
#include <span>

#include "sim/opcode.h"
#include "sim/trace_values.h"

namespace adahop::hip::sim {
namespace {

constexpr const char* kReads = "            ";
constexpr const char* kWrites = "          > ";

std::string exec_text(uint64_t exec) { return fmt::format("{:016x} ({} lanes)", exec, std::popcount(exec)); }

bool tracks_values(const wave& w) { return w.group->settings->check.uninitialized; }

// The type of the operand that this range stands for; implicit ranges have none.
shown_as type_of(const instruction& i, const register_range& r) {
  for (unsigned n = 0; n < i.operand_count; ++n)
    if (i.operands[n].kind == r.kind && i.operands[n].reg == r.reg) return type_of_operand(i, n);
  return shown_as::bits;
}

// EXEC has a line of its own where it changes.
bool is_exec(const register_range& r) { return r.kind == operand_kind::scalar && r.reg == kExecLow; }

// ": 3f800000 40000000", a byte or a short in its own width; nothing where there is no data.
std::string data_text(const uint32_t* const* data, unsigned lane, unsigned bytes) {
  if (data == nullptr) return {};
  if (bytes < sizeof(uint32_t)) {
    const uint32_t mask = (1u << (8 * bytes)) - 1;
    return fmt::format(": {:0{}x}", data[0][lane] & mask, 2 * bytes);
  }
  std::string text = ":";
  for (unsigned d = 0; d < bytes / sizeof(uint32_t); ++d) text += fmt::format(" {:08x}", data[d][lane]);
  return text;
}

}  // namespace

void wave_trace::before(const wave& w, const instruction& i) {
  showing_ = shown_ < limit_;
  if (!showing_) {
    ++left_out_;
    return;
  }
  if (shown_++ == 0) fmt::format_to(std::back_inserter(text_), "            exec     {}\n", exec_text(w.exec()));
  exec_before_ = w.exec();
  const std::string& source = sources_[i.index - kernel_.entry];
  fmt::format_to(std::back_inserter(text_), "  {:6x}  {}{}\n", i.address, i.text, source.empty() ? "" : "  ; " + source);
  for (const register_range& r : std::span(i.reads).first(i.read_count))
    if (!is_exec(r)) text_ += register_lines(w, r, type_of(i, r), wanted_.lanes, kReads, tracks_values(w));
  if ((i.op->flags & kReadsScc) != 0) fmt::format_to(std::back_inserter(text_), "{}scc      {}\n", kReads, w.scc ? 1 : 0);
}

void wave_trace::after(const wave& w, const instruction& i) {
  if (!showing_) return;
  showing_ = false;
  for (const register_range& r : std::span(i.writes).first(i.write_count))
    if (!is_exec(r)) text_ += register_lines(w, r, type_of(i, r), wanted_.lanes, kWrites, tracks_values(w));
  if ((i.op->flags & kWritesScc) != 0) fmt::format_to(std::back_inserter(text_), "{}scc      {}\n", kWrites, w.scc ? 1 : 0);
  if (w.exec() != exec_before_) fmt::format_to(std::back_inserter(text_), "{}exec     {}\n", kWrites, exec_text(w.exec()));
  if ((i.op->flags & kBranch) != 0 && (i.op->flags & kEndsBlock) == 0)
    fmt::format_to(std::back_inserter(text_), "{}{}\n", kWrites, w.pc != i.index + 1 ? "taken" : "not taken");
}

void wave_trace::access(std::string_view what, uint64_t lanes, unsigned bytes,
                        const std::function<std::string(unsigned)>& place, const uint32_t* const* data) {
  if (!showing_) return;
  for (const unsigned l : wanted_.lanes) {
    if ((lanes >> l & 1) == 0) continue;
    fmt::format_to(std::back_inserter(text_), "{}{}, lane {}: {} bytes at {}{}\n", kReads, what, l, bytes, place(l),
                   data_text(data, l, bytes));
  }
}

void wave_trace::access(std::string_view what, const std::string& place, const uint32_t* data, unsigned dwords) {
  if (!showing_) return;
  fmt::format_to(std::back_inserter(text_), "{}{}: {} bytes at {}:", kReads, what, dwords * sizeof(uint32_t), place);
  for (unsigned d = 0; d < dwords; ++d) fmt::format_to(std::back_inserter(text_), " {:08x}", data[d]);
  text_ += '\n';
}

void wave_trace::stopped(const fault& f) {
  if (shown_ == 0) return;
  fmt::format_to(std::back_inserter(text_), "{}stopped: {}: {}\n", kReads, f.kind, f.detail);
}

}  // namespace adahop::hip::sim
