// The trace of one wave: each instruction as it is executed, with the values it reads and writes. Decides nothing.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/fault.h"
#include "sim/instruction.h"
#include "sim/program.h"
#include "sim/trace_request.h"
#include "sim/wave.h"

namespace adahop::hip::sim {

/// Of one launch. Used by the host thread that runs the traced wave; the others only ask wants(). Register values are
/// those in the registers, before DPP, SDWA, neg and abs. Loads show their data at once, before their s_waitcnt.
class wave_trace {
 public:
  /// `sources`: a source line, perhaps empty, for each instruction of the kernel. At most `limit` instructions are shown.
  wave_trace(const trace_request& wanted, const sim_kernel& kernel, const std::vector<std::string>& sources, uint64_t limit)
      : wanted_(wanted), kernel_(kernel), sources_(sources), limit_(limit) {}

  bool wants(const wave& w) const {
    const workgroup& g = *w.group;
    return w.number == wanted_.wave && g.x == wanted_.x && g.y == wanted_.y && g.z == wanted_.z;
  }

  // Around an instruction's handler.
  void before(const wave& w, const instruction& i);
  void after(const wave& w, const instruction& i);

  /// A memory access of the instruction under way: "global store", `bytes` a lane; where a lane's access goes, and its
  /// dwords, or null.
  void access(std::string_view what, uint64_t lanes, unsigned bytes, const std::function<std::string(unsigned lane)>& place,
              const uint32_t* const* data);
  /// A scalar load.
  void access(std::string_view what, const std::string& place, const uint32_t* data, unsigned dwords);

  /// The wave stopped, at the instruction under way or in its checks.
  void stopped(const fault& f);

  const std::string& text() const { return text_; }
  uint64_t shown() const { return shown_; }
  /// Executed beyond the limit.
  uint64_t left_out() const { return left_out_; }

 private:
  const trace_request& wanted_;
  const sim_kernel& kernel_;
  const std::vector<std::string>& sources_;
  uint64_t limit_;
  std::string text_;
  uint64_t shown_ = 0, left_out_ = 0;
  bool showing_ = false;
  uint64_t exec_before_ = 0;
};

}  // namespace adahop::hip::sim
