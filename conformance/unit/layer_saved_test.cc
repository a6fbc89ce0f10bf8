// What a linear layer saves for its backward pass, and in how many bytes: counted by hand for T = 96, I = 64, O = 160
// and eight outliers.
#include "adahop/layer/linear.h"
#include "conformance/backends/registry.h"
#include "reference_support.h"

using namespace adahop;
using namespace adahop::layer;
using namespace adahop::test;

namespace {

constexpr adahop_pattern kRow = ADAHOP_PATTERN_ROW, kColumn = ADAHOP_PATTERN_COLUMN, kNone = ADAHOP_PATTERN_NONE;

struct saved_case {
  layer_patterns patterns;
  method how;
  product_kind dx, dw;
  byte_count w, x;
};

// W enters dX as [64 x 160]: 64 * 160 / 32 = 320 blocks, 5440 bytes; in BF16 20480. X enters dW as [64 x 96]: 192
// blocks, 3264 bytes; in BF16 12288. Eight outlier rows of 160 (96) elements in BF16: 2560 (1536) bytes, and 32 of
// indices.
const saved_case kCases[] = {
    // forward NN, dX NN, dW NN
    {{kNone, kNone, kNone}, method::adahop_lv1, product_kind::iht, product_kind::iht, {5440, 0, 0, 0}, {3264, 0, 0, 0}},
    // forward CN, dX RN, dW CC: the common layer of training
    {{kColumn, kNone, kRow},
     method::adahop_lv1,
     product_kind::oe_left,
     product_kind::oe_right,
     {5440, 0, 0, 20480},
     {3264, 1536, 32, 0}},
    {{kColumn, kNone, kRow},
     method::adahop_lv2,
     product_kind::oe_left,
     product_kind::bf16,
     {5440, 0, 0, 20480},
     {0, 0, 0, 12288}},
    // forward NR, dX NC, dW NN
    {{kNone, kColumn, kNone},
     method::adahop_lv1,
     product_kind::oe_right,
     product_kind::iht,
     {5440, 2560, 32, 0},
     {3264, 0, 0, 0}},
    // forward NN, dX CN, dW RN
    {{kNone, kNone, kColumn},
     method::adahop_lv1,
     product_kind::iht,
     product_kind::oe_left,
     {5440, 0, 0, 0},
     {3264, 0, 0, 12288}},
    {{kColumn, kNone, kRow}, method::bf16, product_kind::bf16, product_kind::bf16, {0, 0, 0, 20480}, {0, 0, 0, 12288}},
    {{kColumn, kNone, kRow}, method::mxfp4, product_kind::mxfp4, product_kind::mxfp4, {5440, 0, 0, 0}, {3264, 0, 0, 0}},
    {{kColumn, kNone, kRow},
     method::mxfp4_hadamard,
     product_kind::iht,
     product_kind::iht,
     {5440, 0, 0, 0},
     {3264, 0, 0, 0}},
};

void check_bytes(const byte_count& found, const byte_count& expected) {
  CHECK(found.quantized == expected.quantized);
  CHECK(found.outliers == expected.outliers);
  CHECK(found.indices == expected.indices);
  CHECK(found.operand == expected.operand);
}

// Bytes that really lie in memory.
int64_t held(const prepared_operand& o) {
  return static_cast<int64_t>(o.quantized.codes.size() + o.quantized.scales.size() + 2 * o.outliers.data.size() +
                              4 * o.indices.size() + 2 * o.operand.data.size());
}

struct layer_tensors {
  matrix<bf16> x, w;
};

layer_tensors random_layer(uint64_t seed) {
  generator random(seed);
  return {random_bf16(random, 96, 64), random_bf16(random, 160, 64)};
}

linear_saved forward(const linear_rules& rules, const layer_tensors& t) {
  matrix<bf16> y(t.x.rows, t.w.rows);
  const auto saved =
      linear_forward(*conformance::open_backend("reference").value(), rules, view_of(t.x), view_of(t.w), view_of(y));
  INFO(saved.why().message());
  REQUIRE(saved.ok());
  return saved.value();
}

}  // namespace

