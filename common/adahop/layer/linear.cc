// Shapes and order of a linear layer's products. Implements SPEC 11.8 to 11.11.
#include "adahop/layer/linear.h"

#include <fmt/format.h>

#include <algorithm>

namespace adahop::layer {
namespace {

status check_tensor(const adahop_view& v, const char* what, int32_t dtype, int64_t rows, int64_t cols) {
  ADAHOP_TRY(check_view(v, what));
  const auto type_name = [](int32_t t) { return t == ADAHOP_BF16 ? "BF16" : "F32"; };
  if (v.dtype != dtype)
    return invalid_argument(
        fmt::format("{}: dtype: expected {}, found {}", what, type_name(dtype), type_name(v.dtype)));
  if (v.rows != rows || v.cols != cols)
    return invalid_argument(
        fmt::format("{}: shape: expected {} x {}, found {} x {}", what, rows, cols, v.rows, v.cols));
  return {};
}

// Each of T, I and O is the inner dimension of one product (SPEC 11.7).
status check_shape(const linear_rules& rules, const linear_shape& s) {
  const policy& p = rules.numerics;
  const bool any = rules.how == method::bf16 || p.pad == ADAHOP_PAD_ZERO;
  const int64_t multiple = any ? 1 : std::max<int64_t>(kBlockSize, rules.how == method::mxfp4 ? 0 : p.hadamard_size);
  for (const auto& [what, n] : {std::pair{"tokens", s.tokens}, std::pair{"in", s.in}, std::pair{"out", s.out}})
    if (n < 1 || n % multiple != 0)
      return invalid_argument(fmt::format("{}: expected a positive multiple of {}, found {}", what, multiple, n));
  return {};
}

}  // namespace

product_operands operands_of(adahop_path path, const adahop_view& x, const adahop_view& w, const adahop_view& gy) {
  switch (path) {
    case ADAHOP_PATH_FORWARD: return {x, w};
    case ADAHOP_PATH_DX: return {gy, transposed(w)};
    case ADAHOP_PATH_DW: break;
  }
  return {transposed(gy), transposed(x)};
}

result<linear_saved> linear_forward(const adahop_backend& on, const linear_rules& rules, const adahop_view& x,
                                    const adahop_view& w, const adahop_view& y) {
  const policy& p = rules.numerics;
  const linear_shape shape{x.rows, x.cols, w.rows};
  for (const status& s : {validate(p), check_tensor(x, "x", ADAHOP_BF16, shape.tokens, shape.in),
                          check_tensor(w, "w", ADAHOP_BF16, shape.out, shape.in),
                          check_tensor(y, "y", p.output, shape.tokens, shape.out), check_shape(rules, shape)})
    if (!s.ok()) return s;

  const auto [left, right] = operands_of(ADAHOP_PATH_FORWARD, x, w, {});
  const result<prepared_operand> forward = prepare_right(on, p, rules.kind(ADAHOP_PATH_FORWARD), left.rows, right);
  if (!forward.ok()) return forward.why();
  if (status s = multiply(on, p, left, forward.value(), y); !s.ok()) return s;

  result<prepared_operand> kept_w = prepare_right(on, p, rules.kind(ADAHOP_PATH_DX), shape.tokens, transposed(w));
  if (!kept_w.ok()) return kept_w.why();
  result<prepared_operand> kept_x = prepare_right(on, p, rules.kind(ADAHOP_PATH_DW), shape.out, transposed(x));
  if (!kept_x.ok()) return kept_x.why();
  return linear_saved{rules, shape, std::move(kept_w).value(), std::move(kept_x).value()};
}

status linear_backward(const adahop_backend& on, const linear_saved& saved, const adahop_view& gy,
                       const adahop_view& gx, const adahop_view& gw) {
  const policy& p = saved.rules.numerics;
  const linear_shape& s = saved.shape;
  ADAHOP_TRY(check_tensor(gy, "gy", ADAHOP_BF16, s.tokens, s.out));
  ADAHOP_TRY(check_tensor(gx, "gx", p.output, s.tokens, s.in));
  ADAHOP_TRY(check_tensor(gw, "gw", p.output, s.out, s.in));
  ADAHOP_TRY(multiply(on, p, gy, saved.w, gx));
  return multiply(on, p, transposed(gy), saved.x, gw);
}

saved_bytes bytes_of(const linear_saved& saved) {
  const linear_shape& s = saved.shape;
  return {bytes_of(saved.x), bytes_of(saved.w), 2 * s.tokens * s.in, 2 * s.out * s.in};
}

saved_bytes bytes_of(const policy& p, product_kind kind, const linear_shape& s) {
  return {bytes_of(p, kind, s.in, s.tokens), bytes_of(p, kind, s.in, s.out), 2 * s.tokens * s.in, 2 * s.out * s.in};
}

}  // namespace adahop::layer
