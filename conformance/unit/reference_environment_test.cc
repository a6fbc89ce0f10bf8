// The caller's floating-point environment and the number of threads change no byte of any operation.
#include <cfenv>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "reference/backend.h"
#include "reference/fp_environment.h"
#include "reference_support.h"

using namespace adahop;

namespace {

const adahop_backend& backend() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }
constexpr adahop_exec kExec{sizeof(adahop_exec), ADAHOP_MODE_BITEXACT, ADAHOP_MEMORY_HOST, 0, nullptr, nullptr, 0};

constexpr int64_t kRows = 70, kOther = 65, kInner = 128;

// Inputs whose sums, products and scales are subnormal as often as not.
struct inputs {
  matrix<float> x;
  matrix<bf16> a, b;
  matrix<float> c, outlier;
  std::vector<int32_t> indices = {1, 8, 64};
};

inputs make_inputs() {
  test::generator random(80);
  inputs in{{kRows, kInner}, {kRows, kInner}, {kOther, kInner}, {kRows, kOther}, {kRows, 3}};
  for (float& v : in.x.data) v = random.with_exponent(0, 20);
  for (bf16& v : in.a.data) v = random.bf16_with_exponent(0, 8);
  for (bf16& v : in.b.data) v = random.bf16_with_exponent(100, 127);
  for (float& v : in.c.data) v = random.with_exponent(0, 2);
  for (float& v : in.outlier.data) v = random.with_exponent(0, 2);
  return in;
}

template <class T>
void append(std::string& bytes, const std::vector<T>& v) {
  bytes.append(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T));
}

// Every operation, its outputs one after the other.
std::string all_outputs(const inputs& in) {
  std::string bytes;
  const auto expect_ok = [](int32_t code) {
    // No Catch macro here: this runs under rounding modes that Catch itself was not written for.
    if (code != ADAHOP_OK) throw std::runtime_error(backend().last_error());
  };
  for (const char* line : {"output=f32,oe_k=7", "output=bf16,oe_k=7,hadamard_output=f32,scale_rule=floor"}) {
    const policy p = parse_policy(line, default_policy()).value();
    mx_matrix qx(kRows, kInner), qa(kRows, kInner), qb(kOther, kInner);
    adahop_quantize_result found{};
    const adahop_quantize_args quantize{&p, view_of(in.x), view_of(qx), &found};
    expect_ok(backend().quantize(&kExec, &quantize));
    append(bytes, std::vector<int64_t>{found.clipped, found.first_nonfinite});

    const adahop_hadamard_quantize_args left{&p, view_of(in.a), in.indices.data(), 3, view_of(qa), &found};
    expect_ok(backend().hadamard_quantize(&kExec, &left));
    const adahop_hadamard_quantize_args right{&p, view_of(in.b), nullptr, 0, view_of(qb), &found};
    expect_ok(backend().hadamard_quantize(&kExec, &right));
    for (const mx_matrix* q : {&qx, &qa, &qb}) append(bytes, q->codes), append(bytes, q->scales);

    matrix<float> wide(kRows, kInner), product(kRows, kOther);
    matrix<bf16> narrow(kRows, kInner), narrow_product(kRows, kOther);
    const adahop_dequantize_args dequantize{&p, view_of(qx), view_of(wide)};
    expect_ok(backend().dequantize(&kExec, &dequantize));
    append(bytes, wide.data);
    const bool to_bf16 = p.hadamard_output == ADAHOP_BF16;
    const adahop_hadamard_args hadamard{&p, view_of(in.x), to_bf16 ? view_of(narrow) : view_of(wide)};
    expect_ok(backend().hadamard(&kExec, &hadamard));
    append(bytes, wide.data), append(bytes, narrow.data);

    std::vector<double> rv(kRows), cv(kInner);
    adahop_pattern_result verdict{};
    const adahop_pattern_args pattern{&p, view_of(in.x), rv.data(), cv.data(), &verdict};
    expect_ok(backend().pattern(&kExec, &pattern));
    append(bytes, rv), append(bytes, cv), append(bytes, std::vector<double>{verdict.cv_row, verdict.cv_col});

    std::vector<float> score(kRows);
    std::vector<int32_t> chosen(7);
    int64_t count = 0;
    const adahop_select_outliers_args select{&p, view_of(in.x), score.data(), chosen.data(), &count};
    expect_ok(backend().select_outliers(&kExec, &select));
    append(bytes, score), append(bytes, chosen);
    matrix<bf16> compact(3, kInner);
    const adahop_extract_outliers_args extract{view_of(in.a), in.indices.data(), 3, view_of(compact)};
    expect_ok(backend().extract_outliers(&kExec, &extract));
    append(bytes, compact.data);

    const adahop_mx_gemm_args mx{&p, view_of(qa), view_of(qb), view_of(product)};
    expect_ok(backend().mx_gemm(&kExec, &mx));
    append(bytes, product.data);
    const adahop_bf16_gemm_args bf16_product{&p, view_of(in.a), view_of(in.b), view_of(product)};
    expect_ok(backend().bf16_gemm(&kExec, &bf16_product));
    append(bytes, product.data);
    const adahop_scatter_add_args scatter{&p, view_of(in.c), view_of(in.outlier), in.indices.data(), 3,
                                          ADAHOP_SIDE_RIGHT, 0, view_of(product)};
    expect_ok(backend().scatter_add(&kExec, &scatter));
    append(bytes, product.data);
    for (const adahop_pattern l : {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN})
      for (const adahop_pattern r : {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_COLUMN}) {
        const adahop_view out = p.output == ADAHOP_BF16 ? view_of(narrow_product) : view_of(product);
        const adahop_matmul_args matmul{&p, 2, l, r, ADAHOP_PATH_FORWARD, view_of(in.a), view_of(in.b), out};
        expect_ok(backend().matmul(&kExec, &matmul));
        append(bytes, product.data), append(bytes, narrow_product.data);
      }
  }
  return bytes;
}

