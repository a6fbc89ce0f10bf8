// Single operations through a backend's C ABI, their memory checked.
#include "value_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "adahop/formats/scale_layout.h"
#include "backend_hip_cpu.h"
#include "check.h"
#include "conformance/backends/registry.h"
#include "reference/backend.h"

namespace adahop::property {
namespace {

constexpr uint8_t kGuard = 0xA5;
constexpr size_t kGuards = 16;

adahop_exec host() {
  adahop_exec exec{};
  exec.struct_size = sizeof exec;
  return exec;
}

// An input that has to stay as it is.
class input {
 public:
  explicit input(const tensor& t) : before_(t), memory_(t) {}
  adahop_view view() { return memory_.view(); }
  void require_unchanged() const {
    require(memory_.read().bits == before_.bits && !memory_.is_gap_touched(), "the call changed its input");
  }

 private:
  tensor before_;
  stored_tensor memory_;
};

// An output whose every element has to be written, and nothing beside them.
class output {
 public:
  output(int32_t dtype, int64_t rows, int64_t cols, const placement& where)
      : memory_(blank(dtype, rows, cols, where)) {}
  adahop_view view() { return memory_.view(); }
  tensor read() const {
    require(!memory_.is_gap_touched(), "the call wrote outside its output");
    return memory_.read();
  }

 private:
  static tensor blank(int32_t dtype, int64_t rows, int64_t cols, const placement& where) {
    tensor t(dtype, rows, cols);
    t.where = where;
    std::fill(t.bits.begin(), t.bits.end(), 0xFFFF0000u);
    return t;
  }
  stored_tensor memory_;
};

void require_ok(const adahop_backend& b, int32_t status) {
  require(status == ADAHOP_OK, fmt::format("{}: status {}: {}", b.name, status, b.last_error()));
}

// Bytes in rows that are `gap` bytes further apart than they need; between and behind them are guards.
class byte_rows {
 public:
  byte_rows(int64_t rows, int64_t length, int64_t gap)
      : length_(length), pitch_(length + gap), bytes_(static_cast<size_t>(rows * pitch_) + kGuards, kGuard) {}
  byte_rows(const std::vector<uint8_t>& content, int64_t length, int64_t gap)
      : byte_rows(std::ssize(content) / std::max<int64_t>(length, 1), length, gap) {
    for (size_t i = 0; i < content.size(); ++i) bytes_[at(i)] = content[i];
  }
  uint8_t* data() { return bytes_.data(); }
  int64_t pitch() const { return pitch_; }
  /// The rows without what lies between them, which has to be as it was.
  std::vector<uint8_t> read(size_t count) const {
    std::vector<uint8_t> rows(count), between = bytes_;
    for (size_t i = 0; i < count; ++i) {
      rows[i] = bytes_[at(i)];
      between[at(i)] = kGuard;
    }
    require(std::all_of(between.begin(), between.end(), [](uint8_t byte) { return byte == kGuard; }),
            "the call wrote between or past its codes or scales");
    return rows;
  }

