// FP64 by MPFR: 53 bits, the exponent range and subnormals of IEEE 754, each operation rounded once to nearest even.
#pragma once
#include <mpfr.h>

namespace independent {

class binary64 {
 public:
  binary64(double value) : binary64() { mpfr_set_d(x_, value, MPFR_RNDN); }
  binary64(const binary64& other) : binary64() { mpfr_set(x_, other.x_, MPFR_RNDN); }
  binary64& operator=(const binary64& other) {
    mpfr_set(x_, other.x_, MPFR_RNDN);
    return *this;
  }
  ~binary64() { mpfr_clear(x_); }

  /// The value; a NaN is 0x7FF8000000000000.
  double value() const;

  friend binary64 operator+(const binary64& a, const binary64& b) { return rounded(mpfr_add, a, b); }
  friend binary64 operator-(const binary64& a, const binary64& b) { return rounded(mpfr_sub, a, b); }
  friend binary64 operator*(const binary64& a, const binary64& b) { return rounded(mpfr_mul, a, b); }
  friend binary64 operator/(const binary64& a, const binary64& b) { return rounded(mpfr_div, a, b); }
  friend binary64 sqrt(const binary64& a);
  /// False if either is a NaN.
  friend bool operator>(const binary64& a, const binary64& b) { return mpfr_greater_p(a.x_, b.x_) != 0; }

 private:
  using binary_operation = int(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  binary64() { mpfr_init2(x_, 53); }
  static binary64 rounded(binary_operation* operation, const binary64& a, const binary64& b);

  mpfr_t x_;
};

}  // namespace independent
