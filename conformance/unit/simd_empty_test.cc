// Matrices without elements through the C ABI, on the oracle and on every level of its twins: pointers may be null, strides
// any number and dimensions as large as they come, and nothing is touched or allocated for them. [spec:3.4] [spec:13.13]
#include <sys/resource.h>

#include <cstdint>

#include "conformance/backends/registry.h"
#include "reference_policies_support.h"

using namespace adahop;
using namespace adahop::test;

namespace {

constexpr int64_t kMost = INT32_MAX, kAny = INT64_MIN;
constexpr int64_t kMostInner = kMost / 128 * 128;

adahop_view nothing(int32_t dtype, int64_t rows, int64_t cols) { return {nullptr, dtype, 0, rows, cols, kAny, kAny}; }
// Columns that would lie together, which is what kernels look for.
adahop_view nothing_in_rows(int32_t dtype, int64_t rows, int64_t cols) { return {nullptr, dtype, 0, rows, cols, kAny, 1}; }
adahop_mx no_mx(int64_t outer, int64_t inner) { return {nullptr, nullptr, outer, inner, inner / 2, inner / kBlockSize}; }

// 4 GB are plenty for nothing. Sanitizers need the address space for themselves.
void limit_memory() {
#ifndef ADAHOP_SANITIZED
  const rlimit limit{rlim_t{4} << 30, rlim_t{4} << 30};
  REQUIRE(::setrlimit(RLIMIT_AS, &limit) == 0);
#endif
}

void require_nothing_done(const adahop_backend& b) {
  policy p = default_policy(), signs = default_policy();
  signs.hadamard_signs = ADAHOP_SIGNS_RANDOM;
  const auto ok = [&](const char* what, int32_t code) {
    INFO(what << ": " << b.last_error());
    REQUIRE(code == ADAHOP_OK);
  };
  for (const auto& make : {nothing, nothing_in_rows}) {
    for (const auto& [rows, cols] : {std::pair{kMost, int64_t{0}}, {int64_t{0}, kMostInner}, {int64_t{5}, int64_t{0}}}) {
      CAPTURE(rows, cols);
      adahop_quantize_result found{9, 9};
      for (const policy* how : {&p, &signs}) {
        const adahop_quantize_args q{how, make(ADAHOP_F32, rows, cols), no_mx(rows, cols), &found};
        ok("quantize", b.quantize(&kHostExec, &q));
        CHECK((found.clipped == 0 && found.first_nonfinite == -1));
        const adahop_hadamard_quantize_args hq{how, make(ADAHOP_BF16, rows, cols), nullptr, 0, no_mx(rows, cols), &found};
        ok("hadamard_quantize", b.hadamard_quantize(&kHostExec, &hq));
        const adahop_hadamard_args h{how, make(ADAHOP_F32, rows, cols), make(ADAHOP_BF16, rows, cols)};
        ok("hadamard", b.hadamard(&kHostExec, &h));
      }
      const adahop_dequantize_args d{&p, no_mx(rows, cols), make(ADAHOP_F32, rows, cols)};
      ok("dequantize", b.dequantize(&kHostExec, &d));
      const adahop_scatter_add_args s{&p, make(ADAHOP_F32, rows, cols), make(ADAHOP_F32, 0, cols), nullptr, 0,
                                      ADAHOP_SIDE_LEFT, 0, make(ADAHOP_F32, rows, cols)};
      ok("scatter_add", b.scatter_add(&kHostExec, &s));
    }
    for (const auto& [m, n] : {std::pair{kMost, int64_t{0}}, {int64_t{0}, kMost}}) {
      CAPTURE(m, n);
      const adahop_mx_gemm_args mx{&p, no_mx(m, 0), no_mx(n, 0), make(ADAHOP_F32, m, n)};
      ok("mx_gemm", b.mx_gemm(&kHostExec, &mx));
      const adahop_bf16_gemm_args half{&p, make(ADAHOP_BF16, m, 0), make(ADAHOP_BF16, n, 0), make(ADAHOP_BF16, m, n)};
      ok("bf16_gemm", b.bf16_gemm(&kHostExec, &half));
    }
    const adahop_matmul_args whole{&signs, 1, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN, ADAHOP_PATH_FORWARD,
                                   make(ADAHOP_BF16, 0, kMostInner), make(ADAHOP_BF16, 0, kMostInner),
                                   make(ADAHOP_BF16, 0, 0)};
    ok("matmul", b.matmul(&kHostExec, &whole));
    adahop_pattern_result verdict{};
    double variance[5] = {};
    const adahop_pattern_args pattern{&p, make(ADAHOP_BF16, 5, 0), variance, nullptr, &verdict};
    ok("pattern", b.pattern(&kHostExec, &pattern));
    CHECK(verdict.pattern == ADAHOP_PATTERN_NONE);
    const int32_t chosen[] = {1, 4};
    const adahop_extract_outliers_args extract{make(ADAHOP_BF16, 5, 0), chosen, 2, make(ADAHOP_BF16, 2, 0)};
    ok("extract_outliers", b.extract_outliers(&kHostExec, &extract));
  }
}

}  // namespace

TEST_CASE("matrices without elements cost nothing, whatever their pointers, strides and dimensions", "[spec:3.4][spec:13.13]") {
  limit_memory();
  require_nothing_done(reference_backend());
  const adahop_backend& simd = *conformance::open_backend("simd").value();
  for (const std::string& level : conformance::simd_levels()) {
    INFO("isa " << level);
    REQUIRE(simd.set_option("isa", level.c_str()) == ADAHOP_OK);
    require_nothing_done(simd);
  }
}
