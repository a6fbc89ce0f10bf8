// What the differential fuzzers can reach: operations, policies and statuses from bytes, cut at any place; what the
// committed corpora reach.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "adahop/plan.h"
#include "catch.h"
#include "conformance/backends/registry.h"
#include "conformance/suites/random.h"
#include "fuzz/differential.h"
#include "fuzz/operation_calls.h"
#include "fuzz/product_calls.h"

namespace adahop::fuzz {
namespace {

using namespace adahop::conformance;

using bytes = std::vector<uint8_t>;

bytes random_bytes(uint64_t seed, size_t count) {
  bytes all(count);
  for (size_t i = 0; i < count; ++i) all[i] = static_cast<uint8_t>(random_word(seed, 1, i));
  return all;
}

call operation_of(const bytes& data) {
  input in(data);
  const adahop_op op = read_op(in);
  read_contenders(in);
  return read_operation(in, op);
}

product_calls product_of(const bytes& data) {
  input in(data);
  read_contenders(in);
  return read_product(in);
}

std::vector<bytes> corpus(const std::string& target) {
  std::vector<bytes> all;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(ADAHOP_FUZZ_CORPUS) + "/" + target)) {
    std::ifstream file(entry.path(), std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return all;
}

// The enumerated fields of a policy, and which of their values were met.
struct reached {
  std::map<std::string, std::set<int32_t>> values;
  std::set<int32_t> statuses, memories;

  void add(const call& c) {
    const policy& p = c.rules;
    values["scale_rule"].insert(p.scale_rule);
    values["min_scale_byte"].insert(p.min_scale_byte);
    values["element_rounding"].insert(p.element_rounding);
    values["nonfinite"].insert(p.nonfinite);
    values["hadamard_size"].insert(p.hadamard_size);
    values["hadamard_signs"].insert(p.hadamard_signs);
    values["hadamard_output"].insert(p.hadamard_output);
    values["gemm_model"].insert(p.gemm_model);
    values["bf16_gemm_model"].insert(p.bf16_gemm_model);
    values["output"].insert(p.output);
    values["foid_window"].insert(p.foid_window);
    values["left_oe_on_dw"].insert(p.left_oe_on_dw);
    values["pad"].insert(p.pad);
    values["scale_layout"].insert(p.scale_layout);
    statuses.insert(c.expected);
    memories.insert(c.memory);
  }

  void check_all() const {
    const std::map<std::string, size_t> counts{
        {"scale_rule", 4}, {"min_scale_byte", 2}, {"element_rounding", 3}, {"nonfinite", 2},     {"hadamard_size", 4},
        {"hadamard_signs", 2}, {"hadamard_output", 2}, {"gemm_model", 7}, {"bf16_gemm_model", 3}, {"output", 2},
        {"foid_window", 2},    {"left_oe_on_dw", 2},   {"pad", 2},        {"scale_layout", 2}};
    for (const auto& [key, count] : counts) {
      INFO(key);
      CHECK(values.at(key).size() == count);
    }
    CHECK(statuses == std::set<int32_t>{ADAHOP_OK, ADAHOP_UNSUPPORTED, ADAHOP_NONFINITE});
    CHECK(memories == std::set<int32_t>{ADAHOP_MEMORY_HOST, ADAHOP_MEMORY_DEVICE});
  }
};

void check_operations(const std::vector<bytes>& inputs) {
  reached seen;
  std::set<int32_t> ops;
  for (const bytes& data : inputs) {
    const call c = operation_of(data);
    seen.add(c);
    ops.insert(c.op);
  }
  CHECK(static_cast<int>(ops.size()) == kOperations);
  CHECK(ops.count(ADAHOP_OP_MATMUL) == 0);
  seen.check_all();
}

void check_products(const std::vector<bytes>& inputs) {
  reached seen;
  std::set<std::string> whats;
  std::set<strategy> strategies;
  for (const bytes& data : inputs) {
    const call c = product_of(data).bitexact;
    seen.add(c);
    whats.insert(c.about);
  }
  for (const int level : {1, 2})
    for (const pattern_pair pair : kAllPairs)
      for (const adahop_path path : kPaths) {
        const std::string about =
            fmt::format("level {}, pair {}{}, path {}", level, letter(pair.left), letter(pair.right), name(path));
        INFO(about);
        if (whats.count(about) != 0) strategies.insert(strategy_of(level, pair, path, ADAHOP_LEFT_OE_PUBLISHED));
      }
  CHECK(strategies.size() == 4);
  seen.check_all();
}

TEST_CASE("the committed inputs of operations reach everything", "[fuzz]") { check_operations(corpus("operations")); }
TEST_CASE("the committed inputs of matmul reach everything", "[fuzz]") { check_products(corpus("matmul")); }

TEST_CASE("an input cut anywhere is a call on which the reference agrees with itself", "[fuzz]") {
  for (uint64_t seed = 0; seed < 2 * kOperations; ++seed) {
    bytes data = random_bytes(seed + 1000, 120);
    data[0] = static_cast<uint8_t>(seed % kOperations);
    for (size_t cut = 0; cut <= data.size(); cut += 8) {
      const call c = operation_of(bytes(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(cut)));
      const auto found = find_difference(c, {});
      INFO(seed << ", cut at " << cut << ": " << (found ? text(*found) : ""));
      REQUIRE_FALSE(found.has_value());
    }
  }
}

TEST_CASE("the empty input is a plain small call", "[fuzz]") {
  const call c = operation_of({});
  CHECK(c.op == ADAHOP_OP_QUANTIZE);
  CHECK(canonical_line(c.rules) == canonical_line(default_policy()));
  CHECK(c.expected == ADAHOP_OK);
  const call product = product_of({}).bitexact;
  CHECK(product.about == "level 1, pair RR, path forward");
  CHECK(canonical_line(product.rules) == canonical_line(default_policy()));
}

TEST_CASE("every backend of this build that needs no GPU takes part, and takes its options", "[fuzz]") {
  std::set<std::string> expected;
  for (const char* name : {"hip-cpu", "gfx950-sim", "simd"})
    if (open_backend(name).ok()) expected.insert(name);
  REQUIRE(expected.count("hip-cpu") == 1);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const bytes data = random_bytes(seed, 64);
    input in(data);
    std::set<std::string> names;
    for (const contender& c : read_contenders(in)) {
      names.insert(c.table->name);
      for (const auto& [key, value] : c.options) {
        INFO(c.table->name << ": " << key << "=" << value);
        REQUIRE(c.table->set_option(key.c_str(), value.c_str()) == ADAHOP_OK);
      }
    }
    REQUIRE(names == expected);
  }
}

}  // namespace
}  // namespace adahop::fuzz
