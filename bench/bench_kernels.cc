// Every kernel of kernels.def on operands that fit in L2: K, its AVX-512 twin against its AVX2 twin, where this CPU has both.
#include "bench/kernel_sides.h"
#include "bench/session.h"
#include "reference/simd/isa.h"

namespace adahop::bench {
namespace {

std::string outcome(const side& s) {
  spoil(s.outputs);
  s.run();
  return hash_of(s.outputs);
}

void compare(session& s, const std::string& name, side wide, side narrow) {
  // What the oracle does not have, each twin is held to the other in.
  if (wide.expected.empty()) {
    wide.expected = outcome(narrow);
    narrow.expected = outcome(wide);
  }
  s.compare({"K", name, "in L2", 1, name.find("_tile") == std::string::npos ? "GB/s" : "GMAC/s"}, wide, narrow);
}

void body(session& s) {
  const auto* const wide = reference::simd::kernels_of(reference::simd::isa::avx512);
  const auto* const narrow = reference::simd::kernels_of(reference::simd::isa::avx2);
  if (!s.wants("K") || wide == nullptr || narrow == nullptr) return;
  kernel_sides of_wide(s, "AVX-512", *wide), of_narrow(s, "AVX2", *narrow);
#define ADAHOP_SIMD_KERNEL(name, result, parameters) \
  compare(s, #name, of_wide.of(#name, wide->name), of_narrow.of(#name, narrow->name));
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL
}

}  // namespace
}  // namespace adahop::bench

int main(int argc, char** argv) { return adahop::bench::run(argc, argv, adahop::bench::body); }
