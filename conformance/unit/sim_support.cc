// The wave of the simulator's unit tests and the comparison of hand-made rows.
#include "sim_support.h"

#include <fmt/format.h>

#include <map>

#include "sim/operand_parser.h"
#include "sim/register_checks.h"

namespace adahop::hip::sim::test {
namespace {

constexpr uint64_t kExecMasks[] = {kAllLanes, 0x5555555555555555u, 0};

bool has(const instruction& i, uint32_t flag) { return (i.op->flags & flag) != 0; }

bool writes(const instruction& i, operand_kind kind, unsigned reg) {
  for (unsigned n = 0; n < i.write_count; ++n) {
    const register_range& r = i.writes[n];
    if (r.kind == kind && reg >= r.reg && reg < unsigned{r.reg} + r.width) return true;
  }
  return false;
}

// Destinations lead the operands; a comparison's or carry's lane mask may follow a vector destination.
unsigned destinations(const instruction& i) {
  unsigned count = 0;
  bool start = true;
  for (const char c : i.op->form) {
    if (c == '|') break;
    if (start && (c == 'D' || c == 'X' || c == 'M' || c == 'Y')) ++count;
    start = c == ' ';
  }
  return count;
}

void put_source(sim_test_wave& w, const operand& o, unsigned lane, uint64_t value) {
  wave& state = w.state();
  if (o.kind == operand_kind::vector) {
    state.vgpr[o.reg][lane] = static_cast<uint32_t>(value);
    if (o.width == 2) state.vgpr[o.reg + 1][lane] = static_cast<uint32_t>(value >> 32);
  } else if (o.kind == operand_kind::scalar) {
    w.set_scalar(o.reg, static_cast<uint32_t>(value));
    if (o.width == 2) w.set_scalar(o.reg + 1u, static_cast<uint32_t>(value >> 32));
  }
}

uint64_t low_bits(uint64_t value, unsigned registers) { return registers == 1 ? value & 0xFFFFFFFFu : value; }

// Whether a source is a lane mask, whose bits differ from lane to lane: the carry-in or condition, always last.
bool is_lane_mask(const instruction& i, unsigned n) {
  return i.operands[n].kind == operand_kind::scalar && i.operands[n].width == 2 && n + 1u == i.operand_count &&
         i.op->form.substr(i.op->form.rfind(' ') + 1) == "m2";
}

void load_case(sim_test_wave& w, const instruction& i, const lane_case& c, unsigned lane) {
  const unsigned first = destinations(i);
  const operand& to = i.operands[0];
  if (to.kind == operand_kind::vector) put_source(w, to, lane, c.old);
  size_t next = 0;
  for (unsigned n = first; n < i.operand_count; ++n) {
    const operand& o = i.operands[n];
    if (o.kind == operand_kind::constant || o.kind == operand_kind::none) continue;
    REQUIRE(next < c.sources.size());
    const uint64_t value = c.sources[next++];
    if (!is_lane_mask(i, n)) {
      put_source(w, o, lane, value);
      continue;
    }
    const uint64_t bit = uint64_t{1} << lane;
    w.set_scalar64(o.reg, (w.scalar64(o.reg) & ~bit) | (value != 0 ? bit : 0));
  }
  CHECK(next == c.sources.size());
}

}  // namespace

const instruction& parsed(std::string_view text) {
  static std::map<std::string, instruction, std::less<>> known;
  const auto at = known.find(text);
  if (at != known.end()) return at->second;
  result<instruction> r = parse_instruction(text, 0x1000, 8);
  INFO(text);
  if (!r.ok()) FAIL(r.why().message());
  return known.emplace(std::string(text), std::move(r.value())).first->second;
}

sim_test_wave::sim_test_wave() : wave_(std::make_unique<wave>()), before_(std::make_unique<wave>()) {
  group_.settings = &settings_;
  group_.threads = kLanes;
  wave_->group = &group_;
  for (unsigned reg = 0; reg < kVectorRegisters; ++reg)
    for (unsigned lane = 0; lane < kLanes; ++lane) wave_->vgpr[reg][lane] = 0xC0000000u | reg << 8 | lane;
  for (unsigned reg = 0; reg < kScalarRegisters; ++reg) wave_->sgpr[reg] = 0x5C000000u | reg;
  wave_->set_exec(kAllLanes);
  wave_->set_pair(kVccLow, 0);
  wave_->sgpr[kM0] = 0;
  wave_->vgpr_defined.fill(kAllLanes);
  wave_->sgpr_defined.fill(kAllBits);
  wave_->scc_defined = true;
  *before_ = *wave_;
}

void sim_test_wave::set_vector(unsigned reg, const lane_function& value) {
  for (unsigned lane = 0; lane < kLanes; ++lane) wave_->vgpr[reg][lane] = value(lane);
}

void sim_test_wave::set_vector(unsigned reg, uint32_t value) {
  set_vector(reg, [value](unsigned) { return value; });
}

void sim_test_wave::set_vector(unsigned reg, const std::vector<uint32_t>& values) {
  REQUIRE(values.size() <= kLanes);
  for (unsigned lane = 0; lane < values.size(); ++lane) wave_->vgpr[reg][lane] = values[lane];
}

void sim_test_wave::set_vector64(unsigned reg, const std::function<uint64_t(unsigned)>& value) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    wave_->vgpr[reg][lane] = static_cast<uint32_t>(value(lane));
    wave_->vgpr[reg + 1][lane] = static_cast<uint32_t>(value(lane) >> 32);
  }
}

void sim_test_wave::set_scalar(unsigned reg, uint32_t value) { wave_->sgpr[reg] = value; }
void sim_test_wave::set_scalar64(unsigned reg, uint64_t value) { wave_->set_pair(reg, value); }

