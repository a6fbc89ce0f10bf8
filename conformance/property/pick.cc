// Picks by RapidCheck: one random word makes the value, the simpler values are ours.
#include "pick.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <ostream>

#include "random_pick.h"
#include "words.h"

namespace adahop::property {
namespace {

// RapidCheck prints a value by its type, so what has no << of its own gets one here.
struct shown_word {
  uint64_t word;
};
std::ostream& operator<<(std::ostream& os, const shown_word& s) { return os << fmt::format("0x{:X}", s.word); }

struct shown_value {
  uint32_t bits;
};
std::ostream& operator<<(std::ostream& os, const shown_value& s) {
  return os << fmt::format("{:08X} ({:g})", s.bits, float_of(s.bits));
}

template <class T>
struct shown_list {
  std::vector<T> list;
};
template <class T>
std::ostream& operator<<(std::ostream& os, const shown_list<T>& s) {
  return os << fmt::format("{{{}}}", fmt::join(s.list, ", "));
}

struct shown_place {
  placement p;
};
std::ostream& operator<<(std::ostream& os, const shown_place& s) {
  return os << fmt::format("offset {}, step {}, gap {}{}", s.p.offset, s.p.step, s.p.gap,
                           s.p.transposed ? ", transposed" : "");
}

struct shown_mx {
  mx_matrix m;
};
std::ostream& operator<<(std::ostream& os, const shown_mx& s) {
  os << fmt::format("MXFP4 [{} x {}]", s.m.outer, s.m.inner);
  for (size_t i = 0; i < s.m.scales.size(); ++i) {
    os << fmt::format("\n  row {}, block {}: scale {:02X}, bytes of codes",
                      i / static_cast<size_t>(s.m.inner / kBlockSize), i % static_cast<size_t>(s.m.inner / kBlockSize),
                      s.m.scales[i]);
    for (size_t j = 0; j < kBlockBytes; ++j) os << fmt::format(" {:02X}", s.m.codes[i * kBlockBytes + j]);
  }
  return os;
}

// Halfway down to `low` again and again, then one less.
template <class T>
simpler_values<T> lower(T value, T low) {
  simpler_values<T> list;
  for (T distance = value - low; distance > 0; distance = static_cast<T>(distance / 2))
    list.push_back([=] { return static_cast<T>(value - distance); });
  return list;
}

template <class Shown>
simpler_values<Shown> wrapped(auto list) {
  simpler_values<Shown> shown;
  for (auto& candidate : list) shown.push_back([candidate] { return Shown{candidate()}; });
  return shown;
}

mx_matrix make_mx(const mx_choice& choice, uint64_t seed, int size) {
  words w(seed);
  const auto up_to = [&](int64_t low, int64_t high) { return w.between(low, low + ((high - low) * size + 99) / 100); };
  const int64_t outer = up_to(choice.min_outer, choice.max_outer);
  mx_matrix m(outer, kBlockSize * up_to(choice.min_blocks, choice.max_blocks));
  const bool sparse = w.one_in(4);
  for (uint8_t& codes : m.codes) codes = sparse && !w.one_in(8) ? uint8_t{0} : static_cast<uint8_t>(w.next());
  // Bytes near one another, so that terms meet; now and then any byte.
  const int64_t base = w.between(choice.low_byte, choice.high_byte);
  for (uint8_t& byte : m.scales) {
    const int64_t near = std::clamp<int64_t>(base + w.between(-6, 6), choice.low_byte, choice.high_byte);
    byte = static_cast<uint8_t>(w.one_in(8) ? w.between(choice.low_byte, choice.high_byte) : near);
    if (choice.nan_bytes && w.one_in(32)) byte = kE8m0Nan;
  }
  return m;
}

mx_matrix part_of(const mx_matrix& m, int64_t first_row, int64_t rows, int64_t first_block, int64_t blocks) {
  mx_matrix part(rows, kBlockSize * blocks);
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t from = (first_row + r) * (m.inner / kBlockSize) + first_block;
    std::copy_n(m.scales.begin() + from, blocks, part.scales.begin() + r * blocks);
    std::copy_n(m.codes.begin() + kBlockBytes * from, kBlockBytes * blocks,
                part.codes.begin() + kBlockBytes * r * blocks);
  }
  return part;
}

simpler_values<shown_mx> simpler(const mx_choice& choice, const mx_matrix& m) {
  simpler_values<shown_mx> list;
  const int64_t blocks = m.inner / kBlockSize;
  const auto cut = [&](int64_t first_row, int64_t rows, int64_t first_block, int64_t kept) {
    if (rows >= choice.min_outer && kept >= choice.min_blocks && (rows < m.outer || kept < blocks))
      list.push_back([=] { return shown_mx{part_of(m, first_row, rows, first_block, kept)}; });
  };
  cut(0, m.outer / 2, 0, blocks);
  cut(m.outer - m.outer / 2, m.outer / 2, 0, blocks);
  cut(0, m.outer - 1, 0, blocks);
  cut(1, m.outer - 1, 0, blocks);
  cut(0, m.outer, 0, blocks / 2);
  cut(0, m.outer, blocks - blocks / 2, blocks / 2);
  cut(0, m.outer, 0, blocks - 1);
  cut(0, m.outer, 1, blocks - 1);
  const auto change = [&](bool scale, size_t i, uint8_t byte) {
    list.push_back([=] {
      mx_matrix changed = m;
      (scale ? changed.scales : changed.codes)[i] = byte;
      return shown_mx{std::move(changed)};
    });
  };
  const int32_t plain = std::clamp(kE8m0Bias, choice.low_byte, choice.high_byte);
  for (size_t i = 0; i < m.scales.size(); ++i) {
    if (m.scales[i] == plain) continue;
    change(true, i, static_cast<uint8_t>(plain));
    if (m.scales[i] != kE8m0Nan && std::abs(m.scales[i] - plain) > 1)
      change(true, i, static_cast<uint8_t>((m.scales[i] + plain) / 2));
  }
  for (size_t i = 0; i < m.codes.size(); ++i) {
    if (m.codes[i] == 0) continue;
    change(false, i, 0);
    if ((m.codes[i] & 0xF0u) != 0 && (m.codes[i] & 0x0Fu) != 0) {
      change(false, i, m.codes[i] & 0x0Fu);
      change(false, i, m.codes[i] & 0xF0u);
    }
  }
  return list;
}

}  // namespace

