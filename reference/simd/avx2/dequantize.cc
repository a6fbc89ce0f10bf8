// MXFP4 to FP32 and BF16, for AVX2. Implements SPEC 2.5, 2.6, 5.10.
//
// The upper half of what a code stands for under a scale byte comes from a table of the eight magnitudes: every product
// of E2M1 and E8M0 is exact in BF16, subnormals included, or overflows to Inf, so that the lower half is always 0.
#include "reference/simd/avx2/streaming_store.h"

namespace adahop::reference::simd {
namespace {

constexpr int kBlock = 32;
constexpr int kCodeBytes = 16;

/// The BF16 bits of code * 2^(byte - 127).
constexpr uint32_t product_bits(uint32_t code, uint32_t byte) {
  constexpr uint32_t kInf = 0x7F80, kNan = 0x7FC0;
  const uint32_t sign = (code & 8u) << 12, magnitude = code & 7u;
  if (byte == 0xFF) return kNan;  // also of negative codes
  if (magnitude == 0) return sign;
  if (magnitude == 1) return sign | (byte > 1 ? (byte - 1) << 7 : byte == 1 ? 0x40u : 0x20u);  // 0.5
  // 1 to 6: the value is (1 or 1.5) * 2^k, k = 0 to 2.
  const uint32_t exponent = byte + (magnitude >> 1) - 1, half = (magnitude & 1u) << 6;
  if (exponent >= 0xFF) return sign | kInf;
  if (exponent == 0) return sign | (0x80u | half) >> 1;
  return sign | exponent << 7 | half;
}

/// By scale byte, the lower and the upper bytes of the 16 products.
struct product_table {
  alignas(32) uint8_t byte[256][2][16];
};

constexpr product_table make_products() {
  product_table table{};
  for (uint32_t byte = 0; byte < 256; ++byte)
    for (uint32_t code = 0; code < 16; ++code) {
      const uint32_t bits = product_bits(code, byte);
      table.byte[byte][0][code] = static_cast<uint8_t>(bits);
      table.byte[byte][1][code] = static_cast<uint8_t>(bits >> 8);
    }
  return table;
}

constexpr product_table kProducts = make_products();

[[gnu::always_inline]] inline __m256i twice(const uint8_t* sixteen) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(sixteen)));
}

/// The 32 products of a block in two vectors of 16 words, from its 16 bytes of codes. For each 16-bit lane `spread` has
/// the number of a byte of codes, whose two codes go to the two bytes of the lane, and a negative number.
[[gnu::always_inline]] inline void products_of(const uint8_t* codes, uint8_t scale, __m256i spread,
                                               __m256i (&words)[2]) {
  const __m256i bytes = _mm256_shuffle_epi8(twice(codes), spread);
  const __m256i nibbles =
      _mm256_and_si256(_mm256_or_si256(bytes, _mm256_slli_epi16(bytes, 4)), _mm256_set1_epi8(0x0F));
  const __m256i low = _mm256_shuffle_epi8(twice(kProducts.byte[scale][0]), nibbles);
  const __m256i high = _mm256_shuffle_epi8(twice(kProducts.byte[scale][1]), nibbles);
  words[0] = _mm256_unpacklo_epi8(low, high);
  words[1] = _mm256_unpackhi_epi8(low, high);
}

/// In order once unpacked to words: elements 0-7, 16-23 to the lower 128 bits, the others to the upper ones.
[[gnu::always_inline]] inline __m256i spread_for_words() {
  return _mm256_setr_epi8(0, -1, 1, -1, 2, -1, 3, -1, 8, -1, 9, -1, 10, -1, 11, -1,  //
                          4, -1, 5, -1, 6, -1, 7, -1, 12, -1, 13, -1, 14, -1, 15, -1);
}
/// In order once unpacked to words and then to 32 bits: elements 0-3, 8-11, 16-19, 24-27 to the lower 128 bits.
[[gnu::always_inline]] inline __m256i spread_for_floats() {
  return _mm256_setr_epi8(0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13, -1,  //
                          2, -1, 3, -1, 6, -1, 7, -1, 10, -1, 11, -1, 14, -1, 15, -1);
}

[[gnu::always_inline]] inline void dequantize_block(const uint8_t* codes, uint8_t scale, store_kind kind, float* out) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i words[2];
  products_of(codes, scale, spread_for_floats(), words);
  const __m256i values[4] = {_mm256_unpacklo_epi16(zero, words[0]), _mm256_unpackhi_epi16(zero, words[0]),
                             _mm256_unpacklo_epi16(zero, words[1]), _mm256_unpackhi_epi16(zero, words[1])};
  store_all(kind, values, out);
}

[[gnu::always_inline]] inline void dequantize_block(const uint8_t* codes, uint8_t scale, store_kind kind,
                                                    uint16_t* out) {
  __m256i words[2];
  products_of(codes, scale, spread_for_words(), words);
  store_all(kind, words, out);
}

template <class Element>
[[gnu::always_inline]] inline void dequantize_run(const uint8_t* codes, const uint8_t* scales, int64_t blocks,
                                                  Element* out, bool stream) {
  const store_kind kind = store_kind_of(out, stream);
  for (int64_t i = 0; i < blocks; ++i)
    dequantize_block(codes + kCodeBytes * i, scales[i], kind, out + kBlock * i);
  if (kind != store_kind::plain) _mm_sfence();
}

}  // namespace

void dequantize_f32__avx2(const uint8_t* codes, const uint8_t* scales, int64_t blocks, float* out, bool stream) {
  dequantize_run(codes, scales, blocks, out, stream);
}

void dequantize_bf16__avx2(const uint8_t* codes, const uint8_t* scales, int64_t blocks, uint16_t* out, bool stream) {
  dequantize_run(codes, scales, blocks, out, stream);
}

}  // namespace adahop::reference::simd
