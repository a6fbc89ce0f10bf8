// Calls of a backend's operations on tensors with placements, and the stages of a whole product.
#include "product_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "adahop/formats/scale_layout.h"
#include "check.h"
#include "conformance/backends/registry.h"

namespace adahop::property {
namespace {

using conformance::caller;

// An output of either type.
class out_matrix {
 public:
  out_matrix(int32_t dtype, int64_t rows, int64_t cols)
      : dtype_(dtype), wide_(dtype == ADAHOP_F32 ? matrix<float>(rows, cols) : matrix<float>()),
        half_(dtype == ADAHOP_BF16 ? matrix<bf16>(rows, cols) : matrix<bf16>()) {}
  adahop_view view() { return dtype_ == ADAHOP_F32 ? view_of(wide_) : view_of(half_); }
  output_bits bits(const status& s) const {
    output_bits out(std::max(wide_.rows, half_.rows), std::max(wide_.cols, half_.cols));
    out.status = s.code();
    for (size_t i = 0; i < out.bits.size(); ++i)
      out.bits[i] = dtype_ == ADAHOP_F32 ? bits_of(wide_.data[i]) : uint32_t{half_.data[i].bits};
    return out;
  }

 private:
  int32_t dtype_;
  matrix<float> wide_;
  matrix<bf16> half_;
};

// A quantized operand in the policy's scale layout.
struct quantized {
  int64_t outer, inner;
  std::vector<uint8_t> codes, scales;

