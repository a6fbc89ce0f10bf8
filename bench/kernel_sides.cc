// Operands, oracle and timing loop of each kind of kernel.
#include "bench/kernel_sides.h"

#include <algorithm>
#include <chrono>

#include "adahop/formats/mx_block.h"

namespace adahop::bench {
namespace {

using reference::simd::kMxColumnsBlockBytes;
using reference::simd::kMxRowsBlockBytes;
using reference::simd::kMxTileColumns;
using reference::simd::kMxTileRows;
using reference::simd::kBf16TileColumns;
using reference::simd::kBf16TileRows;

constexpr int64_t kRows = 64, kCols = 512, kCount = kRows * kCols;  // of the values, 128 KB in FP32
constexpr int64_t kBlocks = kCount / kBlockSize;
constexpr int64_t kInner = 1024, kPanelBlocks = kInner / kBlockSize;  // of the MX operands, which hold kCount codes each
constexpr double kRunSeconds = 200e-6;

static_assert(kMxTileColumns * kInner == kCount);

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

reference::simd::scale_choice choice_of(const policy& p) { return {p.scale_rule, p.min_scale_byte}; }

// One row of all values.
template <class T>
adahop_view as_row(T* data) {
  return {data, sizeof(T) == 2 ? ADAHOP_BF16 : ADAHOP_F32, 0, 1, kCount, kCount, 1};
}

adahop_mx as_row(uint8_t* codes, uint8_t* scales) { return {codes, scales, 1, kCount, kCount / 2, kBlocks}; }

adahop_view rows_of(const tensor<bf16>& t, int64_t first, int64_t count) {
  return {t.values.data() + first * t.cols, ADAHOP_BF16, 0, count, t.cols, t.cols, 1};
}

// How often a call is made in a run.
int64_t calls_of(const std::function<void()>& kernel) {
  const auto start = std::chrono::steady_clock::now();
  kernel();
  const double once = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return std::clamp(static_cast<int64_t>(kRunSeconds / once), int64_t{1}, int64_t{10000});
}

}  // namespace

kernel_sides::kernel_sides(const session& s, std::string level, const reference::simd::kernel_table& kernels)
    : session_(s), level_(std::move(level)), kernels_(kernels), x_(kRows, kCols), y_(kRows, kCols), a_(32, kInner), b_(32, kInner) {
  fill(x_, 1);
  fill(y_, 2);
  fill(a_, 3);
  fill(b_, 4);
}

template <class T>
T* kernel_sides::output(int64_t count) {
  held_.emplace_back(count * static_cast<int64_t>(sizeof(T)));
  outputs_.push_back(held_.back().bytes());
  return reinterpret_cast<T*>(held_.back().data());
}

const uint16_t* kernel_sides::y_bits() const { return reinterpret_cast<const uint16_t*>(y_.values.data()); }

side kernel_sides::made(double work, const std::function<void()>& kernel, const std::function<void()>& oracle) {
  side s{level_, {}, work, std::move(outputs_), ""};
  outputs_.clear();
  if (oracle) s.expected = session_.expect(oracle, s.outputs);
  kernel();
  s.calls = session_.quick() ? 1 : calls_of(kernel);
  s.run = [kernel, calls = s.calls] {
    for (int64_t i = 0; i < calls; ++i) kernel();
  };
  return s;
}

template <class T, class Kernel>
side kernel_sides::quantizer(const policy& p, bool transformed, const tensor<T>& x, const Kernel& kernel) {
  auto* const codes = output<uint8_t>(kCount / 2);
  auto* const scales = output<uint8_t>(kBlocks);
  auto* const report = output<run_report>(1);
  const double work = size_of(x.bytes()) + size_of(outputs_);
  return made(
      work, [=] { *report = kernel(codes, scales); },
      [=, this, &x] {
        adahop_quantize_result found;
        if (transformed)
          session_.oracle(
              adahop_hadamard_quantize_args{&p, as_row(x.values.data()), nullptr, 0, as_row(codes, scales), &found});
        else
          session_.oracle(adahop_quantize_args{&p, as_row(x.values.data()), as_row(codes, scales), &found});
        *report = {found.clipped, found.first_nonfinite};
      });
}

side kernel_sides::of(const std::string&, run_report (*f)(const scale_choice&, const float*, int64_t, uint8_t*, uint8_t*)) {
  const policy p = default_policy();
  return quantizer(p, false, x_, [=, this](uint8_t* codes, uint8_t* scales) {
    return f(choice_of(p), x_.values.data(), kBlocks, codes, scales);
  });
}

side kernel_sides::of(const std::string&, run_report (*f)(const scale_choice&, const uint16_t*, int64_t, uint8_t*, uint8_t*)) {
  const policy p = default_policy();
  return quantizer(p, false, y_, [=, this](uint8_t* codes, uint8_t* scales) {
    return f(choice_of(p), y_bits(), kBlocks, codes, scales);
  });
}

side kernel_sides::of(const std::string& name,
                      run_report (*f)(const scale_choice&, const random_words&, const float*, int64_t, uint8_t*, uint8_t*)) {
  policy p = default_policy();
  p.element_rounding = contains(name, "gfx950") ? ADAHOP_ROUND_GFX950_SR : ADAHOP_ROUND_STOCHASTIC;
  if (p.element_rounding == ADAHOP_ROUND_STOCHASTIC) p.sr_bits = 32;
  return quantizer(p, false, x_, [=, this](uint8_t* codes, uint8_t* scales) {
    return f(choice_of(p), {p.sr_seed, p.sr_offset, p.sr_bits}, x_.values.data(), kBlocks, codes, scales);
  });
}

side kernel_sides::of(const std::string&, run_report (*f)(const scale_choice&, bool, const float*, int64_t, uint8_t*, uint8_t*)) {
  const policy p = default_policy();
  return quantizer(p, true, x_, [=, this](uint8_t* codes, uint8_t* scales) {
    return f(choice_of(p), p.hadamard_output == ADAHOP_BF16, x_.values.data(), kBlocks, codes, scales);
  });
}

side kernel_sides::of(const std::string&,
                      run_report (*f)(const scale_choice&, bool, const uint16_t*, int64_t, uint8_t*, uint8_t*)) {
  const policy p = default_policy();
  return quantizer(p, true, y_, [=, this](uint8_t* codes, uint8_t* scales) {
    return f(choice_of(p), p.hadamard_output == ADAHOP_BF16, y_bits(), kBlocks, codes, scales);
  });
}

template <class T, class Kernel>
side kernel_sides::dequantizer(const Kernel& kernel) {
  auto* const out = output<T>(kCount);
  return made(
      size_of(a_.bytes()) + size_of(outputs_), [=, this] { kernel(a_.codes.data(), a_.scales.data(), kBlocks, out, false); },
      [=, this] {
        const policy p = default_policy();
        session_.oracle(adahop_dequantize_args{&p, as_row(a_.codes.data(), a_.scales.data()), as_row(out)});
      });
}

side kernel_sides::of(const std::string&, void (*f)(const uint8_t*, const uint8_t*, int64_t, float*, bool)) {
  return dequantizer<float>(f);
}
side kernel_sides::of(const std::string&, void (*f)(const uint8_t*, const uint8_t*, int64_t, uint16_t*, bool)) {
  return dequantizer<uint16_t>(f);
}

template <class Out, class In, class Kernel>
side kernel_sides::transformer(const tensor<In>& x, const Kernel& kernel) {
  auto* const out = output<Out>(kCount);
  policy p = default_policy();
  p.hadamard_output = sizeof(Out) == 2 ? ADAHOP_BF16 : ADAHOP_F32;
  const transform how{p.hadamard_size, false, nullptr};
  return made(
      size_of(x.bytes()) + size_of(outputs_), [=] { kernel(how, out); },
      [=, this, &x] { session_.oracle(adahop_hadamard_args{&p, as_row(x.values.data()), as_row(out)}); });
}

side kernel_sides::of(const std::string&, void (*f)(const transform&, const float*, int64_t, float*, bool)) {
  return transformer<float>(x_, [=, this](const transform& t, float* out) { f(t, x_.values.data(), kCount, out, false); });
}
side kernel_sides::of(const std::string&, void (*f)(const transform&, const float*, int64_t, uint16_t*, bool)) {
  return transformer<uint16_t>(x_, [=, this](const transform& t, uint16_t* out) { f(t, x_.values.data(), kCount, out, false); });
}
side kernel_sides::of(const std::string&, void (*f)(const transform&, const uint16_t*, int64_t, float*, bool)) {
  return transformer<float>(y_, [=, this](const transform& t, float* out) { f(t, y_bits(), kCount, out, false); });
}
side kernel_sides::of(const std::string&, void (*f)(const transform&, const uint16_t*, int64_t, uint16_t*, bool)) {
  return transformer<uint16_t>(y_, [=, this](const transform& t, uint16_t* out) { f(t, y_bits(), kCount, out, false); });
}

template <class T, class Kernel>
side kernel_sides::transposer(const T* in, const Kernel& kernel) {
  auto* const out = output<T>(kCount);
  return made(
      2 * size_of(outputs_), [=] { kernel(in, kCols, kRows, kCols, out, kRows); },
      [=] {
        for (int64_t r = 0; r < kRows; ++r)
          for (int64_t c = 0; c < kCols; ++c) out[c * kRows + r] = in[r * kCols + c];
      });
}

side kernel_sides::of(const std::string&, void (*f)(const uint32_t*, int64_t, int64_t, int64_t, uint32_t*, int64_t)) {
  held_.emplace_back(kCount * 4);
  std::copy_n(x_.values.bytes().data(), kCount * 4, held_.back().data());
  return transposer(reinterpret_cast<const uint32_t*>(held_.back().data()), f);
}
side kernel_sides::of(const std::string&, void (*f)(const uint16_t*, int64_t, int64_t, int64_t, uint16_t*, int64_t)) {
  return transposer(y_bits(), f);
}

template <class In, class Kernel>
side kernel_sides::variance(bool of_rows, const tensor<In>& x, const Kernel& kernel) {
  auto* const out = output<double>(of_rows ? kRows : kCols);
  return made(
      size_of(x.bytes()), [=] { kernel(out); },
      [=, this, &x] {
        const policy p = default_policy();
        adahop_pattern_result verdict;
        session_.oracle(
            adahop_pattern_args{&p, x.view(), of_rows ? out : nullptr, of_rows ? nullptr : out, &verdict});
      });
}

side kernel_sides::of(const std::string& name, void (*f)(const float*, int64_t, int64_t, int64_t, double*)) {
  return variance(contains(name, "row"), x_, [=, this](double* out) { f(x_.values.data(), kCols, kRows, kCols, out); });
}
side kernel_sides::of(const std::string& name, void (*f)(const uint16_t*, int64_t, int64_t, int64_t, double*)) {
  return variance(contains(name, "row"), y_, [=, this](double* out) { f(y_bits(), kCols, kRows, kCols, out); });
}

template <class In, class Kernel>
side kernel_sides::foid(const tensor<In>& x, const Kernel& kernel) {
  auto* const out = output<float>(kRows);
  policy p = default_policy();
  p.foid_window = 64;
  return made(
      static_cast<double>(kRows * p.foid_window) * sizeof(In), [=] { kernel(p.foid_window, out); },
      [=, this, &x] {
        std::vector<int32_t> indices(kRows);
        int64_t count = 0;
        session_.oracle(adahop_select_outliers_args{&p, x.view(), out, indices.data(), &count});
      });
}

side kernel_sides::of(const std::string&, void (*f)(const float*, int64_t, int64_t, int64_t, int64_t, float*)) {
  return foid(x_, [=, this](int64_t window, float* out) { f(x_.values.data(), kCols, kRows, window, window, out); });
}

// The scores of BF16 rows, and the panels of the BF16 product, which take the same.
side kernel_sides::of(const std::string& name, void (*f)(const uint16_t*, int64_t, int64_t, int64_t, int64_t, float*)) {
  if (contains(name, "foid"))
    return foid(y_, [=, this](int64_t window, float* out) { f(y_bits(), kCols, kRows, window, window, out); });
  auto* const panel = output<float>(kCols * kBf16TileColumns);
  return made(
      1.5 * size_of(outputs_), [=, this] { f(y_bits(), kCols, kBf16TileColumns, kCols, kBf16TileColumns, panel); },
      [=, this] {
        for (int64_t k = 0; k < kCols; ++k)
          for (int64_t i = 0; i < kBf16TileColumns; ++i) panel[k * kBf16TileColumns + i] = decode_bf16(y_.values.data()[i * kCols + k]);
      });
}

side kernel_sides::of(const std::string& name, scale_range (*f)(const mx_lines&, uint8_t*, uint32_t*)) {
  const bool rows = contains(name, "rows");
  const int64_t lines = rows ? kMxTileRows : kMxTileColumns;
  auto* const panel = output<uint8_t>(kPanelBlocks * (rows ? kMxRowsBlockBytes : kMxColumnsBlockBytes));
  auto* const nan = output<uint32_t>(lines);
  auto* const range = output<scale_range>(1);
  const adahop_mx a = a_.view();
  const mx_lines x{a.codes, a.codes_stride, a.scales, a.scales_stride, lines, kPanelBlocks};
  return made(size_of(outputs_) + static_cast<double>(lines * kPanelBlocks * 17), [=] { *range = f(x, panel, nan); }, {});
}

template <class T>
side kernel_sides::mx_tile(void (*f)(const uint8_t*, const uint8_t*, int64_t, T*), const std::function<void(T*)>& oracle) {
  array<std::byte> rows(kPanelBlocks * kMxRowsBlockBytes), columns(kPanelBlocks * kMxColumnsBlockBytes);
  const auto* const a = reinterpret_cast<const uint8_t*>(rows.data());
  const auto* const b = reinterpret_cast<const uint8_t*>(columns.data());
  const adahop_mx left = a_.view(), right = b_.view();
  uint32_t nan[kMxTileColumns];
  kernels_.gemm_pack_mx_rows({left.codes, left.codes_stride, left.scales, left.scales_stride, kMxTileRows, kPanelBlocks},
                             reinterpret_cast<uint8_t*>(rows.data()), nan);
  kernels_.gemm_pack_mx_columns(
      {right.codes, right.codes_stride, right.scales, right.scales_stride, kMxTileColumns, kPanelBlocks},
      reinterpret_cast<uint8_t*>(columns.data()), nan);
  held_.push_back(std::move(rows));
  held_.push_back(std::move(columns));
  auto* const tile = output<T>(kMxTileRows * kMxTileColumns);
  std::function<void()> by_oracle;
  if (oracle) by_oracle = [=] { oracle(tile); };
  const auto kernel = [=] {
    std::fill_n(tile, kMxTileRows * kMxTileColumns, T{0});
    f(a, b, kPanelBlocks, tile);
  };
  return made(static_cast<double>(kMxTileRows * kMxTileColumns * kInner), kernel, by_oracle);
}

side kernel_sides::of(const std::string&, void (*f)(const uint8_t*, const uint8_t*, int64_t, float*)) {
  return mx_tile<float>(f, [this](float* tile) {
    const policy p = default_policy();
    adahop_mx a = a_.view(), b = b_.view();
    a.outer = kMxTileRows;
    b.outer = kMxTileColumns;
    session_.oracle(adahop_mx_gemm_args{&p, a, b, {tile, ADAHOP_F32, 0, a.outer, b.outer, b.outer, 1}});
  });
}
side kernel_sides::of(const std::string&, void (*f)(const uint8_t*, const uint8_t*, int64_t, int32_t*)) {
  return mx_tile<int32_t>(f, {});
}

side kernel_sides::of(const std::string&, void (*f)(const float*, const float*, int64_t, float*)) {
  array<std::byte> rows(kCols * kBf16TileRows * 4), columns(kCols * kBf16TileColumns * 4);
  auto* const a = reinterpret_cast<float*>(rows.data());
  auto* const b = reinterpret_cast<float*>(columns.data());
  kernels_.gemm_pack_bf16(y_bits(), kCols, kBf16TileRows, kCols, kBf16TileRows, a);
  kernels_.gemm_pack_bf16(y_bits() + kBf16TileRows * kCols, kCols, kBf16TileColumns, kCols, kBf16TileColumns, b);
  held_.push_back(std::move(rows));
  held_.push_back(std::move(columns));
  auto* const tile = output<float>(kBf16TileRows * kBf16TileColumns);
  return made(
      static_cast<double>(kBf16TileRows * kBf16TileColumns * kCols),
      [=] {
        std::fill_n(tile, kBf16TileRows * kBf16TileColumns, 0.0f);
        f(a, b, kCols, tile);
      },
      [=, this] {
        const policy p = default_policy();
        session_.oracle(adahop_bf16_gemm_args{
            &p, rows_of(y_, 0, kBf16TileRows), rows_of(y_, kBf16TileRows, kBf16TileColumns),
            {tile, ADAHOP_F32, 0, kBf16TileRows, kBf16TileColumns, kBf16TileColumns, 1}});
      });
}

template <class Out>
side kernel_sides::store(
    void (*f)(const float*, int64_t, int64_t, int64_t, const uint32_t*, const uint32_t*, Out*, int64_t)) {
  constexpr int64_t kStored = 32;  // columns
  held_.emplace_back(kRows * 4);
  const auto* const no_nan = reinterpret_cast<const uint32_t*>(held_.back().data());
  auto* const out = output<Out>(kRows * kStored);
  return made(static_cast<double>(kRows * kStored) * (4 + sizeof(Out)),
              [=, this] { f(x_.values.data(), kCols, kRows, kStored, no_nan, no_nan, out, kStored); }, {});
}

side kernel_sides::of(const std::string&, void (*f)(const float*, int64_t, int64_t, int64_t, const uint32_t*, const uint32_t*,
                                                    float*, int64_t)) {
  return store(f);
}
side kernel_sides::of(const std::string&, void (*f)(const float*, int64_t, int64_t, int64_t, const uint32_t*, const uint32_t*,
                                                    uint16_t*, int64_t)) {
  return store(f);
}

}  // namespace adahop::bench
