// Laws of padding, of the two scale layouts, and of decoding a whole MXFP4 matrix.
#include <fmt/format.h>

#include <algorithm>

#include "adahop/formats/scale_layout.h"
#include "catch.h"
#include "conformance/independent/scale_shuffle.h"
#include "value_calls.h"

namespace adahop::property {
namespace {

TEST_CASE("pad=zero is padding by zeros", "[property][spec:3.7][spec:3.8]") {
  check_property("quantize under pad=zero = quantize of the tensor with columns of +0", 400, [] {
    const adahop_backend& b = pick_backend();
    policy p = pick_policy("policy", {.scale = true, .nonfinite = true, .hadamard = true, .layout = true});
    const tensor x = pick_tensor("x", {.min_cols = 1, .max_cols = 160, .col_multiple = 1, .nonfinite = true});
    p.pad = ADAHOP_PAD_ZERO;
    const quantized padded = quantize(b, p, x);
    const quantized wanted = quantize(b, p, zero_extended(x, extended(p, x.cols)));
    require_equal(padded, wanted, "padded");
    // The index counts the columns that x has.
    int64_t first = -1;
    for (size_t i = 0; i < x.bits.size() && first < 0; ++i)
      if ((x.bits[i] & 0x7FFFFFFFu) >= 0x7F800000u) first = static_cast<int64_t>(i);
    require_number(padded.result.first_nonfinite, first, "first_nonfinite");
    if (padded.status != ADAHOP_OK) return;
    const tensor whole = dequantize(b, p, padded.mx, ADAHOP_F32, padded.mx.inner, {}, padded.stored);
    const tensor logical = dequantize(b, p, padded.mx, ADAHOP_F32, x.cols, pick_placement("output"), padded.stored);
    for (int64_t r = 0; r < x.rows; ++r)
      for (int64_t c = 0; c < x.cols; ++c) require_equal(logical.at(r, c), whole.at(r, c), "value of the logical part");
  });
  check_property("random words of a padded tensor count its own columns", 200, [] {
    const adahop_backend& b = pick_backend();
    policy p = pick_policy("policy", {.scale = true, .rounding = true});
    const tensor x = pick_tensor("x", {.max_rows = 4, .min_cols = 1, .max_cols = 70, .col_multiple = 1});
    p.pad = ADAHOP_PAD_ZERO;
    const quantized q = quantize(b, p, x);
    const independent::mx_tensor wanted =
        independent::quantize(independent_of(zero_extended(x, extended(p, x.cols))), independent_rule(p),
                              p.min_scale_byte, independent_rounding(p), static_cast<int>(x.cols));
    for (int64_t r = 0; r < x.rows; ++r)
      for (int64_t c = 0; c < q.mx.inner; ++c)
        require_equal(q.code(r, c), wanted.codes[static_cast<size_t>(r * q.mx.inner + c)],
                      fmt::format("code ({}, {})", r, c));
  });
}

TEST_CASE("the shuffled layout is a permutation with padding", "[property][spec:3.5][spec:3.6]") {
  check_property("every byte once, pad bytes 0, and the inverse by the defining permutation", 300, [] {
    const adahop_backend& b = pick_backend();
    policy p = pick_policy("policy", {.scale = true});
    const tensor x = pick_tensor("x", {.max_rows = 70, .max_cols = 288});
    const quantized linear = quantize(b, p, x);
    p.scale_layout = ADAHOP_LAYOUT_GFX950_SHUFFLE;
    const quantized shuffled = quantize(b, p, x);
    require_equal(shuffled, linear, "shuffled");
    const std::vector<uint8_t> wanted = independent::shuffled_scales(linear.mx.scales, static_cast<int>(x.rows),
                                                                     static_cast<int>(x.cols / kBlockSize), 0x00);
    require(shuffled.stored == wanted, "stored bytes");
    // Whatever the padding holds, the values are the same.
    const auto pad = static_cast<uint8_t>(pick_integer("pad byte", 0, 255));
    const std::vector<uint8_t> other = independent::shuffled_scales(linear.mx.scales, static_cast<int>(x.rows),
                                                                    static_cast<int>(x.cols / kBlockSize), pad);
    require_equal(dequantize(b, p, linear.mx, ADAHOP_F32, x.cols, {}, other),
                  dequantize(b, default_policy(), linear.mx, ADAHOP_F32, x.cols), "values");
  });
  check_property("offsets of different places differ and stay inside", 400, [] {
    const int64_t rows = pick_integer("rows", 1, 100), blocks = pick_integer("blocks", 1, 40);
    std::vector<bool> taken(static_cast<size_t>(shuffled_scale_bytes(rows, blocks)));
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t block = 0; block < blocks; ++block) {
        const int64_t at = shuffled_scale_offset(r, block, blocks);
        require(at >= 0 && at < static_cast<int64_t>(taken.size()), fmt::format("({}, {}) at {}", r, block, at));
        require(!taken[static_cast<size_t>(at)], fmt::format("({}, {}) at {} again", r, block, at));
        taken[static_cast<size_t>(at)] = true;
      }
  });
}

TEST_CASE("decoding is exact for every code, byte and layout", "[property][spec:2.5][spec:2.6][spec:3.2][spec:5.10]") {
  check_property("dequantize = code times scale in real numbers, rounded once", 600, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.scale = true, .rounding = true, .hadamard = true});
    const mx_matrix mx = pick_mx("mx", {.nan_bytes = true});
    const int32_t dtype = pick_of("dtype", {ADAHOP_F32, ADAHOP_BF16});
    const tensor values = dequantize(b, p, mx, dtype, mx.inner, pick_placement("output"));
    for (int64_t r = 0; r < mx.outer; ++r) {
      for (int64_t c = 0; c < mx.inner; ++c) {
        const uint8_t pair = mx.codes[static_cast<size_t>((r * mx.inner + c) / 2)];
        const auto code = static_cast<uint8_t>(c % 2 == 0 ? pair & 0xFu : pair >> 4);
        const uint8_t byte = mx.scales[static_cast<size_t>((r * mx.inner + c) / kBlockSize)];
        const uint32_t wanted = dtype == ADAHOP_F32 ? independent::decode_fp32(code, byte)
                                                    : uint32_t{independent::decode_bf16(code, byte)} << 16;
        require_equal(values.at(r, c), wanted, fmt::format("code {:X}, byte {:02X}", code, byte));
      }
    }
  });
}

TEST_CASE("a policy is its canonical line", "[property][spec:4.3][spec:4.4][spec:4.5]") {
  check_property("parsing the fields of a line gives its policy, and another line another hash", 1000, [] {
    const policy p = pick_policy("policy", policy_choice::all()), other = pick_policy("other", policy_choice::all());
    const std::string line = canonical_line(p);
    const std::string head = "adahop-policy/1 ";
    require(line.starts_with(head), "head of the line");
    const result<policy> again = parse_policy(line.substr(head.size()), default_policy());
    require(again.ok(), again.ok() ? "" : again.why().message());
    require(canonical_line(again.value()) == line, canonical_line(again.value()));
    require((policy_hash(other) == policy_hash(p)) == (canonical_line(other) == line), "hashes and lines disagree");
  });
}

}  // namespace
}  // namespace adahop::property
