// Cost against size: C1 to C4 the MX product against M, N, K and all three, C5 quantization against bytes, on one thread. The
// ratio is the slope of log time over log work.
#include <fmt/format.h>

#include <memory>

#include "adahop/io/file.h"
#include "adahop/policy.h"
#include "bench/plot.h"
#include "bench/session.h"

namespace adahop::bench {
namespace {

// One size of a series; `run` keeps its operands.
struct sized {
  double size, work;
  std::function<void()> run;
  std::vector<bytes> outputs;
  std::string expected;
};

std::string hash_of_text(std::string text) { return hash_of({std::as_writable_bytes(std::span(text))}); }

// Times all sizes of a series in turn, so that what disturbs the machine disturbs each of them alike.
curve measured(session& s, const char* id, const std::string& name, const std::string& shape, const std::vector<sized>& sizes) {
  std::vector<std::function<void()>> runs;
  for (const sized& one : sizes) {
    spoil(one.outputs);
    runs.push_back(one.run);
  }
  s.simd.threads(1);
  const session::timing t = s.time(runs);
  row r;
  r.id = id;
  r.shape = shape;
  r.rounds = t.rounds;
  r.quick = s.quick();
  std::string got, expected;
  for (size_t i = 0; i < sizes.size(); ++i) {
    r.points.push_back({sizes[i].size, sizes[i].work, t.seconds[i]});
    got += hash_of(sizes[i].outputs);
    expected += sizes[i].expected;
  }
  r.hash = hash_of_text(got);
  r.expected_hash = hash_of_text(expected);
  r.ratio = fitted_slope(r.points);
  r.measured = "the largest size";
  r.baseline = "the smallest size";
  r.seconds = t.seconds.back();
  r.baseline_seconds = t.seconds.front();
  r.least_seconds = t.least.back();
  r.baseline_least_seconds = t.least.front();
  s.add(r);
  return {name, r.points};
}

sized gemm_of(const session& s, int64_t m, int64_t n, int64_t k, int64_t size) {
  struct product {
    policy rules;
    mx_tensor a, b;
    tensor<float> out;
  };
  const auto p = std::make_shared<product>(product{default_policy(), {m, k}, {n, k}, {m, n}});
  fill(p->a, 1);
  fill(p->b, 2);
  const auto call = [p](target on) {
    return [p, on] { on(adahop_mx_gemm_args{&p->rules, p->a.view(), p->b.view(), p->out.view()}); };
  };
  const double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  return {static_cast<double>(size), work, call(s.simd), p->out.bytes(), s.expect(call(s.oracle), p->out.bytes())};
}

int64_t fixed_length(const session& s) { return s.quick() ? 64 : 1024; }

// `varied` names the dimensions that change: a subset of "MNK".
curve gemm_series(session& s, const char* id, const std::string& varied, int64_t most) {
  const int64_t fixed = fixed_length(s);
  const int64_t least = s.quick() ? 32 : 256, last = s.quick() ? 64 : most;
  std::vector<sized> sizes;
  for (int64_t size = least; size <= last; size *= 2) {
    const auto length = [&](char name) { return varied.find(name) != std::string::npos ? size : fixed; };
    sizes.push_back(gemm_of(s, length('M'), length('N'), length('K'), size));
  }
  return measured(s, id, varied, fmt::format("{} from {} to {}", varied, least, last), sizes);
}

sized quantization_of(const session& s, int64_t rows, int64_t cols) {
  struct quantization {
    policy rules;
    tensor<float> x;
    mx_tensor out;
  };
  const auto q = std::make_shared<quantization>(quantization{default_policy(), {rows, cols}, {rows, cols}});
  fill(q->x, 1);
  const auto call = [q](target on) {
    return [q, on] { on(adahop_quantize_args{&q->rules, q->x.view(), q->out.view(), nullptr}); };
  };
  return {static_cast<double>(rows), size_of(q->x.bytes()) + size_of(q->out.bytes()), call(s.simd), q->out.bytes(),
          s.expect(call(s.oracle), q->out.bytes())};
}

// Sizes above those that a cache holds, where all bytes come from memory.
curve quantize_series(session& s) {
  const int64_t cols = s.quick() ? 256 : 8192, least = cols / 4, most = cols * 2;
  std::vector<sized> sizes;
  for (int64_t rows = least; rows <= most; rows *= 2) sizes.push_back(quantization_of(s, rows, cols));
  return measured(s, "C5", "quantize f32", fmt::format("{} columns, rows from {} to {}", cols, least, most), sizes);
}

void body(session& s) {
  diagram gemm{fmt::format("MX GEMM, one thread, other dimensions {}", fixed_length(s)), "multiply-accumulates", {}};
  diagram quantize{"quantize f32, one thread", "bytes in and out", {}};
  if (s.wants("C1")) gemm.curves.push_back(gemm_series(s, "C1", "M", 8192));
  if (s.wants("C2")) gemm.curves.push_back(gemm_series(s, "C2", "N", 8192));
  if (s.wants("C3")) gemm.curves.push_back(gemm_series(s, "C3", "K", 8192));
  if (s.wants("C4")) gemm.curves.push_back(gemm_series(s, "C4", "MNK", 4096));
  if (s.wants("C5")) quantize.curves.push_back(quantize_series(s));
  std::vector<diagram> drawn;
  for (diagram* d : {&gemm, &quantize})
    if (!d->curves.empty()) drawn.push_back(std::move(*d));
  if (s.chosen().plot.empty() || drawn.empty()) return;
  const std::string svg = svg_of(drawn);
  const status written = io::write_file(s.chosen().plot, std::span(reinterpret_cast<const uint8_t*>(svg.data()), svg.size()));
  if (!written.ok()) throw failure{written.message()};
}

}  // namespace
}  // namespace adahop::bench

int main(int argc, char** argv) { return adahop::bench::run(argc, argv, adahop::bench::body); }
