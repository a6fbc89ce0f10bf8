// The scalar oracle behind the C ABI. Implements SPEC 13.1-13.3.
#include "reference/backend.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "reference/abi_table.h"
#include "reference/bf16_gemm.h"
#include "reference/dequantize.h"
#include "reference/hadamard.h"
#include "reference/hadamard_quantize.h"
#include "reference/matmul.h"
#include "reference/mx_gemm.h"
#include "reference/outliers.h"
#include "reference/parallel.h"
#include "reference/pattern.h"
#include "reference/quantize.h"
#include "reference/scatter_add.h"

namespace adahop::reference {

status set_threads_option(const char* value) {
  int count = 0;
  const char* end = value + std::strlen(value);
  const auto [stop, error] = std::from_chars(value, end, count);
  if (error != std::errc{} || stop != end || count < 1 || count > 1024)
    return invalid_argument(fmt::format("set_option: threads={}: expected an integer from 1 to 1024", value));
  set_threads(count);
  return {};
}

namespace {

struct scalar_backend {
  static constexpr const char* kName = "reference";
  static constexpr const char* kDevice = "scalar C++ on the host CPU, the oracle";

  static constexpr auto quantize = &reference::quantize;
  static constexpr auto dequantize = &reference::dequantize;
  static constexpr auto hadamard = &reference::hadamard;
  static constexpr auto hadamard_quantize = &reference::hadamard_quantize;
  static constexpr auto variances = &reference::variances;
  static constexpr auto scores = &reference::scores;
  static constexpr auto extract = &reference::extract;
  static constexpr auto mx_gemm = &reference::mx_gemm;
  static constexpr auto bf16_gemm = &reference::bf16_gemm;
  static constexpr auto scatter_add = &reference::scatter_add;
  static constexpr status (*matmul)(const policy&, int, pattern_pair, adahop_path, const adahop_view&, const adahop_view&,
                                    const adahop_view&) = &reference::matmul;

  static status usable() { return {}; }

  static status set_option(std::string_view key, const char* value) {
    if (key != "threads") return unsupported(fmt::format("set_option: unknown key '{}', expected threads", key));
    return set_threads_option(value);
  }
};

constexpr adahop_backend kBackend = abi_table<scalar_backend>::make();

}  // namespace
}  // namespace adahop::reference

const adahop_backend* adahop_backend_reference(uint32_t abi_version) {
  return abi_version == ADAHOP_ABI_VERSION ? &adahop::reference::kBackend : nullptr;
}