void sim_test_wave::run(std::string_view text) {
  const instruction& i = parsed(text);
  *before_ = *wave_;
  wave_->pc = i.index + 1;
  INFO(text);
  try {
    i.run(*wave_, i);
  } catch (const fault& f) {
    FAIL("fault: " << f.kind << ": " << f.detail);
  }
  check_vectors(i);
  check_scalars(i);
}

std::string sim_test_wave::fault_of(std::string_view text) {
  const instruction& i = parsed(text);
  try {
    i.run(*wave_, i);
  } catch (const fault& f) {
    return f.kind;
  }
  return {};
}

void sim_test_wave::check_vectors(const instruction& i) const {
  const bool any_lane = has(i, kWholeWave) || has(i, kCrossLane);
  for (unsigned reg = 0; reg < kVectorRegisters; ++reg) {
    const uint64_t may_change = !writes(i, operand_kind::vector, reg) ? 0 : any_lane ? kAllLanes : before_->exec();
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if ((may_change >> lane & 1u) == 0 && wave_->vgpr[reg][lane] != before_->vgpr[reg][lane])
        FAIL_CHECK(register_name(operand_kind::vector, reg) << " changed in lane " << lane);
  }
}

void sim_test_wave::check_scalars(const instruction& i) const {
  for (unsigned reg = 0; reg < kScalarRegisters; ++reg) {
    const bool may_change = writes(i, operand_kind::scalar, reg) ||
                            (has(i, kWritesVcc) && (reg == kVccLow || reg == kVccLow + 1)) ||
                            (has(i, kWritesExec) && (reg == kExecLow || reg == kExecLow + 1));
    if (!may_change && wave_->sgpr[reg] != before_->sgpr[reg])
      FAIL_CHECK(register_name(operand_kind::scalar, reg) << " changed");
  }
  if (!has(i, kWritesScc)) CHECK(wave_->scc == before_->scc);
}

void sim_test_wave::expect_lanes(unsigned reg, const lane_function& value) const {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool on = (before_->exec() >> lane & 1u) != 0;
    const uint32_t expected = on ? value(lane) : before_->vgpr[reg][lane];
    if (wave_->vgpr[reg][lane] != expected)
      FAIL_CHECK(fmt::format("{} lane {}: {:#010x}, expected {:#010x}", register_name(operand_kind::vector, reg), lane,
                             wave_->vgpr[reg][lane], expected));
  }
}

void sim_test_wave::expect_lanes64(unsigned reg, const std::function<uint64_t(unsigned)>& value) const {
  expect_lanes(reg, [&](unsigned lane) { return static_cast<uint32_t>(value(lane)); });
  expect_lanes(reg + 1, [&](unsigned lane) { return static_cast<uint32_t>(value(lane) >> 32); });
}

void check_row(const vector_row& row) {
  const std::string text = fmt::format("{} {}", row.mnemonic, row.operands);
  const instruction& i = parsed(text);
  INFO(text);
  REQUIRE(!row.lanes.empty());
  const auto case_of = [&](unsigned lane) -> const lane_case& { return row.lanes[lane / 2 % row.lanes.size()]; };
  REQUIRE(row.lanes.size() <= kLanes / 2);
  for (const uint64_t exec : kExecMasks) {
    sim_test_wave w;
    for (unsigned lane = 0; lane < kLanes; ++lane) load_case(w, i, case_of(lane), lane);
    w.set_exec(exec);
    w.run(text);
    const operand& to = i.operands[0];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const lane_case& c = case_of(lane);
      const bool on = (exec >> lane & 1u) != 0;
      uint64_t got, expected;
      if (to.kind == operand_kind::scalar) {
        got = w.scalar64(to.reg) >> lane & 1u;
        expected = on ? c.result : 0;
      } else {
        got = to.width == 2 ? w.vector64(to.reg, lane) : w.vector(to.reg, lane);
        expected = low_bits(on ? c.result : c.old, to.width);
      }
      if (got != expected)
        FAIL_CHECK(fmt::format("case {} lane {} EXEC {:#x}: {:#x}, expected {:#x}", lane / 2 % row.lanes.size(), lane, exec,
                               got, expected));
    }
  }
}

void check_rows(const std::vector<vector_row>& rows) {
  for (const vector_row& row : rows) check_row(row);
}

void check_scalar_row(const scalar_row& row) {
  const std::string text = fmt::format("{} {}", row.mnemonic, row.operands);
  const instruction& i = parsed(text);
  INFO(text);
  REQUIRE(!row.cases.empty());
  for (size_t number = 0; number < row.cases.size(); ++number) {
    const scalar_case& c = row.cases[number];
    INFO("case " << number);
    sim_test_wave w;
    const unsigned first = destinations(i);
    if (first != 0) put_source(w, i.operands[0], 0, c.old);
    size_t next = 0;
    for (unsigned n = first; n < i.operand_count; ++n) {
      const operand& o = i.operands[n];
      if (o.kind != operand_kind::scalar) continue;
      REQUIRE(next < c.sources.size());
      put_source(w, o, 0, c.sources[next++]);
    }
    CHECK(next == c.sources.size());
    w.set_scc(c.scc_before);
    w.run(text);
    if (first != 0) {
      const operand& to = i.operands[0];
      const uint64_t got = to.width == 2 ? w.scalar64(to.reg) : w.scalar(to.reg);
      if (got != low_bits(c.result, to.width))
        FAIL_CHECK(fmt::format("{:#x}, expected {:#x}", got, low_bits(c.result, to.width)));
    }
    CHECK(w.scc() == c.scc_after);
  }
}

void check_scalar_rows(const std::vector<scalar_row>& rows) {
  for (const scalar_row& row : rows) check_scalar_row(row);
}

}  // namespace adahop::hip::sim::test
