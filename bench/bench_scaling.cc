// Cost against size: C1 to C4 the MX product against M, N, K and all three, C5 quantization against bytes, on one thread. The
// ratio is the slope of log time over log work.
#include <algorithm>
#include <string_view>

#include "adahop/io/file.h"
#include "adahop/policy.h"
#include "bench/plot.h"
#include "bench/session.h"

namespace adahop::bench {
namespace {

// The points of one series, and all outputs' hashes one after the other.
struct series {
  std::vector<point> points;
  std::string got, expected;
  int rounds = 0;  // of the point with the fewest

  void measure(const session& s, double size, double work, const std::function<void()>& run, const std::vector<bytes>& out,
               const std::string& by_oracle) {
    spoil(out);
    s.simd.threads(1);
    const session::timing t = s.time({run});
    points.push_back({size, work, t.seconds[0]});
    rounds = rounds == 0 ? t.rounds : std::min(rounds, t.rounds);
    got += hash_of(out);
    expected += by_oracle;
  }
};

std::string hash_of_text(std::string text) { return hash_of({std::as_writable_bytes(std::span(text))}); }

row row_of(const session& s, const char* id, const std::string& shape, const series& m) {
  row r;
  r.id = id;
  r.shape = shape;
  r.ratio = fitted_slope(m.points);
  r.measured = "the largest size";
  r.baseline = "the smallest size";
  r.seconds = m.points.back().seconds;
  r.baseline_seconds = m.points.front().seconds;
  r.hash = hash_of_text(m.got);
  r.expected_hash = hash_of_text(m.expected);
  r.rounds = m.rounds;
  r.quick = s.quick();
  r.points = m.points;
  return r;
}

void gemm_point(const session& s, int64_t m, int64_t n, int64_t k, double size, series& to) {
  const policy rules = default_policy();
  mx_tensor a(m, k), b(n, k);
  fill(a, 1);
  fill(b, 2);
  const tensor<float> out(m, n);
  const auto call = [&](target on) {
    return [&, on] { on(adahop_mx_gemm_args{&rules, a.view(), b.view(), out.view()}); };
  };
  const double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  to.measure(s, size, work, call(s.simd), out.bytes(), s.expect(call(s.oracle), out.bytes()));
}

// `varied` names the dimensions that change: a subset of "MNK".
curve gemm_series(session& s, const char* id, std::string_view varied, int64_t most) {
  series found;
  const int64_t fixed = s.quick() ? 64 : 1024;
  const int64_t least = s.quick() ? 32 : 256, last = s.quick() ? 64 : most;
  for (int64_t size = least; size <= last; size *= 2) {
    const auto length = [&](char name) { return varied.find(name) != std::string_view::npos ? size : fixed; };
    gemm_point(s, length('M'), length('N'), length('K'), static_cast<double>(size), found);
  }
  s.add(row_of(s, id, std::string(varied) + " from " + std::to_string(least) + " to " + std::to_string(last), found));
  return {std::string(varied), found.points};
}

// Sizes above those that a cache holds, where all bytes come from memory.
curve quantize_series(session& s) {
  const policy rules = default_policy();
  const int64_t cols = s.quick() ? 256 : 8192;
  series found;
  for (int64_t rows = cols / 4; rows <= cols * 2; rows *= 2) {
    tensor<float> x(rows, cols);
    fill(x, 1);
    const mx_tensor out(rows, cols);
    const auto call = [&](target on) {
      return [&, on] { on(adahop_quantize_args{&rules, x.view(), out.view(), nullptr}); };
    };
    const double work = size_of(x.bytes()) + size_of(out.bytes());
    found.measure(s, static_cast<double>(rows), work, call(s.simd), out.bytes(), s.expect(call(s.oracle), out.bytes()));
  }
  s.add(row_of(s, "C5", "rows from " + std::to_string(cols / 4) + " to " + std::to_string(cols * 2), found));
  return {"quantize f32", found.points};
}

void body(session& s) {
  diagram gemm{"MX GEMM, one thread, other dimensions 1024", "multiply-accumulates", {}};
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
