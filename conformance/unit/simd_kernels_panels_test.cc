// The panels of the products, from their description in kernels.h; and what a tile of results becomes in the output.
#include "simd_kernels_support.h"

namespace adahop::reference::simd {
namespace {

using pack_mx_kernel = scale_range(const mx_lines&, uint8_t*, uint32_t*);
using pack_bf16_kernel = void(const uint16_t*, int64_t, int64_t, int64_t, int64_t, float*);
template <class Result>
using store_kernel = void(const float*, int64_t, int64_t, int64_t, const uint32_t*, const uint32_t*, Result*, int64_t);

template <class T>
T word_at(const uint8_t* p) {
  T word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

// Of the left operand, A, or of the right one, B: bytes without and with a bias of 12, and other words beside them.
enum class side { a, b };

struct panel_shape {
  side of;
  int64_t lines() const { return of == side::a ? kMxTileRows : kMxTileColumns; }
  int64_t block_bytes() const { return of == side::a ? kMxRowsBlockBytes : kMxColumnsBlockBytes; }
};

// The scale byte of a line of a block, out of the words behind the block's bytes, which are checked.
uint32_t check_words(const panel_shape& shape, const uint8_t* block, int64_t line, int32_t sum) {
  const uint8_t* const words = block + 32 * shape.lines();
  uint32_t shifted = 0;
  if (shape.of == side::a) {
    shifted = word_at<uint32_t>(words + 8 * line + 4);
    CHECK(word_at<uint32_t>(words + 8 * line) == shifted - static_cast<uint32_t>(12 * sum));
  } else {
    shifted = word_at<uint32_t>(words + 4 * line) - static_cast<uint32_t>(kMxMagic) + (256u << 23);
  }
  CHECK((shifted & 0x007FFFFFu) == 0);
  return shifted >> 23;
}

// Line `line` of a block of a panel against 16 bytes of codes and a scale byte; both null for an absent line. Returns
// the scale byte that the panel has.
int32_t check_line(const panel_shape& shape, const uint8_t* block, int64_t line, const uint8_t* codes,
                   const uint8_t* scale) {
  int32_t sum = 0, wrong = 0;
  for (int64_t i = 0; i < 32; ++i) {
    const int32_t value = codes == nullptr ? 0 : value_x2(unpack_e2m1(codes[i / 2], static_cast<uint32_t>(i % 2)));
    const uint8_t byte = block[(i / 4 * shape.lines() + line) * 4 + i % 4];
    sum += value;
    wrong += (shape.of == side::b ? byte - 12 : static_cast<int8_t>(byte)) != value ? 1 : 0;
  }
  CHECK(wrong == 0);
  const int32_t stored = static_cast<int32_t>(check_words(shape, block, line, sum));
  const bool adds_nothing = codes == nullptr || *scale == kE8m0Nan ||
                            std::all_of(codes, codes + 16, [](uint8_t pair) { return (pair & 0x77u) == 0; });
  CHECK((stored == (scale == nullptr ? 127 : *scale) || (adds_nothing && stored == 127)));
  CHECK(stored != kE8m0Nan);
  return stored;
}

void check_pack(pack_mx_kernel* kernel, const panel_shape& shape, test::generator& random, int64_t count,
                int64_t blocks, int content) {
  const int64_t codes_stride = 16 * blocks + count % 3, scales_stride = blocks + count % 2;
  fenced<uint8_t> codes(count == 0 ? 0 : (count - 1) * codes_stride + 16 * blocks);
  fenced<uint8_t> scales(count == 0 ? 0 : (count - 1) * scales_stride + blocks);
  for (int64_t r = 0; r < count; ++r)
    for (int64_t b = 0; b < blocks; ++b) {
      const bool zero = random.integer(0, 4) == 0;
      for (int64_t i = 0; i < 16; ++i)
        codes.data()[r * codes_stride + 16 * b + i] = static_cast<uint8_t>(random.bits() & (zero ? 0x88u : 0xFFu));
      uint8_t& scale = scales.data()[r * scales_stride + b];
      scale = static_cast<uint8_t>(content == 0 ? random.integer(65, 191) : random.integer(0, 254));
      if (content == 2 && random.integer(0, 20) == 0) scale = kE8m0Nan;
    }
  fenced<uint8_t> panel(shape.block_bytes() * blocks);
  fenced<uint32_t> nan(shape.lines());
  const mx_lines x{codes.data(), codes_stride, scales.data(), scales_stride, count, blocks};
  const scale_range range = kernel(x, panel.data(), nan.data());
  INFO(count << " lines of " << blocks << " blocks, content " << content);
  std::vector<uint32_t> expected_nan(static_cast<size_t>(shape.lines()), 0);
  std::vector<int32_t> stored = {127};
  for (int64_t r = 0; r < shape.lines(); ++r)
    for (int64_t b = 0; b < blocks; ++b) {
      const bool there = r < count;
      const uint8_t* const scale = there ? scales.data() + r * scales_stride + b : nullptr;
      if (there && *scale == kE8m0Nan) expected_nan[static_cast<size_t>(r)] = kCanonicalNan;
      stored.push_back(check_line(shape, panel.data() + b * shape.block_bytes(), r,
                                  there ? codes.data() + r * codes_stride + 16 * b : nullptr, scale));
    }
  CHECK(difference(nan, expected_nan) == "");
  CHECK(range.least == *std::min_element(stored.begin(), stored.end()));
  CHECK(range.greatest == *std::max_element(stored.begin(), stored.end()));
  CHECK((panel.intact() && nan.intact()));
}

void check_packs(pack_mx_kernel* kernel, side of) {
  const panel_shape shape{of};
  test::generator random(760);
  test::case_picker some;
  for (const int64_t count : {0, 1, 2, 3, 4, 5, 6, 8, 15, 16, 17, 23, 31, 32})
    for (int64_t blocks = 0; blocks <= 13 && count <= shape.lines(); ++blocks)
      for (int content = 0; content < 3; ++content)
        if (some.runs()) check_pack(kernel, shape, random, count, blocks, content);
  for (const int64_t count : {shape.lines(), shape.lines() - 1}) check_pack(kernel, shape, random, count, 67, 2);
}

template <class Result>
void check_store(store_kernel<Result>* kernel) {
  test::generator random(761);
  test::case_picker some;
  for (int64_t cols = 0; cols <= 32; ++cols)
    for (const int64_t rows : {0, 1, 5, 6, 12}) {
      if (!some.runs()) continue;
      const int64_t tile_stride = cols + cols % 3 * 8, out_stride = cols + cols % 2;
      fenced<float> tile(rows * cols == 0 ? 0 : (rows - 1) * tile_stride + cols);
      for (int64_t i = 0; i < static_cast<int64_t>(tile.elements().size()); ++i)
        // Ties of the rounding to BF16 and their neighbours, NaNs, what overflows BF16; and anything.
        tile.data()[i] = i % 3 == 0   ? float_of(random.bits())
                         : i % 3 == 1 ? float_of((random.bits() & 0xFFFF0000u) + 0x8000u + random.bits() % 3 - 1)
                                      : float_of(0x7F7F7FFEu + random.bits() % 4);
      fenced<uint32_t> row_nan(rows), col_nan(cols);
      for (int64_t r = 0; r < rows; ++r) row_nan.data()[r] = random.integer(0, 7) == 0 ? kCanonicalNan : 0;
      for (int64_t c = 0; c < cols; ++c) col_nan.data()[c] = random.integer(0, 7) == 0 ? kCanonicalNan : 0;
      fenced<Result> out(rows * cols == 0 ? 0 : (rows - 1) * out_stride + cols);
      std::vector<Result> expected(out.elements().begin(), out.elements().end());
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < cols; ++c) {
          const bool nan = (row_nan.data()[r] | col_nan.data()[c]) != 0;
          const float v = nan ? float_of(kCanonicalNan) : tile.data()[r * tile_stride + c];
          Result& e = expected[static_cast<size_t>(r * out_stride + c)];
          if constexpr (sizeof(Result) == 2)
            e = round_bf16(v).bits;
          else
            e = canonical(v);
        }
      kernel(tile.data(), tile_stride, rows, cols, row_nan.data(), col_nan.data(), out.data(), out_stride);
      INFO(rows << " x " << cols);
      CHECK(difference(out, expected) == "");
      CHECK(out.intact());
    }
}

}  // namespace

void check_gemm_pack_mx_rows(pack_mx_kernel* kernel) { check_packs(kernel, side::a); }
void check_gemm_pack_mx_columns(pack_mx_kernel* kernel) { check_packs(kernel, side::b); }
void check_gemm_store_f32(store_kernel<float>* kernel) { check_store(kernel); }
void check_gemm_store_bf16(store_kernel<uint16_t>* kernel) { check_store(kernel); }

void check_gemm_pack_bf16(pack_bf16_kernel* kernel) {
  test::generator random(762);
  test::case_picker some;
  for (const int64_t width : {12, 32, 16, 5})
    for (int64_t count = 0; count <= width; count += count < 2 || count >= width - 2 ? 1 : width / 4)
      for (int64_t depth = 0; depth <= 70; ++depth) {
        if (!some.runs()) continue;
        const int64_t stride = depth + depth % 5;
        fenced<uint16_t> x(count * depth == 0 ? 0 : (count - 1) * stride + depth);
        for (size_t i = 0; i < x.elements().size(); ++i) x.data()[i] = static_cast<uint16_t>(random.bits());
        std::vector<float> expected(static_cast<size_t>(depth * width), 0.0f);
        for (int64_t i = 0; i < count; ++i)
          for (int64_t k = 0; k < depth; ++k)
            expected[static_cast<size_t>(k * width + i)] = value_of(x.data()[i * stride + k]);
        fenced<float> panel(depth * width);
        kernel(x.data(), stride, count, depth, width, panel.data());
        INFO(count << " of " << width << " lines, depth " << depth);
        CHECK(difference(panel, expected) == "");
        CHECK(panel.intact());
      }
}

}  // namespace adahop::reference::simd
