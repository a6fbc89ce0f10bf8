// Hadamard, and Hadamard+quantize with zeroed rows, by themselves. Implements the suite's side of SPEC chapter 6.
#include <fmt/format.h>

#include <cstring>

#include "conformance/suites/any_cases.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/edge_tensors.h"

namespace adahop::conformance {
namespace {

using make_tensor = std::function<std::shared_ptr<const tensor>(const context&)>;

// FP32 tensors, [outer x inner]; `axis` 0 turns one into a transposed view of its transpose.
std::vector<std::pair<std::string, make_tensor>> inputs() {
  std::vector<std::pair<std::string, make_tensor>> all;
  for (const source what : {source::spread, source::grid, source::subnormal, source::huge, source::nonfinite})
    all.emplace_back(source_name(what), [what](const context& ctx) {
      return generate({what, 19, 96, ADAHOP_PATTERN_NONE, ADAHOP_F32, true}, ctx.seed, "x");
    });
  all.emplace_back("unit-vectors", [](const context&) { return unit_vectors(); });
  all.emplace_back("bf16-ties", [](const context&) { return bf16_tie_transforms(); });
  all.emplace_back("butterfly-edges", [](const context&) { return butterfly_edges(); });
  return all;
}

uint32_t bits_at(const tensor& t, int64_t r, int64_t c) {
  uint32_t bits = 0;
  std::memcpy(&bits, t.bytes.data() + 4 * (r * t.pitch + c), 4);
  return bits;
}

// The tensor in the asked type (BF16 drops the lower half) and orientation.
view_input turned(const tensor& t, adahop_dtype dtype, int axis) {
  auto copy = axis == 1 ? std::make_shared<tensor>(dtype, t.rows, t.cols, t.cols)
                        : std::make_shared<tensor>(dtype, t.cols, t.rows, t.rows);
  for (int64_t r = 0; r < t.rows; ++r)
    for (int64_t c = 0; c < t.cols; ++c) copy->set_bits(axis == 1 ? r : c, axis == 1 ? c : r, bits_at(t, r, c));
  return axis == 1 ? input_of("x", copy) : transposed_input_of("x", copy);
}

}  // namespace

void add_hadamard_cases(case_list& out) {
  any_adder adder(out);
  for (const char* output : {"bf16", "f32"}) {
    const std::string policy_name = fmt::format("hadamard_output={}", output);
    const policy p = parse_policy(policy_name, default_policy()).value();
    for (const auto& [what, make] : inputs())
      for (const adahop_dtype dtype : {ADAHOP_F32, ADAHOP_BF16})
        for (const int axis : {0, 1}) {
          const std::string source = fmt::format("{}.{}.axis{}", what, dtype == ADAHOP_F32 ? "f32" : "bf16", axis);
          adder.add(stage::hadamard, source, "nx32", policy_name, [=, make = make](const context& ctx) -> result<call> {
            return hadamard_call(p, turned(*make(ctx), dtype, axis), axis == 0);
          });
          adder.add(stage::hadamard_quantize, source, "nx32", policy_name,
                    [=, make = make](const context& ctx) -> result<call> {
                      return hadamard_quantize_call(p, turned(*make(ctx), dtype, axis), no_indices("zeroed"));
                    });
        }
    // Zeroed rows whose content, NaN included, must not matter.
    const std::vector<std::pair<std::string, std::vector<int32_t>>> lists = {
        {"first", {0}},
        {"last", {18}},
        {"some", {1, 2, 7, 16, 17}},
        {"most", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}}};
    for (const auto& [what, list] : lists)
      for (const int axis : {0, 1})
        adder.add(stage::hadamard_quantize, fmt::format("zeroed-{}.axis{}", what, axis), "19x96", policy_name,
                  [=, rows = list](const context& ctx) -> result<call> {
                    const auto t =
                        generate({source::nonfinite, 19, 96, ADAHOP_PATTERN_NONE, ADAHOP_F32, false}, ctx.seed, "x");
                    return hadamard_quantize_call(p, turned(*t, ADAHOP_BF16, axis), indices_of("zeroed", rows));
                  });
  }
  // A rejected element of a zeroed row is no error, one elsewhere is; the index speaks of the transformed values.
  const policy reject = parse_policy("nonfinite=reject", default_policy()).value();
  for (const int32_t zeroed : {2, 3})
    adder.add(stage::hadamard_quantize, fmt::format("reject-zeroed-row{}", zeroed), "8x64", "nonfinite=reject",
              [=](const context& ctx) -> result<call> {
                auto t = std::make_shared<tensor>(
                    *generate({source::uniform, 8, 64, ADAHOP_PATTERN_NONE, ADAHOP_BF16, false}, ctx.seed, "x"));
                t->set_bits(3, 40, 0x7FC00000u);
                call c = hadamard_quantize_call(reject, input_of("x", t), indices_of("zeroed", {zeroed}));
                c.expected = zeroed == 3 ? ADAHOP_OK : ADAHOP_NONFINITE;
                return c;
              });
}

}  // namespace adahop::conformance
