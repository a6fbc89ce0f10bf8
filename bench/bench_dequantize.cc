// Dequantization: R6 against memcpy.
#include "adahop/policy.h"
#include "bench/baseline/baselines.h"
#include "bench/session.h"

int main(int argc, char** argv) {
  using namespace adahop;
  using namespace adahop::bench;
  return run(argc, argv, [](session& s) {
    if (!s.wants("R6")) return;
    const int64_t length = s.quick() ? 256 : 8192;
    const policy rules = default_policy();
    mx_tensor x(length, length);
    fill(x, 1);
    const tensor<float> out(length, length);
    const auto call = [&](target on) {
      return [&, on] { on(adahop_dequantize_args{&rules, x.view(), out.view()}); };
    };
    const side ours{"dequantize to f32", call(s.simd), size_of(x.bytes()) + size_of(out.bytes()), out.bytes(),
                    s.expect(call(s.oracle), out.bytes())};
    tensor<float> copied(length, length);
    fill(copied, 2);
    for (const int threads : s.thread_counts())
      s.compare({"R6", "", shape_text(length, length, "F32"), threads, "GB/s"}, ours,
                memory_copy(copied.values.bytes(), threads));
  });
}
