// The backend `simd` against the reference over shapes that are more than one piece of work: rows longer than a piece,
// views that are staged, products deeper and larger than a tile; NaN and Inf in several pieces at once; any number of
// threads.
#include <array>

#include "reference/backend.h"
#include "reference/simd/backend.h"
#include "simd_kernels_support.h"

using namespace adahop;
using reference::simd::isa;

namespace {

constexpr adahop_exec kExec{sizeof(adahop_exec), ADAHOP_MODE_BITEXACT, ADAHOP_MEMORY_HOST, 0, nullptr, nullptr, 0};

// What a call gives: its status and everything it writes.
struct answer {
  int32_t status = ADAHOP_OK;
  std::vector<std::string> outputs;

  template <class T>
  void append(const std::vector<T>& v) {
    outputs.emplace_back(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T));
  }
  void append(const mx_matrix& q, const adahop_quantize_result& found) {
    append(q.codes), append(q.scales), append(std::vector<int64_t>{found.clipped, found.first_nonfinite});
  }
};

// The same call to the reference and to simd at each level with 1 and 3 threads.
template <class Call>
void compare(const Call& call) {
  const answer expected = call(*adahop_backend_reference(ADAHOP_ABI_VERSION));
  REQUIRE(expected.status == ADAHOP_OK);
  const adahop_backend& simd = *adahop_backend_simd(ADAHOP_ABI_VERSION);
  const std::string before = adahop_backend_simd_isa();
  for (const isa level : reference::simd::tested_levels())
    for (const char* threads : {"1", "3"}) {
      REQUIRE(simd.set_option("isa", reference::simd::name(level)) == ADAHOP_OK);
      REQUIRE(simd.set_option("threads", threads) == ADAHOP_OK);
      const answer got = call(simd);
      INFO("instruction set " << reference::simd::name(level) << ", threads " << threads);
      CHECK(got.status == expected.status);
      REQUIRE(got.outputs.size() == expected.outputs.size());
      for (size_t i = 0; i < got.outputs.size(); ++i) {
        INFO("output " << i);
        CHECK((got.outputs[i] == expected.outputs[i]));
      }
    }
  REQUIRE(simd.set_option("isa", before.c_str()) == ADAHOP_OK);
  REQUIRE(simd.set_option("threads", "1") == ADAHOP_OK);
}

enum class layout { dense, gap, spread, transposed, count };

// A matrix of values and a view of it; F32 or BF16.
struct operand {
  std::vector<float> wide;
  std::vector<bf16> narrow;
  adahop_view view{};

  operand(test::generator& random, int32_t dtype, layout how, int64_t rows, int64_t cols, bool nonfinite) {
    const int64_t inner = how == layout::transposed ? rows : cols, outer = how == layout::transposed ? cols : rows;
    const int64_t step = how == layout::spread ? 2 : 1, stride = inner * step + (how == layout::gap ? 9 : 0);
    view = {nullptr, dtype, 0, rows, cols, stride, step};
    if (how == layout::transposed) std::swap(view.row_stride, view.col_stride);
    const size_t count = static_cast<size_t>(outer * stride);
    for (size_t i = 0; i < count; ++i) {
      float v = random.with_exponent(110, 131);
      if (random.integer(0, 500) == 0) v = random.with_exponent(0, 254);
      if (nonfinite && random.integer(0, 2000) == 0) v = random.integer(0, 1) == 0 ? test::kInf : std::nanf("");
      if (dtype == ADAHOP_F32)
        wide.push_back(v);
      else
        narrow.push_back({static_cast<uint16_t>(bits_of(v) >> 16)});
    }
    view.data = dtype == ADAHOP_F32 ? static_cast<void*>(wide.data()) : static_cast<void*>(narrow.data());
  }
  operand(const operand&) = delete;
  operand& operator=(const operand&) = delete;
};

int64_t extended(const policy& p, int64_t inner) {
  const int64_t multiple = std::max(kBlockSize, p.hadamard_size);
  return (inner + multiple - 1) / multiple * multiple;
}

