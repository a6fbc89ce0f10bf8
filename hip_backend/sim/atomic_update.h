// What atomic instructions make of the old value in memory and their data; LDS and global memory share it. From the ISA
// manual's pseudocode. Float sums are rounded to nearest even; that subnormals are kept is our inference, LLVM takes some of
// them to be flushed whatever MODE says. NaNs by float_rules.h.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "sim/float_arithmetic.h"

namespace adahop::hip::sim::update {

template <class U>
using signed_of = std::make_signed_t<U>;
template <class U>
using float_of = std::conditional_t<sizeof(U) == 4, float, double>;

struct add { template <class U> U operator()(U old, U data) const { return old + data; } };
struct sub { template <class U> U operator()(U old, U data) const { return old - data; } };
struct rsub { template <class U> U operator()(U old, U data) const { return data - old; } };
struct inc { template <class U> U operator()(U old, U data) const { return old >= data ? 0 : old + 1; } };
struct dec { template <class U> U operator()(U old, U data) const { return old == 0 || old > data ? data : old - 1; } };
struct bit_and { template <class U> U operator()(U old, U data) const { return old & data; } };
struct bit_or { template <class U> U operator()(U old, U data) const { return old | data; } };
struct bit_xor { template <class U> U operator()(U old, U data) const { return old ^ data; } };
struct swap { template <class U> U operator()(U, U data) const { return data; } };
struct umin { template <class U> U operator()(U old, U data) const { return data < old ? data : old; } };
struct umax { template <class U> U operator()(U old, U data) const { return data >= old ? data : old; } };
struct smin {
  template <class U>
  U operator()(U old, U data) const {
    return static_cast<signed_of<U>>(data) < static_cast<signed_of<U>>(old) ? data : old;
  }
};
struct smax {
  template <class U>
  U operator()(U old, U data) const {
    return static_cast<signed_of<U>>(data) >= static_cast<signed_of<U>>(old) ? data : old;
  }
};
struct fadd {
  template <class U>
  U operator()(U old, U data) const {
    using format = std::conditional_t<sizeof(U) == 4, f32, f64>;
    const U sum = host_add<format>(old, data);
    return is_nan<format>(sum) ? nan_result<format>(old, data) : sum;
  }
};
struct fmin {
  template <class U>
  U operator()(U old, U data) const {
    return std::bit_cast<float_of<U>>(data) < std::bit_cast<float_of<U>>(old) ? data : old;
  }
};
struct fmax {
  template <class U>
  U operator()(U old, U data) const {
    return std::bit_cast<float_of<U>>(data) > std::bit_cast<float_of<U>>(old) ? data : old;
  }
};

}  // namespace adahop::hip::sim::update
