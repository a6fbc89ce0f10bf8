// The reference behind the C ABI: capability record, refusals with their messages, boundary checks, memory discipline.
#include "reference/backend.h"

#include <algorithm>
#include <string>

#include "reference_support.h"

using namespace adahop;
using test::policy_with;

namespace {

const adahop_backend& backend() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }
constexpr adahop_exec kExec{sizeof(adahop_exec), ADAHOP_MODE_BITEXACT, ADAHOP_MEMORY_HOST, 0, nullptr, nullptr, 0};

// A call that must fail with this code and a one-line message that holds `says`.
void refused(int32_t code, int32_t expected, std::string_view says) {
  const std::string message = backend().last_error();
  INFO(message);
  CHECK(code == expected);
  CHECK(message.find(says) != std::string::npos);
  CHECK(message.find('\n') == std::string::npos);
}

// Arguments of every operation over small matrices, all of them good.
struct calls {
  policy p = policy_with("output=f32,oe_k=2,hadamard_output=f32");
  matrix<float> x{4, 64}, wide{4, 64}, c{4, 6}, rows{2, 6}, product{4, 6};
  matrix<bf16> a{4, 64}, b{6, 64}, compact{2, 64};
  mx_matrix qa{4, 64}, qb{6, 64};
  std::vector<int32_t> indices = {0, 3}, chosen = std::vector<int32_t>(2);
  int64_t count = 0;
  adahop_quantize_result found{};
  adahop_pattern_result verdict{};

  adahop_quantize_args quantize{&p, view_of(x), view_of(qa), &found};
  adahop_dequantize_args dequantize{&p, view_of(qa), view_of(wide)};
  adahop_hadamard_args hadamard{&p, view_of(x), view_of(wide)};
  adahop_hadamard_quantize_args hadamard_quantize{&p, view_of(x), indices.data(), 2, view_of(qa), &found};
  adahop_pattern_args pattern{&p, view_of(x), nullptr, nullptr, &verdict};
  adahop_select_outliers_args select{&p, view_of(x), nullptr, chosen.data(), &count};
  adahop_extract_outliers_args extract{view_of(a), indices.data(), 2, view_of(compact)};
  adahop_mx_gemm_args mx_gemm{&p, view_of(qa), view_of(qb), view_of(product)};
  adahop_bf16_gemm_args bf16_gemm{&p, view_of(a), view_of(b), view_of(product)};
  adahop_scatter_add_args scatter{&p, view_of(c), view_of(rows), indices.data(), 2, ADAHOP_SIDE_LEFT, 0, view_of(product)};
  adahop_matmul_args matmul{&p, 1, 1, 0, ADAHOP_PATH_FORWARD, view_of(a), view_of(b), view_of(product)};
};

// `change` spoils one argument; the call must then be refused with a message that names it.
template <class Function, class Args, class Change>
void spoiled(Function function, Args args, int32_t expected, std::string_view says, const Change& change) {
  change(args);
  refused(function(&kExec, &args), expected, says);
}

constexpr int32_t kInvalid = ADAHOP_INVALID_ARGUMENT;

}  // namespace

TEST_CASE("the table and its capability record", "[spec:13.1]") {
  CHECK(adahop_backend_reference(ADAHOP_ABI_VERSION + 1) == nullptr);
  CHECK(adahop_backend_reference(0) == nullptr);
  CHECK(backend().abi_version == ADAHOP_ABI_VERSION);
  CHECK(backend().struct_size == sizeof(adahop_backend));
  CHECK(std::string(backend().name) == "reference");
  const adahop_capabilities& c = backend().capabilities;
  CHECK(c.struct_size == sizeof(adahop_capabilities));
  CHECK(c.ops == 0x7FFu);
  CHECK(c.modes == 1u << ADAHOP_MODE_BITEXACT);
  CHECK(c.memories == 1u << ADAHOP_MEMORY_HOST);
}

