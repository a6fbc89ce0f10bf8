// Known faults in the shuffled scale layout (F11's offsets, F12's padding per tensor, for the layout of this project)
// and in writing single bytes (F20).
#include <algorithm>
#include <bit>
#include <set>
#include <string>

#include "catch.h"
#include "known_faults_capabilities.h"

using namespace adahop_test;

namespace {

const char* const kShuffled = "scale_rule=floor,scale_layout=gfx950_shuffle";

/// [rows x cols] where each block holds one power of two, so that its byte under floor is byte_of(row, block).
template <class ByteOf>
independent::fp32_matrix with_bytes(int rows, int cols, ByteOf byte_of) {
  independent::fp32_matrix x(rows, cols);
  for (int row = 0; row < rows; ++row)
    for (int block = 0; block < cols / 32; ++block)
      x.at(row, 32 * block + (row + block) % 32) = static_cast<uint32_t>(byte_of(row, block) + 2) << 23;
  return x;
}

std::vector<uint8_t> shuffled(const adahop_backend& backend, const independent::fp32_matrix& x) {
  const adahop::matrix<adahop::bf16> values = to_bf16s(x);
  const laid_out_call call = quantize_laid_out(backend, policy_with(kShuffled), adahop::view_of(values));
  REQUIRE(call.status == ADAHOP_OK);
  return call.mx.scales;
}

bool claims_shuffle(const adahop_backend& backend) { return claims(backend, policy_with(kShuffled)); }

}  // namespace

TEST_CASE("F11: offsets of the shuffled layout, five blocks padded to eight", "[known_fault][spec:3.5][spec:3.6]") {
  struct place { int row, block; std::ptrdiff_t offset; };
  constexpr place kPlaces[] = {{0, 0, 0}, {16, 0, 1}, {0, 4, 2}, {16, 4, 3},   {1, 0, 4},   {17, 4, 7},
                               {31, 4, 63}, {0, 1, 64}, {0, 3, 192}, {32, 0, 256}, {33, 0, 260}};
  for_each_backend([&](const adahop_backend& backend) {
    if (!claims_shuffle(backend)) return;
    for (const place& p : kPlaces) {
      const std::vector<uint8_t> bytes = shuffled(
          backend, with_bytes(64, 160, [&](int row, int block) { return row == p.row && block == p.block ? 200 : 1; }));
      CAPTURE(p.row, p.block);
      REQUIRE(bytes.size() == 512);
      CHECK(std::find(bytes.begin(), bytes.end(), uint8_t{200}) - bytes.begin() == p.offset);
      CHECK(std::count(bytes.begin(), bytes.end(), uint8_t{0}) == 64 * 3);
    }
  });
}

TEST_CASE("F11: 64 rows of 8 blocks are a permutation of 0 to 511", "[known_fault][spec:3.5]") {
  for_each_backend([](const adahop_backend& backend) {
    if (!claims_shuffle(backend)) return;
    const std::vector<uint8_t> rows = shuffled(backend, with_bytes(64, 256, [](int row, int) { return 10 + row; }));
    const std::vector<uint8_t> blocks =
        shuffled(backend, with_bytes(64, 256, [](int, int block) { return 10 + block; }));
    REQUIRE(rows.size() == 512);
    REQUIRE(blocks.size() == 512);
    std::set<std::pair<uint8_t, uint8_t>> places;
    for (size_t i = 0; i < 512; ++i) places.insert({rows[i], blocks[i]});
    CHECK(places.size() == 512);
  });
}

TEST_CASE("F12: each tensor of a batch is padded by itself", "[known_fault][spec:3.5][spec:3.6][spec:1.6]") {
  // Two tensors of 17 rows and 4 blocks: 32 x 8 bytes each, the second at 256. Flattened to 34 rows, row 17 would stand
  // inside the first 256.
  source random(122);
  const adahop_policy policy = policy_with(kShuffled);
  for_each_backend([&](const adahop_backend& backend) {
    if (!claims_shuffle(backend)) return;
    std::vector<uint8_t> batch(512 + 64, 0xA5), codes(2 * 17 * 64);
    std::vector<uint8_t> expected;
    for (int i = 0; i < 2; ++i) {
      const independent::fp32_matrix x = make(random, 17, 128, content::mixed_blocks, true);
      const adahop::matrix<adahop::bf16> values = to_bf16s(x);
      const adahop_exec exec = host_exec();
      adahop_quantize_result result{};
      const adahop_quantize_args args{&policy, adahop::view_of(values),
                                      {codes.data() + i * 17 * 64, batch.data() + i * 256, 17, 128, 64, 4}, &result};
      REQUIRE(backend.quantize(&exec, &args) == ADAHOP_OK);
      const std::vector<uint8_t> one =
          laid_out_scales(policy, independent::quantize(x, independent::scale_rule::floor, 0));
      REQUIRE(one.size() == 256);
      expected.insert(expected.end(), one.begin(), one.end());
    }
    expected.insert(expected.end(), 64, 0xA5);
    CHECK(difference(batch, expected) == "");
  });
}

