// FP64 by MPFR.
#include "binary64.h"

#include <bit>
#include <cstdint>

namespace independent {
namespace {

/// Gives MPFR the exponent range of IEEE 754 binary64 while it lives; MPFR writes a number as 0.1xxx * 2^exponent.
class binary64_range {
 public:
  binary64_range() : emin_(mpfr_get_emin()), emax_(mpfr_get_emax()) {
    mpfr_set_emin(-1073);
    mpfr_set_emax(1024);
  }
  ~binary64_range() {
    mpfr_set_emin(emin_);
    mpfr_set_emax(emax_);
  }
  binary64_range(const binary64_range&) = delete;
  binary64_range& operator=(const binary64_range&) = delete;

 private:
  mpfr_exp_t emin_, emax_;
};

}  // namespace

double binary64::value() const {
  if (mpfr_nan_p(x_)) return std::bit_cast<double>(uint64_t{0x7FF8000000000000u});
  return mpfr_get_d(x_, MPFR_RNDN);
}

binary64 binary64::rounded(binary_operation* operation, const binary64& a, const binary64& b) {
  const binary64_range range;
  binary64 r;
  const int ternary = operation(r.x_, a.x_, b.x_, MPFR_RNDN);
  mpfr_subnormalize(r.x_, ternary, MPFR_RNDN);
  return r;
}

binary64 sqrt(const binary64& a) {
  const binary64_range range;
  binary64 r;
  const int ternary = mpfr_sqrt(r.x_, a.x_, MPFR_RNDN);
  mpfr_subnormalize(r.x_, ternary, MPFR_RNDN);
  return r;
}

}  // namespace independent
