// The register tiles of the products against the oracle's accumulation, block by block and element by element.
#include <cfenv>

#include "reference/accumulate/block_rne.h"
#include "reference/accumulate/seq_fma.h"
#include "reference/block_dot.h"
#include "simd_kernels_support.h"

namespace adahop::reference::simd {
namespace {

using mx_tile_kernel = void(const uint8_t*, const uint8_t*, int64_t, float*);
using int8_tile_kernel = void(const uint8_t*, const uint8_t*, int64_t, int32_t*);
using bf16_tile_kernel = void(const float*, const float*, int64_t, float*);

constexpr int64_t kOutputs = kMxTileRows * kMxTileColumns;

// Packed codes [lines][blocks][16] and scale bytes [lines][blocks].
struct operand {
  int64_t lines, blocks;
  std::vector<uint8_t> codes, scales;

  operand(test::generator& random, int64_t l, int64_t b, int low, int high) : lines(l), blocks(b) {
    codes.resize(static_cast<size_t>(16 * l * b)), scales.resize(static_cast<size_t>(l * b));
    for (size_t i = 0; i < codes.size(); ++i) {
      // Some blocks are full of +-6, whose sums are the largest; some are sparse, so that small sums and zero occur.
      const uint64_t kind = (i / 16) % 5;
      const uint32_t bits = random.bits();
      codes[i] = static_cast<uint8_t>(kind == 0 ? (bits & 0x88u) | 0x77u : kind == 1 && bits % 5 != 0 ? 0 : bits >> 8);
      if (kind == 2) codes[i] = 0xFFu;
      if (kind == 3 && random.integer(0, 3) != 0) codes[i] = 0x77u;
    }
    for (uint8_t& byte : scales) byte = static_cast<uint8_t>(random.integer(low, high));
  }
  const uint8_t* block(int64_t line, int64_t b) const { return codes.data() + 16 * (line * blocks + b); }
  uint8_t scale(int64_t line, int64_t b) const { return scales[static_cast<size_t>(line * blocks + b)]; }
  int32_t value(int64_t line, int64_t b, int64_t i) const {
    return value_x2(unpack_e2m1(block(line, b)[i / 2], static_cast<uint32_t>(i % 2)));
  }
};

void put_word(uint8_t* at, uint32_t word) { std::memcpy(at, &word, sizeof word); }

// Both panels as kernels.h describes them.
void fill_rows(const operand& x, uint8_t* panel) {
  for (int64_t b = 0; b < x.blocks; ++b, panel += kMxRowsBlockBytes)
    for (int64_t r = 0; r < kMxTileRows; ++r) {
      int32_t sum = 0;
      for (int64_t i = 0; i < 32; ++i) {
        panel[(i / 4 * kMxTileRows + r) * 4 + i % 4] = static_cast<uint8_t>(x.value(r, b, i));
        sum += x.value(r, b, i);
      }
      const uint32_t shifted = uint32_t{x.scale(r, b)} << 23;
      put_word(panel + 32 * kMxTileRows + 8 * r, shifted - static_cast<uint32_t>(12 * sum));
      put_word(panel + 32 * kMxTileRows + 8 * r + 4, shifted);
    }
}
void fill_columns(const operand& x, uint8_t* panel) {
  for (int64_t b = 0; b < x.blocks; ++b, panel += kMxColumnsBlockBytes)
    for (int64_t c = 0; c < kMxTileColumns; ++c) {
      for (int64_t i = 0; i < 32; ++i)
        panel[(i / 4 * kMxTileColumns + c) * 4 + i % 4] = static_cast<uint8_t>(x.value(c, b, i) + 12);
      put_word(panel + 32 * kMxTileColumns + 4 * c,
               static_cast<uint32_t>(kMxMagic) + ((uint32_t{x.scale(c, b)} - 256u) << 23));
    }
}

// Accumulators to begin with: +0 as products do, and what later parts of a long one begin with.
float start_value(test::generator& random, int64_t kind, int low, int high) {
  switch (kind % 4) {
    case 0:
      return 0.0f;
    case 1:
      return random.with_exponent(std::clamp(low, 0, 254), std::clamp(high, 0, 254));
    case 2:
      return random.integer(0, 5) == 0 ? (random.integer(0, 1) == 0 ? test::kInf : -test::kInf) : -0.0f;
    default:
      return random.with_exponent(0, 254);
  }
}

void check_tile(mx_tile_kernel* kernel, test::generator& random, int64_t blocks, const int (&range)[4], int64_t kind) {
  const operand a(random, kMxTileRows, blocks, range[0], range[1]),
      b(random, kMxTileColumns, blocks, range[2], range[3]);
  fenced<uint8_t> rows(kMxRowsBlockBytes * blocks), columns(kMxColumnsBlockBytes * blocks);
  fill_rows(a, rows.data()), fill_columns(b, columns.data());
  std::vector<float> expected;
  // Around the exponents that the terms have: 2^(sa+sb-256) times up to 2^12.
  for (int64_t i = 0; i < kOutputs; ++i)
    expected.push_back(start_value(random, kind, range[0] + range[2] - 129, range[1] + range[3] - 116));
  fenced<float> tile{std::span<const float>(expected)};
  kernel(rows.data(), columns.data(), blocks, tile.data());
  for (int64_t i = 0; i < kOutputs; ++i) {
    const int64_t r = i / kMxTileColumns, c = i % kMxTileColumns;
    float& acc = expected[static_cast<size_t>(i)];
    for (int64_t k = 0; k < blocks; ++k)
      acc = accumulate_block_rne(acc, block_dot_x4(a.block(r, k), b.block(c, k)), e8m0_of(a.scale(r, k)),
                                 e8m0_of(b.scale(c, k)));
  }
  INFO(blocks << " blocks, scale bytes " << range[0] << " to " << range[1] << " and " << range[2] << " to " << range[3]
              << ", start " << kind % 4);
  CHECK(difference(tile, expected) == "");
  CHECK(tile.intact());
}

void check_tiles(mx_tile_kernel* kernel, std::initializer_list<int[4]> ranges) {
  test::generator random(780);
  test::case_picker some;
  int64_t kind = 0;
  for (const int(&range)[4] : ranges)
    for (int64_t blocks = 0; blocks <= 20; blocks += blocks < 9 ? 1 : 11)
      for (int repeat = 0; repeat < 4; ++repeat)
        if (some.runs()) check_tile(kernel, random, blocks, range, kind++);
}

}  // namespace

void check_gemm_mx_tile(mx_tile_kernel* kernel) {
  // Sums of 107 to 360, the ends of that range among them.
  check_tiles(kernel, {{120, 135, 120, 135},
                       {54, 180, 53, 180},
                       {54, 54, 53, 53},
                       {54, 60, 53, 60},
                       {180, 180, 180, 180},
                       {174, 180, 174, 180},
                       {0, 3, 107, 120},
                       {107, 120, 0, 3},
                       {254, 254, 90, 106},
                       {103, 108, 4, 8},
                       {240, 254, 20, 106},
                       {60, 62, 48, 52}});
}

void check_gemm_mx_tile_any(mx_tile_kernel* kernel) {
  check_tiles(kernel, {{0, 254, 0, 254},
                       {0, 0, 0, 0},
                       {0, 5, 0, 5},
                       {254, 254, 254, 254},
                       {240, 254, 240, 254},
                       {0, 2, 120, 130},
                       {60, 68, 60, 68},
                       {186, 196, 186, 196},
                       {0, 10, 240, 254},
                       {240, 254, 0, 10},
                       {120, 135, 120, 135},
                       {50, 62, 55, 65}});
}

void check_gemm_int8_tile(int8_tile_kernel* kernel) {
  test::generator random(781);
  for (int64_t blocks = 0; blocks <= 9; ++blocks) {
    fenced<uint8_t> rows(kMxRowsBlockBytes * blocks), columns(kMxColumnsBlockBytes * blocks);
    const operand a(random, kMxTileRows, blocks, 0, 254), b(random, kMxTileColumns, blocks, 0, 254);
    fill_rows(a, rows.data()), fill_columns(b, columns.data());
    std::vector<int32_t> expected;
    for (int64_t i = 0; i < kOutputs; ++i) expected.push_back(random.integer(-100000, 100000));
    fenced<int32_t> tile{std::span<const int32_t>(expected)};
    kernel(rows.data(), columns.data(), blocks, tile.data());
    for (int64_t i = 0; i < kOutputs; ++i)
      for (int64_t k = 0; k < 32 * blocks; ++k)
        expected[static_cast<size_t>(i)] +=
            a.value(i / kMxTileColumns, k / 32, k % 32) * (b.value(i % kMxTileColumns, k / 32, k % 32) + 12);
    INFO(blocks << " blocks");
    CHECK(difference(tile, expected) == "");
    CHECK(tile.intact());
  }
}

void check_gemm_bf16_tile(bf16_tile_kernel* kernel) {
  test::generator random(782);
  test::case_picker some;
  const auto element = [&](int content) -> bf16 {
    if (content == 0) return random.bf16_with_exponent(120, 130);
    if (content == 1) return random.bf16_with_exponent(50, 80);  // products that are subnormal
    if (content == 2) return random.bf16_with_exponent(0, 254);
    return {static_cast<uint16_t>(random.bits())};
  };
  for (int64_t depth = 0; depth <= 40; ++depth)
    for (int content = 0; content < 4; ++content) {
      if (!some.runs()) continue;
      std::vector<bf16> a, b;
      for (int64_t i = 0; i < depth * kBf16TileRows; ++i) a.push_back(element(content));
      for (int64_t i = 0; i < depth * kBf16TileColumns; ++i) b.push_back(element(content));
      fenced<float> rows(depth * kBf16TileRows), columns(depth * kBf16TileColumns);
      std::transform(a.begin(), a.end(), rows.data(), decode_bf16);
      std::transform(b.begin(), b.end(), columns.data(), decode_bf16);
      std::vector<float> expected;
      for (int64_t i = 0; i < kBf16TileRows * kBf16TileColumns; ++i)
        expected.push_back(depth % 2 == 0 ? 0.0f : random.with_exponent(100, 140));
      fenced<float> tile{std::span<const float>(expected)};
      kernel(rows.data(), columns.data(), depth, tile.data());
      for (int64_t i = 0; i < static_cast<int64_t>(expected.size()); ++i) {
        float& acc = expected[static_cast<size_t>(i)];
        for (int64_t k = 0; k < depth; ++k)
          acc = accumulate_seq_fma(acc, a[static_cast<size_t>(k * kBf16TileRows + i / kBf16TileColumns)],
                                   b[static_cast<size_t>(k * kBf16TileColumns + i % kBf16TileColumns)]);
        // Which NaN a product has is settled where it is stored.
        acc = canonical(acc);
        tile.data()[i] = canonical(tile.data()[i]);
      }
      INFO("depth " << depth << ", content " << content);
      CHECK(difference(tile, expected) == "");
      CHECK(tile.intact());
    }
}

}  // namespace adahop::reference::simd
