// Simpler products, and how quantized operands print.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>

#include "product_inputs.h"

namespace adahop::property {
namespace {

// Calls visit(first, count) for the halves, the quarters and so on of n things, single ones last.
template <class Visit>
void for_each_part(int64_t n, const Visit& visit) {
  for (int64_t count = (n + 1) / 2; count >= 1; count = count == 1 ? 0 : (count + 1) / 2)
    for (int64_t first = 0; first < n; first += count) visit(first, std::min(count, n - first));
}

// m without rows [first, first + count), and without these blocks.
mx_matrix without_rows(const mx_matrix& m, int64_t first, int64_t count) {
  mx_matrix out(m.outer - count, m.inner);
  const auto copy = [&](const std::vector<uint8_t>& from, std::vector<uint8_t>& to) {
    const int64_t pitch = static_cast<int64_t>(from.size()) / m.outer;
    auto end = std::copy(from.begin(), from.begin() + first * pitch, to.begin());
    std::copy(from.begin() + (first + count) * pitch, from.end(), end);
  };
  copy(m.codes, out.codes);
  copy(m.scales, out.scales);
  return out;
}

mx_matrix without_blocks(const mx_matrix& m, int64_t first, int64_t count) {
  const int64_t blocks = m.inner / kBlockSize;
  mx_matrix out(m.outer, m.inner - count * kBlockSize);
  const auto copy = [&](const std::vector<uint8_t>& from, std::vector<uint8_t>& to, int64_t block_bytes) {
    auto end = to.begin();
    for (int64_t r = 0; r < m.outer; ++r) {
      const auto row = from.begin() + r * blocks * block_bytes;
      end = std::copy(row, row + first * block_bytes, end);
      end = std::copy(row + (first + count) * block_bytes, row + blocks * block_bytes, end);
    }
  };
  copy(m.codes, out.codes, kBlockBytes);
  copy(m.scales, out.scales, 1);
  return out;
}

constexpr uint32_t kOneCode = 2;
constexpr uint8_t kOneByte = 127;

// A list of candidates over one starting point.
class candidates {
 public:
  explicit candidates(const mx_product& x) : x_(std::make_shared<const mx_product>(x)) {}

  template <class Change>
  void add(const Change& change) {
    list_.push_back([x = x_, change] {
      mx_product y = *x;
      change(y);
      return y;
    });
  }
  simpler_values<mx_product> list() && { return std::move(list_); }

 private:
  std::shared_ptr<const mx_product> x_;
  simpler_values<mx_product> list_;
};

void add_rows(candidates& all, const mx_product& x, mx_matrix mx_product::*side) {
  const int64_t outer = (x.*side).outer;
  for_each_part(outer, [&](int64_t first, int64_t count) {
    if (count < outer)
      all.add([=](mx_product& y) { y.*side = without_rows(y.*side, first, count); });
  });
}

// Codes towards 0, then towards 1; scales towards 1.
void add_values(candidates& all, const mx_product& x, mx_matrix mx_product::*side) {
  const mx_matrix& m = x.*side;
  const int64_t inner = m.inner;
  for_each_part(m.outer * inner, [&](int64_t first, int64_t count) {
    bool zeros = true;
    for (int64_t i = first; i < first + count; ++i) zeros = zeros && code_at(m, i / inner, i % inner) == 0;
    if (!zeros)
      all.add([=](mx_product& y) {
        for (int64_t i = first; i < first + count; ++i) set_code(y.*side, i / inner, i % inner, 0);
      });
  });
  for (int64_t i = 0; i < m.outer * inner; ++i)
    if (const uint32_t code = code_at(m, i / inner, i % inner); code != 0 && code != kOneCode)
      all.add([=](mx_product& y) { set_code(y.*side, i / inner, i % inner, kOneCode); });
  for (size_t i = 0; i < m.scales.size(); ++i)
    if (m.scales[i] != kOneByte) all.add([=](mx_product& y) { (y.*side).scales[i] = kOneByte; });
}

// Of a product with a policy and two tensors: simpler operands, then a plainer policy.
template <class Product>
simpler_values<Product> simpler_parts(const Product& x) {
  const auto base = std::make_shared<const Product>(x);
  simpler_values<Product> all;
  for (auto& smaller : simpler(x.from, 1, x.ab))
    all.push_back([base, smaller] {
      Product y = *base;
      y.ab = smaller();
      return y;
    });
  for (auto& plainer : simpler(x.rules)) {
    const policy rules = plainer();
    const int64_t unit = std::max<int64_t>(kBlockSize, rules.hadamard_size);
    // The operands stay what they are, so their inner dimension has to remain a legal one.
    if (x.from.col_multiple == 1 && rules.pad == ADAHOP_PAD_ERROR && x.ab.a.cols % unit != 0) continue;
    all.push_back([base, rules] {
      Product y = *base;
      y.rules = rules;
      return y;
    });
  }
  return all;
}

std::string row_text(const mx_matrix& m, int64_t r) {
  std::string text;
  for (int64_t block = 0; block < m.inner / kBlockSize; ++block) {
    text += fmt::format(" 2^{}*[", m.scales[static_cast<size_t>(r * m.inner / kBlockSize + block)] - 127);
    for (int64_t i = 0; i < kBlockSize;) {
      const uint32_t code = code_at(m, r, block * kBlockSize + i);
      int64_t run = 1;
      while (i + run < kBlockSize && code_at(m, r, block * kBlockSize + i + run) == code) ++run;
      text += fmt::format("{}{:X}", i > 0 ? " " : "", code);
      if (run > 1) text += fmt::format(" x{}", run);
      i += run;
    }
    text += "]";
  }
  return text;
}

}  // namespace

simpler_values<mx_product> simpler(const mx_product& x) {
  candidates all(x);
  add_rows(all, x, &mx_product::a);
  add_rows(all, x, &mx_product::b);
  const int64_t blocks = x.a.inner / kBlockSize;
  for_each_part(blocks, [&](int64_t first, int64_t count) {
    if (count < blocks)
      all.add([=](mx_product& y) {
        y.a = without_blocks(y.a, first, count);
        y.b = without_blocks(y.b, first, count);
      });
  });
  add_values(all, x, &mx_product::a);
  add_values(all, x, &mx_product::b);
  return std::move(all).list();
}

simpler_values<bf16_product> simpler(const bf16_product& x) { return simpler_parts(x); }

simpler_values<whole_product> simpler(const whole_product& x) {
  simpler_values<whole_product> all = simpler_parts(x);
  if (x.level != 1 || x.path != ADAHOP_PATH_FORWARD)
    all.push_back([x] {
      whole_product y = x;
      y.level = 1;
      y.path = ADAHOP_PATH_FORWARD;
      return y;
    });
  return all;
}

std::ostream& operator<<(std::ostream& os, const mx_product& x) {
  os << fmt::format("{} x {} x {} (M x K x N), {}, {}\n", x.a.outer, x.a.inner, x.b.outer, field_text(x.rules, "gemm_model"),
                    field_text(x.rules, "output"));
  for (const auto& [side, m] : {std::pair{'a', &x.a}, std::pair{'b', &x.b}})
    for (int64_t r = 0; r < m->outer; ++r) os << fmt::format("{}[{}]:{}\n", side, r, row_text(*m, r));
  return os;
}

}  // namespace adahop::property
