// The table of ratios. README.md says how each is measured and what bounds it.
#include "bench/goals.h"

#include <fmt/format.h>

#include <cmath>

namespace adahop::bench {
namespace {

using enum ratio_kind;

constexpr goal kGoals[] = {
    {"R1", "", "quantize f32 / streaming read, bytes per second", rate, 0.85},
    {"R2", "", "quantize bf16 / streaming read, bytes per second", rate, 0.80},
    {"R3", "", "Hadamard+quantize f32 / quantize f32, time", time, 1.30},
    {"R4", "", "Hadamard+quantize f32 / the two passes, FP32 between them, speed", rate, 1.8},
    {"R4h", "", "Hadamard+quantize f32 / the two passes, BF16 between them, speed", rate, 1.8},
    {"R5", "", "Hadamard f32 / memcpy, bytes per second", rate, 0.95},
    {"R6", "", "dequantize to f32 / memcpy, bytes per second", rate, 0.95},
    {"R7", "", "MX GEMM / plain int8 GEMM in the same loops, speed", rate, 0.78},
    {"R8", "", "MX GEMM from packed codes / Eigen f32 GEMM, speed", rate, 4.5},
    {"R8y", "", "MX GEMM from packed codes / Eigen f32 GEMM built for AVX2, speed", rate, 4.5},
    {"R9", "", "mixed GEMM, 64 outlier rows of 4096 / MX GEMM, time", time, 1.15},
    {"R10", "quantize", "quantize f32 / scalar oracle, speed", rate, 15},
    {"R10", "GEMM", "MX GEMM / scalar oracle, speed", rate, 100},
    {"R11", "", "matmul, pair CN / Eigen f32 GEMM, time", time, 0.5},
    {"R11o", "", "matmul, pair RN (FOID, outlier rows) / Eigen f32 GEMM, time", time, 0.5},
    {"R12", "quantize", "quantize f32, two threads / one, speed", rate, 1.8},
    {"R12", "GEMM", "MX GEMM, two threads / one, speed", rate, 1.8},
    {"R12", "matmul", "matmul, two threads / one, speed", rate, 1.8},
    {"R12c", "", "quantize f32 from the last cache, two threads / one, speed", rate, 1.8},
    {"R12m", "", "streaming read, two threads / one, speed: what memory gives", comparison, 0},
    {"R13", "", "BF16 seq_fma GEMM / Eigen f32 GEMM, speed", rate, 1.2},
    {"R13y", "", "BF16 seq_fma GEMM / Eigen f32 GEMM built for AVX2, speed", rate, 1.2},
    {"C1", "", "MX GEMM, time against M", exponent, 0.1},
    {"C2", "", "MX GEMM, time against N", exponent, 0.1},
    {"C3", "", "MX GEMM, time against K", exponent, 0.1},
    {"C4", "", "MX GEMM, time against M = N = K", exponent, 0.1},
    {"C5", "", "quantize f32, time against bytes", exponent, 0.1},
#define ADAHOP_SIMD_KERNEL(name, result, parameters) {"K", #name, #name ", AVX-512 / AVX2, speed", rate, 1},
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL
#define ADAHOP_SIMD_KERNEL(name, result, parameters) {"Ks", #name, #name " / scalar oracle, speed", comparison, 0},
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL
};

}  // namespace

std::span<const goal> goals() { return kGoals; }

const goal* find_goal(std::string_view id, std::string_view part) {
  for (const goal& g : kGoals)
    if (g.id == id && (part.empty() || g.part == part)) return &g;
  return nullptr;
}

bool reached(const goal& g, double ratio) {
  switch (g.kind) {
    case rate: return ratio >= g.reach;
    case time: return ratio <= g.reach;
    case exponent: return std::abs(ratio - 1) <= g.reach;
    case comparison: return true;
  }
  return false;
}

std::string reach_text(const goal& g) {
  switch (g.kind) {
    case rate: return fmt::format(">= {}", g.reach);
    case time: return fmt::format("<= {}", g.reach);
    case exponent: return fmt::format("1 +- {}", g.reach);
    case comparison: return "";
  }
  return "";
}

std::string all_ids() {
  std::string list;
  for (const goal& g : kGoals)
    if (find_goal(g.id) == &g) list += fmt::format("{}{}", list.empty() ? "" : ", ", g.id);
  return list;
}

}  // namespace adahop::bench
