// Products of MXFP4 operands: operands, expectations, and the int8 loops.
#include "bench/mx_products.h"

#include <algorithm>

#include "adahop/formats/e2m1.h"
#include "bench/baseline/baselines.h"
#include "reference/simd/gemm_mx.h"
#include "reference/simd/mx_gemm.h"

namespace adahop::bench {
namespace {

using reference::simd::depth_range;
using reference::simd::tile_place;

// The panels and blocking of the MX product, and a register tile without scales: a `Product` of gemm_loops.
class int8_loops {
 public:
  using value = int32_t;
  using like = reference::simd::mx_product;
  static constexpr int64_t kRows = like::kRows, kColumns = like::kColumns;
  static constexpr int64_t kRowsUnit = like::kRowsUnit, kColumnsUnit = like::kColumnsUnit;
  static constexpr int64_t kChunk = like::kChunk, kWorkPerUnit = like::kWorkPerUnit;

  int8_loops(const reference::simd::kernel_table& k, const adahop_mx& a, const adahop_mx& b, int32_t* out)
      : kernels_(k), a_(a), b_(b), out_(out) {}

  int64_t rows() const { return a_.outer; }
  int64_t columns() const { return b_.outer; }
  int64_t depth() const { return a_.inner / kBlockSize; }
  void pack_rows(int64_t row, const depth_range& depth, uint8_t* to) const {
    uint32_t nan[kRows];
    kernels_.gemm_pack_mx_rows(reference::simd::lines_of(a_, row, kRows, depth), to, nan);
  }
  void pack_columns(int64_t column, const depth_range& depth, uint8_t* to) const {
    uint32_t nan[kColumns];
    kernels_.gemm_pack_mx_columns(reference::simd::lines_of(b_, column, kColumns, depth), to, nan);
  }
  void multiply(const tile_place&, const uint8_t* a, const uint8_t* b, int64_t blocks, int32_t* tile) const {
    kernels_.gemm_int8_tile(a, b, blocks, tile);
  }
  void finish(const tile_place& place, const int32_t* tile) const {
    for (int64_t r = 0; r < place.rows; ++r)
      std::copy_n(tile + r * kColumns, place.columns, out_ + (place.row + r) * columns() + place.column);
  }

 private:
  const reference::simd::kernel_table& kernels_;
  adahop_mx a_, b_;
  int32_t* out_;
};

const reference::simd::kernel_table& baseline_kernels() {
  return *reference::simd::kernels_of(baseline_isa() == "avx512" ? reference::simd::isa::avx512 : reference::simd::isa::avx2);
}

// What a panel holds for an element 0: the panels of one operand hold 2 * value + 12, since the int8 product of the hardware
// is of an unsigned and a signed number.
template <class Pack>
float panel_bias(const Pack& pack) {
  constexpr int64_t kLargest = std::max(reference::simd::kMxRowsBlockBytes, reference::simd::kMxColumnsBlockBytes);
  const uint8_t codes[kBlockBytes] = {}, scale = 127;
  alignas(64) uint8_t panel[kLargest];
  uint32_t nan[reference::simd::kMxTileColumns];
  pack(reference::simd::mx_lines{codes, kBlockBytes, &scale, 1, 1, 1}, panel, nan);
  return static_cast<float>(static_cast<int8_t>(panel[0]));
}

// The bytes of a panel as numbers: 2 * value + bias of each element, [outer x inner].
array<float> doubled(const mx_tensor& x, float bias) {
  array<float> out(x.outer * x.inner);
  float* to = out.data();
  for (const uint8_t codes : x.codes.all())
    for (const uint32_t i : {0u, 1u}) *to++ = static_cast<float>(value_x2(unpack_e2m1(codes, i))) + bias;
  return out;
}

}  // namespace

mx_product::mx_product(const session& s, int64_t rows, int64_t cols, int64_t inner)
    : m(rows), n(cols), k(inner), a(m, k), b(n, k), out(m, n), by_oracle(m, n) {
  fill(a, 1);
  fill(b, 2);
  expected = s.expect(of("", s.oracle, by_oracle).run, by_oracle.bytes());
}

side mx_product::of(const char* name, target on, const tensor<float>& to) const {
  const auto run = [this, on, &to] { on(adahop_mx_gemm_args{&rules, a.view(), b.view(), to.view()}); };
  return {name, run, work(), to.bytes(), expected};
}

int8_product::int8_product(const mx_product& p) : mx_(p), out_(p.m * p.n) {
  const reference::simd::kernel_table& kernels = baseline_kernels();
  const array<float> a = doubled(p.a, panel_bias(kernels.gemm_pack_mx_rows));
  const array<float> b = doubled(p.b, panel_bias(kernels.gemm_pack_mx_columns));
  const array<float> c(p.m * p.n);
  plain_gemm(a.data(), b.data(), c.data(), p.m, p.n, p.k);  // below 24 * 12 * k < 2^24
  std::transform(c.all().begin(), c.all().end(), out_.data(), [](float sum) { return static_cast<int32_t>(sum); });
  expected_ = hash_of({out_.bytes()});
}

side int8_product::as_side() const {
  const auto run = [this] {
    int8_loops product(baseline_kernels(), mx_.a.view(), mx_.b.view(), out_.data());
    reference::simd::gemm_loops(product).run(0, mx_.n);
  };
  return {"int8 GEMM, " + baseline_isa(), run, mx_.work(), {out_.bytes()}, expected_};
}

mixed_product::mixed_product(const session& s, const mx_product& p, int64_t count)
    : mx_(p), simd_(s.simd), a_(count, p.k), b_(p.n, p.k), outliers_(count, p.n), out_(p.m, p.n) {
  for (int64_t i = 0; i < count; ++i) rows_.push_back(static_cast<int32_t>(i * p.m / count));
  fill(a_, 3);
  fill(b_, 4);
  expected_ = s.expect(
      [&] {
        s.oracle(adahop_bf16_gemm_args{&p.rules, a_.view(), b_.view(), view_of(outliers_)});
        s.oracle(adahop_scatter_add_args{&p.rules, p.by_oracle.view(), view_of(outliers_), rows_.data(), count,
                                         ADAHOP_SIDE_LEFT, 0, out_.view()});
      },
      out_.bytes());
}

void mixed_product::run() const {
  simd_(adahop_bf16_gemm_args{&mx_.rules, a_.view(), b_.view(), view_of(outliers_)});
  reference::simd::mixed_gemm(mx_.rules, mx_.a.view(), mx_.b.view(), {ADAHOP_SIDE_LEFT, rows_, &outliers_}, out_.view());
}

side mixed_product::as_side() const {
  return {"mixed GEMM", [this] { run(); }, 0, out_.bytes(), expected_};
}

}  // namespace adahop::bench
