// Calls of the kernels that work on runs: quantization, fused or not, the Hadamard transform, dequantization.
#include <array>

#include "adahop/backend.h"
#include "fuzz/simd_kernel_trial.h"
#include "fuzz/simd_kernel_values.h"

namespace adahop::fuzz {
namespace {

constexpr int64_t kBlock = 32, kCodeBytes = 16;

// Mostly short: every tail; at times a run of many batches.
int64_t read_length(trial& t, std::string_view name, int64_t most) {
  const uint8_t kind = t.in.byte() % 8;
  return t.number(name, 0, kind == 7 ? most : kind >= 4 ? 40 : 8);
}

scale_choice read_scale_choice(trial& t) {
  const int32_t rule =
      t.in.pick(std::array{ADAHOP_SCALE_FLOOR, ADAHOP_SCALE_CEIL, ADAHOP_SCALE_EVEN, ADAHOP_SCALE_RCEIL});
  t.note("scale_rule", rule);
  return {rule, static_cast<int32_t>(t.number("min_scale_byte", 0, 1))};
}

// A number below 2^limit_bits near one at which a 32-bit half of it carries or the whole wraps, or any.
uint64_t read_position(trial& t, int limit_bits) {
  const uint64_t limit = limit_bits == 64 ? ~uint64_t{0} : (uint64_t{1} << limit_bits) - 1;
  const uint64_t edges[] = {0, uint64_t{1} << 32, limit, uint64_t{1} << 31};
  const uint64_t near = edges[t.in.byte() % 4] - t.in.word(2), any = t.in.flag() ? t.in.word(8) : 0;
  const uint64_t position = (any != 0 ? any : near) & limit;
  t.note("position", static_cast<int64_t>(position));
  return position;
}

// Reads the run, calls it(table, x, blocks, codes, scales) and holds everything that it must give.
template <class Element, class Call>
void run_blocks(trial& t, const Call& it) {
  const int64_t blocks = read_length(t, "blocks", 300);
  const auto codes = t.add_output<uint8_t>("codes", kCodeBytes * blocks);
  const auto scales = t.add_output<uint8_t>("scales", blocks);
  const auto x = t.add<Element>("x", read_values<Element>(t.in, kBlock * blocks));
  t.run([&](const kernel_table& k) {
    const run_report report = it(k, x.data(), blocks, codes.data(), scales.data());
    t.returned("clipped", report.clipped);
    t.returned("first_nonfinite", report.first_nonfinite);
  });
}

template <class Element>
using quantize_member = run_report (*kernel_table::*)(const scale_choice&, const Element*, int64_t, uint8_t*, uint8_t*);
template <class Element>
void quantize(trial& t, quantize_member<Element> kernel) {
  const scale_choice how = read_scale_choice(t);
  run_blocks<Element>(t, [&](const kernel_table& k, auto... run) { return (k.*kernel)(how, run...); });
}

using random_member = run_report (*kernel_table::*)(const scale_choice&, const random_words&, const float*, int64_t,
                                                    uint8_t*, uint8_t*);
void quantize_with_words(trial& t, random_member kernel, int position_bits, bool reads_bits) {
  const scale_choice how = read_scale_choice(t);
  random_words words{t.in.word(8), read_position(t, position_bits), 0};
  t.note("seed", static_cast<int64_t>(words.seed));
  if (reads_bits) words.bits = static_cast<int32_t>(t.number("bits", 1, 32));
  run_blocks<float>(t, [&](const kernel_table& k, auto... run) { return (k.*kernel)(how, words, run...); });
}

template <class Element>
using fused_member = run_report (*kernel_table::*)(const scale_choice&, bool, const Element*, int64_t, uint8_t*,
                                                   uint8_t*);
template <class Element>
void hadamard_quantize(trial& t, fused_member<Element> kernel) {
  const scale_choice how = read_scale_choice(t);
  const bool round = t.number("round_bf16", 0, 1) != 0;
  run_blocks<Element>(t, [&](const kernel_table& k, auto... run) { return (k.*kernel)(how, round, run...); });
}

template <class Result>
using dequantize_member = void (*kernel_table::*)(const uint8_t*, const uint8_t*, int64_t, Result*, bool);
template <class Result>
void dequantize(trial& t, dequantize_member<Result> kernel) {
  const int64_t blocks = read_length(t, "blocks", 300);
  const bool stream = t.number("stream", 0, 1) != 0;
  const auto out = t.add_output<Result>("out", kBlock * blocks);
  const int64_t low = t.in.integer(0, 255), high = t.in.flag() ? 255 : low;
  const auto scales = t.add<uint8_t>("scales", read_scales(t.in, blocks, low, high));
  const auto codes = t.add<uint8_t>("codes", read_codes(t.in, blocks));
  t.run([&](const kernel_table& k) { (k.*kernel)(codes.data(), scales.data(), blocks, out.data(), stream); });
}

template <class Element, class Result>
using hadamard_member = void (*kernel_table::*)(const transform&, const Element*, int64_t, Result*, bool);
template <class Element, class Result>
void hadamard(trial& t, hadamard_member<Element, Result> kernel) {
  const int32_t size = t.in.pick(std::array{32, 16, 64, 128});
  t.note("size", size);
  const int64_t count = size * read_length(t, "groups", 100);
  const bool round = t.number("round_bf16", 0, 1) != 0, with_signs = t.number("signs", 0, 1) != 0;
  const bool stream = t.number("stream", 0, 1) != 0;
  const auto out = t.add_output<Result>("out", count);
  const auto signs = t.add<uint32_t>("signs", read_words<uint32_t>(t.in, count, 0x80000000u));
  const auto x = t.add<Element>("x", read_values<Element>(t.in, count));
  t.run([&](const kernel_table& k) {
    const transform how{size, round, with_signs ? signs.data() : nullptr};
    (k.*kernel)(how, x.data(), count, out.data(), stream);
  });
}

}  // namespace

void fuzz_quantize_f32(trial& t, quantize_member<float> kernel) { quantize<float>(t, kernel); }
void fuzz_quantize_bf16(trial& t, quantize_member<uint16_t> kernel) { quantize<uint16_t>(t, kernel); }
// The position of an element wraps around (SPEC 5.18); that of a pair counts the pairs of a tensor.
void fuzz_quantize_stochastic(trial& t, random_member kernel) { quantize_with_words(t, kernel, 64, true); }
void fuzz_quantize_gfx950_sr(trial& t, random_member kernel) { quantize_with_words(t, kernel, 62, false); }
void fuzz_hadamard_quantize_f32(trial& t, fused_member<float> kernel) { hadamard_quantize<float>(t, kernel); }
void fuzz_hadamard_quantize_bf16(trial& t, fused_member<uint16_t> kernel) { hadamard_quantize<uint16_t>(t, kernel); }
void fuzz_dequantize_f32(trial& t, dequantize_member<float> kernel) { dequantize<float>(t, kernel); }
void fuzz_dequantize_bf16(trial& t, dequantize_member<uint16_t> kernel) { dequantize<uint16_t>(t, kernel); }
void fuzz_hadamard_f32_f32(trial& t, hadamard_member<float, float> kernel) { hadamard<float, float>(t, kernel); }
void fuzz_hadamard_f32_bf16(trial& t, hadamard_member<float, uint16_t> kernel) { hadamard<float, uint16_t>(t, kernel); }
void fuzz_hadamard_bf16_f32(trial& t, hadamard_member<uint16_t, float> kernel) { hadamard<uint16_t, float>(t, kernel); }
void fuzz_hadamard_bf16_bf16(trial& t, hadamard_member<uint16_t, uint16_t> kernel) {
  hadamard<uint16_t, uint16_t>(t, kernel);
}

}  // namespace adahop::fuzz