// Room for the codes and scales of any layout.
mx_matrix quantized_matrix(const policy& p, int64_t rows, int64_t cols) {
  mx_matrix q(rows, cols);
  if (p.scale_layout != ADAHOP_LAYOUT_LINEAR)
    q.scales.resize(static_cast<size_t>((rows + 31) / 32 * 32 * ((cols / 32 + 7) / 8 * 8)));
  return q;
}

answer conversions(const adahop_backend& backend, const policy& p, const operand& x, std::vector<int32_t> zeroed) {
  answer a;
  const auto call = [&](int32_t status) { a.status = a.status != ADAHOP_OK ? a.status : status; };
  const int64_t rows = x.view.rows, cols = x.view.cols, inner = extended(p, cols);
  // What quantize extends to does not depend on the transform's size alone: both take the same dimension here.
  mx_matrix q = quantized_matrix(p, rows, inner), h = quantized_matrix(p, rows, inner);
  adahop_quantize_result found{};
  const adahop_quantize_args quantize{&p, x.view, view_of(q), &found};
  call(backend.quantize(&kExec, &quantize));
  a.append(q, found);
  const adahop_hadamard_quantize_args fused{&p,         x.view, zeroed.data(), static_cast<int64_t>(zeroed.size()),
                                            view_of(h), &found};
  call(backend.hadamard_quantize(&kExec, &fused));
  a.append(h, found);
  for (const int64_t step : {1, 2}) {
    std::vector<float> wide(static_cast<size_t>(rows * inner * step));
    std::vector<bf16> narrow(wide.size());
    // The logical columns alone: what the tensor has beyond them is padding.
    const adahop_dequantize_args to_f32{&p, view_of(q), {wide.data(), ADAHOP_F32, 0, rows, cols, inner * step, step}};
    call(backend.dequantize(&kExec, &to_f32));
    const adahop_dequantize_args to_bf16{
        &p, view_of(q), {narrow.data(), ADAHOP_BF16, 0, rows, cols, inner * step, step}};
    call(backend.dequantize(&kExec, &to_bf16));
    a.append(wide), a.append(narrow);
    void* const to =
        p.hadamard_output == ADAHOP_F32 ? static_cast<void*>(wide.data()) : static_cast<void*>(narrow.data());
    const adahop_hadamard_args transform{&p, x.view, {to, p.hadamard_output, 0, rows, inner, inner * step, step}};
    call(backend.hadamard(&kExec, &transform));
    a.append(wide), a.append(narrow);
  }
  std::vector<double> rv(static_cast<size_t>(rows)), cv(static_cast<size_t>(cols));
  adahop_pattern_result verdict{};
  const adahop_pattern_args pattern{&p, x.view, rv.data(), cv.data(), &verdict};
  call(backend.pattern(&kExec, &pattern));
  a.append(rv), a.append(cv), a.append(std::vector<double>{verdict.cv_row, verdict.cv_col, double(verdict.pattern)});
  std::vector<float> score(static_cast<size_t>(rows));
  std::vector<int32_t> chosen(static_cast<size_t>(std::min<int64_t>(p.oe_k, rows)));
  int64_t count = 0;
  const adahop_select_outliers_args select{&p, x.view, score.data(), chosen.data(), &count};
  call(backend.select_outliers(&kExec, &select));
  a.append(score), a.append(chosen);
  return a;
}

constexpr const char* kPolicies[] = {
    "pad=zero",
    "pad=zero,hadamard_signs=random(11),hadamard_size=128,hadamard_output=f32,scale_rule=floor",
    "pad=zero,element_rounding=stochastic(9,12,4294967200),foid_window=32,scale_rule=ceil",
    "pad=zero,element_rounding=gfx950_sr(13),hadamard_size=64,min_scale_byte=1",
    "pad=zero,scale_layout=gfx950_shuffle,hadamard_signs=random(14),scale_rule=rceil",
    "pad=zero,hadamard_size=16,hadamard_output=f32,scale_layout=gfx950_shuffle"};

}  // namespace

