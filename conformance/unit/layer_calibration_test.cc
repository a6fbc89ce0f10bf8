// Votes and ties, observed steps, and the paper's Table 1 as a test of which way round each operand enters its product.
#include <array>
#include <map>
#include <string>

#include "adahop/layer/calibration.h"
#include "conformance/backends/registry.h"
#include "reference_support.h"

using namespace adahop;
using namespace adahop::layer;
using namespace adahop::test;

namespace {

constexpr adahop_pattern kRow = ADAHOP_PATTERN_ROW, kColumn = ADAHOP_PATTERN_COLUMN, kNone = ADAHOP_PATTERN_NONE;

const adahop_backend& reference() { return *conformance::open_backend("reference").value(); }

// "RCN": a step a letter.
tensor_record steps(std::string_view letters) {
  tensor_record t;
  for (const char c : letters) t.steps.push_back({c == 'R' ? kRow : c == 'C' ? kColumn : kNone, 1, 1});
  return t;
}

// Counts of one pair: Total / Fwd / dW / dX.
using counts = std::array<int, 4>;

// Table 1 of the paper for one model; the row CC is derived, being missing from what is known of the table: all other
// rows and the number of layers leave it no freedom.
struct published_table {
  const char* model;
  int layers;
  std::map<std::string, counts> pairs;
};
const published_table kTable1[] = {
    {"Llama3.2-1B",
     112,
     {{"RN", {23, 0, 15, 8}},
      {"RC", {69, 0, 69, 0}},
      {"NN", {35, 15, 0, 20}},
      {"NC", {20, 0, 20, 0}},
      {"CN", {181, 97, 0, 84}},
      {"CC", {8, 0, 8, 0}}}},
    {"Instella-3B",
     252,
     {{"RN", {79, 0, 33, 46}},
      {"RC", {111, 0, 111, 0}},
      {"NN", {100, 36, 2, 62}},
      {"NC", {60, 0, 60, 0}},
      {"CN", {361, 216, 1, 144}},
      {"CC", {45, 0, 45, 0}}}},
    {"Llama3.1-8B",
     224,
     {{"RN", {65, 0, 27, 38}},
      {"RC", {92, 0, 92, 0}},
      {"NN", {103, 32, 4, 67}},
      {"NC", {63, 0, 63, 0}},
      {"CN", {312, 192, 1, 119}},
      {"CC", {37, 0, 37, 0}}}},
};

// How one operand enters a product, as a hypothesis: as it is, or with row and column swapped.
using turn = adahop_pattern (*)(adahop_pattern);
adahop_pattern as_is(adahop_pattern p) { return p; }
adahop_pattern swapped(adahop_pattern p) { return opposite(p); }

std::string text_of(pattern_pair p) { return {letter(p.left), letter(p.right)}; }

// Layers whose dW pairs have the table's dW counts, if G_Y and X enter dW by these turns (each undoes itself). Weights
// have no pattern in the paper's models.
std::vector<layer_patterns> layers_of(const published_table& t, turn gy_in_dw, turn x_in_dw) {
  std::vector<layer_patterns> layers;
  for (const auto& [letters, n] : t.pairs) {
    const pattern_pair pair = *parse_pair(letters);
    layers.insert(layers.end(), static_cast<size_t>(n[2]), {x_in_dw(pair.right), kNone, gy_in_dw(pair.left)});
  }
  return layers;
}

std::map<std::string, counts> count_pairs(const std::vector<layer_patterns>& layers) {
  std::map<std::string, counts> found;
  const std::pair<adahop_path, size_t> columns[] = {{ADAHOP_PATH_FORWARD, 1}, {ADAHOP_PATH_DW, 2}, {ADAHOP_PATH_DX, 3}};
  for (const layer_patterns& l : layers)
    for (const auto& [path, column] : columns) {
      counts& c = found[text_of(pair_of_path(path, l.x, l.w, l.gy))];
      ++c[0];
      ++c[column];
    }
  return found;
}

}  // namespace

TEST_CASE("the verdict over steps is the majority, a tie goes to the verdict seen first", "[spec:12.9]") {
  const std::pair<const char*, adahop_pattern> cases[] = {
      {"", kNone},           {"R", kRow},          {"C", kColumn},   {"N", kNone},     {"RC", kRow},
      {"CR", kColumn},       {"NR", kNone},        {"RN", kRow},     {"RCC", kColumn}, {"CRRC", kColumn},
      {"RCCR", kRow},        {"NCRRCN", kNone},    {"CNRRN", kNone}, {"CNNRR", kNone}, {"CRRNN", kRow},
      {"NRRRCCCC", kColumn}, {"RNNRCCCNN", kNone},
  };
  for (const auto& [letters, verdict] : cases) {
    CAPTURE(letters);
    CHECK(steps(letters).verdict() == verdict);
  }
  CHECK(steps("RNNRCCCNN").votes() == vote_count{2, 3, 4});
}

