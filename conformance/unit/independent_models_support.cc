// MX tensors and calls for the tests of models, roundings, transforms and layouts.
#include "independent_models_support.h"

#include <algorithm>

#include "independent/scale_shuffle.h"

namespace adahop_test {
namespace {

constexpr size_t kGuardBytes = 64;
constexpr uint8_t kGuard = 0xA5;

template <class Code>
independent::mx_tensor make_mx(source& random, int outer, int inner, int centre, int spread, Code code) {
  independent::mx_tensor x;
  x.outer = outer;
  x.inner = inner;
  for (int i = 0; i < outer * inner; ++i) x.codes.push_back(static_cast<uint8_t>(code(i)));
  for (int i = 0; i < outer * inner / 32; ++i)
    x.scales.push_back(static_cast<uint8_t>(std::clamp(centre + random.between(-spread, spread), 0, 254)));
  return x;
}

bool take(std::vector<uint8_t>& bytes) {
  const auto first = bytes.end() - static_cast<std::ptrdiff_t>(kGuardBytes);
  const bool intact = std::all_of(first, bytes.end(), [](uint8_t b) { return b == kGuard; });
  bytes.erase(first, bytes.end());
  return intact;
}

int64_t up(int64_t n, int64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

bool is_shuffled(const adahop_policy& policy) { return policy.scale_layout == ADAHOP_LAYOUT_GFX950_SHUFFLE; }

}  // namespace

independent::mx_tensor random_mx(source& random, int outer, int inner, int centre, int spread) {
  return make_mx(random, outer, inner, centre, spread, [&](int) { return random.between(0, 15); });
}

independent::mx_tensor sparse_mx(source& random, int outer, int inner, int centre, int spread) {
  return make_mx(random, outer, inner, centre, spread, [&](int) {
    return random.between(0, 19) == 0 ? random.between(0, 15) : 8 * random.between(0, 1);
  });
}

independent::mx_tensor cancelling_mx(source& random, int outer, int inner, int centre, int spread) {
  int magnitude = 7, sign = 0;
  return make_mx(random, outer, inner, centre, spread, [&](int i) {
    if (i % 16 == 0) magnitude = random.between(1, 7), sign = 8 * random.between(0, 1);
    sign ^= 8;
    return random.between(0, 40) == 0 ? 1 : magnitude | sign;
  });
}

mx_output::mx_output(const adahop_policy& policy, int64_t rows, int64_t extended_inner)
    : outer(rows), inner(extended_inner) {
  const int64_t blocks = inner / 32;
  const int64_t scale_bytes = is_shuffled(policy) ? up(outer, 32) * up(blocks, 8) : outer * blocks;
  codes.assign(static_cast<size_t>(outer * inner / 2) + kGuardBytes, kGuard);
  scales.assign(static_cast<size_t>(scale_bytes) + kGuardBytes, kGuard);
}

adahop_mx mx_output::view() { return {codes.data(), scales.data(), outer, inner, inner / 2, inner / 32}; }

bool mx_output::take_guards() {
  const bool codes_intact = take(codes);
  return take(scales) && codes_intact;
}

laid_out_call quantize_laid_out(const adahop_backend& backend, const adahop_policy& policy, const adahop_view& x) {
  laid_out_call call{ADAHOP_OK, mx_output(policy, x.rows, extended(x.cols, policy.hadamard_size)), {}};
  const adahop_exec exec = host_exec();
  const adahop_quantize_args args{&policy, x, call.mx.view(), &call.result};
  call.status = backend.quantize(&exec, &args);
  if (!call.mx.take_guards()) call.status = ADAHOP_INTERNAL;
  return call;
}

laid_out_call hadamard_quantize_laid_out(const adahop_backend& backend, const adahop_policy& policy,
                                         const adahop_view& x, const std::vector<int32_t>& zeroed) {
  laid_out_call call{ADAHOP_OK, mx_output(policy, x.rows, extended(x.cols, policy.hadamard_size)), {}};
  const adahop_exec exec = host_exec();
  const adahop_hadamard_quantize_args args{
      &policy, x, zeroed.empty() ? nullptr : zeroed.data(), static_cast<int64_t>(zeroed.size()), call.mx.view(),
      &call.result};
  call.status = backend.hadamard_quantize(&exec, &args);
  if (!call.mx.take_guards()) call.status = ADAHOP_INTERNAL;
  return call;
}

int64_t extended(int64_t n, int32_t size) { return up(n, std::max<int64_t>(32, size)); }

std::vector<uint8_t> packed_codes(const independent::mx_tensor& x) { return packed(x).codes; }

std::vector<uint8_t> laid_out_scales(const adahop_policy& policy, const independent::mx_tensor& x) {
  if (!is_shuffled(policy)) return x.scales;
  return independent::shuffled_scales(x.scales, x.outer, x.inner / 32, 0);
}

}  // namespace adahop_test