TEST_CASE("conversions and statistics over shapes of several pieces, of any strides",
          "[spec:13.13][spec:1.2][spec:3.7]") {
  constexpr std::array<int64_t, 2> kShapes[] = {{3, 33024}, {70, 288}, {2, 16384 + 96}, {300, 64},
                                                {33, 541},  {67, 31},  {1, 1}};
  test::generator random(820);
  size_t turn = 0;
  for (const auto& [rows, cols] : kShapes)
    for (int how = 0; how < static_cast<int>(layout::count); ++how)
      for (const int32_t dtype : {ADAHOP_F32, ADAHOP_BF16}) {
        // Twelve steps through six policies for each shape, so that all meet all in time.
        const char* const line = kPolicies[turn % std::size(kPolicies)];
        turn += 1 + (how == 3 && dtype == ADAHOP_BF16 ? 1 : 0);
        const policy p = test::policy_with(line);
        const operand x(random, dtype, static_cast<layout>(how), rows, cols, turn % 2 == 0);
        std::vector<int32_t> zeroed;
        if (turn % 3 != 0) zeroed.push_back(static_cast<int32_t>(rows / 2));
        INFO(rows << " x " << cols << ", layout " << how << ", dtype " << dtype << ", " << line);
        compare([&](const adahop_backend& backend) { return conversions(backend, p, x, zeroed); });
      }
}

namespace {

// Codes of any kind, scale bytes around the middle, some far from it, a few NaN.
mx_matrix random_mx(test::generator& random, int64_t rows, int64_t cols, bool extreme) {
  mx_matrix q(rows, cols);
  for (uint8_t& byte : q.codes) byte = static_cast<uint8_t>(random.bits());
  for (uint8_t& byte : q.scales) {
    byte = static_cast<uint8_t>(random.integer(118, 134));
    if (extreme && random.integer(0, 30) == 0) byte = static_cast<uint8_t>(random.integer(0, 254));
    if (extreme && random.integer(0, 400) == 0) byte = kE8m0Nan;
  }
  return q;
}

template <class Product>
void over_outputs(int64_t rows, int64_t cols, const Product& product) {
  compare([&](const adahop_backend& backend) {
    answer a;
    for (const int32_t dtype : {ADAHOP_F32, ADAHOP_BF16})
      for (const layout how : {layout::dense, layout::gap, layout::spread, layout::transposed}) {
        const bool across = how == layout::transposed;
        const int64_t step = how == layout::spread ? 2 : 1;
        const int64_t stride = (across ? rows : cols) * step + (how == layout::gap ? 5 : 0);
        std::vector<uint8_t> bytes(static_cast<size_t>((across ? cols : rows) * stride * dtype_size(dtype)), 0xEE);
        const adahop_view out{bytes.data(), dtype, 0, rows, cols, across ? step : stride, across ? stride : step};
        const int32_t status = product(backend, out);
        a.status = a.status != ADAHOP_OK ? a.status : status;
        a.append(bytes);
      }
    return a;
  });
}

// M, N, K: around the register tiles, deeper than a chunk of the depth, larger than a large tile.
constexpr std::array<int64_t, 3> kProducts[] = {
    {1, 1, 32},     {6, 32, 1024}, {5, 31, 1056},  {13, 65, 2144}, {25, 97, 320}, {2081, 9, 96}, {7, 2113, 64},
    {130, 140, 64}, {3, 5, 0},     {12, 64, 2048}, {37, 33, 3104}, {7, 33, 8352}, {13, 65, 4224}};

}  // namespace

TEST_CASE("products around and beyond every tile", "[spec:13.13][spec:10.3][spec:10.4][spec:10.9]") {
  test::generator random(821);
  const policy p = default_policy();
  for (const auto& [m, n, k] : kProducts)
    for (const bool extreme : {false, true}) {
      INFO(m << " x " << n << " x " << k << ", extreme scales " << extreme);
      const mx_matrix a = random_mx(random, m, k, extreme), b = random_mx(random, n, k, extreme);
      over_outputs(m, n, [&](const adahop_backend& backend, const adahop_view& out) {
        const adahop_mx_gemm_args args{&p, view_of(a), view_of(b), out};
        return backend.mx_gemm(&kExec, &args);
      });
      const layout of_a = extreme ? layout::transposed : layout::gap, of_b = extreme ? layout::spread : layout::dense;
      const operand x(random, ADAHOP_BF16, of_a, m, k, extreme), y(random, ADAHOP_BF16, of_b, n, k, false);
      over_outputs(m, n, [&](const adahop_backend& backend, const adahop_view& out) {
        const adahop_bf16_gemm_args args{&p, x.view, y.view, out};
        return backend.bf16_gemm(&kExec, &args);
      });
    }
}