// all_outputs() on a thread of its own, after `prepare` has changed that thread's environment.
std::string outputs_after(const inputs& in, const std::function<void()>& prepare) {
  std::string bytes;
  std::thread([&] {
    prepare();
    bytes = all_outputs(in);
  }).join();
  return bytes;
}

void set_threads(const char* count) { REQUIRE(backend().set_option("threads", count) == ADAHOP_OK); }

}  // namespace

TEST_CASE("the inputs of these tests do reach subnormals", "[spec:1.3]") {
  const inputs in = make_inputs();
  int subnormal = 0;
  for (const float v : in.x.data) subnormal += std::fpclassify(v) == FP_SUBNORMAL ? 1 : 0;
  for (const float v : in.c.data) subnormal += std::fpclassify(v) == FP_SUBNORMAL ? 1 : 0;
  CHECK(subnormal > 500);
}

TEST_CASE("one thread or several give the same bytes", "[spec:1.2]") {
  const inputs in = make_inputs();
  set_threads("1");
  const std::string one = all_outputs(in);
  for (const char* count : {"2", "3", "7"}) {
    set_threads(count);
    CHECK(all_outputs(in) == one);
  }
}

TEST_CASE("the caller's rounding mode changes nothing and is given back", "[spec:1.3]") {
  const inputs in = make_inputs();
  for (const char* count : {"1", "2"}) {
    set_threads(count);
    const std::string expected = all_outputs(in);
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      int after = -1;
      const std::string got = outputs_after(in, [&] { std::fesetround(mode); });
      CHECK(got == expected);
      std::thread([&] {
        std::fesetround(mode);
        all_outputs(in);
        after = std::fegetround();
      }).join();
      CHECK(after == mode);
    }
  }
}

#if defined(__SSE2__)
TEST_CASE("flush-to-zero and denormals-are-zero of the caller change nothing and are given back", "[spec:1.3]") {
  constexpr unsigned kFtz = 0x8000u, kDaz = 0x0040u;
  const inputs in = make_inputs();
  for (const char* count : {"1", "2"}) {
    set_threads(count);
    const std::string expected = all_outputs(in);
    for (const unsigned flags : {kFtz, kDaz, kFtz | kDaz}) {
      unsigned after = 0;
      const std::string got = outputs_after(in, [&] { _mm_setcsr(_mm_getcsr() | flags); });
      CHECK(got == expected);
      std::thread([&] {
        _mm_setcsr(_mm_getcsr() | flags);
        all_outputs(in);
        after = _mm_getcsr() & (kFtz | kDaz);
      }).join();
      CHECK(after == flags);
    }
  }
}

TEST_CASE("the guard clears what the test above sets", "[spec:1.3]") {
  std::thread([] {
    _mm_setcsr(_mm_getcsr() | 0x8040u | _MM_ROUND_UP);
    volatile float tiny = float_of(0x00800000u);
    volatile float flushed = tiny * 0.5f, kept = 0;
    {
      const reference::default_fp_environment environment;
      kept = tiny * 0.5f;
    }
    const uint32_t flushed_bits = bits_of(flushed), kept_bits = bits_of(kept);
    _mm_setcsr(0x1F80u);
    CHECK(flushed_bits == 0u);
    CHECK(kept_bits == 0x00400000u);
  }).join();
}
#endif
