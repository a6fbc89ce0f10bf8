// The table of hip-cpu: orders, tiles, memories and workspaces change no bit; what is not claimed is refused.
#include <algorithm>
#include <thread>

#include "hip_kernels_support.h"
#include "pipeline/strategy_table.h"

using namespace adahop;
using namespace adahop_test;

namespace {

// Values of uneven size, a few rows and columns large.
void fill(matrix<bf16>& x, uint32_t seed) {
  for (int64_t r = 0; r < x.rows; ++r)
    for (int64_t c = 0; c < x.cols; ++c) {
      seed = seed * 1664525u + 1013904223u;
      const uint32_t exponent = 120 + (seed >> 29) + (r % 37 == 5 ? 5 : 0) + (c % 41 == 7 ? 4 : 0);
      x.at(r, c) = {static_cast<uint16_t>(((seed >> 13) & 0x8000u) | (exponent << 7) | ((seed >> 16) & 0x7Fu))};
    }
}

struct product {
  policy p = default_policy();
  matrix<bf16> a{70, 96}, b{130, 96};
  product() {
    p.oe_k = 9;
    p.output = ADAHOP_F32;
    fill(a, 1);
    fill(b, 2);
  }
  adahop_matmul_args args(adahop_pattern left, adahop_pattern right, matrix<float>& out) const {
    return {&p, 2, left, right, ADAHOP_PATH_FORWARD, view_of(a), view_of(b), view_of(out)};
  }
};

std::string said() { return hip_cpu().last_error(); }

}  // namespace

TEST_CASE("orders, threads and matrix tiles change no bit of any strategy", "[hip-kernels][spec:1.2][spec:13.5]") {
  const product x;
  const std::pair<adahop_pattern, adahop_pattern> pairs[] = {{ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE},
                                                             {ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE},
                                                             {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_COLUMN},
                                                             {ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_COLUMN}};
  std::vector<std::vector<uint32_t>> results;
  for (const auto& [left, right] : pairs) {
    matrix<float> natural(70, 130);
    require_ok(hip_cpu().matmul, x.args(left, right, natural));
    results.push_back(bits(natural));
    for (const char* tile : {"16x16x128", "32x32x64"}) {
      set_option("mx_tile", tile);
      for_each_order([&] {
        matrix<float> out(70, 130);
        require_ok(hip_cpu().matmul, x.args(left, right, out));
        REQUIRE(bits(out) == results.back());
      });
    }
    set_option("mx_tile", "16x16x128");
  }
  // The four strategies are four different computations.
  for (size_t i = 0; i < results.size(); ++i)
    for (size_t j = i + 1; j < results.size(); ++j) REQUIRE(results[i] != results[j]);
}

TEST_CASE("device memory and a caller's workspace give the same bytes", "[hip-kernels][spec:13.3]") {
  const product x;
  matrix<float> plain(70, 130), out(70, 130);
  const adahop_matmul_args args = x.args(ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE, out);
  require_ok(hip_cpu().matmul, x.args(ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE, plain));
  uint64_t bytes = ~uint64_t{0};
  REQUIRE(hip_cpu().workspace_size(ADAHOP_OP_MATMUL, &args, &bytes) == ADAHOP_OK);
  std::vector<uint8_t> workspace(bytes + 1, 0x5A);
  for (const int32_t memory : {ADAHOP_MEMORY_HOST, ADAHOP_MEMORY_DEVICE}) {
    adahop_exec exec = host_exec();
    exec.memory = memory;  // device memory of hip-cpu is host memory
    exec.workspace = workspace.data();
    exec.workspace_bytes = bytes;
    std::fill(out.data.begin(), out.data.end(), 0.0f);
    REQUIRE(hip_cpu().matmul(&exec, &args) == ADAHOP_OK);
    REQUIRE(bits(out) == bits(plain));
    REQUIRE(workspace[bytes] == 0x5A);

    mx_matrix q(70, 96), again(70, 96);
    const std::vector<int32_t> zeroed{2, 69};
    const adahop_hadamard_quantize_args one{&x.p, view_of(x.a), zeroed.data(), 2, view_of(q), nullptr};
    require_ok(hip_cpu().hadamard_quantize, one);
    const adahop_hadamard_quantize_args two{&x.p, view_of(x.a), zeroed.data(), 2, view_of(again), nullptr};
    REQUIRE(hip_cpu().hadamard_quantize(&exec, &two) == ADAHOP_OK);
    REQUIRE(q.codes == again.codes);
    REQUIRE(q.scales == again.scales);
  }
}

TEST_CASE("calls from several threads do not disturb each other", "[hip-kernels][spec:1.2]") {
  const product x;
  matrix<float> expected(70, 130);
  require_ok(hip_cpu().matmul, x.args(ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_COLUMN, expected));
  std::vector<matrix<float>> out(4, matrix<float>(70, 130));
  std::vector<int32_t> codes(4, -1);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] { codes[i] = call(hip_cpu().matmul, x.args(ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_COLUMN, out[i])); });
  for (std::thread& t : threads) t.join();
  for (size_t i = 0; i < 4; ++i) {
    REQUIRE(codes[i] == ADAHOP_OK);
    REQUIRE(bits(out[i]) == bits(expected));
  }
}

