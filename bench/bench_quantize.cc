// Quantization: R1 and R2 against the memory's bandwidth, R10 against the scalar oracle, R12 two threads against one.
#include "adahop/policy.h"
#include "bench/baseline/baselines.h"
#include "bench/session.h"

namespace adahop::bench {
namespace {

template <class T>
struct quantization {
  policy rules = default_policy();
  tensor<T> x;
  mx_tensor out;
  std::string shape, expected;

  quantization(const session& s, int64_t rows, int64_t cols, const char* type)
      : x(rows, cols), out(rows, cols), shape(shape_text(rows, cols, type)) {
    fill(x, 1);
    expected = s.expect(call(s.oracle, out), out.bytes());
  }

  std::function<void()> call(target on, const mx_tensor& to) const {
    return [this, on, &to] { on(adahop_quantize_args{&rules, x.view(), to.view(), nullptr}); };
  }
  side of(const char* name, target on, const mx_tensor& to) const {
    return {name, call(on, to), size_of(x.bytes()) + size_of(to.bytes()), to.bytes(), expected};
  }
};

void run_f32(session& s) {
  const int64_t side_length = s.quick() ? 256 : 8192;
  const quantization<float> q(s, side_length, side_length, "F32");
  const mx_tensor other(side_length, side_length);
  const side ours = q.of("quantize f32", s.simd, q.out);
  for (const int threads : s.thread_counts()) {
    if (s.wants("R1"))
      s.compare({"R1", "", q.shape, threads, "GB/s"}, ours, streaming_read(q.x.values.bytes(), threads));
    if (s.wants("R10"))
      s.compare({"R10", "quantize", q.shape, threads, "GB/s"}, ours, q.of("scalar oracle", s.oracle, other));
  }
  if (s.thread_counts().size() < 2) return;
  if (s.wants("R12"))
    s.compare_threads({"R12", "quantize", q.shape, 2, "GB/s"}, ours, q.of("one thread", s.simd, other));
  if (s.wants("R12m"))
    s.compare_threads({"R12m", "", q.shape, 2, "GB/s"}, streaming_read(q.x.values.bytes(), 2),
                      streaming_read(q.x.values.bytes(), 1));
}

// From and to the last cache, where no thread waits for the memory that both share.
void run_cached(session& s) {
  if (s.thread_counts().size() < 2) return;
  const int64_t rows = s.quick() ? 256 : 2048, cols = s.quick() ? 256 : 1024, calls = s.quick() ? 1 : 16;
  const quantization<float> q(s, rows, cols, "F32");
  const mx_tensor other(rows, cols);
  const auto repeated = [&](side once) {
    once.run = [run = once.run, calls] {
      for (int64_t i = 0; i < calls; ++i) run();
    };
    once.calls = calls;
    return once;
  };
  s.compare_threads({"R12c", "", q.shape, 2, "GB/s"}, repeated(q.of("quantize f32", s.simd, q.out)),
                    repeated(q.of("one thread", s.simd, other)));
}

void run_bf16(session& s) {
  const int64_t rows = s.quick() ? 256 : 16384, cols = s.quick() ? 512 : 8192;
  const quantization<bf16> q(s, rows, cols, "BF16");
  const side ours = q.of("quantize bf16", s.simd, q.out);
  for (const int threads : s.thread_counts())
    s.compare({"R2", "", q.shape, threads, "GB/s"}, ours, streaming_read(q.x.values.bytes(), threads));
}

}  // namespace
}  // namespace adahop::bench

int main(int argc, char** argv) {
  return adahop::bench::run(argc, argv, [](adahop::bench::session& s) {
    if (s.wants("R1") || s.wants("R10") || s.wants("R12") || s.wants("R12m")) adahop::bench::run_f32(s);
    if (s.wants("R12c")) adahop::bench::run_cached(s);
    if (s.wants("R2")) adahop::bench::run_bf16(s);
  });
}