TEST_CASE("linear: saved bytes of each strategy add up by hand", "[spec:11.9][spec:11.11]") {
  const layer_tensors t = random_layer(8);
  for (const saved_case& c : kCases) {
    CAPTURE(name(c.how), name(c.dx), name(c.dw));
    const linear_rules rules{c.how, c.patterns, policy_with("oe_k=8")};
    CHECK(rules.kind(ADAHOP_PATH_DX) == c.dx);
    CHECK(rules.kind(ADAHOP_PATH_DW) == c.dw);
    const linear_saved saved = forward(rules, t);
    const saved_bytes bytes = bytes_of(saved);
    check_bytes(bytes.w, c.w);
    check_bytes(bytes.x, c.x);
    CHECK(bytes.w.total() == held(saved.w));
    CHECK(bytes.x.total() == held(saved.x));
    CHECK(bytes.total() == held(saved.w) + held(saved.x));
    CHECK(bytes.total_bf16() == 12288 + 20480);
    CHECK(bytes.w_bf16 == 20480);
    // The same from shapes alone.
    check_bytes(bytes_of(rules.numerics, c.dx, {96, 64, 160}).w, c.w);
    check_bytes(bytes_of(rules.numerics, c.dw, {96, 64, 160}).x, c.x);
  }
}

TEST_CASE("linear: fewer rows than oe_k, and padded blocks", "[spec:11.11][spec:9.4]") {
  // 64 candidates, all taken.
  const saved_bytes all = bytes_of(policy_with("oe_k=1000"), product_kind::oe_right, {96, 64, 160});
  check_bytes(all.x, {3264, 2 * 64 * 96, 4 * 64, 0});
  // T = 70 is extended to 96: 50 * 3 blocks; BF16 elements are not.
  const saved_bytes padded = bytes_of(policy_with("pad=zero,oe_k=8"), product_kind::oe_right, {70, 50, 90});
  check_bytes(padded.x, {17 * 50 * 3, 2 * 8 * 70, 4 * 8, 0});
  CHECK(padded.x_bf16 == 2 * 70 * 50);
}

TEST_CASE("linear: what is saved is the quantized residual, the outliers as they were, and their indices",
          "[spec:11.9][spec:9.6][spec:9.7]") {
  const layer_tensors t = random_layer(9);
  const policy p = policy_with("oe_k=8");
  const conformance::caller call(conformance::open_backend("reference").value());
  const linear_saved saved = forward({method::adahop_lv1, {kColumn, kNone, kRow}, p}, t);

  // OE-right on dW: columns of X.
  const prepared_operand& x = saved.x;
  const adahop_view xt = transposed(view_of(t.x));
  REQUIRE(x.indices.size() == 8);
  for (size_t i = 0; i < x.indices.size(); ++i)
    for (int64_t token = 0; token < 96; ++token)
      REQUIRE(x.outliers.at(static_cast<int64_t>(i), token).bits == t.x.at(token, x.indices[i]).bits);
  mx_matrix residual(64, 96);
  REQUIRE(call.run(adahop_hadamard_quantize_args{&p, xt, x.indices.data(), 8, view_of(residual), nullptr}).ok());
  CHECK(x.quantized.codes == residual.codes);
  CHECK(x.quantized.scales == residual.scales);
  for (const int32_t i : x.indices)
    for (int64_t b = 0; b < 48; ++b) REQUIRE(x.quantized.codes[static_cast<size_t>(i * 48 + b)] == 0);
  CHECK(x.operand.data.empty());

  // OE-left on dX: W whole, transposed, quantized and in BF16.
  const prepared_operand& w = saved.w;
  mx_matrix quantized(64, 160);
  REQUIRE(call.run(adahop_hadamard_quantize_args{&p, transposed(view_of(t.w)), nullptr, 0, view_of(quantized), nullptr})
              .ok());
  CHECK(w.quantized.codes == quantized.codes);
  CHECK(w.quantized.scales == quantized.scales);
  CHECK(w.indices.empty());
  for (int64_t i = 0; i < 64; ++i)
    for (int64_t o = 0; o < 160; ++o) REQUIRE(w.operand.at(i, o).bits == t.w.at(o, i).bits);
}
