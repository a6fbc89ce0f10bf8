// FP64 arithmetic, minimum and maximum, from the ISA manual's pseudocode.
#include "sim/float_arithmetic.h"
#include "sim/float_lanes.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

constexpr opcode kOpcodes[] = {
    {"v_add_f64", "D2 s2 s2", per_lane_host<f64, host_add<f64>, 1, 2>, kFloatModifiers, certainty::inferred},
    {"v_mul_f64", "D2 s2 s2", per_lane_host<f64, host_mul<f64>, 1, 2>, kFloatModifiers, certainty::inferred},
    {"v_fma_f64", "D2 s2 s2 s2", per_lane_host<f64, host_fma<f64>, 1, 2, 3>, kFloatModifiers, certainty::inferred},
    {"v_fmac_f64", "X2 s2 s2", per_lane_host<f64, host_fma<f64>, 1, 2, 0>, kFloatModifiers, certainty::inferred},
    {"v_min_f64", "D2 s2 s2", per_lane_float<f64, minimum_number<f64>, 1, 2>, kFloatModifiers, certainty::manual},
    {"v_max_f64", "D2 s2 s2", per_lane_float<f64, maximum_number<f64>, 1, 2>, kFloatModifiers, certainty::manual},
};

}  // namespace

std::span<const opcode> float_f64_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
