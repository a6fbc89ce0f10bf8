// The caller's floating-point environment and the number of threads change no byte of the backend `simd`, whatever its
// instruction set: what it gives then is what the reference gives in the default environment. And the option `isa`.
#include <stdexcept>
#include <thread>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "reference/backend.h"
#include "reference/simd/backend.h"
#include "simd_kernels_support.h"

using namespace adahop;
using reference::simd::isa;

namespace {

constexpr adahop_exec kExec{sizeof(adahop_exec), ADAHOP_MODE_BITEXACT, ADAHOP_MEMORY_HOST, 0, nullptr, nullptr, 0};
constexpr int64_t kRows = 128, kOther = 65, kInner = 192, kChosen = 7;

const adahop_backend& simd_backend() { return *adahop_backend_simd(ADAHOP_ABI_VERSION); }

// Inputs whose sums, products and scales are subnormal as often as not.
struct inputs {
  std::vector<policy> policies;
  matrix<float> x{kRows, kInner}, c{kRows, kOther}, outlier{kRows, 3};
  matrix<bf16> a{kRows, kInner}, b{kOther, kInner};
  std::vector<int32_t> indices = {1, 8, 64};

  inputs() {
    test::generator random(800);
    for (float& v : x.data) v = random.with_exponent(0, 20);
    for (bf16& v : a.data) v = random.bf16_with_exponent(0, 8);
    for (bf16& v : b.data) v = random.bf16_with_exponent(100, 127);
    for (float& v : c.data) v = random.with_exponent(0, 2);
    for (float& v : outlier.data) v = random.with_exponent(0, 2);
    for (const char* line :
         {"output=f32,oe_k=7", "output=bf16,oe_k=7,hadamard_output=f32,scale_rule=floor,hadamard_signs=random(3)",
          "output=f32,oe_k=7,element_rounding=stochastic(8,5,6),hadamard_size=64",
          "output=bf16,oe_k=7,element_rounding=gfx950_sr(9),foid_window=32"})
      policies.push_back(test::policy_with(line));
  }
};

// Every operation under one policy; outputs are appended to bytes. No Catch macro in here: this runs in environments
// that Catch was not written for.
struct calls {
  const adahop_backend& backend;
  const inputs& in;
  const policy& p;
  std::string bytes = {};

  void check(int32_t code) const {
    if (code != ADAHOP_OK) throw std::runtime_error(backend.last_error());
  }
  template <class T>
  void append(const std::vector<T>& v) {
    bytes.append(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T));
  }
  void append(const mx_matrix& q, const adahop_quantize_result& found) {
    append(q.codes), append(q.scales), append(std::vector<int64_t>{found.clipped, found.first_nonfinite});
  }

  mx_matrix quantized(const adahop_view& x) {
    mx_matrix q(x.rows, x.cols);
    adahop_quantize_result found{};
    const adahop_quantize_args args{&p, x, view_of(q), &found};
    check(backend.quantize(&kExec, &args));
    append(q, found);
    return q;
  }
  mx_matrix transformed(const adahop_view& x, int64_t zeroed) {
    mx_matrix q(x.rows, x.cols);
    adahop_quantize_result found{};
    const adahop_hadamard_quantize_args args{&p, x, in.indices.data(), zeroed, view_of(q), &found};
    check(backend.hadamard_quantize(&kExec, &args));
    append(q, found);
    return q;
  }

  void conversions() {
    const mx_matrix q = quantized(view_of(in.x));
    quantized(transposed(view_of(in.x)));
    matrix<float> wide(kRows, kInner);
    matrix<bf16> narrow(kRows, kInner);
    for (const adahop_view& out : {view_of(wide), view_of(narrow)}) {
      const adahop_dequantize_args args{&p, view_of(q), out};
      check(backend.dequantize(&kExec, &args));
    }
    append(wide.data), append(narrow.data);
    const adahop_hadamard_args args{&p, view_of(in.x),
                                    p.hadamard_output == ADAHOP_BF16 ? view_of(narrow) : view_of(wide)};
    check(backend.hadamard(&kExec, &args));
    append(wide.data), append(narrow.data);
  }