TEST_CASE("F12: rows that are no multiple of 32 come back exactly", "[known_fault][spec:3.5][spec:3.6]") {
  source random(123);
  const adahop_policy policy = policy_with(kShuffled);
  for (const int rows : {1, 17, 31, 32, 33, 48})
    for (const int blocks : {1, 2, 4, 5, 7, 8, 9}) {
      const independent::fp32_matrix x = make(random, rows, 32 * blocks, content::mixed_blocks, true);
      const independent::mx_tensor expected = independent::quantize(x, independent::scale_rule::floor, 0);
      std::vector<uint32_t> right;
      for (size_t i = 0; i < expected.codes.size(); ++i)
        right.push_back(independent::decode_fp32(expected.codes[i], expected.scales[i / 32]));
      const adahop::matrix<adahop::bf16> values = to_bf16s(x);
      for_each_backend([&](const adahop_backend& backend) {
        if (!claims_shuffle(backend)) return;
        laid_out_call call = quantize_laid_out(backend, policy, adahop::view_of(values));
        CAPTURE(rows, blocks);
        REQUIRE(call.status == ADAHOP_OK);
        CHECK(difference(call.mx.scales, laid_out_scales(policy, expected)) == "");
        adahop::matrix<float> out(rows, 32 * blocks);
        const adahop_exec exec = host_exec();
        const adahop_dequantize_args args{&policy, call.mx.view(), adahop::view_of(out)};
        REQUIRE(backend.dequantize(&exec, &args) == ADAHOP_OK);
        CHECK(difference(patterns_of(out).bits, right) == "");
      });
    }
}

TEST_CASE("F20: a row of codes is written between other bytes, which stay", "[known_fault][spec:1.6][spec:3.2]") {
  source random(124);
  for_each_backend([&](const adahop_backend& backend) {
    const independent::fp32_matrix x = make(random, 6, 32, content::unit, true);
    const adahop::matrix<adahop::bf16> values = to_bf16s(x);
    const independent::mx_tensor expected = independent::quantize(x, independent::scale_rule::even, 0);
    constexpr uint8_t kOld[] = {0x44, 0x33, 0x22, 0x11};
    for (const int64_t codes_stride : {16, 17, 19, 32})
      for (const int64_t scales_stride : {1, 2, 5}) {
        std::vector<uint8_t> codes(static_cast<size_t>(6 * codes_stride));
        std::vector<uint8_t> scales(static_cast<size_t>(6 * scales_stride));
        for (size_t i = 0; i < codes.size(); ++i) codes[i] = kOld[i % 4];
        for (size_t i = 0; i < scales.size(); ++i) scales[i] = kOld[i % 4];
        std::vector<uint8_t> right_codes = codes, right_scales = scales;
        const std::vector<uint8_t> dense = packed_codes(expected);
        for (size_t row = 0; row < 6; ++row) {
          std::copy_n(dense.begin() + static_cast<std::ptrdiff_t>(16 * row), 16,
                      right_codes.begin() + static_cast<std::ptrdiff_t>(row) * codes_stride);
          right_scales[row * static_cast<size_t>(scales_stride)] = expected.scales[row];
        }
        const adahop_policy policy = adahop::default_policy();
        const adahop_exec exec = host_exec();
        adahop_quantize_result result{};
        const adahop_quantize_args args{&policy, adahop::view_of(values),
                                        {codes.data(), scales.data(), 6, 32, codes_stride, scales_stride}, &result};
        CAPTURE(codes_stride, scales_stride);
        REQUIRE(backend.quantize(&exec, &args) == ADAHOP_OK);
        CHECK(difference(codes, right_codes) == "");
        CHECK(difference(scales, right_scales) == "");
      }
  });
}
