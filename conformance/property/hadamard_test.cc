// Laws of the transform: its own inverse and linear where exact, norms within the rounding errors of its steps, signs,
// independence of groups, and the fused operation as the two in turn.
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "catch.h"
#include "conformance/independent/hadamard.h"
#include "conformance/independent/random_words.h"
#include "reference/hadamard.h"
#include "value_calls.h"

namespace adahop::property {
namespace {

constexpr uint32_t kSign = 0x80000000u;

bool is_zero(uint32_t bits) { return (bits & ~kSign) == 0; }

// Tensors of whole groups of every size.
tensor_choice whole_groups() { return {.min_cols = 128, .max_cols = 256, .col_multiple = 128}; }

// Likewise, of exponents from which no result nears a limit of FP32.
tensor_choice whole_groups_far_from_limits() {
  tensor_choice choice = whole_groups();
  choice.min_exponent = 70;
  choice.max_exponent = 180;
  return choice;
}

policy pick_transform(bool fp32_output) {
  policy p = pick_policy("policy", {.hadamard = true});
  if (fp32_output) p.hadamard_output = ADAHOP_F32;
  return p;
}

// Sizes whose factor is a power of two, without signs and in FP32: the transform is then exact where its sums are.
policy pick_exact_transform() {
  policy p = default_policy();
  p.hadamard_output = ADAHOP_F32;
  p.hadamard_size = pick_of("hadamard_size", {16, 64});
  return p;
}

TEST_CASE("the transform is the second implementation's",
          "[property][spec:6.1][spec:6.2][spec:6.3][spec:6.4][spec:6.5][spec:6.10][spec:6.11]") {
  check_property("hadamard = independent::hadamard, of any width under pad=zero", 300, [] {
    const adahop_backend& b = pick_backend();
    policy p = pick_transform(false);
    p.pad = ADAHOP_PAD_ZERO;
    const tensor x =
        pick_tensor("x", {.max_rows = 3, .min_cols = 1, .max_cols = 200, .col_multiple = 1, .nonfinite = true});
    const tensor got = hadamard(b, p, x, pick_placement("output"));
    const independent::transform how{p.hadamard_size, p.hadamard_signs == ADAHOP_SIGNS_RANDOM, p.hadamard_seed,
                                     p.hadamard_output == ADAHOP_BF16};
    const independent::fp32_matrix wanted = independent::hadamard(independent_of(x), how);
    require_number(got.cols, wanted.cols, "columns");
    for (int64_t r = 0; r < got.rows; ++r)
      for (int64_t c = 0; c < got.cols; ++c)
        require_equal(got.at(r, c), wanted.at(static_cast<int>(r), static_cast<int>(c)), fmt::format("({}, {})", r, c));
  });
}

TEST_CASE("the butterflies are their own inverse", "[property][spec:6.2][spec:6.6]") {
  check_property("H H x = 32 x for multiples of 2^q of which the magnitudes sum to at most 2^(q+24)", 1000, [] {
    const tensor x =
        pick_tensor("x, upper 20 bits as an integer", {.dtype = ADAHOP_F32, .max_rows = 1, .max_cols = 32});
    const auto q = static_cast<int>(pick_integer("q + 149", 0, 230)) - 149;
    std::vector<float> once;
    // 32 magnitudes of 2^19 or less.
    for (const uint32_t bits : x.bits)
      once.push_back(std::ldexp(static_cast<float>(static_cast<int32_t>(bits) >> 12), q));
    std::vector<float> y = once;
    reference::hadamard_butterflies(y.data(), 32);
    reference::hadamard_butterflies(y.data(), 32);
    for (size_t i = 0; i < 32; ++i)
      require_equal(bits_of(y[i]), once[i] == 0 ? 0u : bits_of(32 * once[i]), fmt::format("element {}", i));
  });
  check_property("with factor 1/4 or 1/8 the transform of integers undoes itself", 600, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_exact_transform();
    tensor_choice integers = whole_groups();
    integers.integers = true;
    const tensor x = pick_tensor("x", integers);
    const tensor back = hadamard(b, p, hadamard(b, p, x));
    for (size_t i = 0; i < x.bits.size(); ++i) {
      // A zero comes back as a zero; of which sign depends on its neighbours (SPEC 6.5).
      if (is_zero(x.bits[i]))
        require(is_zero(back.bits[i]), fmt::format("element {} is not zero", i));
      else
        require_equal(back.bits[i], x.bits[i], fmt::format("element {}", i));
    }
  });
}

TEST_CASE("the transform is linear where it is exact", "[property][spec:6.2][spec:6.10]") {
  check_property("H(x + y) = H(x) + H(y) for integers", 600, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_exact_transform();
    tensor_choice integers = whole_groups();
    integers.integers = true;
    const operands o = pick_operands("x and y", integers, 1, 6);
    tensor x = with_rows(o.a, {0}), y = with_rows(o.b, {0}), sum(ADAHOP_F32, 1, x.cols);
    for (int64_t c = 0; c < x.cols; ++c) sum.at(0, c) = bits_of(x.value(0, c) + y.value(0, c));
    const tensor hx = hadamard(b, p, x), hy = hadamard(b, p, y), hsum = hadamard(b, p, sum);
    for (int64_t c = 0; c < x.cols; ++c)
      require(hsum.value(0, c) == hx.value(0, c) + hy.value(0, c), fmt::format("element {}", c));
  });
}

