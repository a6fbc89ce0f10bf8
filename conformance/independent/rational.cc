// Arithmetic of exact rationals by GMP.
#include "rational.h"

namespace independent {

rational rational::of_fp64(double value) {
  rational r;
  mpq_set_d(r.q_, value);
  return r;
}

rational rational::magnitude() const {
  rational r;
  mpq_abs(r.q_, q_);
  return r;
}

rational rational::scaled(long exponent) const {
  rational r;
  if (exponent >= 0)
    mpq_mul_2exp(r.q_, q_, static_cast<mp_bitcnt_t>(exponent));
  else
    mpq_div_2exp(r.q_, q_, static_cast<mp_bitcnt_t>(-exponent));
  return r;
}

long rational::floor_log2() const {
  // The bit lengths give the answer to within one; the comparison settles it.
  const long guess = static_cast<long>(mpz_sizeinbase(mpq_numref(q_), 2)) -
                     static_cast<long>(mpz_sizeinbase(mpq_denref(q_), 2));
  return power_of_two(guess) <= *this ? guess : guess - 1;
}

long rational::nearest_even() const {
  mpz_t quotient, remainder;
  mpz_inits(quotient, remainder, nullptr);
  mpz_fdiv_qr(quotient, remainder, mpq_numref(q_), mpq_denref(q_));
  long n = mpz_get_si(quotient);
  mpz_mul_2exp(remainder, remainder, 1);
  const int above_half = mpz_cmp(remainder, mpq_denref(q_));
  if (above_half > 0 || (above_half == 0 && n % 2 != 0)) ++n;
  mpz_clears(quotient, remainder, nullptr);
  return n;
}

long rational::floor_integer() const {
  mpz_t quotient;
  mpz_init(quotient);
  mpz_fdiv_q(quotient, mpq_numref(q_), mpq_denref(q_));
  const long n = mpz_get_si(quotient);
  mpz_clear(quotient);
  return n;
}

rational rational::floor_to(long exponent) const {
  const rational units = scaled(-exponent);
  rational r;
  mpz_fdiv_q(mpq_numref(r.q_), mpq_numref(units.q_), mpq_denref(units.q_));
  return r.scaled(exponent);
}

rational rational::truncated_to(long exponent) const {
  const rational down = magnitude().floor_to(exponent);
  return sign() < 0 ? rational(0) - down : down;
}

long rational::lowest_bit() const {
  return static_cast<long>(mpz_scan1(mpq_numref(q_), 0)) - static_cast<long>(mpz_scan1(mpq_denref(q_), 0));
}

rational operator+(const rational& a, const rational& b) {
  rational r;
  mpq_add(r.q_, a.q_, b.q_);
  return r;
}

rational operator-(const rational& a, const rational& b) {
  rational r;
  mpq_sub(r.q_, a.q_, b.q_);
  return r;
}

rational operator*(const rational& a, const rational& b) {
  rational r;
  mpq_mul(r.q_, a.q_, b.q_);
  return r;
}

rational operator/(const rational& a, const rational& b) {
  rational r;
  mpq_div(r.q_, a.q_, b.q_);
  return r;
}

}  // namespace independent
