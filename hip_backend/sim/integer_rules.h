// Integer operations of one lane that several families of opcodes share: extremes, saturation, 16-bit sums and shifts. From
// the ISA manual's pseudocode of VOP2, VOP3 and VOP3P.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

namespace adahop::hip::sim {

template <class T>
constexpr T min(T a, T b) {
  return a < b ? a : b;
}
template <class T>
constexpr T max(T a, T b) {
  return a >= b ? a : b;
}
template <class T>
constexpr T min3(T a, T b, T c) {
  return min(min(a, b), c);
}
template <class T>
constexpr T max3(T a, T b, T c) {
  return max(max(a, b), c);
}
template <class T>
constexpr T med3(T a, T b, T c) {
  return max(min(a, b), min(max(a, b), c));
}

/// The clamp modifier of an integer result: the nearest number of T.
template <class T>
constexpr T saturated(int64_t v) {
  return static_cast<T>(std::clamp<int64_t>(v, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

constexpr uint16_t low_half(uint32_t v) { return static_cast<uint16_t>(v); }
constexpr uint16_t add_16(uint16_t a, uint16_t b) { return low_half(uint32_t{a} + b); }
constexpr uint16_t sub_16(uint16_t a, uint16_t b) { return low_half(uint32_t{a} - b); }
constexpr uint16_t mul_lo_16(uint16_t a, uint16_t b) { return low_half(uint32_t{a} * b); }
constexpr uint16_t mad_16(uint16_t a, uint16_t b, uint16_t c) { return low_half(uint32_t{a} * b + c); }
template <class T>
constexpr T add_saturating(T a, T b) {
  return saturated<T>(int64_t{a} + b);
}
template <class T>
constexpr T sub_saturating(T a, T b) {
  return saturated<T>(int64_t{a} - b);
}
template <class T>
constexpr T mad_saturating(T a, T b, T c) {
  return saturated<T>(int64_t{a} * b + c);
}

// The count comes first: b shifted by the low four bits of a.
constexpr uint16_t lshlrev_16(uint16_t a, uint16_t b) { return low_half(uint32_t{b} << (a & 15u)); }
constexpr uint16_t lshrrev_16(uint16_t a, uint16_t b) { return low_half(uint32_t{b} >> (a & 15u)); }
constexpr int16_t ashrrev_16(uint16_t a, int16_t b) { return static_cast<int16_t>(b >> (a & 15u)); }

}  // namespace adahop::hip::sim