TEST_CASE("norms are kept within the rounding of the steps", "[property][spec:6.2][spec:6.3][spec:6.4][spec:6.10]") {
  check_property("|H x| / |x| lies within 1 -+ u to the power of stages + 2, for BF16 times 1 -+ 2^-8", 600, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_transform(false);
    const tensor x = pick_tensor("x", whole_groups_far_from_limits());
    const tensor y = hadamard(b, p, x);
    // Each stage is sqrt(2) times an orthogonal map, each of its sums off by a factor within 1 -+ u; then one product
    // and the factor itself. No exponent nears a limit: the smallest unit is 2^-80.
    const int factors = std::countr_zero(static_cast<uint32_t>(p.hadamard_size)) + 2;
    const long double u = 0x1p-24L, bf16_part = p.hadamard_output == ADAHOP_BF16 ? 0x1p-8L : 0.0L;
    const long double sums = 1 + 0x1p-50L;  // of squares, in FP64 extended
    const long double high = std::pow(1 + u, static_cast<long double>(factors)) * (1 + bf16_part) * sums;
    const long double low = std::pow(1 - u, static_cast<long double>(factors)) * (1 - bf16_part) / sums;
    const auto norm = [&](const tensor& t, int64_t r, int64_t group) {
      long double squares = 0;
      for (int64_t i = 0; i < p.hadamard_size; ++i) {
        const long double v = static_cast<long double>(t.value(r, group + i));
        squares += v * v;
      }
      return std::sqrt(squares);
    };
    for (int64_t r = 0; r < x.rows; ++r)
      for (int64_t group = 0; group < x.cols; group += p.hadamard_size) {
        const long double before = norm(x, r, group), after = norm(y, r, group);
        require(after >= low * before && after <= high * before, fmt::format("row {}, group at {}", r, group));
      }
  });
}

TEST_CASE("signs, powers of two and unit vectors pass through", "[property][spec:6.1][spec:6.3][spec:6.5][spec:6.10]") {
  check_property("H(-x) = -H(x) and H(2^n x) = 2^n H(x), zeros apart", 600, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_transform(false);
    const tensor x = pick_tensor("x", whole_groups_far_from_limits());
    const auto n = static_cast<int>(pick_integer("n + 30", 0, 60)) - 30;
    tensor negated = x;
    for (uint32_t& bits : negated.bits) bits ^= kSign;
    const tensor plain = hadamard(b, p, x), minus = hadamard(b, p, negated);
    require_equal(hadamard(b, p, times_power_of_two(x, n)), times_power_of_two(plain, n), "2^n");
    for (size_t i = 0; i < plain.bits.size(); ++i) {
      require(is_zero(plain.bits[i]) == is_zero(minus.bits[i]), "a zero on one side");
      if (!is_zero(plain.bits[i])) require_equal(minus.bits[i], plain.bits[i] ^ kSign, fmt::format("element {}", i));
    }
  });
  check_property("one value in a group spreads to its product with the factor, signs by parity", 600, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_transform(true);
    const uint32_t v = pick_value("v");
    discard_unless(!is_zero(v));
    const int64_t position = pick_integer("position", 0, 127), first = position / p.hadamard_size * p.hadamard_size;
    tensor x(ADAHOP_F32, 1, 128);
    x.at(0, position) = v;
    const tensor y = hadamard(b, p, x);
    const float factor = p.hadamard_size == 16   ? float_of(0x3E800000u)
                         : p.hadamard_size == 32 ? float_of(0x3E3504F3u)
                         : p.hadamard_size == 64 ? float_of(0x3E000000u)
                                                 : float_of(0x3DB504F3u);
    const bool minus = p.hadamard_signs == ADAHOP_SIGNS_RANDOM &&
                       independent::sign_is_minus(p.hadamard_seed, static_cast<uint64_t>(position));
    for (int64_t i = 0; i < p.hadamard_size; ++i) {
      const bool odd = std::popcount(static_cast<uint64_t>(i & (position - first))) % 2 != 0;
      const float wanted = (odd != minus ? -float_of(v) : float_of(v)) * factor;
      require_equal(y.at(0, first + i), bits_of(wanted), fmt::format("element {}", first + i));
    }
  });
}

