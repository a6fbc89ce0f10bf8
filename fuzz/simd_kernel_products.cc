// Calls of the products' kernels: panels, register tiles, stores.
#include <algorithm>
#include <array>

#include "conformance/kernel_oracle/kernel_oracle.h"
#include "fuzz/simd_kernel_trial.h"
#include "fuzz/simd_kernel_values.h"
#include "reference/output.h"

namespace adahop::fuzz {
namespace {

using namespace adahop::reference::simd;
using conformance::kernel_oracle::scale_of_columns_line;
using conformance::kernel_oracle::scale_of_rows_line;
using conformance::kernel_oracle::write_columns_line;
using conformance::kernel_oracle::write_rows_line;
using reference::canonical;

constexpr int64_t kCodeBytes = 16;

// "Panels are aligned to 64 bytes where their size is a multiple of it"; others begin at a multiple of 16, as blocks of
// A do.
template <class T>
size_t panel_alignment(int64_t elements) {
  return elements * static_cast<int64_t>(sizeof(T)) % 64 == 0 ? 64 : 16;
}

struct panel_kind {
  int64_t lines, block_bytes;
  void (*write_line)(const uint8_t*, uint8_t, int64_t, uint8_t*);
  uint8_t (*scale_of_line)(const uint8_t*, int64_t);
};
constexpr panel_kind kOfA{kMxTileRows, kMxRowsBlockBytes, write_rows_line, scale_of_rows_line};
constexpr panel_kind kOfB{kMxTileColumns, kMxColumnsBlockBytes, write_columns_line, scale_of_columns_line};

// A block of zeros may keep a scale byte that gemm_mx_tile takes with any other such byte; what it adds is nothing
// either way. To be compared it gets 127, and the extremes of the panel are counted anew as they must be with the bytes
// kept.
scale_range settle_zero_blocks(const panel_kind& kind, const mx_lines& x, uint8_t* panel) {
  scale_range range{127, 127};
  for (int64_t line = 0; line < kind.lines; ++line)
    for (int64_t b = 0; b < x.blocks; ++b) {
      uint8_t* const block = panel + b * kind.block_bytes;
      const uint8_t stored = kind.scale_of_line(block, line);
      range.least = std::min<int32_t>(range.least, stored);
      range.greatest = std::max<int32_t>(range.greatest, stored);
      if (line >= x.count) continue;
      const uint8_t* const codes = x.codes + line * x.codes_stride + b * kCodeBytes;
      const bool zero = std::all_of(codes, codes + kCodeBytes, [](uint8_t pair) { return (pair & 0x77u) == 0; });
      const uint8_t own = x.scales[line * x.scales_stride + b];
      if (zero && stored == own && own >= 54 && own <= 180) kind.write_line(codes, 127, line, block);
    }
  return range;
}

using byte_range = std::array<int64_t, 2>;  // low and high, both included

// low to high: all of it, its ends, or any part.
byte_range read_range(trial& t, std::string_view name, int64_t low, int64_t high) {
  const int64_t few = std::min<int64_t>(7, high - low);
  byte_range range{low, high};
  switch (t.in.byte() % 4) {
    case 0: range[0] = t.in.integer(low, high), range[1] = t.in.integer(range[0], high); break;
    case 1: range[1] = low + t.in.integer(0, few); break;
    case 2: range[0] = high - t.in.integer(0, few); break;
    default: break;
  }
  t.note(name, range[0]), t.note("to", range[1]);
  return range;
}

using pack_mx_member = scale_range (*kernel_table::*)(const mx_lines&, uint8_t*, uint32_t*);
void pack_mx(trial& t, pack_mx_member kernel, const panel_kind& kind) {
  const int64_t count = kind.lines - t.number("absent", 0, kind.lines);
  const int64_t blocks = t.number("blocks", 0, t.in.byte() % 4 == 3 ? 70 : 9);
  const int64_t codes_stride = t.note("codes_stride", kCodeBytes * blocks + t.in.integer(0, 5));
  const int64_t scales_stride = t.note("scales_stride", blocks + t.in.integer(0, 5));
  const auto panel =
      t.add_output<uint8_t>("panel", kind.block_bytes * blocks, panel_alignment<uint8_t>(kind.block_bytes * blocks));
  const auto nan = t.add_output<uint32_t>("nan", kind.lines);
  const byte_range range = read_range(t, "scales", 0, 255);
  const int64_t scale_bytes = count == 0 ? 0 : (count - 1) * scales_stride + blocks;
  const auto scales = t.add<uint8_t>("scales", read_scales(t.in, scale_bytes, range[0], range[1]));
  // Whole blocks, the last one's rest left out: rows of codes need not begin at a multiple of a block.
  const int64_t bytes = count == 0 ? 0 : (count - 1) * codes_stride + kCodeBytes * blocks;
  std::vector<uint8_t> all = read_codes(t.in, (bytes + kCodeBytes - 1) / kCodeBytes);
  all.resize(static_cast<size_t>(bytes));
  const auto codes = t.add<uint8_t>("codes", all);
  t.run([&](const kernel_table& k) {
    const mx_lines x{codes.data(), codes_stride, scales.data(), scales_stride, count, blocks};
    const scale_range got = (k.*kernel)(x, panel.data(), nan.data());
    const scale_range stored = settle_zero_blocks(kind, x, panel.data());
    t.returned("least scale byte less that of the panel", got.least - stored.least);
    t.returned("greatest scale byte less that of the panel", got.greatest - stored.greatest);
  });
}

// A panel of this kind with scale bytes from low to high; every byte stands as it is, those of zero blocks too.
std::vector<uint8_t> read_panel(trial& t, const panel_kind& kind, int64_t blocks, int64_t low, int64_t high) {
  const std::vector<uint8_t> codes = read_codes(t.in, kind.lines * blocks);
  const std::vector<uint8_t> scales = read_scales(t.in, kind.lines * blocks, low, high);
  std::vector<uint8_t> panel(static_cast<size_t>(kind.block_bytes * blocks));
  for (int64_t i = 0; i < kind.lines * blocks; ++i)
    kind.write_line(codes.data() + kCodeBytes * i, scales[static_cast<size_t>(i)], i % kind.lines,
                    panel.data() + i / kind.lines * kind.block_bytes);
  return panel;
}

// What a tile may hold before: zeros, numbers of the size of the terms to be added, or anything but NaN, which
// block_rne does not make of finite blocks.
std::vector<float> read_accumulators(trial& t, const byte_range& of_a, const byte_range& of_b) {
  constexpr int64_t kOutputs = kMxTileRows * kMxTileColumns;
  const uint8_t kind = t.in.byte() % 3;
  if (kind == 0) return std::vector<float>(static_cast<size_t>(kOutputs), t.in.flag() ? -0.0f : 0.0f);
  std::vector<float> all;
  if (kind == 1) {
    const int field = static_cast<int>(of_a[0] + of_b[0]) - 129;  // of 2^(sa+sb-256), to which S below 2^13 comes
    const std::vector<uint32_t> words = read_words<uint32_t>(t.in, 2 * kOutputs, 0xFFFFFFFFu);
    for (size_t i = 0; i < words.size(); i += 2)
      all.push_back(
          float_of(float_pattern(values::uniform, {field - 2, 18}, uint64_t{words[i]} << 32 | words[i + 1], 1)));
    return all;
  }
  all = read_values<float>(t.in, kOutputs);
  for (float& v : all)
    if ((bits_of(v) & 0x7FFFFFFFu) > 0x7F800000u) v = float_of(bits_of(v) & 0xFF800000u);
  return all;
}

// Calls it(table, a, b, blocks, tile) on panels whose scale bytes are `of_a` and `of_b`, low and high.
template <class Output, class Call>
void run_mx_tile(trial& t, const byte_range& of_a, const byte_range& of_b, const std::vector<Output>& before,
                 const Call& it) {
  const int64_t blocks = t.number("blocks", 0, t.in.byte() % 4 == 3 ? 24 : 3);
  const auto tile = t.add<Output>("tile", before);
  const auto a = t.add<uint8_t>("a", read_panel(t, kOfA, blocks, of_a[0], of_a[1]),
                                panel_alignment<uint8_t>(kOfA.block_bytes * blocks));
  const auto b = t.add<uint8_t>("b", read_panel(t, kOfB, blocks, of_b[0], of_b[1]),
                                panel_alignment<uint8_t>(kOfB.block_bytes * blocks));
  t.run([&](const kernel_table& k) { it(k, a.data(), b.data(), blocks, tile.data()); });
}

template <class Result>
using store_member = void (*kernel_table::*)(const float*, int64_t, int64_t, int64_t, const uint32_t*, const uint32_t*,
                                             Result*, int64_t);
template <class Result>
void store(trial& t, store_member<Result> kernel) {
  const int64_t rows = t.number("rows", 0, 14), cols = 32 - t.number("absent", 0, 32);
  const int64_t tile_stride = t.note("tile_stride", cols + t.in.integer(0, 9));
  const int64_t out_stride = t.note("out_stride", cols + t.in.integer(0, 5));
  const auto extent = [&](int64_t stride) { return rows * cols == 0 ? 0 : (rows - 1) * stride + cols; };
  const auto out = t.add_output<Result>("out", extent(out_stride));
  const auto read_nan = [&](int64_t count) {
    std::vector<uint32_t> all(static_cast<size_t>(count), 0);
    for (int64_t n = count == 0 ? 0 : t.in.integer(0, 3); n > 0; --n)
      all[static_cast<size_t>(t.in.integer(0, count - 1))] = kCanonicalNan;
    return all;
  };
  const auto row_nan = t.add<uint32_t>("row_nan", read_nan(rows)), col_nan = t.add<uint32_t>("col_nan", read_nan(cols));
  const auto tile = t.add<float>("tile", read_values<float>(t.in, extent(tile_stride)));
  t.run([&](const kernel_table& k) {
    (k.*kernel)(tile.data(), tile_stride, rows, cols, row_nan.data(), col_nan.data(), out.data(), out_stride);
  });
}

std::vector<float> read_bf16_panel(trial& t, int64_t count) {
  std::vector<float> panel;
  for (const uint16_t bits : read_values<uint16_t>(t.in, count)) panel.push_back(decode_bf16({bits}));
  return panel;
}

using tile_member = void (*kernel_table::*)(const uint8_t*, const uint8_t*, int64_t, float*);

}  // namespace

void fuzz_gemm_pack_mx_rows(trial& t, pack_mx_member kernel) { pack_mx(t, kernel, kOfA); }
void fuzz_gemm_pack_mx_columns(trial& t, pack_mx_member kernel) { pack_mx(t, kernel, kOfB); }

void fuzz_gemm_mx_tile(trial& t, tile_member kernel) {
  // Every sum of two bytes from 107 to 360.
  byte_range a = read_range(t, "scales_a", 0, 254);
  a[1] = t.note("at most", std::min(a[1], a[0] + 253));
  const auto b = read_range(t, "scales_b", std::max<int64_t>(0, 107 - a[0]), std::min<int64_t>(254, 360 - a[1]));
  run_mx_tile<float>(t, a, b, read_accumulators(t, a, b),
                     [&](const kernel_table& k, auto... call) { (k.*kernel)(call...); });
}
void fuzz_gemm_mx_tile_any(trial& t, tile_member kernel) {
  const auto a = read_range(t, "scales_a", 0, 254), b = read_range(t, "scales_b", 0, 254);
  run_mx_tile<float>(t, a, b, read_accumulators(t, a, b),
                     [&](const kernel_table& k, auto... call) { (k.*kernel)(call...); });
}

void fuzz_gemm_int8_tile(trial& t, void (*kernel_table::*kernel)(const uint8_t*, const uint8_t*, int64_t, int32_t*)) {
  std::vector<int32_t> before;
  for (const uint32_t word : read_words<uint32_t>(t.in, kMxTileRows * kMxTileColumns, 0x00FFFFFFu))
    before.push_back(static_cast<int32_t>(word) - 0x00800000);
  run_mx_tile<int32_t>(t, {127, 127}, {127, 127}, before,
                       [&](const kernel_table& k, auto... call) { (k.*kernel)(call...); });
}

void fuzz_gemm_pack_bf16(trial& t,
                         void (*kernel_table::*kernel)(const uint16_t*, int64_t, int64_t, int64_t, int64_t, float*)) {
  const int64_t width = t.in.flag() ? t.in.integer(1, 32) : t.in.pick(std::array{kBf16TileColumns, kBf16TileRows});
  const int64_t count = t.note("width", width) - t.number("absent", 0, width);
  const int64_t depth = t.number("depth", 0, t.in.byte() % 4 == 3 ? 150 : 20);
  const int64_t stride = t.note("stride", depth + t.in.integer(0, 5));
  const auto panel = t.add_output<float>("panel", depth * width, panel_alignment<float>(depth * width));
  const auto x =
      t.add<uint16_t>("x", read_values<uint16_t>(t.in, count * depth == 0 ? 0 : (count - 1) * stride + depth));
  t.run([&](const kernel_table& k) { (k.*kernel)(x.data(), stride, count, depth, width, panel.data()); });
}

void fuzz_gemm_bf16_tile(trial& t, void (*kernel_table::*kernel)(const float*, const float*, int64_t, float*)) {
  const int64_t depth = t.number("depth", 0, t.in.byte() % 4 == 3 ? 100 : 12);
  constexpr int64_t kOutputs = kBf16TileRows * kBf16TileColumns;
  const auto tile = t.add<float>("tile", read_values<float>(t.in, kOutputs));
  const auto a =
      t.add<float>("a", read_bf16_panel(t, depth * kBf16TileRows), panel_alignment<float>(depth * kBf16TileRows));
  const auto b = t.add<float>("b", read_bf16_panel(t, depth * kBf16TileColumns), 64);
  t.run([&](const kernel_table& k) {
    (k.*kernel)(a.data(), b.data(), depth, tile.data());
    // Which NaN a sum is, is settled where it is stored.
    std::transform(tile.data(), tile.data() + kOutputs, tile.data(), [](float v) { return canonical(v); });
  });
}

void fuzz_gemm_store_f32(trial& t, store_member<float> kernel) { store<float>(t, kernel); }
void fuzz_gemm_store_bf16(trial& t, store_member<uint16_t> kernel) { store<uint16_t>(t, kernel); }

}  // namespace adahop::fuzz
