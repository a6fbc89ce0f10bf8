// How bytes become policies, tensors and lists.
#include "fuzz/tensors.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "adahop/formats/scale_layout.h"
#include "adahop/tensor.h"
#include "conformance/suites/models.h"
#include "conformance/suites/random.h"

namespace adahop::fuzz {
namespace {

using conformance::random_word;

constexpr uint32_t kUnitBf16 = 0x10000, kUnitF32 = 1;

// Streams of random words under one seed, so that what an element is does not depend on another choice.
enum stream : uint64_t { kValue, kFamily, kCode, kScale, kPad };

// One row or column that is 2^shift larger.
struct outlier_line {
  int64_t index;
  int shift;
};

std::vector<outlier_line> read_outliers(input& in, int64_t lines) {
  std::vector<outlier_line> all;
  for (int64_t n = lines == 0 ? 0 : in.integer(0, 7); n > 0; --n)
    all.push_back({in.integer(0, lines - 1), static_cast<int>(in.integer(1, 16))});
  return all;
}

int shift_of(const std::vector<outlier_line>& lines, int64_t index) {
  int shift = 0;
  for (const outlier_line& line : lines)
    if (line.index == index) shift = std::max(shift, line.shift);
  return shift;
}

// 2^shift times a normal number, up to the largest binade; all else stays as it is.
uint32_t enlarge(uint32_t bits, int shift) {
  const auto field = static_cast<int>(bits >> 23 & 0xFF);
  if (field == 0 || field == 255) return bits;
  return (bits & 0x807FFFFFu) | static_cast<uint32_t>(std::min(field + shift, 254)) << 23;
}

// Where element (r, c) lies in an array of its own.
struct placing {
  int64_t start, row_stride, col_stride, elements;
};

placing read_placing(input& in, int64_t rows, int64_t cols) {
  const auto how = in.integer(0, 3);
  const int64_t start = in.integer(0, 3);
  const int64_t gap = how == 0 ? 0 : in.integer(0, 7);
  const int64_t step = how == 3 ? in.integer(1, 3) : 1;
  const bool by_columns = how == 2;
  const int64_t line = std::max<int64_t>(1, (by_columns ? rows : cols) * step + gap);
  const int64_t row_stride = by_columns ? step : line, col_stride = by_columns ? line : step;
  const int64_t last = std::max<int64_t>(rows - 1, 0) * row_stride + std::max<int64_t>(cols - 1, 0) * col_stride;
  return {start, row_stride, col_stride, start + last + 1};
}

values read_family(input& in) { return static_cast<values>(in.integer(0, kValueFamilies - 1)); }

constexpr std::array<std::string_view, 3> kTransformSizes{"hadamard_size=16", "hadamard_size=64", "hadamard_size=128"};

bool multiplies_mx(adahop_op op) { return op == ADAHOP_OP_MX_GEMM || op == ADAHOP_OP_MATMUL; }
bool multiplies_bf16(adahop_op op) { return op == ADAHOP_OP_BF16_GEMM || op == ADAHOP_OP_MATMUL; }

void set(policy& p, std::string_view text) { p = parse_policy(text, p).value(); }

}  // namespace

policy read_policy(input& in, adahop_op op) {
  policy p = default_policy();
  p.scale_rule = in.pick(std::array{ADAHOP_SCALE_EVEN, ADAHOP_SCALE_FLOOR, ADAHOP_SCALE_CEIL, ADAHOP_SCALE_RCEIL});
  p.min_scale_byte = in.flag() ? 1 : 0;
  p.element_rounding = in.pick(std::array{ADAHOP_ROUND_RNE, ADAHOP_ROUND_RNE, ADAHOP_ROUND_STOCHASTIC, ADAHOP_ROUND_GFX950_SR});
  if (p.element_rounding != ADAHOP_ROUND_RNE) p.sr_seed = in.flag() ? ~in.word(8) : in.word(2);
  if (p.element_rounding == ADAHOP_ROUND_STOCHASTIC) {
    p.sr_bits = static_cast<int32_t>(in.integer(1, 32));
    p.sr_offset = in.flag() ? ~in.word(2) : in.word(5);
  }
  p.nonfinite = in.flag() ? ADAHOP_NONFINITE_REJECT : ADAHOP_NONFINITE_BLOCK_NAN;
  if (const uint8_t size = in.byte(); size % 2 != 0) set(p, kTransformSizes[size / 2 % kTransformSizes.size()]);
  if (in.flag()) {
    p.hadamard_signs = ADAHOP_SIGNS_RANDOM;
    p.hadamard_seed = in.word(8);
  }
  p.hadamard_output = in.flag() ? ADAHOP_F32 : ADAHOP_BF16;
  p.output = in.flag() ? ADAHOP_F32 : ADAHOP_BF16;
  // Under another model the reference alone has work, so a whole product seldom asks for one.
  const uint8_t one_in = op == ADAHOP_OP_MATMUL ? 8 : 2;
  if (multiplies_mx(op) && in.byte() % one_in == 1) set(p, std::string("gemm_model=") + in.pick(conformance::kMxModels));
  if (multiplies_bf16(op) && in.byte() % one_in == 1) set(p, std::string("bf16_gemm_model=") + in.pick(conformance::kBf16Models));
  p.pattern_ratio = in.pick(std::array{2.0, 1.0, 0.5, 1e-300, 1e300, 1.0000000000000002});
  p.pattern_eps = in.pick(std::array{1e-8, 0.0, 1.0, 5e-324, 1e300});
  p.oe_k = in.pick(std::array{64, 1, 2, 3, 5, 8, 16, 17, 32, 33, 2147483647});
  p.foid_window = in.flag() ? 32 : 64;
  p.left_oe_on_dw = in.flag() ? ADAHOP_LEFT_OE_PORT : ADAHOP_LEFT_OE_PUBLISHED;
  p.pad = in.flag() ? ADAHOP_PAD_ZERO : ADAHOP_PAD_ERROR;
  p.nibble_order = in.byte() >= 0xFC ? ADAHOP_NIBBLES_GGML_SPLIT : ADAHOP_NIBBLES_LINEAR;
  p.scale_layout = in.flag() ? ADAHOP_LAYOUT_GFX950_SHUFFLE : ADAHOP_LAYOUT_LINEAR;
  return p;
}

conformance::view_input read_view(input& in, std::string name, adahop_dtype dtype, int64_t rows, int64_t cols) {
  const int64_t size = dtype_size(dtype);
  const uint32_t unit = dtype == ADAHOP_BF16 ? kUnitBf16 : kUnitF32;
  const placing at = read_placing(in, rows, cols);
  const values common = read_family(in), other = read_family(in);
  const uint64_t one_in = uint64_t{1} << in.integer(0, 9);  // elements of the other family
  const exponent_window window{static_cast<int>(in.byte() ^ 127u), static_cast<int>(in.integer(1, 24))};
  const uint64_t seed = in.word(2);
  const std::vector<outlier_line> large_rows = read_outliers(in, rows), large_cols = read_outliers(in, cols);

  // All bits set is NaN in both types.
  auto bytes = std::make_shared<std::vector<uint8_t>>(static_cast<size_t>(at.elements * size), uint8_t{0xFF});
  const auto store = [&](int64_t r, int64_t c, uint32_t bits) {
    const uint32_t kept = dtype == ADAHOP_BF16 ? bits >> 16 : bits;
    const int64_t element = at.start + r * at.row_stride + c * at.col_stride;
    std::memcpy(bytes->data() + element * size, &kept, static_cast<size_t>(size));
  };
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) {
      const auto index = static_cast<uint64_t>(r * cols + c);
      const bool is_other = random_word(seed, kFamily, index) % one_in == 0;
      const uint32_t bits = float_pattern(is_other ? other : common, window, random_word(seed, kValue, index), unit);
      store(r, c, enlarge(bits, shift_of(large_rows, r) + shift_of(large_cols, c)));
    }
  for (int64_t n = rows * cols == 0 ? 0 : in.integer(0, 15); n > 0; --n) {
    const int64_t r = in.integer(0, rows - 1), c = in.integer(0, cols - 1);
    const values family = read_family(in);
    store(r, c, float_pattern(family, window, in.word(8), unit));
  }
  const adahop_view view{bytes->data() + at.start * size, dtype, 0, rows, cols, at.row_stride, at.col_stride};
  return {std::move(name), view, std::move(bytes)};
}

