// Pairs and strategies against the published table, written out.
#include <string>

#include "adahop/plan.h"
#include "reference_support.h"

using namespace adahop;

namespace {

constexpr adahop_pattern kPatterns[] = {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN};

// The paper's table, in its order of pairs.
constexpr struct {
  std::string_view pair, level1, level2;
} kPublished[] = {
    {"RR", "IHT", "IHT"},           {"RC", "OE-right", "OE-right"}, {"RN", "OE-left", "OE-left"},
    {"CR", "IHT", "IHT"},           {"CC", "OE-right", "BF16"},     {"CN", "IHT", "IHT"},
    {"NR", "IHT", "IHT"},           {"NC", "OE-right", "OE-right"}, {"NN", "IHT", "IHT"},
};

}  // namespace

TEST_CASE("the published strategy table", "[spec:8.4][spec:8.5]") {
  for (size_t i = 0; i < kAllPairs.size(); ++i) {
    const auto& row = kPublished[i];
    INFO(row.pair);
    REQUIRE(parse_pair(row.pair) == kAllPairs[i]);
    for (const adahop_path path : kPaths) {
      CHECK(name(strategy_of(1, kAllPairs[i], path, ADAHOP_LEFT_OE_PUBLISHED)) == row.level1);
      CHECK(name(strategy_of(2, kAllPairs[i], path, ADAHOP_LEFT_OE_PUBLISHED)) == row.level2);
    }
  }
}

TEST_CASE("left_oe_on_dw=port changes RN on dW and nothing else", "[spec:8.6]") {
  for (const pattern_pair pair : kAllPairs)
    for (const adahop_path path : kPaths)
      for (const int level : {1, 2}) {
        const bool exception = pair == *parse_pair("RN") && path == ADAHOP_PATH_DW;
        const strategy published = strategy_of(level, pair, path, ADAHOP_LEFT_OE_PUBLISHED);
        const strategy port = strategy_of(level, pair, path, ADAHOP_LEFT_OE_PORT);
        CHECK(port == (exception ? strategy::iht : published));
        if (exception) CHECK(published == strategy::oe_left);
      }
}

TEST_CASE("transposing swaps row and column", "[spec:8.2]") {
  CHECK(opposite(ADAHOP_PATTERN_ROW) == ADAHOP_PATTERN_COLUMN);
  CHECK(opposite(ADAHOP_PATTERN_COLUMN) == ADAHOP_PATTERN_ROW);
  CHECK(opposite(ADAHOP_PATTERN_NONE) == ADAHOP_PATTERN_NONE);
}

TEST_CASE("the pairs of the three products", "[spec:8.1][spec:8.3]") {
  const auto pair_text = [](adahop_path path, adahop_pattern x, adahop_pattern w, adahop_pattern gy) {
    const pattern_pair pair = pair_of_path(path, x, w, gy);
    return std::string{letter(pair.left), letter(pair.right)};
  };
  // The case of most layers in training: X column-wise, W without pattern, G_Y row-wise.
  CHECK(pair_text(ADAHOP_PATH_FORWARD, ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW) == "CN");
  CHECK(pair_text(ADAHOP_PATH_DX, ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW) == "RN");
  CHECK(pair_text(ADAHOP_PATH_DW, ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW) == "CC");
  const std::string letters = "NRC", swapped = "NCR";
  for (const adahop_pattern x : kPatterns)
    for (const adahop_pattern w : kPatterns)
      for (const adahop_pattern gy : kPatterns) {
        CHECK(pair_text(ADAHOP_PATH_FORWARD, x, w, gy) == std::string{letters[x], swapped[w]});  // X, W transposed
        CHECK(pair_text(ADAHOP_PATH_DX, x, w, gy) == std::string{letters[gy], letters[w]});      // G_Y, W
        CHECK(pair_text(ADAHOP_PATH_DW, x, w, gy) == std::string{swapped[gy], letters[x]});      // G_Y transposed, X
      }
}

TEST_CASE("names of pairs", "[spec:8.3]") {
  CHECK_FALSE(parse_pair("R").has_value());
  CHECK_FALSE(parse_pair("RX").has_value());
  CHECK_FALSE(parse_pair("RNN").has_value());
  CHECK(name(ADAHOP_PATTERN_COLUMN) == "column");
  CHECK(name(ADAHOP_PATH_DW) == "dW");
}
