// The SIMD twins behind the C ABI; what has no twin is the scalar oracle's. Implements SPEC 13.1-13.3, 13.13.
#include "reference/simd/backend.h"

#include <fmt/format.h>

#include "reference/abi_table.h"
#include "reference/simd/bf16_gemm.h"
#include "reference/simd/dequantize.h"
#include "reference/simd/hadamard.h"
#include "reference/simd/hadamard_quantize.h"
#include "reference/simd/isa.h"
#include "reference/simd/matmul.h"
#include "reference/simd/mx_gemm.h"
#include "reference/simd/outliers.h"
#include "reference/simd/pattern.h"
#include "reference/simd/quantize.h"
#include "reference/simd/scatter_add.h"

namespace adahop::reference::simd {
namespace {

struct simd_backend {
  static constexpr const char* kName = "simd";
  static constexpr const char* kDevice = "AVX-512 or AVX2 on the host CPU, the oracle's bits";

  static constexpr auto quantize = &simd::quantize;
  static constexpr auto dequantize = &simd::dequantize;
  static constexpr auto hadamard = &simd::hadamard;
  static constexpr auto hadamard_quantize = &simd::hadamard_quantize;
  static constexpr auto variances = &simd::variances;
  static constexpr auto scores = &simd::scores;
  static constexpr auto extract = &simd::extract;
  static constexpr auto mx_gemm = &simd::mx_gemm;
  static constexpr auto bf16_gemm = &simd::bf16_gemm;
  static constexpr auto scatter_add = &simd::scatter_add;
  static constexpr status (*matmul)(const policy&, int, pattern_pair, adahop_path, const adahop_view&, const adahop_view&,
                                    const adahop_view&) = &simd::matmul;

  static status usable() { return simd::usable(); }

  static status set_option(std::string_view key, const char* value) {
    if (key == "threads") return set_threads_option(value);
    if (key != "isa") return unsupported(fmt::format("set_option: unknown key '{}', expected threads or isa", key));
    const status s = set_level(value);
    return s.ok() ? s : status{s.code(), fmt::format("set_option: isa={}", s.message())};
  }
};

constexpr adahop_backend kBackend = abi_table<simd_backend>::make();

}  // namespace
}  // namespace adahop::reference::simd

const adahop_backend* adahop_backend_simd(uint32_t abi_version) {
  return abi_version == ADAHOP_ABI_VERSION ? &adahop::reference::simd::kBackend : nullptr;
}

const char* adahop_backend_simd_isa() { return adahop::reference::simd::name(adahop::reference::simd::level()); }

bool adahop_backend_simd_has(const char* isa) { return adahop::reference::simd::has_level(isa); }

const char* adahop_backend_simd_unavailable() { return adahop::reference::simd::startup_error(); }
