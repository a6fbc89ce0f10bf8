// Dequantization against the oracle: every byte of codes under every scale byte, every length of a run.
#include "simd_kernels_support.h"

namespace adahop::reference::simd {
namespace {

template <class Result>
using dequantize_kernel = void(const uint8_t*, const uint8_t*, int64_t, Result*, bool);

template <class Result>
void check_blocks(dequantize_kernel<Result>* kernel, const std::vector<uint8_t>& codes,
                  const std::vector<uint8_t>& scales, bool stream, int64_t behind) {
  std::vector<Result> expected;
  for (size_t i = 0; i < 2 * codes.size(); ++i) {
    const e2m1 code = unpack_e2m1(codes[i / 2], static_cast<uint32_t>(i % 2));
    const float v = decode_element(code, e8m0_of(scales[i / 32]));
    if constexpr (sizeof(Result) == 2)
      expected.push_back(round_bf16(v).bits);
    else
      expected.push_back(canonical(v));
  }
  fenced<uint8_t> in_codes(std::span<const uint8_t>(codes), behind),
      in_scales(std::span<const uint8_t>(scales), behind);
  fenced<Result> out(static_cast<int64_t>(expected.size()), behind);
  kernel(in_codes.data(), in_scales.data(), static_cast<int64_t>(scales.size()), out.data(), stream);
  INFO(scales.size() << " blocks, stream " << stream << ", " << behind << " before the fence");
  CHECK(difference(out, expected) == "");
  CHECK(out.intact());
}

template <class Result>
void check_dequantize(dequantize_kernel<Result>* kernel) {
  test::generator random(740);
  std::vector<uint8_t> codes, scales;
  for (int scale = 0; scale < 256; ++scale)
    for (int first = 0; first < 256; first += 16) {
      // The bytes of codes come in another order under each scale, so that each stands at every position.
      for (int i = 0; i < 16; ++i) codes.push_back(static_cast<uint8_t>((first + i) * 17 + scale));
      scales.push_back(static_cast<uint8_t>(scale));
    }
  for (const bool stream : {false, true}) check_blocks(kernel, codes, scales, stream, 0);
  for (int64_t length = 0; length <= 70; ++length)
    for (const bool stream : {false, true}) {
      codes.resize(static_cast<size_t>(16 * length)), scales.resize(static_cast<size_t>(length));
      for (uint8_t& byte : codes) byte = static_cast<uint8_t>(random.bits());
      for (uint8_t& byte : scales) byte = static_cast<uint8_t>(random.integer(0, 9) == 0 ? 255 : random.bits());
      check_blocks(kernel, codes, scales, stream, length % 19);
    }
}

}  // namespace

void check_dequantize_f32(dequantize_kernel<float>* kernel) { check_dequantize(kernel); }
void check_dequantize_bf16(dequantize_kernel<uint16_t>* kernel) { check_dequantize(kernel); }

}  // namespace adahop::reference::simd
