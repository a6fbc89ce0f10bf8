// Random operands and policies of products.
#include "product_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <ostream>

#include "conformance/suites/models.h"
#include "words.h"

namespace adahop::property {
namespace {

template <class Container>
auto one_of(words& random, const Container& all) {
  return all[static_cast<size_t>(random.between(0, static_cast<int64_t>(std::size(all)) - 1))];
}

// Sizes from 1 to `most`, all of them from RapidCheck's size 40 on; one in four is 1 or 2.
int64_t dimension(words& random, int size, int64_t most) {
  const int64_t limit = std::clamp<int64_t>(most * (10 + 3 * size) / 130, 1, most);
  return random.between(1, random.one_in(4) ? std::min<int64_t>(limit, 2) : limit);
}

policy random_models(words& random) {
  return policy_of(fmt::format("output=f32,gemm_model={},bf16_gemm_model={}", one_of(random, conformance::kMxModels),
                               one_of(random, conformance::kBf16Models)));
}

// How the scale bytes and codes of one operand are drawn.
struct code_spread {
  int64_t density = 16;  ///< in 16 codes so many are random, the others 0
  int64_t low = 127, high = 127;
  uint64_t nan_every = 0;
};

mx_matrix random_codes(words& random, int64_t outer, int64_t blocks, const code_spread& spread) {
  mx_matrix m(outer, kBlockSize * blocks);
  for (int64_t r = 0; r < outer; ++r)
    for (int64_t i = 0; i < m.inner; ++i)
      if (random.between(0, 15) < spread.density) set_code(m, r, i, static_cast<uint32_t>(random.between(0, 15)));
  for (uint8_t& byte : m.scales) {
    const bool nan = spread.nan_every > 0 && random.one_in(spread.nan_every);
    byte = nan ? kE8m0Nan : static_cast<uint8_t>(random.between(spread.low, spread.high));
  }
  return m;
}

// The second half of the inner dimension becomes the first one, `negated` or not, but for a few codes: what is left of the
// sum is far smaller than its parts.
void repeat_first_half(words& random, mx_matrix& m, bool negated) {
  const int64_t half = m.inner / 2;
  for (int64_t r = 0; r < m.outer; ++r) {
    for (int64_t i = 0; i < half; ++i) {
      const uint32_t code = random.one_in(64) ? static_cast<uint32_t>(random.between(0, 15)) : code_at(m, r, i);
      set_code(m, r, half + i, negated ? code ^ 8u : code);
    }
    uint8_t* const scales = m.scales.data() + r * m.inner / kBlockSize;
    std::copy_n(scales, half / kBlockSize, scales + half / kBlockSize);
  }
}

// All codes positive, and some blocks of every row 2^20 to 2^30 times larger than the others: what an aligned sum truncates
// adds up. Or one product a block, of codes whose field exponents lie above their own: certificates end there.
void align_badly(words& random, mx_product& x, int64_t low) {
  const bool one_product = random.one_in(3);
  for (mx_matrix* m : {&x.a, &x.b}) {
    for (uint8_t& byte : m->codes) byte &= one_product ? 0 : 0x77;
    for (int64_t r = 0; one_product && r < m->outer; ++r)
      for (int64_t i = 0; i < m->inner; i += kBlockSize) set_code(*m, r, i, static_cast<uint32_t>(random.between(1, 3)));
  }
  const int64_t blocks = x.a.inner / kBlockSize, gap = random.between(20, 30);
  for (int64_t k = 0; k < blocks; ++k) {
    const auto byte = static_cast<uint8_t>(low + (random.one_in(3) ? gap : 0));
    for (int64_t r = 0; r < x.a.outer; ++r) x.a.scales[static_cast<size_t>(r * blocks + k)] = byte;
    for (int64_t r = 0; r < x.b.outer; ++r) x.b.scales[static_cast<size_t>(r * blocks + k)] = 127;
  }
}

tensor_choice bf16_choice(words& random, reach how) {
  tensor_choice choice;
  choice.dtype = ADAHOP_BF16;
  if (how == reach::tame || random.one_in(2)) {
    choice.min_exponent = 112;
    choice.max_exponent = 140;
    choice.integers = random.one_in(3);
    return choice;
  }
  choice.nonfinite = random.one_in(3);
  switch (random.between(0, 3)) {
    case 0: choice.max_exponent = 8; break;    // subnormals
    case 1: choice.min_exponent = 240; break;  // transforms, products and sums overflow
    case 2: choice.min_exponent = 50, choice.max_exponent = 75; break;  // products underflow
    default: break;
  }
  return choice;
}

}  // namespace

policy policy_of(const std::string& text, const policy& base) {
  const auto parsed = parse_policy(text, base);
  if (!parsed.ok()) std::abort();
  return parsed.value();
}

uint32_t code_at(const mx_matrix& m, int64_t outer, int64_t inner) {
  const uint8_t byte = m.codes[static_cast<size_t>((outer * m.inner + inner) / 2)];
  return inner % 2 == 0 ? byte & 15u : static_cast<uint32_t>(byte) >> 4;
}

void set_code(mx_matrix& m, int64_t outer, int64_t inner, uint32_t code) {
  uint8_t& byte = m.codes[static_cast<size_t>((outer * m.inner + inner) / 2)];
  byte = static_cast<uint8_t>(inner % 2 == 0 ? (byte & 0xF0u) | code : (byte & 0x0Fu) | code << 4);
}

mx_product make_mx_product(reach how, uint64_t seed, int size) {
  words random(seed);
  mx_product x;
  x.rules = random_models(random);
  const int64_t m = dimension(random, size, 6), n = dimension(random, size, 6), blocks = dimension(random, size, 12);
  code_spread left, right;
  left.low = random.between(90, 140);
  left.high = std::min<int64_t>(150, left.low + (random.one_in(3) ? 0 : random.between(0, 40)));
  if (how == reach::wild) {
    switch (random.between(0, 5)) {
      case 0: left.low = random.between(0, 62), left.high = left.low + random.between(0, 20); break;  // sums underflow
      case 1: left.low = random.between(165, 190), left.high = random.between(left.low, 254); break;  // and overflow
      case 2: left.low = 0, left.high = 254, left.nan_every = random.one_in(2) ? 40 : 0; break;
      default: break;
    }
  }
  right.low = left.low;
  right.high = random.one_in(2) ? left.low : left.high;
  for (code_spread* s : {&left, &right})
    if (random.one_in(4)) s->density = random.between(1, 8);
  x.a = random_codes(random, m, blocks, left);
  x.b = random_codes(random, n, blocks, right);
  if (blocks % 2 == 0 && random.one_in(2)) {
    repeat_first_half(random, x.a, true);
    repeat_first_half(random, x.b, false);
  }
  if (random.one_in(5)) align_badly(random, x, random.between(90, 120));
  return x;
}

bf16_product make_bf16_product(reach how, uint64_t seed, int size) {
  words random(seed);
  bf16_product x;
  x.rules = random_models(random);
  // Small integers by the smallest subnormal, and by 2^96 to 2^116: products of subnormals that FP32 holds, whose field
  // exponents lie up to 7 above their own.
  const bool subnormal_by_large = how == reach::wild && random.one_in(4);
  if (subnormal_by_large)
    x.from.integers = true;
  else
    x.from = bf16_choice(random, how);
  x.from.dtype = ADAHOP_BF16;
  x.from.min_cols = x.from.col_multiple = 1;
  x.from.max_cols = 90;
  x.ab = make_operands(x.from, 1, 6, random.next(), size);
  if (subnormal_by_large) {
    x.from.integers = false;
    const int64_t smaller = random.between(0, 7), spread = random.between(0, 20);
    const auto scaled = [&](uint32_t bits, int64_t power) {
      const float integer = std::trunc(std::ldexp(float_of(bits), -static_cast<int>(smaller)));
      return bits_of(std::ldexp(integer, static_cast<int>(power)));
    };
    for (uint32_t& bits : x.ab.a.bits) bits = scaled(bits, -133);
    for (uint32_t& bits : x.ab.b.bits) bits = scaled(bits, 96 + random.between(0, spread));
  }
  // Of one sign, so that what truncation takes adds up.
  if (random.one_in(4))
    for (tensor* t : {&x.ab.a, &x.ab.b})
      for (uint32_t& bits : t->bits) bits &= 0x7FFFFFFFu;
  return x;
}

whole_product make_whole_product(reach how, uint64_t seed, int size) {
  words random(seed);
  whole_product x;
  policy_choice fields = policy_choice::all();
  if (how == reach::tame) fields.rounding = fields.nonfinite = fields.pad = false;
  x.rules = make_policy(fields, random.next());
  if (how == reach::tame) x.rules.min_scale_byte = 0;
  x.rules.oe_k = static_cast<int32_t>(random.one_in(4) ? random.between(1, 70) : random.between(1, 5));
  x.level = static_cast<int32_t>(random.between(1, 2));
  x.pair = one_of(random, kAllPairs);
  x.path = one_of(random, kPaths);
  x.from = bf16_choice(random, how);
  // Few products are large: more cases are worth more than more of the same rows.
  x.from.max_rows = random.one_in(5) ? 40 : 9;
  const bool padded = x.rules.pad == ADAHOP_PAD_ZERO;
  const int64_t unit = std::max<int64_t>(kBlockSize, x.rules.hadamard_size);
  x.from.min_cols = padded ? 1 : unit;
  x.from.col_multiple = padded ? 1 : unit;
  x.from.max_cols = std::max<int64_t>(random.one_in(3) ? 160 : 64, unit);
  x.ab = make_operands(x.from, 1, random.one_in(5) ? 40 : 9, random.next(), size);
  return x;
}

std::ostream& operator<<(std::ostream& os, const bf16_product& x) {
  return os << shown_policy{x.rules} << "\n" << x.ab;
}

std::ostream& operator<<(std::ostream& os, const whole_product& x) {
  return os << fmt::format("{} x {} x {} (M x K x N), level {}, pair {}{}, path {}\n", x.ab.a.rows, x.ab.a.cols,
                           x.ab.b.rows, x.level, letter(x.pair.left), letter(x.pair.right), name(x.path))
            << shown_policy{x.rules} << "\n" << x.ab;
}

}  // namespace adahop::property
