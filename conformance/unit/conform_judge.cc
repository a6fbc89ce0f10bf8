// The judge fails on everything that it is there to notice, and on nothing else.
#include "catch.h"

#include "conform_wrong.h"
#include "conformance/judge/coverage.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/edge_tensors.h"

namespace adahop::conformance {
namespace {

std::shared_ptr<const tensor> matrix_of(source what, int64_t rows, int64_t cols, adahop_dtype dtype = ADAHOP_BF16) {
  return generate({what, rows, cols, ADAHOP_PATTERN_NONE, dtype, false}, 7, "judge");
}

view_input input_matrix(source what, int64_t rows, int64_t cols, adahop_dtype dtype = ADAHOP_BF16) {
  return input_of("x", matrix_of(what, rows, cols, dtype));
}

// One call of each operation, contiguous and strided results.
std::vector<call> one_of_each() {
  const policy p = default_policy();
  const view_input a = input_matrix(source::spread, 6, 64), b = input_matrix(source::uniform, 5, 64);
  const mx_input qa = random_codes(7, "a", 6, 64, 120, 134, 0), qb = random_codes(7, "b", 5, 64, 120, 134, 0);
  const index_input rows = indices_of("rows", {1, 4});
  const view_input c = input_matrix(source::spread, 6, 9, ADAHOP_F32),
                   o = input_matrix(source::uniform, 2, 9, ADAHOP_F32);
  return {quantize_call(p, a),
          dequantize_call(p, qa, ADAHOP_F32, false),
          dequantize_call(p, qa, ADAHOP_BF16, true),
          hadamard_call(p, a, true),
          hadamard_quantize_call(p, a, rows),
          pattern_call(p, a),
          select_outliers_call(p, a),
          extract_outliers_call(p, a, rows),
          mx_gemm_call(p, qa, qb, ADAHOP_F32, false),
          mx_gemm_call(p, qa, qb, ADAHOP_BF16, true),
          bf16_gemm_call(p, a, b, ADAHOP_F32, false),
          scatter_add_call(p, c, o, rows, ADAHOP_SIDE_LEFT, ADAHOP_BF16, false),
          scatter_add_call(p, c, o, rows, ADAHOP_SIDE_LEFT, ADAHOP_F32, true),
          matmul_call(p, {1, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE, ADAHOP_PATH_FORWARD}, a, b, false)};
}

TEST_CASE("equal results pass in every operation", "[judge][spec:1.1]") {
  for (const call& c : one_of_each())
    for (const compare_mode mode : {compare_mode::bits, compare_mode::values}) {
      const outcome o = judge_candidate(c, mode);
      CAPTURE(c.op, o.reason);
      CHECK(o.what == verdict::passed);
    }
}

TEST_CASE("one changed bit in any output of any operation fails and is located", "[judge][spec:1.1]") {
  for (const call& c : one_of_each())
    for (size_t i = 0; i < c.outputs.size(); ++i) {
      const outcome o = judge_candidate(spoiled(c, flip_first(i)));
      CAPTURE(c.op, i, o.reason);
      REQUIRE(o.what == verdict::failed);
      REQUIRE(o.differs.has_value());
      const output_spec& spec = c.outputs[i];
      CHECK(o.differs->output == (spec.fields.empty() ? spec.name : spec.fields[0]));
      CHECK(o.differs->row == 0);
      CHECK(o.differs->col == 0);
      CHECK(o.differs->count == 1);
      CHECK(o.differs->expected_bits != o.differs->got_bits);
    }
}

TEST_CASE("a wrong count of clipped elements fails", "[judge][spec:5.9]") {
  const outcome o = judge_candidate(spoiled(one_of_each()[0], [](const call&, std::vector<guarded_array>& out) {
    static_cast<int64_t*>(out[2].data())[0] += 4;
  }));
  REQUIRE(o.differs.has_value());
  CHECK(o.differs->output == "clipped");
}

TEST_CASE("a touched byte before, behind or between the lines of an output fails", "[judge][spec:1.6]") {
  for (const call& c : one_of_each()) {
    for (size_t i = 0; i < c.outputs.size(); ++i) {
      const auto touch = [&](int64_t at) {
        return judge_candidate(spoiled(c, [i, at](const call&, std::vector<guarded_array>& out) {
          static_cast<uint8_t*>(out[i].data())[at] ^= 0x10u;
        }));
      };
      const guarded_array shape(c.outputs[i], 0);
      const output_spec& spec = c.outputs[i];
      const int64_t lines = spec.transposed ? spec.cols : spec.rows;
      const int64_t line = (spec.transposed ? spec.rows : spec.cols) * element_bits(spec.kind) / 8;
      std::vector<int64_t> outside = {-1, -guarded_array::kGuardBytes, lines * shape.pitch()};
      if (lines > 1) outside.insert(outside.end(), {line, shape.pitch() - 1});
      for (const int64_t at : outside) {
        const outcome o = touch(at);
        CAPTURE(c.op, spec.name, at, o.reason);
        REQUIRE(o.what == verdict::failed);
        CHECK(o.reason.find(spec.name + ": byte") == 0);
      }
    }
  }
}

TEST_CASE("a changed input fails", "[judge][spec:1.6]") {
  const call c = spoiled(one_of_each()[10], [](const call& self, std::vector<guarded_array>&) {
    static_cast<uint8_t*>(std::get<view_input>(self.inputs[1]).view.data)[3] ^= 1u;
  });
  const outcome o = judge_candidate(c);
  CHECK(o.what == verdict::failed);
  CHECK(o.reason == "input x was changed");
}

TEST_CASE("an output that is not written fails", "[judge][spec:1.1]") {
  for (call c : one_of_each()) {
    c.invoke = [inner = c.invoke](const call& self, const adahop_backend& backend, const adahop_exec& exec,
                                  std::vector<guarded_array>& out) {
      return std::strcmp(backend.name, "candidate") == 0 ? int32_t{ADAHOP_OK} : inner(self, backend, exec, out);
    };
    CHECK(judge_candidate(c).what == verdict::failed);
  }
}

TEST_CASE("a NaN's payload matters under bits and not under values", "[judge][spec:1.4]") {
  const std::vector<std::vector<uint32_t>> nan_row = {{0x7FC00000u}};
  const call plain = hadamard_call(default_policy(), input_of("x", blocks_of(nan_row)), false);
  const call c = spoiled(plain, flip_first(0));
  CHECK(judge_candidate(c, compare_mode::bits).what == verdict::failed);
  CHECK(judge_candidate(c, compare_mode::values).what == verdict::passed);
  // A number in the place of the NaN fails in both.
  const call number = spoiled(
      plain, [](const call&, std::vector<guarded_array>& out) { *static_cast<uint16_t*>(out[0].data()) = 0x3F80u; });
  CHECK(judge_candidate(number, compare_mode::values).what == verdict::failed);
}

TEST_CASE("another byte on a block of zeros passes under values only", "[judge][spec:5.7]") {
  const call c = spoiled(quantize_call(default_policy(), input_of("x", blocks_of({{0u}}))), flip_first(0));
  CHECK(judge_candidate(c, compare_mode::bits).what == verdict::failed);
  CHECK(judge_candidate(c, compare_mode::values).what == verdict::passed);
  // On a block that is not all zero the values differ; so does -0 from +0.
  const call other = spoiled(quantize_call(default_policy(), input_of("x", blocks_of({{0x3F800000u}}))), flip_first(0));
  CHECK(judge_candidate(other, compare_mode::values).what == verdict::failed);
  const call sign =
      spoiled(quantize_call(default_policy(), input_of("x", blocks_of({{0u}}))),
              [](const call&, std::vector<guarded_array>& out) { *static_cast<uint8_t*>(out[1].data()) ^= 8u; });
  CHECK(judge_candidate(sign, compare_mode::values).what == verdict::failed);
}

TEST_CASE("a claimed thing that is unsupported fails, an unclaimed one is not covered", "[judge][spec:13.1]") {
  const call c = one_of_each()[8];
  adahop_backend table = candidate_table();
  table.mx_gemm = [](const adahop_exec*, const adahop_mx_gemm_args*) -> int32_t { return ADAHOP_UNSUPPORTED; };
  table.last_error = [] { return "no matrix cores today"; };
  outcome o = judge(c, reference_table(), table, compare_mode::bits);
  CHECK(o.what == verdict::failed);
  CHECK(o.reason == "claimed but returned ADAHOP_UNSUPPORTED (no matrix cores today), expected ADAHOP_OK");

  table.capabilities.ops &= ~(1u << ADAHOP_OP_MX_GEMM);
  o = judge(c, reference_table(), table, compare_mode::bits);
  CHECK(o.what == verdict::skipped);
  CHECK(o.missing == "operation mx_gemm");
}

TEST_CASE("each field of the capability record decides what is covered", "[judge][spec:13.1]") {
  using record = adahop_capabilities;
  const call whole = one_of_each()[13];
  const std::vector<std::pair<uint32_t record::*, std::string>> fields = {
      {&record::ops, "operation matmul"},
      {&record::modes, "mode bitexact"},
      {&record::memories, "host memory"},
      {&record::scale_rules, "scale_rule=even"},
      {&record::element_roundings, "element_rounding=rne"},
      {&record::nonfinite, "nonfinite=block_nan"},
      {&record::hadamard_signs, "hadamard_signs=none"},
      {&record::hadamard_sizes, "hadamard_size=32"},
      {&record::hadamard_outputs, "hadamard_output=bf16"},
      {&record::gemm_models, "gemm_model=block_rne"},
      {&record::bf16_gemm_models, "bf16_gemm_model=seq_fma"},
      {&record::outputs, "output=bf16"},
      {&record::pads, "pad=error"},
      {&record::nibble_orders, "nibble_order=linear"},
      {&record::scale_layouts, "scale_layout=linear"},
      {&record::left_oe_on_dw, "left_oe_on_dw=published"}};
  for (const auto& [field, expected] : fields) {
    adahop_backend table = candidate_table();
    table.capabilities.*field = 0;
    const outcome o = judge(whole, reference_table(), table, compare_mode::bits);
    CHECK(o.what == verdict::skipped);
    CHECK(o.missing == expected);
  }
}

TEST_CASE("padding makes quantize depend on hadamard_size, and selection on pad", "[judge][spec:13.1][spec:3.7]") {
  adahop_backend small = candidate_table(), unpadded = candidate_table();
  small.capabilities.hadamard_sizes = 1u << 1;  // 32 alone
  unpadded.capabilities.pads = 1u << ADAHOP_PAD_ERROR;
  for (const size_t operation : {0u, 6u}) {  // quantize, select_outliers
    call c = one_of_each()[operation];
    c.rules = parse_policy("hadamard_size=64", default_policy()).value();
    CHECK(!missing_claim(small.capabilities, c).has_value());
    c.rules = parse_policy("hadamard_size=64,pad=zero", default_policy()).value();
    CHECK(missing_claim(small.capabilities, c) == "hadamard_size=64");
    CHECK(missing_claim(unpadded.capabilities, c) == "pad=zero");
  }
}

TEST_CASE("a backend's error is a failure that carries its message", "[judge][spec:13.4]") {
  adahop_backend table = candidate_table();
  table.matmul = [](const adahop_exec*, const adahop_matmul_args*) -> int32_t { return ADAHOP_DEVICE; };
  table.last_error = [] { return "hip-cpu: shared memory race in kernel k"; };
  const outcome o = judge(one_of_each()[13], reference_table(), table, compare_mode::bits);
  CHECK(o.what == verdict::failed);
  CHECK(o.reason.find("ADAHOP_DEVICE (hip-cpu: shared memory race in kernel k)") != o.reason.npos);
}

TEST_CASE("under reject the index of the first bad element is judged", "[judge][spec:5.15]") {
  call c = quantize_call(parse_policy("nonfinite=reject", default_policy()).value(),
                         input_of("x", blocks_of({{0u, 0x7FC00000u}})));
  c.expected = ADAHOP_NONFINITE;
  CHECK(judge_candidate(c).what == verdict::passed);
  const outcome o = judge_candidate(
      spoiled(c, [](const call&, std::vector<guarded_array>& out) { static_cast<int64_t*>(out[2].data())[1] = 2; }));
  REQUIRE(o.what == verdict::failed);
  REQUIRE(o.differs.has_value());
  CHECK(o.differs->expected_value == "1");
  CHECK(o.differs->got_value == "2");
}

TEST_CASE("an unclaimed policy must be refused", "[judge][spec:1.7]") {
  call c = one_of_each()[13];
  c.rules = parse_policy("gemm_model=exact_sum", default_policy()).value();
  c.refused_if_unclaimed = true;
  CHECK(judge_candidate(c).what == verdict::passed);
  adahop_backend table = candidate_table();
  table.matmul = [](const adahop_exec*, const adahop_matmul_args*) -> int32_t { return ADAHOP_OK; };
  CHECK(judge(c, reference_table(), table, compare_mode::bits).what == verdict::failed);
}

}  // namespace
}  // namespace adahop::conformance
