// The generators reach the inputs that they are there for, keep to what was chosen, and what they call simpler ends.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

#include "catch.h"
#include "pick.h"
#include "reference/quantize.h"
#include "repetitions.h"

namespace adahop::property {
namespace {

constexpr int kSize = 100;

bool is_finite(uint32_t bits) { return (bits & 0x7FFFFFFFu) < 0x7F800000u; }

// Elements that lie exactly halfway between two codes under the scale that quantizing gives their block.
int64_t ties_of(const tensor& t) {
  stored_tensor memory(t);
  mx_matrix mx(t.rows, t.cols);
  reference::quantize(default_policy(), memory.view(), view_of(mx));
  int64_t ties = 0;
  for (size_t i = 0; i < t.bits.size(); ++i) {
    if (mx.scales[i / kBlockSize] == kE8m0Nan) continue;
    const double a = std::ldexp(std::fabs(static_cast<double>(float_of(t.bits[i]))), 127 - mx.scales[i / kBlockSize]);
    for (const double tie : {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0}) ties += a == tie ? 1 : 0;
  }
  return ties;
}

// Rows of which every non-zero element is larger than every element of some other row.
int64_t outlier_rows(const tensor& t) {
  std::vector<std::pair<float, float>> range;
  for (int64_t r = 0; r < t.rows; ++r) {
    float low = INFINITY, high = 0;
    for (int64_t c = 0; c < t.cols; ++c) {
      const float v = std::fabs(t.value(r, c));
      if (v > 0) low = std::min(low, v);
      high = std::max(high, v);
    }
    range.emplace_back(low, high);
  }
  const auto least = std::min_element(range.begin(), range.end(), [](auto& a, auto& b) { return a.second < b.second; });
  return std::count_if(range.begin(), range.end(),
                       [&](auto& row) { return row.first > least->second && row.first < INFINITY; });
}

TEST_CASE("generated tensors hold what tests need", "[property]") {
  std::map<std::string, int> seen;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const tensor t = make_tensor({}, seed, kSize);
    const auto some = [&](auto&& is) { return std::any_of(t.bits.begin(), t.bits.end(), is); };
    const auto count = [&](const std::string& what, bool is) { seen[what] += is ? 1 : 0; };
    CHECK(std::all_of(t.bits.begin(), t.bits.end(), is_finite));
    CHECK((t.rows >= 1 && t.rows <= 6 && t.cols % 32 == 0 && t.cols >= 32 && t.cols <= 160));
    count("ties of E2M1", ties_of(t) > 0);
    count("ties of BF16", t.dtype == ADAHOP_F32 && some([](uint32_t b) { return (b & 0xFFFFu) == 0x8000u; }));
    count("just beside ties of BF16",
          some([](uint32_t b) { return (b & 0xFFFFu) == 0x7FFFu || (b & 0xFFFFu) == 0x8001u; }));
    count("subnormals", some([](uint32_t b) { return (b & 0x7F800000u) == 0 && (b & 0x7FFFFFu) != 0; }));
    count("the largest exponent", some([](uint32_t b) { return (b & 0x7F800000u) == 0x7F000000u; }));
    count("+0", some([](uint32_t b) { return b == 0; }));
    count("-0", some([](uint32_t b) { return b == 0x80000000u; }));
    count("one row", t.rows == 1);
    count("one block", t.cols == 32);
    count("an odd number of blocks", t.cols % 64 == 32);
    count("constant rows", t.rows > 1 && std::all_of(t.bits.begin(), t.bits.begin() + t.cols,
                                                     [&](uint32_t b) { return b == t.bits[0]; }));
    count("outlier rows: " + std::to_string(outlier_rows(t)), true);
    count("outlier columns", t.rows > 1 && outlier_rows(transpose(t)) > 0);
    count("transposed", t.where.transposed);
    count("unaligned", t.where.offset % 2 == 1);
    count("gaps", t.where.gap > 0);
    count("steps", t.where.step > 1);
    count("FP32", t.dtype == ADAHOP_F32);
  }
  for (const auto& [what, times] : seen) {
    CAPTURE(what, times);
    CHECK(times >= 10);
  }
  for (int n = 0; n < 6; ++n) CHECK(seen.contains("outlier rows: " + std::to_string(n)));
}

TEST_CASE("a property makes the cases that it is asked for", "[property]") {
  const char* const given = std::getenv("RC_PARAMS");
  const std::string asked = given != nullptr ? given : "";
  // Who replays a case or sets the number gets what he asks for.
  if (asked.find("reproduce=") != asked.npos || asked.find("max_success=") != asked.npos) return;
  const char* const factor = std::getenv("ADAHOP_PROPERTY_FACTOR");
  int made = 0;
  check_property("counted cases", 50, [&] {
    pick_word("word");
    ++made;
  });
  CHECK(made == test::repetitions(50) * (factor != nullptr ? std::max(std::atoi(factor), 1) : 1));
}

TEST_CASE("choices are kept, by simpler tensors too, and simplifying ends", "[property]") {
  const tensor_choice choices[] =
      {{},
       {.dtype = ADAHOP_BF16, .nonfinite = true},
       {.min_rows = 2, .min_cols = 64, .min_exponent = 60, .max_exponent = 190, .placements = false},
       {.dtype = ADAHOP_F32, .min_cols = 1, .max_cols = 40, .col_multiple = 1, .integers = true}};
  const auto is_chosen = [](const tensor_choice& choice, const tensor& t) {
    if (t.rows < choice.min_rows || t.cols < choice.min_cols || t.cols % choice.col_multiple != 0) return false;
    if (!choice.placements && t.where != placement{}) return false;
    return std::all_of(t.bits.begin(), t.bits.end(), [&](uint32_t bits) {
      if ((bits & 0x7FFFFFFFu) == 0) return true;
      if (t.dtype == ADAHOP_BF16 && (bits & 0xFFFFu) != 0) return false;
      if (!is_finite(bits)) return choice.nonfinite;
      const int64_t field = bits >> 23 & 0xFFu;
      const float v = std::fabs(float_of(bits));
      return field >= choice.min_exponent && field <= choice.max_exponent &&
             (!choice.integers || (v <= 256 && v == std::trunc(v)));
    });
  };
  int nonfinite = 0;
  for (const tensor_choice& choice : choices) {
    for (uint64_t seed = 0; seed < 8; ++seed) {
      tensor t = make_tensor(choice, seed, 20);  // small: each step lists all candidates
      REQUIRE(is_chosen(choice, t));
      nonfinite += std::all_of(t.bits.begin(), t.bits.end(), is_finite) ? 0 : 1;
      // Not the most drastic candidates but the least, as long as there are any.
      int steps = 0;
      for (auto list = simpler(choice, t); !list.empty(); list = simpler(choice, t)) {
        t = list[list.size() - 1 - static_cast<size_t>(steps) % std::min<size_t>(list.size(), 40)]();
        REQUIRE(is_chosen(choice, t));
        REQUIRE(++steps < 20000);
      }
      CHECK((t.rows == choice.min_rows && t.cols == choice.min_cols && t.where == placement{}));
      CHECK(std::all_of(t.bits.begin(), t.bits.end(), [](uint32_t bits) { return bits == 0; }));
    }
  }
  CHECK(nonfinite > 0);
}

TEST_CASE("random policies are valid, and their simplest are the defaults", "[property][spec:4.2]") {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    policy p = make_policy(policy_choice::all(), seed);
    REQUIRE(validate(p).ok());
    for (auto list = simpler(p); !list.empty(); list = simpler(p)) {
      p = list.back()();
      REQUIRE(validate(p).ok());
    }
    p.oe_k = default_policy().oe_k;
    CHECK(canonical_line(p) == canonical_line(default_policy()));
  }
}

}  // namespace
}  // namespace adahop::property
