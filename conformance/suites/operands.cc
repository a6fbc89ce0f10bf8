// Which tensor of a layer is which operand, and how it is turned. Implements the suite's side of SPEC 8.1-8.3.
#include "conformance/suites/operands.h"

#include <fmt/format.h>

namespace adahop::conformance {

std::string text(const product_shape& s) { return fmt::format("{}x{}x{}", s.m, s.k, s.n); }

operands operands_of(adahop_path path, std::shared_ptr<const tensor> x, std::shared_ptr<const tensor> w,
                     std::shared_ptr<const tensor> gy) {
  constexpr adahop_pattern kNone = ADAHOP_PATTERN_NONE;
  switch (path) {
    case ADAHOP_PATH_FORWARD:  // Y = X W^T
      return {input_of("a = X", x), input_of("b = W", w), input_of("X", x), input_of("W", w), kNone, kNone};
    case ADAHOP_PATH_DX:  // G_X = G_Y W
      return {input_of("a = G_Y", gy),
              transposed_input_of("b = W^T", w),
              input_of("G_Y", gy),
              input_of("W", w),
              kNone,
              kNone};
    case ADAHOP_PATH_DW: break;  // G_W = G_Y^T X
  }
  return {transposed_input_of("a = G_Y^T", gy),
          transposed_input_of("b = X^T", x),
          input_of("G_Y", gy),
          input_of("X", x),
          kNone,
          kNone};
}

operands synthetic_operands(source what, const product_shape& s, pattern_pair pair, adahop_path path, uint64_t seed,
                            bool pitched) {
  std::shared_ptr<const tensor> x, w, gy;
  adahop_pattern left = pair.left, right = pair.right;
  const auto make = [&](std::string_view name, int64_t rows, int64_t cols, adahop_pattern pattern) {
    return generate({what, rows, cols, pattern, ADAHOP_BF16, pitched}, seed, name);
  };
  switch (path) {
    case ADAHOP_PATH_FORWARD:
      right = opposite(pair.right);
      x = make("X", s.m, s.k, left);
      w = make("W", s.n, s.k, right);
      break;
    case ADAHOP_PATH_DX:
      gy = make("G_Y", s.m, s.k, left);
      w = make("W", s.k, s.n, right);
      break;
    case ADAHOP_PATH_DW:
      left = opposite(pair.left);
      gy = make("G_Y", s.k, s.m, left);
      x = make("X", s.k, s.n, right);
      break;
  }
  operands o = operands_of(path, x, w, gy);
  o.left_pattern = left;
  o.right_pattern = right;
  return o;
}

}  // namespace adahop::conformance
