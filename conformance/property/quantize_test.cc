// Laws of quantizing a tensor: what scales, flips, permutes and moves with it, and what comes back when it is decoded.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "catch.h"
#include "value_calls.h"

namespace adahop::property {
namespace {

constexpr uint32_t kSign = 0x80000000u;

double scale_of(const quantized& q, int64_t r, int64_t c) {
  return std::ldexp(1.0, static_cast<int>(q.scale(r, c / kBlockSize)) - 127);
}

quantized quantized_ok(const adahop_backend& b, const policy& p, const tensor& x) {
  quantized q = quantize(b, p, x);
  require(q.status == ADAHOP_OK, fmt::format("status {}", q.status));
  return q;
}

// The order of columns that permutes the elements of every block alike.
std::vector<int64_t> in_each_block(const std::vector<int64_t>& order, int64_t cols) {
  std::vector<int64_t> columns;
  for (int64_t c = 0; c < cols; ++c)
    columns.push_back(c / kBlockSize * kBlockSize + order[static_cast<size_t>(c % kBlockSize)]);
  return columns;
}

TEST_CASE("quantize is the second implementation's, under every rule and rounding",
          "[property][spec:3.8][spec:5.9][spec:5.11][spec:5.17][spec:5.18][spec:5.20][spec:5.21]") {
  check_property("quantize = independent::quantize", 300, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.scale = true, .rounding = true, .layout = true});
    const tensor x = pick_tensor("x", {.max_rows = 4, .max_cols = 96});
    const quantized q = quantized_ok(b, p, x);
    const independent::mx_tensor wanted =
        independent::quantize(independent_of(x), independent_rule(p), p.min_scale_byte, independent_rounding(p),
                              static_cast<int>(x.cols));
    for (int64_t r = 0; r < x.rows; ++r)
      for (int64_t c = 0; c < x.cols; ++c) {
        const auto at = static_cast<size_t>(r * x.cols + c);
        require_equal(q.scale(r, c / kBlockSize), wanted.scales[at / kBlockSize],
                      fmt::format("scale ({}, {})", r, c / 32));
        require_equal(q.code(r, c), wanted.codes[at], fmt::format("code ({}, {})", r, c));
      }
    require_number(q.result.clipped, wanted.clipped, "clipped");
    require_number(q.result.first_nonfinite, -1, "first_nonfinite");
  });
}

TEST_CASE("what was quantized quantizes to itself", "[property][spec:5.10][spec:5.16]") {
  check_property("dequantize, quantize: the same codes and byte where a block has a 4 or a 6", 600, [] {
    const adahop_backend& b = pick_backend();
    policy p = default_policy();
    p.scale_rule = pick_of("scale rule", {ADAHOP_SCALE_EVEN, ADAHOP_SCALE_FLOOR, ADAHOP_SCALE_RCEIL});
    p.min_scale_byte = static_cast<int32_t>(pick_integer("min_scale_byte", 0, 1));
    quantized before;
    before.mx = pick_mx("mx", {.low_byte = p.min_scale_byte, .high_byte = 252});
    for (size_t block = 0; block < before.mx.scales.size(); ++block)
      before.mx.codes[block * kBlockBytes] |= 0x60u;  // 4 or 6
    const tensor values = dequantize(b, p, before.mx, ADAHOP_F32, before.mx.inner);
    require_equal(quantized_ok(b, p, values), before, "quantized again");
  });
  check_property("dequantized values quantize to the same values", 600, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.scale = true, .layout = true});
    // Below 1.75 * 2^127 no rule takes a value to 2^128.
    const tensor x = pick_tensor("x", {.max_exponent = 252});
    const tensor once = dequantize(reference_backend(), default_policy(), quantized_ok(b, p, x).mx, ADAHOP_F32, x.cols);
    const tensor twice =
        dequantize(reference_backend(), default_policy(), quantized_ok(b, p, once).mx, ADAHOP_F32, x.cols);
    require_equal(twice, once, "value");
  });
}

