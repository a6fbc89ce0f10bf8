// Every kernel of kernels.def on operands that fit in L2: K, its AVX-512 twin against its AVX2 twin, where this CPU has both;
// Ks, the twin of the instruction set in use against the scalar oracle's functions.
#include "bench/core_clock.h"
#include "bench/kernel_sides.h"
#include "bench/session.h"
#include "conformance/kernel_oracle/kernel_oracle.h"
#include "reference/simd/isa.h"

namespace adahop::bench {
namespace {

std::string outcome(const side& s) {
  spoil(s.outputs);
  s.run();
  return hash_of(s.outputs);
}

label label_of(const char* id, const std::string& name) {
  static const double clock = core_hertz();
  return {id, name, "in L2", 1, name.find("_tile") == std::string::npos ? "GB/s" : "GMAC/s", clock};
}

void compare_twins(session& s, const std::string& name, side wide, side narrow) {
  // What the oracle does not have, each twin is held to the other in.
  if (wide.expected.empty()) {
    wide.expected = outcome(narrow);
    narrow.expected = outcome(wide);
  }
  s.compare(label_of("K", name), wide, narrow);
}

void compare_with_oracle(session& s, const std::string& name, side ours, side scalar) {
  if (ours.expected.empty()) ours.expected = scalar.expected = outcome(scalar);
  // The oracle's function gives the variances of rows and of columns together.
  if (name.find("variances") != std::string::npos) scalar.work *= 2;
  s.compare(label_of("Ks", name), ours, scalar);
}

void run_twins(session& s) {
  const auto* const wide = reference::simd::kernels_of(reference::simd::isa::avx512);
  const auto* const narrow = reference::simd::kernels_of(reference::simd::isa::avx2);
  if (wide == nullptr || narrow == nullptr) return;
  kernel_sides of_wide(s, "AVX-512", *wide), of_narrow(s, "AVX2", *narrow);
#define ADAHOP_SIMD_KERNEL(name, result, parameters) \
  compare_twins(s, #name, of_wide.of(#name, wide->name), of_narrow.of(#name, narrow->name));
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL
}

void run_with_oracle(session& s) {
  const auto* const kernels = reference::simd::kernels();
  if (kernels == nullptr) return;
  const auto& oracle = conformance::kernel_oracle::kTable;
  kernel_sides ours(s, reference::simd::name(reference::simd::level()), *kernels), scalar(s, "scalar oracle", oracle);
#define ADAHOP_SIMD_KERNEL(name, result, parameters) \
  compare_with_oracle(s, #name, ours.of(#name, kernels->name), scalar.of(#name, oracle.name));
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL
}

void body(session& s) {
  if (s.wants("K")) run_twins(s);
  if (s.wants("Ks")) run_with_oracle(s);
}

}  // namespace
}  // namespace adahop::bench

int main(int argc, char** argv) { return adahop::bench::run(argc, argv, adahop::bench::body); }
