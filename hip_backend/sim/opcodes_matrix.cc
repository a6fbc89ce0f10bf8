// Matrix instructions: which registers, formats and scale bytes go to the functions of numerics/mfma.h. All 64 lanes take
// part whatever EXEC says. How sums are rounded is an option, nobody has published it for gfx950.
#include <fmt/format.h>

#include <cstring>

#include "sim/lanes.h"
#include "sim/numerics/mfma.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

const mfma_options& choices(const wave& w) { return w.group->settings->matrix; }

constexpr unsigned kFp4 = 4;
constexpr std::string_view kFormats[] = {"FP8 E4M3", "FP8 E5M2", "FP6 E2M3", "FP6 E3M2", "FP4 E2M1"};

void require_fp4(const wave& w, const instruction& i) {
  if (i.mod.abid != 0) fail(w, i, "not modelled", "abid of a matrix instruction on FP4");
  for (const auto& [name, format] : {std::pair{"cbsz", i.mod.cbsz}, std::pair{"blgp", i.mod.blgp}})
    if (format != kFp4)
      fail(w, i, "not modelled",
           fmt::format("{}:{} is {}; only {}:4, FP4 E2M1, is there", name, format,
                       format < std::size(kFormats) ? kFormats[format] : "no format", name));
}
// Broadcasts and permutations of lanes, which no kernel here uses.
void require_plain(const wave& w, const instruction& i) {
  if (i.mod.cbsz != 0 || i.mod.abid != 0 || i.mod.blgp != 0)
    fail(w, i, "not modelled", "cbsz, abid and blgp of a BF16 matrix instruction must be 0");
}

template <unsigned Registers>
source_registers<Registers> source(const wave& w, const instruction& i, unsigned n) {
  return source_registers<Registers>(&w.vgpr[i.operands[n].reg][0], Registers * kLanes);
}
template <unsigned Registers>
result_registers<Registers> result(wave& w, const instruction& i) {
  return result_registers<Registers>(&w.vgpr[i.operands[0].reg][0], Registers * kLanes);
}

/// C, operand 3: registers or one inline constant for every element.
template <unsigned Registers>
class accumulator {
 public:
  accumulator(const wave& w, const instruction& i) : from_(source<Registers>(w, i, 0)) {
    const operand& o = i.operands[3];
    if (o.kind == operand_kind::scalar) fail(w, i, "not modelled", "C of a matrix instruction in scalar registers");
    if (o.kind == operand_kind::vector) {
      from_ = source<Registers>(w, i, 3);
      return;
    }
    const uint32_t value = constant_u32(o);
    for (uint32_t& element : filled_) element = value;
    from_ = source_registers<Registers>(filled_);
  }
  accumulator(const accumulator&) = delete;
  accumulator& operator=(const accumulator&) = delete;
  operator source_registers<Registers>() const { return from_; }

 private:
  uint32_t filled_[Registers * kLanes];
  source_registers<Registers> from_;
};

// Operands: D, A, B, C, scale of A, scale of B.
template <unsigned Registers, auto Function>
void scaled_fp4(wave& w, const instruction& i) {
  require_fp4(w, i);
  if ((i.mod.op_sel & ~3u) != 0 || i.mod.neg_lo != 0 || i.mod.neg_hi != 0)
    fail(w, i, "not modelled", "a scaled matrix instruction takes op_sel and op_sel_hi of A and B only");
  const auto scale = [&](unsigned n) {
    const bool low = (i.mod.op_sel >> n & 1u) != 0, high = (i.mod.op_sel_hi >> n & 1u) != 0;
    return scale_source{source<1>(w, i, 4 + n), scale_byte(low, high)};
  };
  const accumulator<Registers> c(w, i);
  Function(source<4>(w, i, 1), source<4>(w, i, 2), c, scale(0), scale(1), result<Registers>(w, i), choices(w));
}

template <unsigned Registers, auto Function>
void unscaled_fp4(wave& w, const instruction& i) {
  require_fp4(w, i);
  const accumulator<Registers> c(w, i);
  Function(source<4>(w, i, 1), source<4>(w, i, 2), c, result<Registers>(w, i), choices(w));
}

template <unsigned Sources, unsigned Registers, auto Function>
void bf16(wave& w, const instruction& i) {
  require_plain(w, i);
  const accumulator<Registers> c(w, i);
  Function(source<Sources>(w, i, 1), source<Sources>(w, i, 2), c, result<Registers>(w, i), choices(w));
}

constexpr uint32_t kFlags = kWholeWave | kMatrix;

constexpr opcode kOpcodes[] = {
    {"v_mfma_scale_f32_16x16x128_f8f6f4", "D4 A B s4 v1 v1", scaled_fp4<4, mfma_scale_f32_16x16x128_fp4>, kFlags | kVop3p,
     certainty::chosen},
    {"v_mfma_scale_f32_32x32x64_f8f6f4", "D16 A B s16 v1 v1", scaled_fp4<16, mfma_scale_f32_32x32x64_fp4>, kFlags | kVop3p,
     certainty::chosen},
    {"v_mfma_f32_16x16x128_f8f6f4", "D4 A B s4", unscaled_fp4<4, mfma_f32_16x16x128_fp4>, kFlags, certainty::chosen},
    {"v_mfma_f32_32x32x64_f8f6f4", "D16 A B s16", unscaled_fp4<16, mfma_f32_32x32x64_fp4>, kFlags, certainty::chosen},
    {"v_mfma_f32_16x16x32_bf16", "D4 v4 v4 s4", bf16<4, 4, mfma_f32_16x16x32_bf16>, kFlags, certainty::chosen},
    {"v_mfma_f32_32x32x16_bf16", "D16 v4 v4 s16", bf16<4, 16, mfma_f32_32x32x16_bf16>, kFlags, certainty::chosen},
    {"v_mfma_f32_16x16x16_bf16", "D4 v2 v2 s4", bf16<2, 4, mfma_f32_16x16x16_bf16>, kFlags, certainty::chosen},
    {"v_mfma_f32_32x32x8_bf16", "D16 v2 v2 s16", bf16<2, 16, mfma_f32_32x32x8_bf16>, kFlags, certainty::chosen},
};

}  // namespace

std::span<const opcode> matrix_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