  quantized(const policy& p, int64_t o, int64_t i) : outer(o), inner(i), codes(static_cast<size_t>(o * i / 2)) {
    const int64_t blocks = i / kBlockSize;
    scales.resize(static_cast<size_t>(p.scale_layout == ADAHOP_LAYOUT_LINEAR ? o * blocks : shuffled_scale_bytes(o, blocks)));
  }
  adahop_mx mx() { return {codes.data(), scales.data(), outer, inner, inner / 2, inner / kBlockSize}; }
};

// SPEC 11.1 with the rows that an extraction takes from either side, to `out`.
status transformed_product(const caller& call, const policy& p, const adahop_view& a, const std::vector<int32_t>& without_a,
                           const adahop_view& b, const std::vector<int32_t>& without_b, const adahop_view& out) {
  policy right = p;  // SPEC 5.22
  const int64_t inner = extended(p, a.cols);
  if (p.element_rounding == ADAHOP_ROUND_STOCHASTIC) right.sr_offset += static_cast<uint64_t>(a.rows * inner);
  if (p.element_rounding == ADAHOP_ROUND_GFX950_SR) right.sr_seed += 1;
  quantized qa(p, a.rows, inner), qb(p, b.rows, inner);
  const auto count = [](const std::vector<int32_t>& list) { return static_cast<int64_t>(list.size()); };
  const auto data = [](const std::vector<int32_t>& list) { return list.empty() ? nullptr : list.data(); };
  ADAHOP_TRY(call.run(adahop_hadamard_quantize_args{&p, a, data(without_a), count(without_a), qa.mx(), nullptr}));
  ADAHOP_TRY(call.run(adahop_hadamard_quantize_args{&right, b, data(without_b), count(without_b), qb.mx(), nullptr}));
  return call.run(adahop_mx_gemm_args{&p, qa.mx(), qb.mx(), out});
}

status select(const caller& call, const policy& p, const adahop_view& x, std::vector<int32_t>& chosen) {
  chosen.resize(static_cast<size_t>(std::min<int64_t>(p.oe_k, x.rows)));
  int64_t count = 0;
  ADAHOP_TRY(call.run(adahop_select_outliers_args{&p, x, nullptr, chosen.data(), &count}));
  chosen.resize(static_cast<size_t>(count));
  return {};
}

// SPEC 11.2, 11.3
status extraction(const caller& call, const policy& p, adahop_side side, const adahop_view& a, const adahop_view& b,
                  const adahop_view& out) {
  const bool left = side == ADAHOP_SIDE_LEFT;
  const adahop_view& x = left ? a : b;
  std::vector<int32_t> chosen;
  ADAHOP_TRY(select(call, p, x, chosen));
  const auto count = static_cast<int64_t>(chosen.size());
  matrix<bf16> rows(count, x.cols);
  ADAHOP_TRY(call.run(adahop_extract_outliers_args{x, chosen.data(), count, view_of(rows)}));
  matrix<float> rest(a.rows, b.rows), part = left ? matrix<float>(count, b.rows) : matrix<float>(a.rows, count);
  ADAHOP_TRY(transformed_product(call, p, a, left ? chosen : std::vector<int32_t>(), b, left ? std::vector<int32_t>() : chosen,
                                 view_of(rest)));
  ADAHOP_TRY(call.run(adahop_bf16_gemm_args{&p, left ? view_of(rows) : a, left ? b : view_of(rows), view_of(part)}));
  return call.run(adahop_scatter_add_args{&p, view_of(rest), view_of(part), chosen.data(), count, side, 0, out});
}

}  // namespace

const adahop_backend& backend_named(const char* name) {
  const auto table = conformance::open_backend(name);
  if (!table.ok()) std::abort();
  return *table.value();
}

const adahop_backend& the_reference() {
  static const adahop_backend& reference = []() -> const adahop_backend& {
    const adahop_backend& table = backend_named("reference");
    if (table.set_option("threads", "1") != ADAHOP_OK) std::abort();
    return table;
  }();
  return reference;
}

output_bits mx_gemm(const adahop_backend& on, const policy& p, const mx_matrix& a, const mx_matrix& b, adahop_dtype out) {
  out_matrix c(out, a.outer, b.outer);
  return c.bits(caller(&on).run(adahop_mx_gemm_args{&p, view_of(a), view_of(b), c.view()}));
}

output_bits bf16_gemm(const adahop_backend& on, const policy& p, const tensor& a, const tensor& b, adahop_dtype out) {
  stored_tensor left(a), right(b);
  out_matrix c(out, a.rows, b.rows);
  return c.bits(caller(&on).run(adahop_bf16_gemm_args{&p, left.view(), right.view(), c.view()}));
}

output_bits product_of(const adahop_backend& on, const mx_product& x) { return mx_gemm(on, x.rules, x.a, x.b); }
output_bits product_of(const adahop_backend& on, const bf16_product& x) { return bf16_gemm(on, x.rules, x.ab.a, x.ab.b); }

output_bits whole(const adahop_backend& on, const whole_product& x) {
  stored_tensor a(x.ab.a), b(x.ab.b);
  out_matrix c(x.rules.output, x.ab.a.rows, x.ab.b.rows);
  return c.bits(caller(&on).run(adahop_matmul_args{&x.rules, x.level, x.pair.left, x.pair.right, x.path, a.view(), b.view(),
                                                   c.view()}));
}

route route_of(const whole_product& x) {
  const std::string pair{letter(x.pair.left), letter(x.pair.right)};
  if (pair == "RC" || pair == "NC") return route::oe_right;
  if (pair == "CC") return x.level == 2 ? route::bf16 : route::oe_right;
  if (pair == "RN")
    return x.path == ADAHOP_PATH_DW && x.rules.left_oe_on_dw == ADAHOP_LEFT_OE_PORT ? route::iht : route::oe_left;
  return route::iht;  // RR, CR, CN, NR, NN
}

output_bits composed(const adahop_backend& on, const whole_product& x, route how) {
  stored_tensor a(x.ab.a), b(x.ab.b);
  out_matrix c(x.rules.output, x.ab.a.rows, x.ab.b.rows);
  const caller call(&on);
  switch (how) {
    case route::iht: return c.bits(transformed_product(call, x.rules, a.view(), {}, b.view(), {}, c.view()));
    case route::oe_left: return c.bits(extraction(call, x.rules, ADAHOP_SIDE_LEFT, a.view(), b.view(), c.view()));
    case route::oe_right: return c.bits(extraction(call, x.rules, ADAHOP_SIDE_RIGHT, a.view(), b.view(), c.view()));
    case route::bf16: break;
  }
  return c.bits(call.run(adahop_bf16_gemm_args{&x.rules, a.view(), b.view(), c.view()}));
}

std::vector<int32_t> outliers(const adahop_backend& on, const policy& p, const tensor& x) {
  stored_tensor stored(x);
  std::vector<int32_t> chosen;
  const status s = select(caller(&on), p, stored.view(), chosen);
  require(s.ok(), s.message());
  return chosen;
}

void require_same(const output_bits& got, const output_bits& wanted, const std::string& what, std::source_location where) {
  require(got.status == wanted.status, fmt::format("{}: status {}, expected {}", what, got.status, wanted.status), where);
  require(got.rows == wanted.rows && got.cols == wanted.cols, what + ": another shape", where);
  if (wanted.status != ADAHOP_OK) return;
  for (int64_t r = 0; r < wanted.rows; ++r)
    for (int64_t c = 0; c < wanted.cols; ++c)
      if (got.at(r, c) != wanted.at(r, c))
        require_equal(got.at(r, c), wanted.at(r, c), fmt::format("{}: C[{}][{}]", what, r, c), where);
}

output_bits transpose(const output_bits& x) {
  output_bits out(x.cols, x.rows);
  out.status = x.status;
  for (int64_t r = 0; r < x.rows; ++r)
    for (int64_t c = 0; c < x.cols; ++c) out.at(c, r) = x.at(r, c);
  return out;
}

}  // namespace adahop::property
