// The MX product in mode native on random codes, and under every model that the emulated matrix instruction of hip-cpu
// can follow. Implements the suite's side of SPEC 10.12-10.17, 10.24.
#include <fmt/format.h>

#include "conformance/suites/any_cases.h"
#include "conformance/suites/edge_tensors.h"
#include "conformance/suites/models.h"
#include "conformance/suites/native_facts.h"

namespace adahop::conformance {
namespace {

// Scale bytes from `low` to `high`: the wider the window, the fewer outputs are certified.
struct byte_window {
  const char* name;
  product_shape shape;
  int low, high, nan_every;
};

constexpr std::array<byte_window, 7> kWindows{{
    {"narrow", {48, 256, 40}, 126, 128, 0},  // all certified
    {"middle", {48, 160, 40}, 121, 131, 0},  // some
    {"wide", {40, 160, 33}, 90, 165, 0},     // hardly any
    {"overflow", {24, 128, 24}, 182, 192, 0},
    {"underflow", {24, 128, 24}, 40, 66, 0},
    {"nan-scales", {40, 96, 40}, 122, 130, 40},
    {"tiny", {24, 96, 24}, 0, 20, 0},
}};

test_case& add_window(any_adder& adder, const byte_window& w, adahop_dtype dtype, const std::string& rules) {
  const std::string source = fmt::format("{}.{}", w.name, dtype == ADAHOP_BF16 ? "bf16" : "f32");
  return adder.add(stage::native_mx_gemm, source, text(w.shape), rules, [=](const context& ctx) -> result<call> {
    const mx_input a = random_codes(ctx.seed, "a", w.shape.m, w.shape.k, w.low, w.high, w.nan_every);
    const mx_input b = random_codes(ctx.seed, "b", w.shape.n, w.shape.k, w.low, w.high, w.nan_every);
    const call c = mx_gemm_call(default_policy(), a, b, dtype, dtype == ADAHOP_BF16);
    return in_native_mode(ctx, c, &c);
  });
}

}  // namespace

void add_native_cases(case_list& out) {
  any_adder adder(out);
  for (const byte_window& w : kWindows)
    for (const adahop_dtype dtype : {ADAHOP_F32, ADAHOP_BF16}) add_window(adder, w, dtype, "default");
  for (const char* model : kMfmaModels)
    for (const byte_window& w : kWindows) {
      test_case& c = add_window(adder, w, ADAHOP_F32, fmt::format("mfma_model={}", model));
      c.option = backend_option{"mfma_model", model, "mfma_fused"};
    }
}

}  // namespace adahop::conformance