TEST_CASE("a power of two moves scales and values, not codes", "[property][spec:5.8][spec:5.9][spec:5.17][spec:5.21]") {
  check_property("quantize(2^n x) has the codes of quantize(x) and bytes + n", 600, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.scale = true, .rounding = true});
    const tensor x = pick_tensor("x", {.min_exponent = 60, .max_exponent = 190});
    const auto n = static_cast<int>(pick_integer("n + 50", 0, 100)) - 50;
    quantized plain = quantized_ok(b, p, x);
    const tensor values = dequantize(b, default_policy(), plain.mx, ADAHOP_F32, x.cols);
    for (int64_t block = 0; block < x.rows * x.cols / kBlockSize; ++block) {
      const auto first = x.bits.begin() + block * kBlockSize;
      const bool zero = std::all_of(first, first + kBlockSize, [](uint32_t bits) { return (bits & ~kSign) == 0; });
      uint8_t& byte = plain.mx.scales[static_cast<size_t>(block)];
      if (!zero) byte = static_cast<uint8_t>(byte + n);
    }
    const quantized scaled = quantized_ok(b, p, times_power_of_two(x, n));
    require_equal(scaled, plain, "scaled");
    require_equal(dequantize(b, default_policy(), scaled.mx, ADAHOP_F32, x.cols), times_power_of_two(values, n),
                  "values");
  });
}

TEST_CASE("the sign of a tensor is the sign of its codes", "[property][spec:5.7][spec:5.13][spec:5.17][spec:5.21]") {
  check_property("quantize(-x) has the codes of quantize(x) with the other sign", 600, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.scale = true, .rounding = true, .layout = true});
    tensor x = pick_tensor("x");
    quantized plain = quantized_ok(b, p, x);
    for (uint32_t& bits : x.bits) bits ^= kSign;
    for (uint8_t& pair : plain.mx.codes) pair ^= 0x88u;
    require_equal(quantized_ok(b, p, x), plain, "negated");
  });
}

TEST_CASE("rows, blocks and elements of a block are quantized apart", "[property][spec:3.1][spec:3.2][spec:5.1]") {
  check_property("permuting the elements of each block permutes its codes, the byte stays", 400, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.scale = true, .layout = true});
    const tensor x = pick_tensor("x");
    const std::vector<int64_t> columns = in_each_block(pick_permutation("order", kBlockSize), x.cols);
    const quantized plain = quantized_ok(b, p, x), moved = quantized_ok(b, p, with_columns(x, columns));
    for (int64_t r = 0; r < x.rows; ++r)
      for (int64_t c = 0; c < x.cols; ++c) {
        require_equal(moved.scale(r, c / kBlockSize), plain.scale(r, c / kBlockSize), "scale");
        require_equal(moved.code(r, c), plain.code(r, columns[static_cast<size_t>(c)]),
                      fmt::format("code ({}, {})", r, c));
      }
    require_number(moved.result.clipped, plain.result.clipped, "clipped");
  });
  check_property("permuting rows and blocks permutes codes and scales", 400, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.scale = true, .layout = true});
    const tensor x = pick_tensor("x", {.max_rows = 40, .nonfinite = true});
    const std::vector<int64_t> rows = pick_permutation("rows", x.rows),
                               blocks = pick_permutation("blocks", x.cols / 32);
    std::vector<int64_t> columns;
    for (const int64_t block : blocks)
      for (int64_t i = 0; i < kBlockSize; ++i) columns.push_back(block * kBlockSize + i);
    const quantized plain = quantized_ok(b, p, x),
                    moved = quantized_ok(b, p, with_columns(with_rows(x, rows), columns));
    for (int64_t r = 0; r < x.rows; ++r) {
      const int64_t from = rows[static_cast<size_t>(r)];
      for (int64_t c = 0; c < x.cols; ++c)
        require_equal(moved.code(r, c), plain.code(from, columns[static_cast<size_t>(c)]),
                      fmt::format("code ({}, {})", r, c));
      for (size_t block = 0; block < blocks.size(); ++block)
        require_equal(moved.scale(r, static_cast<int64_t>(block)), plain.scale(from, blocks[block]), "scale");
    }
    require_number(moved.result.clipped, plain.result.clipped, "clipped");
  });
}

TEST_CASE("where a tensor lies does not matter", "[property][spec:1.2][spec:1.6][spec:3.3]") {
  check_property("quantize of any strides and offset = quantize of the plain tensor", 400, [] {
    const adahop_backend& b = pick_backend();
    policy_choice rules = policy_choice::all();
    rules.models = false;  // hip-cpu claims the defaults alone
    const policy p = pick_policy("policy", rules);
    tensor x = pick_tensor("x", {.min_cols = 128, .max_cols = 256, .col_multiple = 128, .nonfinite = true});
    const quantized placed = quantize(b, p, x);
    x.where = {};
    const quantized plain = quantize(reference_backend(), p, x);
    require_equal(placed, plain, "placed");
    require_number(placed.result.first_nonfinite, plain.result.first_nonfinite, "first_nonfinite");
  });
  check_property("quantizing along axis 0 = quantizing the transpose", 300, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.scale = true, .rounding = true, .layout = true});
    // A tensor [inner x outer] in memory; its transpose as a view is a placement.
    tensor x =
        transpose(pick_tensor("x", {.min_rows = 32, .max_rows = 32, .min_cols = 1, .max_cols = 9, .col_multiple = 1}));
    x.where = {0, 1, 0, true};
    tensor copy = x;
    copy.where = {};
    require_equal(quantized_ok(b, p, x), quantized_ok(b, p, copy), "axis 0");
  });
}