TEST_CASE("every operation runs on good arguments, with or without a workspace", "[spec:13.3][spec:13.1]") {
  char memory[64];
  adahop_exec with_workspace = kExec;
  with_workspace.workspace = memory;
  with_workspace.workspace_bytes = sizeof memory;
  for (int32_t op = 0; op < ADAHOP_OP_COUNT; ++op) {
    uint64_t bytes = 1;
    CHECK(backend().workspace_size(op, nullptr, &bytes) == ADAHOP_OK);
    CHECK(bytes == 0);
  }
  refused(backend().workspace_size(ADAHOP_OP_COUNT, nullptr, nullptr), kInvalid, "op");
  for (const adahop_exec* exec : {&kExec, static_cast<const adahop_exec*>(&with_workspace)}) {
    calls all;
    CHECK(backend().quantize(exec, &all.quantize) == ADAHOP_OK);
    CHECK(backend().dequantize(exec, &all.dequantize) == ADAHOP_OK);
    CHECK(backend().hadamard(exec, &all.hadamard) == ADAHOP_OK);
    CHECK(backend().hadamard_quantize(exec, &all.hadamard_quantize) == ADAHOP_OK);
    CHECK(backend().pattern(exec, &all.pattern) == ADAHOP_OK);
    CHECK(backend().select_outliers(exec, &all.select) == ADAHOP_OK);
    CHECK(all.count == 2);
    CHECK(all.chosen == std::vector<int32_t>{0, 1});
    CHECK(backend().extract_outliers(exec, &all.extract) == ADAHOP_OK);
    CHECK(backend().mx_gemm(exec, &all.mx_gemm) == ADAHOP_OK);
    CHECK(backend().bf16_gemm(exec, &all.bf16_gemm) == ADAHOP_OK);
    CHECK(backend().scatter_add(exec, &all.scatter) == ADAHOP_OK);
    CHECK(backend().matmul(exec, &all.matmul) == ADAHOP_OK);
    CHECK(std::string(backend().last_error()).empty());
  }
}

TEST_CASE("what the record does not claim is refused by name", "[spec:1.7][spec:13.1]") {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"nibble_order=ggml_split", "nibble_order"}};
  for (const auto& [line, field] : cases) {
    calls all;
    all.p = policy_with(line);
    const std::string says = "policy: " + std::string(field) + ":";
    INFO(line);
    refused(backend().quantize(&kExec, &all.quantize), ADAHOP_UNSUPPORTED, says);
    refused(backend().matmul(&kExec, &all.matmul), ADAHOP_UNSUPPORTED, says);
    refused(backend().mx_gemm(&kExec, &all.mx_gemm), ADAHOP_UNSUPPORTED, says);
    refused(backend().pattern(&kExec, &all.pattern), ADAHOP_UNSUPPORTED, says);
  }
  calls all;
  adahop_exec exec = kExec;
  exec.mode = ADAHOP_MODE_NATIVE;
  refused(backend().quantize(&exec, &all.quantize), ADAHOP_UNSUPPORTED, "mode");
  exec = kExec;
  exec.memory = ADAHOP_MEMORY_DEVICE;
  refused(backend().quantize(&exec, &all.quantize), ADAHOP_UNSUPPORTED, "memory");
  exec = kExec;
  exec.struct_size = 8;
  refused(backend().quantize(&exec, &all.quantize), kInvalid, "struct_size");
  refused(backend().quantize(nullptr, &all.quantize), kInvalid, "exec");
  refused(backend().quantize(&kExec, nullptr), kInvalid, "args");
  all.p.scale_rule = 9;
  refused(backend().quantize(&kExec, &all.quantize), kInvalid, "scale_rule");
  all.quantize.policy = nullptr;
  refused(backend().quantize(&kExec, &all.quantize), kInvalid, "policy");
}