int64_t pick_integer(const std::string& name, int64_t low, int64_t high) {
  return random_pick<int64_t>(
      name, [=](uint64_t seed, int) { return words(seed).between(low, high); },
      [=](int64_t value) { return lower<int64_t>(value, low); });
}

uint64_t pick_word(const std::string& name) {
  return random_pick<shown_word>(
             name, [](uint64_t seed, int) { return shown_word{words(seed).next()}; },
             [](const shown_word& s) { return wrapped<shown_word>(lower<uint64_t>(s.word, 0)); })
      .word;
}

int32_t pick_of(const std::string& name, std::initializer_list<int32_t> values) {
  const std::vector<int32_t> list(values);
  return random_pick<int32_t>(
      name, [list](uint64_t seed, int) { return list[words(seed).next() % list.size()]; },
      [list](int32_t value) {
        simpler_values<int32_t> earlier;
        for (auto it = list.begin(); it != list.end() && *it != value; ++it) earlier.push_back([v = *it] { return v; });
        return earlier;
      });
}

uint32_t pick_value(const std::string& name, const tensor_choice& choice) {
  return random_pick<shown_value>(
             name, [=](uint64_t seed, int) { return shown_value{make_value(choice, seed)}; },
             [=](const shown_value& s) { return wrapped<shown_value>(simpler(choice, s.bits)); })
      .bits;
}

tensor pick_tensor(const std::string& name, const tensor_choice& choice) {
  return random_pick<tensor>(
      name, [=](uint64_t seed, int size) { return make_tensor(choice, seed, size); },
      [=](const tensor& t) { return simpler(choice, t); });
}

operands pick_operands(const std::string& name, const tensor_choice& choice, int64_t min_b_rows, int64_t max_b_rows) {
  return random_pick<operands>(
      name, [=](uint64_t seed, int size) { return make_operands(choice, min_b_rows, max_b_rows, seed, size); },
      [=](const operands& o) { return simpler(choice, min_b_rows, o); });
}

policy pick_policy(const std::string& name, const policy_choice& choice) {
  return random_pick<shown_policy>(
             name, [=](uint64_t seed, int) { return shown_policy{make_policy(choice, seed)}; },
             [](const shown_policy& s) { return wrapped<shown_policy>(simpler(s.p)); })
      .p;
}

placement pick_placement(const std::string& name) {
  return random_pick<shown_place>(
             name, [](uint64_t seed, int) { return shown_place{make_placement(seed)}; },
             [](const shown_place& s) { return wrapped<shown_place>(simpler(s.p)); })
      .p;
}

std::vector<int64_t> pick_permutation(const std::string& name, int64_t n) {
  using shown = shown_list<int64_t>;
  const auto make = [=](uint64_t seed, int) {
    words w(seed);
    shown order{std::vector<int64_t>(static_cast<size_t>(n))};
    std::iota(order.list.begin(), order.list.end(), 0);
    for (int64_t i = n - 1; i > 0; --i)
      std::swap(order.list[static_cast<size_t>(i)], order.list[static_cast<size_t>(w.between(0, i))]);
    return order;
  };
  // Brings one number to its place, which leaves fewer out of place.
  const auto simplify = [](const shown& s) {
    simpler_values<shown> list;
    for (size_t i = 0; i < s.list.size(); ++i) {
      if (s.list[i] == static_cast<int64_t>(i)) continue;
      list.push_back([s, i] {
        shown t = s;
        std::swap(*std::find(t.list.begin(), t.list.end(), static_cast<int64_t>(i)), t.list[i]);
        return t;
      });
    }
    return list;
  };
  return random_pick<shown>(name, make, simplify).list;
}

std::vector<int32_t> pick_subset(const std::string& name, int64_t n, int64_t max_count) {
  using shown = shown_list<int32_t>;
  const auto make = [=](uint64_t seed, int) {
    words w(seed);
    const int64_t wanted = w.between(0, std::min(n, max_count));
    shown chosen;
    // Each number with the chance that is left, so that exactly `wanted` are taken.
    for (int64_t i = 0, left = wanted; i < n && left > 0; ++i)
      if (w.between(1, n - i) <= left) {
        chosen.list.push_back(static_cast<int32_t>(i));
        --left;
      }
    return chosen;
  };
  const auto simplify = [](const shown& s) {
    simpler_values<shown> list;
    for (size_t i = 0; i < s.list.size(); ++i)
      list.push_back([s, i] {
        shown t = s;
        t.list.erase(t.list.begin() + static_cast<int64_t>(i));
        return t;
      });
    return list;
  };
  return random_pick<shown>(name, make, simplify).list;
}

mx_matrix pick_mx(const std::string& name, const mx_choice& choice) {
  return random_pick<shown_mx>(
             name, [=](uint64_t seed, int size) { return shown_mx{make_mx(choice, seed, size)}; },
             [=](const shown_mx& s) { return simpler(choice, s.m); })
      .m;
}

}  // namespace adahop::property