  void statistics() {
    std::vector<double> rv(kRows), cv(kInner);
    adahop_pattern_result verdict{};
    const adahop_pattern_args pattern{&p, view_of(in.x), rv.data(), cv.data(), &verdict};
    check(backend.pattern(&kExec, &pattern));
    append(rv), append(cv), append(std::vector<double>{verdict.cv_row, verdict.cv_col});
    std::vector<float> score(kRows);
    std::vector<int32_t> chosen(kChosen);
    int64_t count = 0;
    const adahop_select_outliers_args select{&p, view_of(in.x), score.data(), chosen.data(), &count};
    check(backend.select_outliers(&kExec, &select));
    append(score), append(chosen);
    matrix<bf16> compact(3, kInner);
    const adahop_extract_outliers_args extract{view_of(in.a), in.indices.data(), 3, view_of(compact)};
    check(backend.extract_outliers(&kExec, &extract));
    append(compact.data);
  }

  void products() {
    const mx_matrix qa = transformed(view_of(in.a), 3), qb = transformed(view_of(in.b), 0);
    matrix<float> wide(kRows, kOther);
    matrix<bf16> narrow(kRows, kOther);
    for (const adahop_view& out : {view_of(wide), view_of(narrow)}) {
      const adahop_mx_gemm_args mx{&p, view_of(qa), view_of(qb), out};
      check(backend.mx_gemm(&kExec, &mx));
      append(wide.data), append(narrow.data);
      const adahop_bf16_gemm_args plain{&p, view_of(in.a), view_of(in.b), out};
      check(backend.bf16_gemm(&kExec, &plain));
      append(wide.data), append(narrow.data);
      const adahop_scatter_add_args scatter{
          &p, view_of(in.c), view_of(in.outlier), in.indices.data(), 3, ADAHOP_SIDE_RIGHT, 0, out};
      check(backend.scatter_add(&kExec, &scatter));
      append(wide.data), append(narrow.data);
    }
    for (const adahop_pattern left : {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN})
      for (const adahop_pattern right : {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_COLUMN}) {
        const adahop_view out = p.output == ADAHOP_BF16 ? view_of(narrow) : view_of(wide);
        const adahop_matmul_args args{&p, 2, left, right, ADAHOP_PATH_FORWARD, view_of(in.a), view_of(in.b), out};
        check(backend.matmul(&kExec, &args));
        append(wide.data), append(narrow.data);
      }
  }
};

std::string all_outputs(const adahop_backend& backend, const inputs& in) {
  std::string bytes;
  for (const policy& p : in.policies) {
    calls c{backend, in, p};
    c.conversions(), c.statistics(), c.products();
    bytes += c.bytes;
  }
  return bytes;
}

std::string reference_outputs(const inputs& in) {
  const adahop_backend& reference = *adahop_backend_reference(ADAHOP_ABI_VERSION);
  REQUIRE(reference.set_option("threads", "1") == ADAHOP_OK);
  return all_outputs(reference, in);
}

// Sets the level and the threads, then calls body(), for each level and 1 to 3 threads.
template <class Body>
void on_levels_and_threads(const Body& body) {
  const std::string before = adahop_backend_simd_isa();
  for (const isa level : reference::simd::tested_levels())
    for (const char* threads : {"1", "2", "3"}) {
      REQUIRE(simd_backend().set_option("isa", reference::simd::name(level)) == ADAHOP_OK);
      REQUIRE(simd_backend().set_option("threads", threads) == ADAHOP_OK);
      INFO("instruction set " << reference::simd::name(level) << ", threads " << threads);
      body();
    }
  REQUIRE(simd_backend().set_option("isa", before.c_str()) == ADAHOP_OK);
}

}  // namespace

TEST_CASE("every operation gives the reference's bytes at each instruction set and with any threads",
          "[spec:13.13][spec:1.2]") {
  const inputs in;
  const std::string expected = reference_outputs(in);
  REQUIRE(expected.size() > 500000);
  on_levels_and_threads([&] { CHECK((all_outputs(simd_backend(), in) == expected)); });
}

