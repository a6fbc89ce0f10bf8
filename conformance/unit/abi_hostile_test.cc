// Arguments of the C ABI at which a backend once broke its contract, each with its whole kind, on every backend that runs
// here: texts with control characters, numbers of models that have none, operands without elements.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "adahop/policy.h"
#include "adahop/tensor.h"
#include "catch.h"
#include "conformance/backends/registry.h"

using namespace adahop;

namespace {

template <class Test>
void for_each_backend(const Test& test) {
  for (const conformance::backend_info& b : conformance::known_backends()) {
    if (!b.available()) continue;
    INFO(b.name);
    test(*b.table);
  }
}

// Strides of dimensions that have no two elements; nobody may multiply with them.
constexpr std::array<int64_t, 5> kAnyStride = {0, -1, int64_t{1} << 41, INT64_MAX, INT64_MIN};

}  // namespace

TEST_CASE("last_error() is one line, whatever text it quotes", "[spec:13.12]") {
  for_each_backend([](const adahop_backend& backend) {
    for (const char* key : {"thre\nads", "threads\r", "\x1b[2Jthreads", "\n", "threads"})
      for (const char* value : {"1\n2", "\t", "\x7f", "x"}) {
        CHECK(backend.set_option(key, value) != ADAHOP_OK);
        const std::string line = backend.last_error();
        INFO(line);
        CHECK_FALSE(line.empty());
        for (const char c : line) CHECK((static_cast<unsigned char>(c) >= 0x20 && c != 0x7F));
      }
  });
}

TEST_CASE("a text longer than last_error() keeps is cut, not overrun", "[spec:13.12]") {
  for_each_backend([](const adahop_backend& backend) {
    CHECK(backend.set_option(std::string(5000, 'k').c_str(), "1") == ADAHOP_UNSUPPORTED);
    const std::string line = backend.last_error();
    CHECK(line.size() > 100);
    CHECK(line.size() < 1000);
  });
}

TEST_CASE("a number with a model that has none is refused, since the canonical line could not say it",
          "[spec:4.5][spec:4.7]") {
  const auto refused = [](const policy& p, const char* field) {
    const status s = validate(p);
    INFO(s.message());
    CHECK(s.code() == ADAHOP_INVALID_ARGUMENT);
    CHECK(s.message().find(field) != std::string::npos);
  };
  for (const int32_t number : {-1, 1, 8, 128, INT32_MIN}) {
    for (const int32_t model : {ADAHOP_GEMM_BLOCK_RNE, ADAHOP_GEMM_EXACT_SUM, ADAHOP_GEMM_MFMA_SEQ}) {
      policy p = default_policy();
      p.gemm_model = model;
      CHECK(validate(p).ok());
      p.gemm_model_param = number;
      refused(p, "policy: gemm_model");
    }
    for (const int32_t model : {ADAHOP_BF16_SEQ_FMA, ADAHOP_BF16_EXACT_SUM}) {
      policy p = default_policy();
      p.bf16_gemm_model = model;
      CHECK(validate(p).ok());
      p.bf16_gemm_model_param = number;
      refused(p, "policy: bf16_gemm_model");
    }
  }
}

TEST_CASE("ratio and eps may be any finite number of their range", "[spec:4.5][spec:4.7]") {
  using limits = std::numeric_limits<double>;
  for (const double v : {limits::max(), limits::min(), limits::denorm_min(), 1e300, 1e301}) {
    policy p = default_policy();
    p.pattern_ratio = p.pattern_eps = v;
    CHECK(validate(p).ok());
    const result<policy> again = parse_policy(canonical_line(p).substr(std::string("adahop-policy/1 ").size()), default_policy());
    REQUIRE(again.ok());
    CHECK(again->pattern_ratio == v);
    CHECK(again->pattern_eps == v);
  }
  for (const double v : {limits::infinity(), -limits::infinity(), limits::quiet_NaN(), -limits::denorm_min()}) {
    policy p = default_policy();
    p.pattern_ratio = v;
    CHECK_FALSE(validate(p).ok());
    p = default_policy();
    p.pattern_eps = v;
    CHECK_FALSE(validate(p).ok());
  }
}

