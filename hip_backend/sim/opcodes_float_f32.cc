// FP32 arithmetic, minimum and maximum, from the ISA manual's pseudocode.
#include "sim/float_arithmetic.h"
#include "sim/float_lanes.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

constexpr uint32_t minimum_of_three(uint32_t a, uint32_t b, uint32_t c) {
  return minimum_number<f32>(minimum_number<f32>(a, b), c);
}
constexpr uint32_t maximum_of_three(uint32_t a, uint32_t b, uint32_t c) {
  return maximum_number<f32>(maximum_number<f32>(a, b), c);
}
constexpr uint32_t ieee_minimum_of_three(uint32_t a, uint32_t b, uint32_t c) { return minimum<f32>(minimum<f32>(a, b), c); }
constexpr uint32_t ieee_maximum_of_three(uint32_t a, uint32_t b, uint32_t c) { return maximum<f32>(maximum<f32>(a, b), c); }

// DX9: zero times anything, NaN and Inf too, is +0.
uint32_t multiply_legacy(uint32_t a, uint32_t b) {
  if (magnitude<f32>(a) == 0 || magnitude<f32>(b) == 0) return 0;
  return is_nan<f32>(a) || is_nan<f32>(b) ? nan_result<f32>(a, b) : host_mul<f32>(a, b);
}

constexpr uint32_t kModified = kFloatModifiers;
constexpr uint32_t kModifiedSdwa = kFloatModifiers | kSdwaDpp;

constexpr opcode kOpcodes[] = {
    {"v_add_f32", "D1 s1 s1", per_lane_host<f32, host_add<f32>, 1, 2>, kModifiedSdwa, certainty::inferred},
    {"v_sub_f32", "D1 s1 s1", per_lane_host<f32, host_sub<f32>, 1, 2>, kModifiedSdwa, certainty::inferred},
    {"v_subrev_f32", "D1 s1 s1", per_lane_host<f32, host_subrev<f32>, 1, 2>, kModifiedSdwa, certainty::inferred},
    {"v_mul_f32", "D1 s1 s1", per_lane_host<f32, host_mul<f32>, 1, 2>, kModifiedSdwa, certainty::inferred},
    {"v_mul_legacy_f32", "D1 s1 s1", per_lane_float<f32, multiply_legacy, 1, 2>, kModified, certainty::inferred},
    {"v_fma_f32", "D1 s1 s1 s1", per_lane_host<f32, host_fma<f32>, 1, 2, 3>, kModified, certainty::inferred},
    {"v_fmac_f32", "X1 s1 s1", per_lane_host<f32, host_fma<f32>, 1, 2, 0>, kModifiedSdwa, certainty::inferred},
    {"v_fmaak_f32", "D1 s1 s1 s1", per_lane_host<f32, host_fma<f32>, 1, 2, 3>, kPlain, certainty::inferred},
    {"v_fmamk_f32", "D1 s1 s1 s1", per_lane_host<f32, host_fma<f32>, 1, 2, 3>, kPlain, certainty::inferred},
    {"v_min_f32", "D1 s1 s1", per_lane_float<f32, minimum_number<f32>, 1, 2>, kModifiedSdwa, certainty::manual},
    {"v_max_f32", "D1 s1 s1", per_lane_float<f32, maximum_number<f32>, 1, 2>, kModifiedSdwa, certainty::manual},
    {"v_min3_f32", "D1 s1 s1 s1", per_lane_float<f32, minimum_of_three, 1, 2, 3>, kModified, certainty::manual},
    {"v_max3_f32", "D1 s1 s1 s1", per_lane_float<f32, maximum_of_three, 1, 2, 3>, kModified, certainty::manual},
    {"v_med3_f32", "D1 s1 s1 s1", per_lane_float<f32, median<f32>, 1, 2, 3>, kModified, certainty::manual},
    {"v_minimum3_f32", "D1 s1 s1 s1", per_lane_float<f32, ieee_minimum_of_three, 1, 2, 3>, kModified, certainty::manual},
    {"v_maximum3_f32", "D1 s1 s1 s1", per_lane_float<f32, ieee_maximum_of_three, 1, 2, 3>, kModified, certainty::manual},
};

}  // namespace

std::span<const opcode> float_f32_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