TEST_CASE("Table 1: the layers that its dW column implies have its Fwd and dX columns", "[spec:8.3]") {
  for (const published_table& t : kTable1) {
    CAPTURE(t.model);
    const std::vector<layer_patterns> layers = layers_of(t, swapped, as_is);
    CHECK(layers.size() == static_cast<size_t>(t.layers));
    CHECK(count_pairs(layers) == t.pairs);
    // The table closes: three products a layer, each counted once.
    counts sums{};
    for (const auto& [pair, n] : t.pairs) {
      CHECK(n[0] == n[1] + n[2] + n[3]);
      for (size_t i = 0; i < sums.size(); ++i) sums[i] += n[i];
    }
    CHECK(sums == counts{3 * t.layers, t.layers, t.layers, t.layers});
    // Identities between its columns: X is column-wise as often in Fwd as in dW, G_Y turns from row to column.
    const auto at = [&](const char* pair, size_t column) { return t.pairs.at(pair)[column]; };
    CHECK(at("CN", 1) == at("RC", 2) + at("NC", 2) + at("CC", 2));
    CHECK(at("RN", 3) == at("CC", 2) + at("CN", 2));
    CHECK(at("CN", 3) == at("RN", 2) + at("RC", 2));
    CHECK(at("NN", 3) == at("NC", 2) + at("NN", 2));
  }
}

TEST_CASE("Table 1: no other orientation of dW's operands gives its Fwd and dX columns", "[spec:8.2][spec:8.3]") {
  const std::pair<turn, turn> wrong[] = {{as_is, as_is}, {as_is, swapped}, {swapped, swapped}};
  for (const published_table& t : kTable1)
    for (const auto& [gy, x] : wrong) {
      CAPTURE(t.model, gy == as_is, x == as_is);
      const auto found = count_pairs(layers_of(t, gy, x));
      const auto column = [](const std::map<std::string, counts>& pairs, size_t i) {
        std::map<std::string, int> only;
        for (const auto& [pair, n] : pairs)
          if (n[i] != 0) only[pair] = n[i];
        return only;
      };
      const bool forward_closes = column(found, 1) == column(t.pairs, 1),
                 dx_closes = column(found, 3) == column(t.pairs, 3);
      CHECK_FALSE((forward_closes && dx_closes));
    }
}

TEST_CASE("calibration: steps are observed in order, with the backend's verdicts", "[spec:12.8][spec:12.9]") {
  generator random(10);
  matrix<bf16> plain = random_bf16(random, 64, 64), rows = plain;
  for (int64_t c = 0; c < 64; ++c)
    for (const int64_t r : {3, 40}) rows.at(r, c).bits = static_cast<uint16_t>(rows.at(r, c).bits + (6 << 7));
  const adahop_view by_row = view_of(rows), by_column = transposed(by_row), none = view_of(plain);
  calibration_plan plan;
  for (const auto& [x, gy] : {std::pair{by_column, by_row}, std::pair{by_column, none}, std::pair{none, none}})
    REQUIRE(observe(reference(), plan, "a", x, none, gy).ok());
  REQUIRE(observe(reference(), plan, "b", by_row, by_column, by_column).ok());

  REQUIRE(plan.layers.size() == 2);
  const layer_record& a = *plan.find("a");
  CHECK(a.x.votes() == vote_count{0, 2, 1});
  CHECK(a.grad_output.votes() == vote_count{1, 0, 2});
  CHECK(a.patterns().x == kColumn);
  CHECK(a.patterns().w == kNone);
  CHECK(a.patterns().gy == kNone);
  CHECK(a.x.steps[2].verdict == kNone);
  CHECK(plan.find("b")->patterns().x == kRow);
  CHECK(plan.find("b")->patterns().w == kColumn);
  CHECK(plan.find("c") == nullptr);
  // The statistics are the pattern operation's.
  adahop_pattern_result found{};
  REQUIRE(
      conformance::caller(&reference()).run(adahop_pattern_args{&plan.how, by_column, nullptr, nullptr, &found}).ok());
  CHECK(a.x.steps[0].cv_row == found.cv_row);
  CHECK(a.x.steps[0].cv_col == found.cv_col);
}

TEST_CASE("calibration: what does not fit is refused and leaves the plan as it was", "[spec:12.8]") {
  generator random(11);
  const matrix<bf16> x = random_bf16(random, 32, 64), w = random_bf16(random, 96, 64), gy = random_bf16(random, 32, 96),
                     w2 = random_bf16(random, 64, 64), gy2 = random_bf16(random, 32, 64), none(0, 64);
  calibration_plan plan;
  const auto why = [&](const std::string& name, const matrix<bf16>& a, const matrix<bf16>& b, const matrix<bf16>& c) {
    return observe(reference(), plan, name, view_of(a), view_of(b), view_of(c)).message();
  };
  CHECK(why("l", x, gy, gy) == "layer 'l': w: expected 64 columns as x has, found 96");
  CHECK(why("l", x, w, gy2) == "layer 'l': gy: expected shape 32 x 96 from x and w, found 32 x 64");
  CHECK(why("l", none, w, gy) == "layer 'l': x: expected elements, found shape 0 x 64");
  CHECK(why("", x, w, gy) == "layer '': expected a name of 1 to 256 printable ASCII characters");
  CHECK(why("a\nb", x, w, gy) == "layer 'a\\x0ab': expected a name of 1 to 256 printable ASCII characters");
  CHECK(plan.layers.empty());
  REQUIRE(why("l", x, w, gy).empty());
  CHECK(why("l", x, w2, gy2) == "layer 'l': w: expected shape 96 x 64 as in its first step, found 64 x 64");
  CHECK(plan.layers[0].x.steps.size() == 1);
}