#if defined(__SSE2__)
TEST_CASE("the control register of the caller changes no byte and is given back", "[spec:1.3][spec:13.13]") {
  constexpr unsigned kFlushToZero = 0x8000u, kDenormalsAreZero = 0x0040u, kMaskedExceptions = 0x1F80u;
  constexpr unsigned kControl = 0xFFC0u;  // all but the sticky flags
  const inputs in;
  const std::string expected = reference_outputs(in);
  on_levels_and_threads([&] {
    for (const unsigned bits : {kMaskedExceptions | kFlushToZero, kMaskedExceptions | kDenormalsAreZero,
                                kMaskedExceptions | kFlushToZero | kDenormalsAreZero,
                                kMaskedExceptions | kFlushToZero | kDenormalsAreZero | unsigned{_MM_ROUND_UP},
                                kMaskedExceptions | unsigned{_MM_ROUND_TOWARD_ZERO}}) {
      std::string got;
      unsigned after = 0;
      // A thread of its own has the register to itself.
      std::thread([&] {
      // Its OpenMP workers too, which operations find as the caller left them.
#pragma omp parallel num_threads(3)
        _mm_setcsr(bits);
        _mm_setcsr(bits);  // LLVM's runtime has given this thread back what it had before the region
        got = all_outputs(simd_backend(), in);
        after = _mm_getcsr() & kControl;
      }).join();
      CAPTURE(bits);
      CHECK((got == expected));  // in brackets: not to be printed
      CHECK(after == bits);
    }
  });
}
#endif

TEST_CASE("the option isa takes each level of this CPU and refuses what it does not know", "[spec:13.13][spec:13.12]") {
  const std::string before = adahop_backend_simd_isa();
  for (const isa level : {isa::scalar, isa::avx2, isa::avx512}) {
    const char* const name = reference::simd::name(level);
    CAPTURE(name);
    CHECK(adahop_backend_simd_has(name) == reference::simd::supported(level));
    const std::string kept = adahop_backend_simd_isa();
    if (reference::simd::supported(level)) {
      CHECK(simd_backend().set_option("isa", name) == ADAHOP_OK);
      CHECK(std::string(adahop_backend_simd_isa()) == name);
    } else {
      WARN(name << ": this CPU or build does not have it");
      CHECK(simd_backend().set_option("isa", name) == ADAHOP_UNSUPPORTED);
      CHECK(std::string(adahop_backend_simd_isa()) == kept);
    }
  }
  REQUIRE(simd_backend().set_option("isa", before.c_str()) == ADAHOP_OK);
  for (const char* bad : {"", "avx", "AVX2", "avx5120", "avx2 ", "sse\n2"}) {
    CAPTURE(bad);
    CHECK(simd_backend().set_option("isa", bad) == ADAHOP_INVALID_ARGUMENT);
    const std::string message = simd_backend().last_error();
    CHECK(message.find("expected scalar, avx2 or avx512") != std::string::npos);
    CHECK(message.find('\n') == std::string::npos);
    CHECK(adahop_backend_simd_isa() == before);
    CHECK_FALSE(adahop_backend_simd_has(bad));
  }
  CHECK(simd_backend().set_option("lane_seed", "1") == ADAHOP_UNSUPPORTED);
  CHECK(adahop_backend_simd(ADAHOP_ABI_VERSION + 1) == nullptr);
}

// Run with ADAHOP_ISA=sse9, which the process reads once: simd_kernels_refused.
TEST_CASE("no operation runs under an ADAHOP_ISA that is not there", "[.refused][spec:13.13]") {
  CHECK(std::string(adahop_backend_simd_unavailable()).find("ADAHOP_ISA='sse9': expected") == 0);
  matrix<float> x(1, 32);
  mx_matrix q(1, 32);
  const policy p = default_policy();
  const adahop_quantize_args args{&p, view_of(x), view_of(q), nullptr};
  CHECK(simd_backend().quantize(&kExec, &args) == ADAHOP_UNSUPPORTED);
  CHECK(std::string(simd_backend().last_error()).find("ADAHOP_ISA='sse9'") == 0);
  CHECK(simd_backend().set_option("isa", "mmx") == ADAHOP_INVALID_ARGUMENT);
  CHECK(simd_backend().quantize(&kExec, &args) == ADAHOP_UNSUPPORTED);
  CHECK(adahop_backend_reference(ADAHOP_ABI_VERSION)->quantize(&kExec, &args) == ADAHOP_OK);
  REQUIRE(simd_backend().set_option("isa", "scalar") == ADAHOP_OK);
  CHECK(simd_backend().quantize(&kExec, &args) == ADAHOP_OK);
}