TEST_CASE("elements are off by half a gap at most, and clipped elements are counted",
          "[property][spec:5.9][spec:5.11][spec:5.12]") {
  check_property("|v - decoded| is at most half the gap of the grid; clipped counts |v| > 6 scale", 600, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.scale = true, .layout = true});
    const tensor x = pick_tensor("x");
    const quantized q = quantized_ok(b, p, x);
    int64_t clipped = 0;
    for (int64_t r = 0; r < x.rows; ++r) {
      for (int64_t c = 0; c < x.cols; ++c) {
        const double s = scale_of(q, r, c), v = std::fabs(static_cast<double>(x.value(r, c)));
        const double decoded = 0.5 * value_x2(e2m1_of(q.code(r, c) & 7u)) * s;
        clipped += v > 6 * s ? 1 : 0;
        if (v > 6 * s) {
          require(decoded == 6 * s, fmt::format("clipped element ({}, {}) is not 6", r, c));
          continue;
        }
        const double half_gap = v <= 2 * s ? 0.25 * s : v <= 4 * s ? 0.5 * s : s;
        require(std::fabs(v - decoded) <= half_gap, fmt::format("element ({}, {}): {} became {}", r, c, v, decoded));
      }
    }
    require_number(q.result.clipped, clipped, "clipped");
    const bool may_clip = p.scale_rule == ADAHOP_SCALE_FLOOR || p.scale_rule == ADAHOP_SCALE_EVEN;
    require(may_clip || clipped == 0, "a rule that never clips has clipped");
  });
}

TEST_CASE("a NaN or Inf takes its block and no other", "[property][spec:5.9][spec:5.14][spec:5.15]") {
  check_property("block_nan: byte 0xFF, codes 0, 32 NaNs; reject: the first index", 600, [] {
    const adahop_backend& b = pick_backend();
    policy p = pick_policy("policy", {.scale = true, .rounding = true, .nonfinite = true, .layout = true});
    const tensor x = pick_tensor("x", {.nonfinite = true});
    const auto is_nonfinite = [](uint32_t bits) { return (bits & ~kSign) >= 0x7F800000u; };
    const auto first = std::find_if(x.bits.begin(), x.bits.end(), is_nonfinite);
    const int64_t index = first == x.bits.end() ? -1 : first - x.bits.begin();
    const quantized q = quantize(b, p, x);
    const bool rejected = index >= 0 && p.nonfinite == ADAHOP_NONFINITE_REJECT;
    require_number(q.status, rejected ? ADAHOP_NONFINITE : ADAHOP_OK, "status");
    require_number(q.result.first_nonfinite, index, "first_nonfinite");
    if (rejected) return;
    // The same tensor with every such block zeroed, where codes and counts of the others have to be the same.
    tensor finite = x;
    std::vector<bool> is_nan_block(q.mx.scales.size());
    for (size_t block = 0; block < is_nan_block.size(); ++block) {
      const auto from = finite.bits.begin() + static_cast<int64_t>(block * kBlockSize), to = from + kBlockSize;
      is_nan_block[block] = std::any_of(from, to, is_nonfinite);
      if (is_nan_block[block]) std::fill(from, to, 0u);
    }
    quantized wanted = quantized_ok(b, p, finite);
    for (size_t block = 0; block < is_nan_block.size(); ++block)
      if (is_nan_block[block]) wanted.mx.scales[block] = kE8m0Nan;
    require_equal(q, wanted, "with NaN blocks");
    const tensor values = dequantize(b, default_policy(), q.mx, ADAHOP_F32, x.cols);
    for (size_t i = 0; i < values.bits.size(); ++i)
      require((values.bits[i] == kCanonicalNan) == is_nan_block[i / kBlockSize], fmt::format("value {}", i));
  });
}

}  // namespace
}  // namespace adahop::property
