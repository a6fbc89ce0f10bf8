// The Hadamard transform and its fusion with quantization: R3 and R4 against what the fusion saves, R5 against memcpy.
#include "adahop/policy.h"
#include "bench/baseline/baselines.h"
#include "bench/session.h"

namespace adahop::bench {
namespace {

struct subject {
  policy rules = default_policy();
  tensor<float> x;
  mx_tensor fused, quantized;
  std::string shape;

  subject(int64_t rows, int64_t cols)
      : x(rows, cols), fused(rows, cols), quantized(rows, cols), shape(shape_text(rows, cols, "F32")) {
    fill(x, 1);
  }

  double moved() const { return size_of(x.bytes()) + size_of(fused.bytes()); }

  std::function<void()> fused_call(target on, const policy& p) const {
    return [this, on, p] { on(adahop_hadamard_quantize_args{&p, x.view(), nullptr, 0, fused.view(), nullptr}); };
  }
  std::function<void()> quantize_call(target on) const {
    return [this, on] { on(adahop_quantize_args{&rules, x.view(), quantized.view(), nullptr}); };
  }
  template <class T>
  std::function<void()> hadamard_call(target on, const policy& p, const tensor<T>& out) const {
    return [this, on, p, &out] { on(adahop_hadamard_args{&p, x.view(), out.view()}); };
  }
};

void against_quantize(session& s, const subject& t) {
  const side fused{"Hadamard+quantize f32", t.fused_call(s.simd, t.rules), 0, t.fused.bytes(),
                   s.expect(t.fused_call(s.oracle, t.rules), t.fused.bytes())};
  const side quantize{"quantize f32", t.quantize_call(s.simd), 0, t.quantized.bytes(),
                      s.expect(t.quantize_call(s.oracle), t.quantized.bytes())};
  for (const int threads : s.thread_counts()) s.compare({"R3", "", t.shape, threads}, fused, quantize);
}

// T is what stands between the two passes: hadamard_output.
template <class T>
void against_two_passes(session& s, const subject& t, const char* id) {
  policy p = t.rules;
  p.hadamard_output = sizeof(T) == 2 ? ADAHOP_BF16 : ADAHOP_F32;
  const tensor<T> between(t.x.rows, t.x.cols);
  const auto passes = [&, transform = t.hadamard_call(s.simd, p, between)] {
    transform();
    s.simd(adahop_quantize_args{&p, between.view(), t.quantized.view(), nullptr});
  };
  const std::string expected = s.expect(t.fused_call(s.oracle, p), t.fused.bytes());
  // The work of both sides is what must be moved for the result, so that the ratio is that of the speeds.
  const side fused{"Hadamard+quantize f32", t.fused_call(s.simd, p), t.moved(), t.fused.bytes(), expected};
  const side both{"Hadamard, then quantize", passes, t.moved(), t.quantized.bytes(), expected};
  for (const int threads : s.thread_counts()) s.compare({id, "", t.shape, threads, "GB/s"}, fused, both);
}

void against_memcpy(session& s, const subject& t) {
  policy p = t.rules;
  p.hadamard_output = ADAHOP_F32;
  const tensor<float> out(t.x.rows, t.x.cols);
  const side ours{"Hadamard f32", t.hadamard_call(s.simd, p, out), size_of(t.x.bytes()) + size_of(out.bytes()), out.bytes(),
                  s.expect(t.hadamard_call(s.oracle, p, out), out.bytes())};
  for (const int threads : s.thread_counts())
    s.compare({"R5", "", t.shape, threads, "GB/s"}, ours, memory_copy(t.x.values.bytes(), threads));
}

}  // namespace
}  // namespace adahop::bench

int main(int argc, char** argv) {
  using namespace adahop::bench;
  return run(argc, argv, [](session& s) {
    if (!s.wants("R3") && !s.wants("R4") && !s.wants("R4h") && !s.wants("R5")) return;
    const int64_t length = s.quick() ? 256 : 8192;
    const subject t(length, length);
    if (s.wants("R3")) against_quantize(s, t);
    if (s.wants("R4")) against_two_passes<float>(s, t, "R4");
    if (s.wants("R4h")) against_two_passes<adahop::bf16>(s, t, "R4h");
    if (s.wants("R5")) against_memcpy(s, t);
  });
}
