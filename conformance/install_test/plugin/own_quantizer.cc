// A backend outside adahop's tree, as an example of one: it quantizes under rule even with RNE, claims that and nothing
// else, and is written from SPEC chapter 5 in plain C++. Built with ZERO_BLOCK_BYTE it gives that scale byte to a block of
// zeros instead of the policy's; the values are the same, which `adahop conform --compare values` accepts.
#include <cstdint>
#include <cstring>

#include "adahop/backend.h"

namespace {

thread_local const char* message = "";

int32_t refuse(int32_t code, const char* why) {
  message = why;
  return code;
}

uint32_t element_bits(const adahop_view& x, int64_t row, int64_t col) {
  const int64_t at = row * x.row_stride + col * x.col_stride;
  if (x.dtype == ADAHOP_BF16) return uint32_t{static_cast<const uint16_t*>(x.data)[at]} << 16;
  return static_cast<const uint32_t*>(x.data)[at];
}

// 1, 2, 3 ... 7 by how many of the seven thresholds between grid values |v| / 2^(byte - 127) passes; a tie goes to the
// even code, so every other threshold must be exceeded. Doubles hold every quotient: the divisor is a power of two.
uint32_t code_of(uint32_t bits, int byte, int64_t& clipped) {
  float value;
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  std::memcpy(&value, &magnitude, sizeof value);
  uint64_t inverse_bits = static_cast<uint64_t>(1023 + 127 - byte) << 52;  // 2^(127 - byte)
  double inverse;
  std::memcpy(&inverse, &inverse_bits, sizeof inverse);
  const double a = static_cast<double>(value) * inverse;
  constexpr double kThresholds[] = {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0};
  uint32_t code = 0;
  for (uint32_t i = 0; i < 7; ++i)
    if (a > kThresholds[i] || (a == kThresholds[i] && i % 2 == 1)) code = i + 1;
  if (a > 6.0) ++clipped;
  return code | (bits >> 31) << 3;
}

int32_t quantize(const adahop_exec* exec, const adahop_quantize_args* args) {
  if (exec == nullptr || args == nullptr || args->policy == nullptr) return refuse(ADAHOP_INVALID_ARGUMENT, "a null argument");
  const adahop_policy& p = *args->policy;
  const adahop_view& x = args->x;
  const adahop_mx& out = args->out;
  if (p.scale_rule != ADAHOP_SCALE_EVEN || p.element_rounding != ADAHOP_ROUND_RNE || p.nonfinite != ADAHOP_NONFINITE_BLOCK_NAN ||
      p.pad != ADAHOP_PAD_ERROR || p.scale_layout != ADAHOP_LAYOUT_LINEAR ||
      p.nibble_order != ADAHOP_NIBBLES_LINEAR)
    return refuse(ADAHOP_UNSUPPORTED, "only rule even, RNE, block_nan, pad=error, linear layouts");
  if (x.rows < 0 || x.cols < 0) return refuse(ADAHOP_INVALID_ARGUMENT, "x: a negative dimension");
  const bool empty = x.rows == 0 || x.cols == 0;
  if (!empty && (x.data == nullptr || (x.rows > 1 && x.row_stride < 1) || (x.cols > 1 && x.col_stride < 1)))
    return refuse(ADAHOP_INVALID_ARGUMENT, "x: a null pointer or a stride below 1");
  if (x.dtype != ADAHOP_F32 && x.dtype != ADAHOP_BF16) return refuse(ADAHOP_INVALID_ARGUMENT, "x: neither FP32 nor BF16");
  if (x.cols % 32 != 0) return refuse(ADAHOP_INVALID_ARGUMENT, "x: inner dimension is not a multiple of 32");
  if (out.outer != x.rows || out.inner != x.cols) return refuse(ADAHOP_INVALID_ARGUMENT, "out: another shape than x");

  adahop_quantize_result found{0, -1};
  for (int64_t row = 0; row < x.rows; ++row)
    for (int64_t first = 0; first < x.cols; first += 32) {
      uint32_t amax = 0;
      for (int64_t i = 0; i < 32; ++i) {
        const uint32_t magnitude = element_bits(x, row, first + i) & 0x7FFFFFFFu;
        if (magnitude >= 0x7F800000u && found.first_nonfinite < 0) found.first_nonfinite = row * x.cols + first + i;
        if (magnitude > amax) amax = magnitude;
      }
      uint8_t* const codes = out.codes + row * out.codes_stride + first / 2;
      uint8_t& scale = out.scales[row * out.scales_stride + first / 32];
      std::memset(codes, 0, 16);
      scale = 0xFF;
      if (amax >= 0x7F800000u) continue;
      const int byte = static_cast<int>((amax + 0x200000u) >> 23) - 2;
      const int clamped = byte < p.min_scale_byte ? p.min_scale_byte : byte;
      scale = static_cast<uint8_t>(clamped);
#ifdef ZERO_BLOCK_BYTE
      if (amax == 0) scale = ZERO_BLOCK_BYTE;
#endif
      for (int64_t i = 0; i < 32; ++i)
        codes[i / 2] |= static_cast<uint8_t>(code_of(element_bits(x, row, first + i), clamped, found.clipped) << (4 * (i % 2)));
    }
  if (args->result != nullptr) *args->result = found;
  return ADAHOP_OK;
}

int32_t workspace_size(int32_t, const void*, uint64_t* bytes) {
  *bytes = 0;
  return ADAHOP_OK;
}

int32_t set_option(const char*, const char*) { return refuse(ADAHOP_UNSUPPORTED, "this backend has no options"); }
const char* last_error() { return message; }

adahop_backend make_table() {
  adahop_backend b{};
  b.abi_version = ADAHOP_ABI_VERSION;
  b.struct_size = sizeof b;
  b.name = "own-quantizer";
  b.device = "an example of a backend by somebody else";
  b.capabilities.struct_size = sizeof b.capabilities;
  b.capabilities.ops = 1u << ADAHOP_OP_QUANTIZE;
  b.capabilities.modes = 1u << ADAHOP_MODE_BITEXACT;
  b.capabilities.memories = 1u << ADAHOP_MEMORY_HOST;
  b.capabilities.scale_rules = 1u << ADAHOP_SCALE_EVEN;
  b.capabilities.element_roundings = 1u << ADAHOP_ROUND_RNE;
  b.capabilities.nonfinite = 1u << ADAHOP_NONFINITE_BLOCK_NAN;
  b.capabilities.pads = 1u << ADAHOP_PAD_ERROR;
  b.capabilities.nibble_orders = 1u << ADAHOP_NIBBLES_LINEAR;
  b.capabilities.scale_layouts = 1u << ADAHOP_LAYOUT_LINEAR;
  b.workspace_size = workspace_size;
  b.quantize = quantize;
  b.set_option = set_option;
  b.last_error = last_error;
  return b;
}

}  // namespace

extern "C" const adahop_backend* adahop_backend_entry(uint32_t abi_version) {
  static const adahop_backend table = make_table();
  return abi_version == ADAHOP_ABI_VERSION ? &table : nullptr;
}