 private:
  size_t at(size_t i) const {
    const auto index = static_cast<int64_t>(i);
    return static_cast<size_t>(index / length_ * pitch_ + index % length_);
  }
  int64_t length_, pitch_;
  std::vector<uint8_t> bytes_;
};

// Makes room for codes and scales, calls, and takes the scales out of their layout.
template <class Call>
quantized quantized_by(const policy& p, int64_t outer, int64_t inner, int64_t gap, const Call& call) {
  quantized q;
  q.mx = mx_matrix(outer, inner);
  const int64_t blocks = inner / kBlockSize;
  const bool shuffled = p.scale_layout == ADAHOP_LAYOUT_GFX950_SHUFFLE;
  byte_rows codes(outer, inner / 2, gap);
  byte_rows scales = shuffled ? byte_rows(1, shuffled_scale_bytes(outer, blocks), 0) : byte_rows(outer, blocks, gap);
  q.status = call(adahop_mx{codes.data(), scales.data(), outer, inner, codes.pitch(), scales.pitch()}, &q.result);
  q.mx.codes = codes.read(q.mx.codes.size());
  q.stored = scales.read(shuffled ? static_cast<size_t>(shuffled_scale_bytes(outer, blocks)) : q.mx.scales.size());
  for (int64_t r = 0; r < outer; ++r)
    for (int64_t block = 0; block < blocks; ++block) {
      const int64_t at = shuffled ? shuffled_scale_offset(r, block, blocks) : r * blocks + block;
      q.mx.scales[static_cast<size_t>(r * blocks + block)] = q.stored[static_cast<size_t>(at)];
    }
  return q;
}

}  // namespace

const adahop_backend& reference_backend() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

const adahop_backend& pick_backend() {
  const int64_t which = pick_integer("backend (3: hip-cpu, 4, 5: simd)", 0, 5);
  if (which == 3) return *adahop_backend_hip_cpu(ADAHOP_ABI_VERSION);
  static const std::vector<std::string> levels = conformance::simd_levels();
  const size_t level = which < 3 ? levels.size() : static_cast<size_t>(which) - 4;
  if (level >= levels.size()) return reference_backend();
  const adahop_backend& simd = *conformance::open_backend("simd").value();
  require(simd.set_option("isa", levels[level].c_str()) == ADAHOP_OK, simd.last_error());
  return simd;
}

uint32_t quantized::code(int64_t r, int64_t c) const {
  return code_of(unpack_e2m1(mx.codes[static_cast<size_t>((r * mx.inner + c) / 2)], static_cast<uint32_t>(c & 1)));
}

uint32_t quantized::scale(int64_t r, int64_t block) const {
  return mx.scales[static_cast<size_t>(r * (mx.inner / kBlockSize) + block)];
}

void require_equal(const quantized& got, const quantized& wanted, const std::string& what, std::source_location where) {
  require_number(got.status, wanted.status, what + ": status", where);
  if (got.status != ADAHOP_OK) return;
  require(got.mx.outer == wanted.mx.outer && got.mx.inner == wanted.mx.inner, what + ": shapes differ", where);
  for (int64_t r = 0; r < got.mx.outer; ++r) {
    for (int64_t block = 0; block < got.mx.inner / kBlockSize; ++block)
      require_equal(got.scale(r, block), wanted.scale(r, block), fmt::format("{}: scale ({}, {})", what, r, block),
                    where);
    for (int64_t c = 0; c < got.mx.inner; ++c)
      require_equal(got.code(r, c), wanted.code(r, c), fmt::format("{}: code ({}, {})", what, r, c), where);
  }
  require_number(got.result.clipped, wanted.result.clipped, what + ": clipped", where);
}

void require_equal(const tensor& got, const tensor& wanted, const std::string& what, std::source_location where) {
  require(got.dtype == wanted.dtype && got.rows == wanted.rows && got.cols == wanted.cols, what + ": shapes differ",
          where);
  for (int64_t r = 0; r < got.rows; ++r)
    for (int64_t c = 0; c < got.cols; ++c)
      require_equal(got.at(r, c), wanted.at(r, c), fmt::format("{}: element ({}, {})", what, r, c), where);
}

tensor zero_extended(const tensor& x, int64_t cols) {
  tensor out(x.dtype, x.rows, cols);
  out.where = x.where;
  for (int64_t r = 0; r < x.rows; ++r)
    for (int64_t c = 0; c < x.cols; ++c) out.at(r, c) = x.at(r, c);
  return out;
}

quantized quantize(const adahop_backend& b, const policy& p, const tensor& x) {
  input in(x);
  quantized q = quantized_by(p, x.rows, extended(p, x.cols), x.where.gap,
                             [&](const adahop_mx& out, adahop_quantize_result* result) {
                               const adahop_quantize_args args{&p, in.view(), out, result};
                               const adahop_exec exec = host();
                               return b.quantize(&exec, &args);
                             });
  in.require_unchanged();
  return q;
}

quantized hadamard_quantize(const adahop_backend& b, const policy& p, const tensor& x,
                            const std::vector<int32_t>& zeroed) {
  input in(x);
  quantized q = quantized_by(p, x.rows, extended(p, x.cols), x.where.gap,
                             [&](const adahop_mx& out, adahop_quantize_result* result) {
                               const adahop_hadamard_quantize_args args{&p,
                                                                        in.view(),
                                                                        zeroed.empty() ? nullptr : zeroed.data(),
                                                                        static_cast<int64_t>(zeroed.size()),
                                                                        out,
                                                                        result};
                               const adahop_exec exec = host();
                               return b.hadamard_quantize(&exec, &args);
                             });
  in.require_unchanged();
  return q;
}

tensor dequantize(const adahop_backend& b, const policy& p, const mx_matrix& mx, int32_t dtype, int64_t cols,
                  const placement& where, const std::vector<uint8_t>& stored) {
  const std::vector<uint8_t>& given = stored.empty() ? mx.scales : stored;
  const bool shuffled = p.scale_layout == ADAHOP_LAYOUT_GFX950_SHUFFLE;
  byte_rows codes(mx.codes, mx.inner / 2, where.gap);
  byte_rows scales =
      shuffled ? byte_rows(given, std::ssize(given), 0) : byte_rows(given, mx.inner / kBlockSize, where.gap);
  output out(dtype, mx.outer, cols, where);
  const adahop_mx in{codes.data(), scales.data(), mx.outer, mx.inner, codes.pitch(), scales.pitch()};
  const adahop_dequantize_args args{&p, in, out.view()};
  const adahop_exec exec = host();
  require_ok(b, b.dequantize(&exec, &args));
  require(codes.read(mx.codes.size()) == mx.codes && scales.read(given.size()) == given, "the call changed its input");
  return out.read();
}

tensor hadamard(const adahop_backend& b, const policy& p, const tensor& x, const placement& where) {
  input in(x);
  output out(p.hadamard_output, x.rows, extended(p, x.cols), where);
  const adahop_hadamard_args args{&p, in.view(), out.view()};
  const adahop_exec exec = host();
  require_ok(b, b.hadamard(&exec, &args));
  in.require_unchanged();
  return out.read();
}

pattern_report pattern(const adahop_backend& b, const policy& p, const tensor& x) {
  input in(x);
  pattern_report report{0, 0, 0, std::vector<double>(static_cast<size_t>(x.rows)),
                        std::vector<double>(static_cast<size_t>(x.cols))};
  adahop_pattern_result result{};
  const adahop_pattern_args args{&p, in.view(), report.row_variance.data(), report.col_variance.data(), &result};
  const adahop_exec exec = host();
  require_ok(b, b.pattern(&exec, &args));
  in.require_unchanged();
  report.pattern = result.pattern;
  report.cv_row = result.cv_row;
  report.cv_col = result.cv_col;
  return report;
}

selection select_outliers(const adahop_backend& b, const policy& p, const tensor& x) {
  input in(x);
  std::vector<float> scores(static_cast<size_t>(x.rows));
  std::vector<int32_t> indices(static_cast<size_t>(x.rows), -1);
  int64_t count = -1;
  const adahop_select_outliers_args args{&p, in.view(), scores.data(), indices.data(), &count};
  const adahop_exec exec = host();
  require_ok(b, b.select_outliers(&exec, &args));
  in.require_unchanged();
  require_number(count, std::min<int64_t>(p.oe_k, x.rows), "count");
  selection s;
  for (const float score : scores) s.scores.push_back(bits_of(score));
  for (size_t i = static_cast<size_t>(count); i < indices.size(); ++i) require(indices[i] == -1, "an index too many");
  s.indices.assign(indices.begin(), indices.begin() + count);
  return s;
}

tensor extract(const adahop_backend& b, const tensor& x, const std::vector<int32_t>& indices) {
  input in(x);
  output out(x.dtype, static_cast<int64_t>(indices.size()), x.cols, {});
  const adahop_extract_outliers_args args{in.view(), indices.data(), static_cast<int64_t>(indices.size()), out.view()};
  const adahop_exec exec = host();
  require_ok(b, b.extract_outliers(&exec, &args));
  in.require_unchanged();
  return out.read();
}

tensor scatter_add(const adahop_backend& b, const policy& p, const tensor& c, const tensor& outlier,
                   const std::vector<int32_t>& indices, adahop_side side) {
  input left(c), right(outlier);
  output out(p.output, c.rows, c.cols, {});
  const adahop_scatter_add_args
      args{&p, left.view(), right.view(), indices.data(), static_cast<int64_t>(indices.size()), side, 0, out.view()};
  const adahop_exec exec = host();
  require_ok(b, b.scatter_add(&exec, &args));
  left.require_unchanged();
  right.require_unchanged();
  return out.read();
}

independent::fp32_matrix independent_of(const tensor& x) {
  independent::fp32_matrix m(static_cast<int>(x.rows), static_cast<int>(x.cols));
  m.bits = x.bits;
  return m;
}

independent::scale_rule independent_rule(const policy& p) {
  switch (p.scale_rule) {
    case ADAHOP_SCALE_FLOOR: return independent::scale_rule::floor;
    case ADAHOP_SCALE_CEIL: return independent::scale_rule::ceil;
    case ADAHOP_SCALE_RCEIL: return independent::scale_rule::rceil;
    default: return independent::scale_rule::even;
  }
}

independent::rounding independent_rounding(const policy& p) {
  switch (p.element_rounding) {
    case ADAHOP_ROUND_STOCHASTIC: return {independent::element_rounding::stochastic, p.sr_bits, p.sr_seed, p.sr_offset};
    case ADAHOP_ROUND_GFX950_SR: return {independent::element_rounding::gfx950, 0, p.sr_seed, 0};
    default: return {};
  }
}

}  // namespace adahop::property