TEST_CASE("a wrong shape, type or pointer is refused by name", "[spec:3.4][spec:1.7][spec:11.7]") {
  calls all;
  const adahop_backend& r = backend();
  spoiled(r.quantize, all.quantize, kInvalid, "x: data", [](auto& v) { v.x.data = nullptr; });
  spoiled(r.quantize, all.quantize, kInvalid, "out: shape", [](auto& v) { v.x.rows = 3; });
  spoiled(r.quantize, all.quantize, kInvalid, "multiple of 32", [](auto& v) { v.x.cols = v.out.inner = 48; });
  spoiled(r.quantize, all.quantize, kInvalid, "out: codes", [](auto& v) { v.out.codes = nullptr; });
  spoiled(r.dequantize, all.dequantize, kInvalid, "out: shape", [](auto& v) { v.out.cols = 32; });
  spoiled(r.dequantize, all.dequantize, kInvalid, "x: inner", [](auto& v) { v.x.inner = 33; });
  spoiled(r.hadamard, all.hadamard, kInvalid, "multiple of 32", [](auto& v) { v.x.cols = v.out.cols = 48; });
  spoiled(r.hadamard, all.hadamard, kInvalid, "hadamard_output", [](auto& v) { v.out.dtype = ADAHOP_BF16; });
  spoiled(r.hadamard, all.hadamard, kInvalid, "out: shape", [](auto& v) { v.out.rows = 3; });
  spoiled(r.hadamard_quantize, all.hadamard_quantize, kInvalid, "zeroed", [](auto& v) { v.zeroed = nullptr; });
  spoiled(r.hadamard_quantize, all.hadamard_quantize, kInvalid, "zeroed", [](auto& v) { v.zeroed_count = -1; });
  spoiled(r.hadamard_quantize, all.hadamard_quantize, kInvalid, "out: shape", [](auto& v) { v.out.outer = 3; });
  spoiled(r.pattern, all.pattern, kInvalid, "result", [](auto& v) { v.result = nullptr; });
  spoiled(r.pattern, all.pattern, kInvalid, "x: dtype", [](auto& v) { v.x.dtype = 7; });
  spoiled(r.select_outliers, all.select, kInvalid, "x: inner", [](auto& v) { v.x.cols = 40; });
  spoiled(r.select_outliers, all.select, kInvalid, "x: length 0", [](auto& v) { v.x.cols = 0; });
  spoiled(r.select_outliers, all.select, kInvalid, "indices", [](auto& v) { v.indices = nullptr; });
  spoiled(r.select_outliers, all.select, kInvalid, "count", [](auto& v) { v.count = nullptr; });
  spoiled(r.extract_outliers, all.extract, kInvalid, "x: dtype", [&](auto& v) { v.x = view_of(all.x); });
  spoiled(r.extract_outliers, all.extract, kInvalid, "out: shape", [](auto& v) { v.count = 1; });
  spoiled(r.mx_gemm, all.mx_gemm, kInvalid, "b: shape", [](auto& v) { v.b.inner = 32; });
  spoiled(r.mx_gemm, all.mx_gemm, kInvalid, "out: shape", [](auto& v) { v.out.cols = 5; });
  spoiled(r.bf16_gemm, all.bf16_gemm, kInvalid, "a: dtype", [&](auto& v) { v.a = view_of(all.x); });
  spoiled(r.bf16_gemm, all.bf16_gemm, kInvalid, "b: shape", [](auto& v) { v.b.cols = 63; });
  spoiled(r.scatter_add, all.scatter, kInvalid, "side", [](auto& v) { v.side = 2; });
  spoiled(r.scatter_add, all.scatter, kInvalid, "outlier: shape", [](auto& v) { v.side = ADAHOP_SIDE_RIGHT; });
  spoiled(r.scatter_add, all.scatter, kInvalid, "c: dtype", [](auto& v) { v.c.dtype = ADAHOP_BF16; });
  spoiled(r.scatter_add, all.scatter, kInvalid, "out: shape", [](auto& v) { v.out.rows = 3; });
  spoiled(r.matmul, all.matmul, kInvalid, "level", [](auto& v) { v.level = 3; });
  spoiled(r.matmul, all.matmul, kInvalid, "left_pattern", [](auto& v) { v.left_pattern = 3; });
  spoiled(r.matmul, all.matmul, kInvalid, "right_pattern", [](auto& v) { v.right_pattern = -1; });
  spoiled(r.matmul, all.matmul, kInvalid, "path", [](auto& v) { v.path = 3; });
  spoiled(r.matmul, all.matmul, kInvalid, "multiple of 32", [](auto& v) { v.a.cols = v.b.cols = 40; });
  spoiled(r.matmul, all.matmul, kInvalid, "a: inner dimension 0", [](auto& v) { v.a.cols = v.b.cols = 0; });
  spoiled(r.matmul, all.matmul, kInvalid, "b: dtype", [](auto& v) { v.b.dtype = ADAHOP_F32; });
  spoiled(r.matmul, all.matmul, kInvalid, "policy output", [](auto& v) { v.out.dtype = ADAHOP_BF16; });
  spoiled(r.matmul, all.matmul, kInvalid, "out: shape", [](auto& v) { v.out.rows = 6; });
}