TEST_CASE("the backend's own strategy table is the published one", "[hip-kernels][spec:8.4][spec:8.5][spec:8.6][spec:13.2]") {
  using hip::route;
  using hip::route_of;
  constexpr int32_t N = ADAHOP_PATTERN_NONE, R = ADAHOP_PATTERN_ROW, C = ADAHOP_PATTERN_COLUMN;
  for (const int32_t level : {1, 2})
    for (const int32_t path : {ADAHOP_PATH_FORWARD, ADAHOP_PATH_DX, ADAHOP_PATH_DW})
      for (const int32_t port : {ADAHOP_LEFT_OE_PUBLISHED, ADAHOP_LEFT_OE_PORT}) {
        for (const auto& [l, r] : {std::pair{R, R}, {C, R}, {C, N}, {N, R}, {N, N}}) REQUIRE(route_of(level, l, r, path, port) == route::iht);
        for (const auto& [l, r] : {std::pair{R, C}, {N, C}}) REQUIRE(route_of(level, l, r, path, port) == route::oe_right);
        REQUIRE(route_of(level, C, C, path, port) == (level == 1 ? route::oe_right : route::bf16));
        const bool degraded = path == ADAHOP_PATH_DW && port == ADAHOP_LEFT_OE_PORT;
        REQUIRE(route_of(level, R, N, path, port) == (degraded ? route::iht : route::oe_left));
      }
}

TEST_CASE("what is not claimed is refused by name", "[hip-kernels][spec:1.7][spec:3.4][spec:13.1]") {
  matrix<float> x(2, 32), odd(2, 33);
  mx_matrix q(2, 32), wrong(3, 32);
  policy p = default_policy();
  const auto quantize = [&](const policy& with) { return call(hip_cpu().quantize, adahop_quantize_args{&with, view_of(x), view_of(q), nullptr}); };
  for (const char* text : {"gemm_model=exact_sum", "gemm_model=mfma_fused(4)", "bf16_gemm_model=exact_sum",
                           "bf16_gemm_model=cdna3_trfdpa(8)", "nibble_order=ggml_split"}) {
    INFO(text);
    const result<policy> parsed = parse_policy(text, p);
    REQUIRE(parsed.ok());
    REQUIRE(quantize(parsed.value()) == ADAHOP_UNSUPPORTED);
    const std::string key(text, std::string_view(text).find('='));
    REQUIRE(said().find(key) != std::string::npos);
  }
  REQUIRE(call(hip_cpu().quantize, adahop_quantize_args{nullptr, view_of(x), view_of(q), nullptr}) == ADAHOP_INVALID_ARGUMENT);
  REQUIRE(call(hip_cpu().quantize, adahop_quantize_args{&p, view_of(odd), view_of(q), nullptr}) == ADAHOP_INVALID_ARGUMENT);
  REQUIRE(said().find("33") != std::string::npos);
  REQUIRE(call(hip_cpu().quantize, adahop_quantize_args{&p, view_of(x), view_of(wrong), nullptr}) == ADAHOP_INVALID_ARGUMENT);
  REQUIRE(said().find("out: shape 3 x 32, expected 2 x 32") != std::string::npos);
  for (const std::vector<int32_t>& zeroed : {std::vector<int32_t>{1, 0}, {1, 1}, {-1, 0}, {0, 2}}) {
    const adahop_hadamard_quantize_args args{&p, view_of(x), zeroed.data(), 2, view_of(q), nullptr};
    REQUIRE(call(hip_cpu().hadamard_quantize, args) == ADAHOP_INVALID_ARGUMENT);
    REQUIRE(said().find("zeroed[") != std::string::npos);
  }
  adahop_exec third = host_exec();
  third.mode = 2;
  const adahop_quantize_args args{&p, view_of(x), view_of(q), nullptr};
  REQUIRE(hip_cpu().quantize(&third, &args) == ADAHOP_INVALID_ARGUMENT);
  REQUIRE(hip_cpu().quantize(nullptr, nullptr) == ADAHOP_INVALID_ARGUMENT);
  REQUIRE(hip_cpu().set_option("colour", "blue") == ADAHOP_UNSUPPORTED);
  REQUIRE(hip_cpu().set_option("threads", "two") == ADAHOP_INVALID_ARGUMENT);
  REQUIRE(hip_cpu().set_option("threads", "0") == ADAHOP_INVALID_ARGUMENT);
  REQUIRE(hip_cpu().set_option("mx_tile", "8x8x8") == ADAHOP_INVALID_ARGUMENT);
  REQUIRE(hip_cpu().set_option(nullptr, "1") == ADAHOP_INVALID_ARGUMENT);
  REQUIRE(adahop_backend_hip_cpu(ADAHOP_ABI_VERSION + 1) == nullptr);
}