conformance::mx_input read_mx(input& in, std::string name, int64_t outer, int64_t inner, int32_t scale_layout) {
  struct storage {
    std::vector<uint8_t> codes, scales;
  };
  const bool linear = scale_layout == ADAHOP_LAYOUT_LINEAR;
  const int64_t blocks = inner / kBlockSize;
  const int64_t start = in.integer(0, 3);
  const int64_t codes_stride = inner / 2 + in.integer(0, 5), scales_stride = blocks + in.integer(0, 5);
  const int low = in.byte() ^ 127, count = static_cast<int>(in.integer(1, 40));
  const uint64_t nan_one_in = in.flag() ? uint64_t{1} << in.integer(2, 7) : 0;  // scale bytes
  const uint64_t sparse_one_in = uint64_t{1} << in.integer(0, 6);               // blocks of zeros and one element
  const uint64_t seed = in.word(2);

  auto owner = std::make_shared<storage>();
  const int64_t rows_before_last = std::max<int64_t>(outer - 1, 0);
  owner->codes.assign(static_cast<size_t>(start + rows_before_last * codes_stride + std::max<int64_t>(1, inner / 2)), 0xFF);
  owner->scales.assign(static_cast<size_t>(std::max<int64_t>(
                           1, linear ? start + rows_before_last * scales_stride + blocks : shuffled_scale_bytes(outer, blocks))),
                       0);
  uint8_t* const codes = owner->codes.data() + start;
  uint8_t* const scales = owner->scales.data() + (linear ? std::min<int64_t>(start, static_cast<int64_t>(owner->scales.size()) - 1) : 0);
  if (!linear)
    for (size_t i = 0; i < owner->scales.size(); ++i) owner->scales[i] = static_cast<uint8_t>(random_word(seed, kPad, i));
  const auto scale_at = [&](int64_t r, int64_t b) -> uint8_t& {
    return scales[linear ? r * scales_stride + b : shuffled_scale_offset(r, b, blocks)];
  };
  for (int64_t r = 0; r < outer; ++r)
    for (int64_t b = 0; b < blocks; ++b) {
      const auto index = static_cast<uint64_t>(r * blocks + b);
      const uint64_t word = random_word(seed, kScale, index);
      scale_at(r, b) = static_cast<uint8_t>(std::min(254, low + static_cast<int>(word % static_cast<uint64_t>(count))));
      if (nan_one_in != 0 && (word >> 32) % nan_one_in == 0) scale_at(r, b) = kE8m0Nan;
      const bool sparse = sparse_one_in > 1 && (word >> 48) % sparse_one_in == 0;
      for (uint64_t i = 0; i < kBlockBytes; ++i) {
        const uint64_t random = random_word(seed, kCode, index * kBlockBytes + i);
        const bool lone = i == (word >> 56) % kBlockBytes;
        codes[r * codes_stride + b * static_cast<int64_t>(kBlockBytes) + static_cast<int64_t>(i)] =
            static_cast<uint8_t>(sparse && !lone ? random & 0x88u : random);
      }
    }
  for (int64_t n = outer * blocks == 0 ? 0 : in.integer(0, 7); n > 0; --n) {
    const int64_t r = in.integer(0, outer - 1), b = in.integer(0, blocks - 1);
    scale_at(r, b) = in.byte();
    codes[r * codes_stride + b * static_cast<int64_t>(kBlockBytes) + in.integer(0, kBlockBytes - 1)] = in.byte();
  }
  const adahop_mx mx{codes, scales, outer, inner, codes_stride, scales_stride};
  return {std::move(name), mx, std::move(owner), scale_layout};
}

conformance::index_input read_indices(input& in, std::string name, int64_t limit) {
  std::vector<int32_t> indices;
  const uint64_t how = in.byte();  // a quarter: all; else one in `how` / 4 of them, by a seed
  const uint64_t seed = in.word(1);
  for (int64_t i = 0; i < limit; ++i)
    if (how % 4 == 3 || (how / 4 != 0 && random_word(seed, kFamily, static_cast<uint64_t>(i)) % (how / 4) == 0))
      indices.push_back(static_cast<int32_t>(i));
  return {std::move(name), std::make_shared<const std::vector<int32_t>>(std::move(indices))};
}

int64_t read_inner(input& in, const policy& p, bool transforms, int64_t least, int64_t most) {
  const int64_t multiple = transforms ? std::max<int64_t>(kBlockSize, p.hadamard_size) : kBlockSize;
  if (p.pad == ADAHOP_PAD_ZERO) return in.integer(least, most);
  return multiple * in.integer((least + multiple - 1) / multiple, most / multiple);
}

}  // namespace adahop::fuzz