TEST_CASE("index lists are in range, ascending and unique", "[spec:3.4][spec:9.5]") {
  const std::pair<std::vector<int32_t>, std::string_view> lists[] = {
      {{-1, 3}, "index -1"}, {{0, 4}, "index 4"}, {{3, 0}, "ascending"}, {{2, 2}, "unique"}};
  for (const auto& [list, says] : lists) {
    calls all;
    all.hadamard_quantize.zeroed = all.extract.indices = all.scatter.indices = list.data();
    refused(backend().hadamard_quantize(&kExec, &all.hadamard_quantize), kInvalid, says);
    refused(backend().extract_outliers(&kExec, &all.extract), kInvalid, says);
    refused(backend().scatter_add(&kExec, &all.scatter), kInvalid, says);
  }
}

TEST_CASE("reject through the ABI", "[spec:5.15]") {
  calls all;
  all.p = policy_with("nonfinite=reject");
  all.x.at(2, 33) = test::kInf;
  refused(backend().quantize(&kExec, &all.quantize), ADAHOP_NONFINITE, "(2, 33)");
  CHECK(all.found.first_nonfinite == 2 * 64 + 33);
  all.quantize.result = nullptr;
  refused(backend().quantize(&kExec, &all.quantize), ADAHOP_NONFINITE, "(2, 33)");
  refused(backend().hadamard_quantize(&kExec, &all.hadamard_quantize), ADAHOP_NONFINITE, "(2, 32)");
  CHECK(all.found.first_nonfinite == 2 * 64 + 32);
}

TEST_CASE("options", "[spec:1.2]") {
  CHECK(backend().set_option("threads", "2") == ADAHOP_OK);
  for (const char* bad : {"0", "-1", "two", "", "2x", "99999999999"})
    refused(backend().set_option("threads", bad), kInvalid, "threads");
  refused(backend().set_option("lane_seed", "1"), ADAHOP_UNSUPPORTED, "lane_seed");
  refused(backend().set_option(nullptr, "1"), kInvalid, "null");
}

TEST_CASE("a product of more than 2^40 outputs is refused before memory is asked for", "[spec:3.4]") {
  // The views overlap themselves, so that a few bytes stand for 2^21 x 2^20 outputs.
  calls all;
  all.matmul.a = {all.a.data.data(), ADAHOP_BF16, 0, 1 << 21, 32, 1, 1};
  all.matmul.b = {all.b.data.data(), ADAHOP_BF16, 0, 1 << 20, 32, 1, 1};
  all.matmul.out = {all.product.data.data(), ADAHOP_F32, 0, 1 << 21, 1 << 20, 1, 1};
  refused(backend().matmul(&kExec, &all.matmul), kInvalid, "2^40");
}