TEST_CASE("random signs are a multiplication before the transform", "[property][spec:6.11]") {
  check_property("hadamard with signs = hadamard without of the signed tensor", 400, [] {
    const adahop_backend& b = pick_backend();
    policy p = pick_transform(false);
    tensor_choice choice = whole_groups();
    choice.nonfinite = true;
    tensor x = pick_tensor("x", choice);
    p.hadamard_signs = ADAHOP_SIGNS_RANDOM;
    const tensor with_signs = hadamard(b, p, x);
    for (int64_t r = 0; r < x.rows; ++r)
      for (int64_t c = 0; c < x.cols; ++c)
        if (independent::sign_is_minus(p.hadamard_seed, static_cast<uint64_t>(c))) x.at(r, c) ^= kSign;
    p.hadamard_signs = ADAHOP_SIGNS_NONE;
    require_equal(with_signs, hadamard(b, p, x), "signed");
  });
}

TEST_CASE("groups and rows are transformed apart, wherever they lie",
          "[property][spec:1.2][spec:1.6][spec:6.1][spec:6.10]") {
  check_property("permuting rows and groups permutes the output; strides do not matter", 400, [] {
    const adahop_backend& b = pick_backend();
    policy p = pick_transform(false);
    p.hadamard_signs = ADAHOP_SIGNS_NONE;  // signs go by position
    tensor_choice choice = whole_groups();
    choice.nonfinite = true;
    tensor x = pick_tensor("x", choice);
    const std::vector<int64_t> rows = pick_permutation("rows", x.rows),
                               groups = pick_permutation("groups", x.cols / p.hadamard_size);
    std::vector<int64_t> columns;
    for (const int64_t group : groups)
      for (int64_t i = 0; i < p.hadamard_size; ++i) columns.push_back(group * p.hadamard_size + i);
    const tensor moved = hadamard(b, p, with_columns(with_rows(x, rows), columns), pick_placement("output"));
    x.where = {};
    require_equal(moved, with_columns(with_rows(hadamard(reference_backend(), p, x), rows), columns), "moved");
  });
}

TEST_CASE("the fused operation is the two in turn", "[property][spec:3.8][spec:6.7][spec:6.8][spec:6.9]") {
  check_property("hadamard_quantize = hadamard, then quantize, of the tensor with zeroed rows", 600, [] {
    const adahop_backend& b = pick_backend();
    policy p =
        pick_policy("policy", {.scale = true, .rounding = true, .nonfinite = true, .hadamard = true, .layout = true});
    tensor x = pick_tensor("x", {.max_rows = 40, .min_cols = 1, .max_cols = 200, .col_multiple = 1, .nonfinite = true});
    const std::vector<int32_t> zeroed = pick_subset("zeroed", x.rows, x.rows);
    p.pad = ADAHOP_PAD_ZERO;
    const quantized fused = hadamard_quantize(b, p, x, zeroed);
    for (const int32_t r : zeroed)
      for (int64_t c = 0; c < x.cols; ++c) x.at(r, c) = 0;
    const quantized in_turn = quantize(reference_backend(), p, hadamard(reference_backend(), p, x));
    require_equal(fused, in_turn, "fused");
    require_number(fused.result.first_nonfinite, in_turn.result.first_nonfinite, "first_nonfinite");
  });
}

}  // namespace
}  // namespace adahop::property
