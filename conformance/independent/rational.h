// Exact rational numbers: a value type over GMP's mpq_t, so that nothing in this folder rounds by accident.
#pragma once
#include <gmp.h>

namespace independent {

class rational {
 public:
  rational() { mpq_init(q_); }
  rational(long value) : rational() { mpq_set_si(q_, value, 1); }
  /// A finite FP64 number, exactly.
  static rational of_fp64(double value);
  rational(const rational& other) : rational() { mpq_set(q_, other.q_); }
  rational(rational&& other) noexcept : rational() { mpq_swap(q_, other.q_); }
  rational& operator=(rational other) noexcept {
    mpq_swap(q_, other.q_);
    return *this;
  }
  ~rational() { mpq_clear(q_); }

  /// Rounded toward zero.
  double to_fp64() const { return mpq_get_d(q_); }
  /// -1, 0 or 1.
  int sign() const { return mpq_sgn(q_); }
  rational magnitude() const;
  /// This number times 2^exponent.
  rational scaled(long exponent) const;
  /// The exponent k of the largest power of two with 2^k <= this number, which must be positive.
  long floor_log2() const;
  /// The nearest integer, ties to even. The number must be in [0, 2^31).
  long nearest_even() const;
  /// The largest integer that is not above this number; it must fit a long.
  long floor_integer() const;
  /// The nearest multiple of 2^exponent toward -Inf, and the nearest one toward zero.
  rational floor_to(long exponent) const;
  rational truncated_to(long exponent) const;
  /// The largest q such that this number is a multiple of 2^q; it is not zero and has a power of two as denominator.
  long lowest_bit() const;

  friend rational operator+(const rational& a, const rational& b);
  friend rational operator-(const rational& a, const rational& b);
  friend rational operator*(const rational& a, const rational& b);
  /// b is not zero.
  friend rational operator/(const rational& a, const rational& b);
  friend bool operator==(const rational& a, const rational& b) { return mpq_equal(a.q_, b.q_) != 0; }
  friend bool operator<(const rational& a, const rational& b) { return mpq_cmp(a.q_, b.q_) < 0; }
  friend bool operator>(const rational& a, const rational& b) { return b < a; }
  friend bool operator<=(const rational& a, const rational& b) { return !(b < a); }
  friend bool operator>=(const rational& a, const rational& b) { return !(a < b); }

 private:
  mpq_t q_;
};

/// 2^exponent.
inline rational power_of_two(long exponent) { return rational(1).scaled(exponent); }

}  // namespace independent
