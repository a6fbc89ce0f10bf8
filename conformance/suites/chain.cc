// Outputs of the reference as inputs of the next stage.
#include "conformance/suites/chain.h"

#include <fmt/format.h>

#include <algorithm>

#include "adahop/tensor.h"
#include "conformance/backends/registry.h"

namespace adahop::conformance {
namespace {

constexpr uint8_t kGarbage = 0x3C;

}  // namespace

result<std::shared_ptr<execution>> run_reference(const context& ctx, const call& c) {
  auto e = std::make_shared<execution>(execute(c, *ctx.reference, kGarbage));
  if (e->status != ADAHOP_OK) return status(e->status, fmt::format("reference: {}: {}", op_name(c.op), e->error));
  return e;
}

result<mx_input> reference_codes(const context& ctx, const call& quantizing, std::string name) {
  auto ran = run_reference(ctx, quantizing);
  if (!ran.ok()) return ran.why();
  std::shared_ptr<execution> e = std::move(ran).value();
  guarded_array& codes = output_of(*e, "codes");
  guarded_array& scales = output_of(*e, "scales");
  const adahop_mx mx{static_cast<uint8_t*>(codes.data()),
                     static_cast<uint8_t*>(scales.data()),
                     codes.spec().rows,
                     codes.spec().cols,
                     codes.pitch(),
                     scales.pitch()};
  return mx_input{std::move(name), mx, std::move(e), quantizing.rules.scale_layout};
}

result<view_input> reference_out(const context& ctx, const call& c, std::string name) {
  auto ran = run_reference(ctx, c);
  if (!ran.ok()) return ran.why();
  std::shared_ptr<execution> e = std::move(ran).value();
  const adahop_view view = output_of(*e, "out").view();
  return view_input{std::move(name), view, std::move(e)};
}

result<index_input> reference_outliers(const context& ctx, const policy& p, const view_input& x) {
  auto ran = run_reference(ctx, select_outliers_call(p, x));
  if (!ran.ok()) return ran.why();
  execution& e = *ran.value();
  const auto count = static_cast<int64_t>(output_of(e, "count").bits(0, 0));
  std::vector<int32_t> indices;
  for (int64_t i = 0; i < count; ++i)
    indices.push_back(static_cast<int32_t>(static_cast<uint32_t>(output_of(e, "indices").bits(0, i))));
  return indices_of("outliers of " + x.name, std::move(indices));
}

index_input no_indices(std::string name) { return indices_of(std::move(name), {}); }

index_input indices_of(std::string name, std::vector<int32_t> indices) {
  return {std::move(name), std::make_shared<const std::vector<int32_t>>(std::move(indices))};
}

bool has_nonfinite(const adahop_view& x, const index_input& zeroed) {
  for (int64_t r = 0; r < x.rows; ++r) {
    if (std::binary_search(zeroed.indices->begin(), zeroed.indices->end(), static_cast<int32_t>(r))) continue;
    for (int64_t c = 0; c < x.cols; ++c)
      if ((bits_of(load(x, r, c)) & 0x7F800000u) == 0x7F800000u) return true;
  }
  return false;
}

}  // namespace adahop::conformance