TEST_CASE("nothing outside the outputs changes", "[spec:1.6][spec:1.2]") {
  // Outputs are windows into larger buffers, with strides in both directions; every other byte must survive, and what
  // surrounds the inputs is NaN.
  test::generator random(90);
  const policy p = policy_with("output=f32,oe_k=2");
  constexpr int64_t kRows = 5, kInner = 64, kOther = 6;
  matrix<bf16> a = test::random_bf16(random, kRows, kInner), b = test::random_bf16(random, kOther, kInner);
  const auto framed = [](const matrix<bf16>& m, std::vector<bf16>& buffer) {
    const int64_t row_stride = 3, col_stride = 3 * m.rows + 4;  // transposed, with gaps in both directions
    buffer.assign(static_cast<size_t>(m.cols * col_stride + 8), bf16{0x7FC1});
    for (int64_t r = 0; r < m.rows; ++r)
      for (int64_t c = 0; c < m.cols; ++c) buffer[static_cast<size_t>(7 + r * row_stride + c * col_stride)] = m.at(r, c);
    return adahop_view{buffer.data() + 7, ADAHOP_BF16, 0, m.rows, m.cols, row_stride, col_stride};
  };
  std::vector<bf16> a_buffer, b_buffer;
  const adahop_view a_view = framed(a, a_buffer), b_view = framed(b, b_buffer);
  for (const int32_t left : {0, 1, 2})
    for (const int32_t right : {0, 2}) {
      matrix<float> dense(kRows, kOther);
      std::vector<float> buffer(400, 77.0f);
      const adahop_view out{buffer.data() + 9, ADAHOP_F32, 0, kRows, kOther, 2, 13};
      const adahop_matmul_args plain{&p, 2, left, right, 0, view_of(a), view_of(b), view_of(dense)};
      const adahop_matmul_args strided{&p, 2, left, right, 0, a_view, b_view, out};
      REQUIRE(backend().matmul(&kExec, &plain) == ADAHOP_OK);
      REQUIRE(backend().matmul(&kExec, &strided) == ADAHOP_OK);
      std::vector<float> expected(400, 77.0f);
      for (int64_t m = 0; m < kRows; ++m)
        for (int64_t n = 0; n < kOther; ++n) expected[static_cast<size_t>(9 + 2 * m + 13 * n)] = dense.at(m, n);
      CHECK(test::bits_of_all(buffer) == test::bits_of_all(expected));
    }
  // An MX output with room after each row.
  std::vector<uint8_t> codes(kRows * 40, 0xA5), scales(kRows * 7, 0xA5);
  mx_matrix dense(kRows, kInner);
  const adahop_mx wide{codes.data(), scales.data(), kRows, kInner, 40, 7};
  const adahop_hadamard_quantize_args into_wide{&p, a_view, nullptr, 0, wide, nullptr};
  const adahop_hadamard_quantize_args into_dense{&p, view_of(a), nullptr, 0, view_of(dense), nullptr};
  REQUIRE(backend().hadamard_quantize(&kExec, &into_wide) == ADAHOP_OK);
  REQUIRE(backend().hadamard_quantize(&kExec, &into_dense) == ADAHOP_OK);
  for (int64_t r = 0; r < kRows; ++r) {
    for (int64_t i = 0; i < 40; ++i)
      CHECK(codes[static_cast<size_t>(40 * r + i)] == (i < 32 ? dense.codes[static_cast<size_t>(32 * r + i)] : 0xA5));
    for (int64_t i = 0; i < 7; ++i)
      CHECK(scales[static_cast<size_t>(7 * r + i)] == (i < 2 ? dense.scales[static_cast<size_t>(2 * r + i)] : 0xA5));
  }
}