TEST_CASE("single products whose scale bytes sum to the ends of every range", "[spec:13.13][spec:10.2][spec:10.4]") {
  // A product of one output has one sum, so that no other output of its tile decides how it is made. Ends are where
  // 2^(sum - 256), the least unit of a term or what a tile adds to it leaves the normal FP32 numbers.
  test::generator random(823);
  const policy p = default_policy();
  std::vector<std::array<int, 2>> pairs;
  for (int end : {0, 107, 130, 256, 360, 383, 508})
    for (int sum = std::max(0, end - 2); sum <= std::min(508, end + 2); ++sum)
      for (int i = 0; i < 8; ++i) {
        const int low = std::max(0, sum - 254), high = std::min(254, sum);
        const int a = i == 0 ? low : i == 1 ? high : random.integer(low, high);
        pairs.push_back({a, sum - a});
      }
  compare([&](const adahop_backend& backend) {
    test::generator codes(824);
    answer result;
    for (const auto& [sa, sb] : pairs) {
      mx_matrix a = random_mx(codes, 1, 64, false), b = random_mx(codes, 1, 64, false);
      std::fill(a.scales.begin(), a.scales.end(), static_cast<uint8_t>(sa));
      std::fill(b.scales.begin(), b.scales.end(), static_cast<uint8_t>(sb));
      std::vector<float> out(1);
      const adahop_mx_gemm_args args{&p, view_of(a), view_of(b), {out.data(), ADAHOP_F32, 0, 1, 1, 1, 1}};
      const int32_t status = backend.mx_gemm(&kExec, &args);
      result.status = result.status != ADAHOP_OK ? result.status : status;
      result.append(out);
    }
    return result;
  });
}

TEST_CASE("whole products with more columns than a large tile has", "[spec:13.13][spec:5.22][spec:9.8][spec:11.3]") {
  test::generator random(822);
  constexpr adahop_pattern kNone = ADAHOP_PATTERN_NONE, kRow = ADAHOP_PATTERN_ROW, kColumn = ADAHOP_PATTERN_COLUMN;
  for (const char* line :
       {"oe_k=9", "oe_k=40,element_rounding=stochastic(7,3,99),output=f32", "oe_k=5,element_rounding=gfx950_sr(4)",
        "oe_k=70,hadamard_signs=random(8),hadamard_size=64,pad=zero"})
    for (const auto& [m, n] : {std::array<int64_t, 2>{5, 2145}, std::array<int64_t, 2>{2071, 35}}) {
      const policy p = test::policy_with(line);
      const operand a(random, ADAHOP_BF16, layout::transposed, m, 96 - (p.pad == ADAHOP_PAD_ZERO ? 3 : 0), false);
      const operand b(random, ADAHOP_BF16, layout::gap, n, a.view.cols, false);
      // Left and right pattern of each strategy of level 2: IHT, outliers of the right operand, of the left one, BF16.
      for (const auto& [left, right] : {std::array{kRow, kRow}, std::array{kNone, kColumn}, std::array{kRow, kNone},
                                        std::array{kColumn, kColumn}}) {
        INFO(m << " x " << n << ", " << line << ", patterns " << left << ", " << right);
        compare([&](const adahop_backend& backend) {
          answer result;
          std::vector<uint8_t> bytes(static_cast<size_t>(m * n * dtype_size(p.output)));
          const adahop_view out{bytes.data(), p.output, 0, m, n, n, 1};
          const adahop_matmul_args args{&p, 2, left, right, ADAHOP_PATH_FORWARD, a.view, b.view, out};
          result.status = backend.matmul(&kExec, &args);
          result.append(bytes);
          return result;
        });
      }
    }
}
