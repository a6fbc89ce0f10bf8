// Hostile JSON beside what the command line's tests see: saved cases, the manifest of the real tensors, coverage; and
// refusals that stay one printable line. [spec:12.5]
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adahop/io/mx_file.h"
#include "catch.h"
#include "conformance/report/saved_case.h"
#include "conformance/suites/real_data.h"

using namespace adahop;
using namespace adahop::conformance;
using Catch::Matchers::Contains;
using json = nlohmann::ordered_json;

namespace {

// A product of two blocks, its result of `rows` x `cols`.
struct sample_case {
  json document;
  std::vector<io::named_array> arrays;

  sample_case(int64_t rows, int64_t cols) {
    document = {{"case", "c"}, {"stage", "s"}, {"clauses", "10.1"}, {"reason", "r"}, {"backend", "b"}, {"about", ""},
                {"operation", "mx_gemm"}, {"policy", canonical_line(default_policy())},
                {"difference", {{"output", "out"}, {"row", 0}, {"col", 0}}}, {"tensors", json::array()}};
    for (const char* side : {"input.0", "input.1"}) {
      add(fmt::format("{}.codes", side), "E2M1", io::dtype::f4, {1, 32}, 16);
      add(fmt::format("{}.scales", side), "E8M0", io::dtype::f8_e8m0, {1, 1}, 1);
    }
    for (const char* side : {"expected.out", "got.out"})
      add(side, "FP32", io::dtype::f32, {rows, cols}, static_cast<size_t>(4 * rows * cols));
  }
  void add(const std::string& tensor, const char* element, io::dtype type, std::vector<int64_t> shape, size_t bytes) {
    document["tensors"].push_back({{"tensor", tensor}, {"element", element}, {"shape", shape}});
    arrays.push_back({tensor, {type, std::move(shape), std::vector<uint8_t>(bytes)}});
  }
  result<saved_case> parse() const {
    const auto file = io::safetensors::parse(io::encode_safetensors(arrays, {}).value(), "c.safetensors");
    REQUIRE(file.ok());
    return parse_case(document.dump(), file.value(), "c.json");
  }
};

bool is_printable_line(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

}  // namespace

TEST_CASE("saved case: the inputs may ask for no other result than the saved one", "[spec:12.5]") {
  const auto right = sample_case(1, 1).parse();
  REQUIRE(right.ok());
  CHECK(call_of(right.value()).ok());
  const auto wrong = sample_case(2, 3).parse();
  REQUIRE(wrong.ok());
  CHECK(call_of(wrong.value()).why().code() == ADAHOP_BAD_FILE);
  CHECK_THAT(call_of(wrong.value()).why().message(), Contains("expected expected.out of 1 x 1 elements of type FP32"));
}

TEST_CASE("saved case: integers are integers, dimensions bounded, arrays named once", "[spec:12.5]") {
  for (const json& value : {json(1e300), json(true), json(0.5), json(UINT64_MAX), json("0"), json(nullptr)}) {
    sample_case place(1, 1), shape(1, 1);
    place.document["difference"]["row"] = value;
    shape.document["tensors"][0]["shape"][1] = value;
    for (const sample_case& c : {place, shape}) {
      CHECK(c.parse().why().code() == ADAHOP_BAD_FILE);
      CHECK_THAT(c.parse().why().message(), Contains("expected an integer of 64 bits"));
    }
  }
  // No elements, but rows that a call would compute with.
  sample_case vast(1, 1);
  vast.document["tensors"][0]["shape"] = {int64_t{1} << 62, 0};
  CHECK_THAT(vast.parse().why().message(), Contains("shape: expected at most"));
  sample_case twice(1, 1);
  twice.document["tensors"].push_back(twice.document["tensors"][0]);
  CHECK_THAT(twice.parse().why().message(), Contains("expected each once, found 'input.0.codes' twice"));
  sample_case missing(1, 1);
  missing.document["tensors"][0]["tensor"] = "input.7";
  CHECK(missing.parse().why().code() == ADAHOP_BAD_FILE);
}

TEST_CASE("files: a refused policy is quoted without control characters", "[spec:12.5]") {
  sample_case c(1, 1);
  c.document["policy"] = "adahop-policy/1 \n\x1b[2J=1";
  CHECK_THAT(c.parse().why().message(), Contains("policy: unknown key"));
  CHECK(is_printable_line(c.parse().why().message()));

  const auto file = io::safetensors::parse(
      io::encode_safetensors({}, {{"format", "adahop-mxfp4/1"}, {"policy", "adahop-policy/1 \n\x1b[2J=1"}}).value(), "q");
  REQUIRE(file.ok());
  const status refused = io::parse_mx_file(file.value()).why();
  CHECK_THAT(refused.message(), Contains("a policy of this version"));
  CHECK(is_printable_line(refused.message()));
}

TEST_CASE("safetensors: a message lists the first names of many", "[spec:12.5]") {
  std::vector<io::named_array> arrays;
  for (int i = 0; i < 1000; ++i) arrays.push_back({fmt::format("t{}", i), {io::dtype::u8, {0}, {}}});
  const auto file = io::safetensors::parse(io::encode_safetensors(arrays, {}).value(), "f");
  REQUIRE(file.ok());
  CHECK(file->find("t999") != nullptr);
  CHECK_THAT(file->load("none").why().message(), Contains("and 968 more"));
}

TEST_CASE("manifest: every known layer, a known pattern, numbers", "[spec:12.5]") {
  json good{{"files", json::array()}};
  const json statistics{{"pattern", "row"}, {"cv_row", 1.5}, {"cv_col", 0.25}};
  for (const known_layer& layer : known_layers()) {
    json tensors;
    for (const char* t : {"x", "w", "gy"}) tensors[t]["statistics"] = statistics;
    good["files"].push_back({{"file", std::string(layer.name) + ".safetensors"}, {"tensors", tensors}});
  }
  const auto stated = parse_manifest(good.dump(), "m");
  REQUIRE(stated.ok());
  CHECK(stated.value().size() == known_layers().size());
  CHECK(stated.value().begin()->second.gy.cv_col == 0.25);
  json pattern = good, number = good, missing = good;
  pattern["files"][0]["tensors"]["x"]["statistics"]["pattern"] = "rows";
  number["files"][0]["tensors"]["w"]["statistics"]["cv_row"] = "1.5";
  missing["files"].erase(0);
  CHECK_THAT(parse_manifest(pattern.dump(), "m").why().message(), Contains("expected row, column or none"));
  CHECK(parse_manifest(number.dump(), "m").why().code() == ADAHOP_BAD_FILE);
  CHECK_THAT(parse_manifest(missing.dump(), "m").why().message(), Contains("expected an entry for"));
}
