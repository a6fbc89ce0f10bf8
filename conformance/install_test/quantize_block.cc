// Uses the installed libraries as a stranger would: quantizes one block, and runs the block through the C ABI of the
// reference; both must give the bytes worked out by hand. Exit status 0 when they do.
#include <algorithm>
#include <array>
#include <cstdio>

#include "adahop/policy.h"
#include "adahop/tensor.h"
#include "reference/backend.h"
#include "reference/quantize.h"

int main() {
  // amax = 6 has exponent 2, so the byte under rule even is 127 + 2 - 2: scale 1, and the grid values stay themselves.
  // 5.0 is a tie between 4 and 6 and goes to 4; 7 would have doubled the scale.
  adahop::matrix<float> x(1, adahop::kBlockSize);
  const std::array<float, 8> values{0.5f, -1.0f, 1.5f, 2.0f, -3.0f, 4.0f, 5.0f, 6.0f};
  std::copy(values.begin(), values.end(), x.data.begin());
  const std::array<uint8_t, 4> expected{0xA1, 0x43, 0x6D, 0x76};

  const adahop::policy rules = adahop::default_policy();
  std::array<uint8_t, adahop::kBlockBytes> codes{};
  uint8_t scale = 0;
  adahop::reference::quantize_block(rules, x.data.data(), {}, codes.data(), &scale);
  if (scale != 127 || !std::equal(expected.begin(), expected.end(), codes.begin())) {
    std::fprintf(stderr, "quantize_block: scale byte %d, codes %02X %02X %02X %02X\n", scale, codes[0], codes[1], codes[2], codes[3]);
    return 1;
  }

  adahop::mx_matrix out(1, adahop::kBlockSize);
  adahop_quantize_result result{};
  const adahop_quantize_args args{&rules, adahop::view_of(x), adahop::view_of(out), &result};
  adahop_exec exec{};
  exec.struct_size = sizeof exec;
  const adahop_backend* backend = adahop_backend_reference(ADAHOP_ABI_VERSION);
  if (backend->quantize(&exec, &args) != ADAHOP_OK) {
    std::fprintf(stderr, "quantize_block: %s\n", backend->last_error());
    return 1;
  }
  const bool same = out.scales[0] == scale && std::equal(codes.begin(), codes.end(), out.codes.begin());
  std::printf("scale byte %d, codes %02X %02X %02X %02X, %s through the C ABI\n", scale, codes[0], codes[1], codes[2],
              codes[3], same ? "the same" : "others");
  return same && result.clipped == 0 && result.first_nonfinite == -1 ? 0 : 1;
}
