// What the tests of execution share: a workgroup on a program given as text.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "catch.h"
#include "sim/execute.h"
#include "sim/fault.h"
#include "sim/lds_memory.h"
#include "sim/opcode.h"
#include "sim/operand_parser.h"
#include "sim/program.h"

namespace adahop::hip::sim::test {

// A workgroup on a program of four-byte instructions. A branch's operand is its distance, as in the machine code.
struct trial {
  static constexpr uint32_t kLdsBytes = 1024;
  program code;
  options settings;
  lds_memory lds;
  workgroup group;

  explicit trial(const std::vector<std::string>& lines, uint32_t threads = kLanes) {
    for (const std::string& line : lines) {
      const auto index = static_cast<uint32_t>(code.code.size());
      auto i = parse_instruction(line, 0x100 + 4 * index, 4);
      INFO(line);
      if (!i.ok()) FAIL(i.why().message());
      i->index = index;
      if ((i->op->flags & kBranch) != 0) i->target = index + 1 + static_cast<uint32_t>(i->operands[0].integer);
      code.code.push_back(std::move(i).value());
    }
    group.code = &code;
    group.settings = &settings;
    group.lds = &lds;
    group.threads = threads;
    lds.begin_workgroup(kLdsBytes);
    for (uint32_t n = 0; n * kLanes < threads; ++n) {
      auto w = std::make_unique<wave>();
      w->number = n;
      w->group = &group;
      w->set_exec(lanes_of_wave(threads, n));
      w->sgpr_defined[kExecLow] = w->sgpr_defined[kExecLow + 1] = kAllBits;
      group.waves.push_back(std::move(w));
    }
  }

  wave& first() { return *group.waves[0]; }
  void define_scalar(unsigned reg, uint32_t value) {
    for (const auto& w : group.waves) {
      w->sgpr[reg] = value + w->number;
      w->sgpr_defined[reg] = kAllBits;
    }
  }
  /// "kind: detail" of the fault; empty where there is none.
  std::string run() {
    try {
      run_workgroup(group);
    } catch (const fault& f) {
      last = f;
      return f.kind + ": " + f.detail;
    }
    return {};
  }
  fault last;
};

}  // namespace adahop::hip::sim::test
