// Names, kinds and whole products of the methods. Implements SPEC 11.12.
#include "adahop/layer/method.h"

#include <fmt/format.h>

#include "adahop/layer/backend_call.h"
#include "adahop/layer/product.h"

namespace adahop::layer {
namespace {

struct method_entry {
  method what;
  std::string_view name, about;
};

constexpr std::array<method_entry, 5> kMethods{{
    {method::bf16, "bf16", "BF16 products of the operands as they are"},
    {method::mxfp4, "mxfp4", "both operands quantized without a transform"},
    {method::mxfp4_hadamard, "mxfp4_hadamard", "IHT for every product"},
    {method::adahop_lv1, "adahop_lv1", "AdaHOP, level 1"},
    {method::adahop_lv2, "adahop_lv2", "AdaHOP, level 2: BF16 for the pair CC"},
}};

// Methods that AdaHOP is compared with in the literature and that this version does not have.
constexpr std::array<std::string_view, 2> kNotBuilt{"mxfp4_llm", "halo"};

const method_entry& entry(method m) { return kMethods[static_cast<size_t>(m)]; }

int level_of(method m) { return m == method::adahop_lv2 ? 2 : 1; }

}  // namespace

std::string_view name(method m) { return entry(m).name; }
std::string_view about(method m) { return entry(m).about; }

result<method> parse_method(std::string_view text) {
  std::string known;
  for (const method_entry& e : kMethods) {
    if (e.name == text) return e.what;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", e.name);
  }
  for (const std::string_view n : kNotBuilt)
    if (n == text)
      return unsupported(fmt::format("method '{}': not built in this version: expected one of {}", text, known));
  return invalid_argument(fmt::format("method '{}': expected one of {}", text, known));
}

std::string_view name(product_kind k) {
  switch (k) {
    case product_kind::bf16: return name(strategy::bf16);
    case product_kind::mxfp4: return "MXFP4";
    case product_kind::iht: return name(strategy::iht);
    case product_kind::oe_left: return name(strategy::oe_left);
    case product_kind::oe_right: return name(strategy::oe_right);
  }
  return "?";
}

product_kind kind_of(method m, pattern_pair pair, adahop_path path, adahop_left_oe_on_dw left_oe_on_dw) {
  if (m == method::bf16) return product_kind::bf16;
  if (m == method::mxfp4) return product_kind::mxfp4;
  if (m == method::mxfp4_hadamard) return product_kind::iht;
  switch (strategy_of(level_of(m), pair, path, left_oe_on_dw)) {
    case strategy::iht: return product_kind::iht;
    case strategy::oe_left: return product_kind::oe_left;
    case strategy::oe_right: return product_kind::oe_right;
    case strategy::bf16: break;
  }
  return product_kind::bf16;
}

status run_product(const adahop_backend& on, const policy& p, method m, pattern_pair pair, adahop_path path,
                   const adahop_view& left, const adahop_view& right, const adahop_view& out) {
  if (m == method::bf16 || m == method::mxfp4) {
    const product_kind kind = m == method::bf16 ? product_kind::bf16 : product_kind::mxfp4;
    const result<prepared_operand> prepared = prepare_right(on, p, kind, left.rows, right);
    if (!prepared.ok()) return prepared.why();
    return multiply(on, p, left, prepared.value(), out);
  }
  // Pair NN is IHT at either level and on every path (SPEC 8.4).
  const pattern_pair used = uses_patterns(m) ? pair : pattern_pair{ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE};
  return call(on, "matmul", &adahop_backend::matmul,
              adahop_matmul_args{&p, level_of(m), used.left, used.right, path, left, right, out});
}

}  // namespace adahop::layer
