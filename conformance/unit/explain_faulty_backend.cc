// The reference as a plug-in with two faults: the MX product leaves out its second block, and quantization encodes the last
// element of each block as +0.
#include <vector>

#include "adahop/tensor.h"
#include "reference/backend.h"

namespace {

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

int32_t mx_gemm(const adahop_exec* exec, const adahop_mx_gemm_args* args) {
  adahop_mx_gemm_args changed = *args;
  if (args->a.inner < 2 * adahop::kBlockSize || args->a.codes == nullptr) return reference().mx_gemm(exec, args);
  std::vector<uint8_t> codes(args->a.codes, args->a.codes + (args->a.outer - 1) * args->a.codes_stride + args->a.inner / 2);
  changed.a.codes = codes.data();
  for (int64_t r = 0; r < args->a.outer; ++r)
    for (int64_t i = 0; i < adahop::kBlockBytes; ++i) changed.a.codes[r * args->a.codes_stride + adahop::kBlockBytes + i] = 0;
  return reference().mx_gemm(exec, &changed);
}

int32_t quantize(const adahop_exec* exec, const adahop_quantize_args* args) {
  const int32_t code = reference().quantize(exec, args);
  if (code != ADAHOP_OK) return code;
  for (int64_t r = 0; r < args->out.outer; ++r)
    for (int64_t b = 1; b <= args->out.inner / adahop::kBlockSize; ++b)
      args->out.codes[r * args->out.codes_stride + b * adahop::kBlockBytes - 1] &= 0x0F;
  return ADAHOP_OK;
}

}  // namespace

extern "C" const adahop_backend* adahop_backend_entry(uint32_t abi_version) {
  static const adahop_backend table = [] {
    adahop_backend t = reference();
    t.name = "two-faults";
    t.mx_gemm = mx_gemm;
    t.quantize = quantize;
    return t;
  }();
  return abi_version == ADAHOP_ABI_VERSION ? &table : nullptr;
}