TEST_CASE("operands without elements may be null, with any stride, and K = 0 gives +0", "[spec:3.4][spec:10.7]") {
  const policy p = default_policy();
  const adahop_exec exec = conformance::host_exec();
  for_each_backend([&](const adahop_backend& backend) {
    for (const int64_t stride : kAnyStride) {
      CAPTURE(stride);
      const adahop_mx none{nullptr, nullptr, 3, 0, stride, stride};
      const adahop_view hollow{nullptr, ADAHOP_BF16, 0, 3, 0, stride, stride};
      matrix<float> out(3, 3);
      const auto all_zero = [&] {
        for (float& v : out.data) {
          CHECK(bits_of(v) == 0);
          v = 7;
        }
      };
      out.data.assign(9, 7);
      const adahop_mx_gemm_args mx{&p, none, none, view_of(out)};
      CHECK(backend.mx_gemm(&exec, &mx) == ADAHOP_OK);
      all_zero();
      const adahop_bf16_gemm_args bf16{&p, hollow, hollow, view_of(out)};
      CHECK(backend.bf16_gemm(&exec, &bf16) == ADAHOP_OK);
      all_zero();
      const adahop_dequantize_args back{&p, none, hollow};
      CHECK(backend.dequantize(&exec, &back) == ADAHOP_OK);
      const adahop_quantize_args there{&p, hollow, none, nullptr};
      CHECK(backend.quantize(&exec, &there) == ADAHOP_OK);
      const adahop_hadamard_args turned{&p, hollow, hollow};
      CHECK(backend.hadamard(&exec, &turned) == ADAHOP_OK);
      const adahop_hadamard_quantize_args fused{&p, hollow, nullptr, 0, none, nullptr};
      CHECK(backend.hadamard_quantize(&exec, &fused) == ADAHOP_OK);
      const std::array<int32_t, 3> rows = {0, 1, 2};
      const adahop_extract_outliers_args taken{hollow, rows.data(), 3, hollow};
      CHECK(backend.extract_outliers(&exec, &taken) == ADAHOP_OK);
    }
  });
}

TEST_CASE("the stride of a dimension of one is not used", "[spec:3.4]") {
  const policy p = default_policy();
  const adahop_exec exec = conformance::host_exec();
  for_each_backend([&](const adahop_backend& backend) {
    matrix<float> x(1, 64), back(1, 64);
    for (int64_t i = 0; i < 64; ++i) x.at(0, i) = static_cast<float>(i % 5);
    for (const int64_t stride : kAnyStride) {
      CAPTURE(stride);
      mx_matrix q(1, 64);
      adahop_view row = view_of(x), result = view_of(back);
      adahop_mx codes = view_of(q);
      row.row_stride = result.row_stride = codes.codes_stride = codes.scales_stride = stride;
      const adahop_quantize_args there{&p, row, codes, nullptr};
      CHECK(backend.quantize(&exec, &there) == ADAHOP_OK);
      const adahop_dequantize_args again{&p, codes, result};
      CHECK(backend.dequantize(&exec, &again) == ADAHOP_OK);
      CHECK(back.data == x.data);
      std::fill(back.data.begin(), back.data.end(), 7.0f);
    }
  });
}

TEST_CASE("strides that reach too far or lay codes over one another are refused", "[spec:3.4]") {
  const policy p = default_policy();
  const adahop_exec exec = conformance::host_exec();
  for_each_backend([&](const adahop_backend& backend) {
    matrix<float> x(2, 64);
    mx_matrix q(2, 64);
    const auto status_of = [&](const adahop_view& from, const adahop_mx& to) {
      const adahop_quantize_args args{&p, from, to, nullptr};
      return backend.quantize(&exec, &args);
    };
    CHECK(status_of(view_of(x), view_of(q)) == ADAHOP_OK);
    for (const int64_t stride : {(int64_t{1} << 40) + 1, int64_t{INT64_MAX}}) {
      CAPTURE(stride);
      adahop_view far = view_of(x);
      far.row_stride = stride;
      CHECK(status_of(far, view_of(q)) == ADAHOP_INVALID_ARGUMENT);
      far = view_of(x);
      far.col_stride = stride;
      CHECK(status_of(far, view_of(q)) == ADAHOP_INVALID_ARGUMENT);
      adahop_mx apart = view_of(q);
      apart.codes_stride = stride;
      CHECK(status_of(view_of(x), apart) == ADAHOP_INVALID_ARGUMENT);
      apart = view_of(q);
      apart.scales_stride = stride;
      CHECK(status_of(view_of(x), apart) == ADAHOP_INVALID_ARGUMENT);
    }
    adahop_mx together = view_of(q);
    together.codes_stride = 31;
    CHECK(status_of(view_of(x), together) == ADAHOP_INVALID_ARGUMENT);
    together = view_of(q);
    together.scales_stride = 1;
    CHECK(status_of(view_of(x), together) == ADAHOP_INVALID_ARGUMENT);
  });
}
