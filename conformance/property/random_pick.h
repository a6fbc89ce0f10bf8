// A pick by RapidCheck: one random word makes the value, the simpler ones are ours. For the .cc files that may include
// RapidCheck, which costs many seconds a translation unit.
#pragma once
#include <rapidcheck.h>

#include <string>

#include "simpler.h"

namespace adahop::property {

/// make(seed, size) makes a T, simplify(T) lists simpler ones.
template <class T, class Make, class Simplify>
T random_pick(const std::string& name, const Make& make, const Simplify& simplify) {
  const rc::Gen<T> gen([=](const rc::Random& random, int size) {
    const uint64_t seed = rc::Random(random).next();
    return rc::shrinkable::shrinkRecur(make(seed, size), [=](const T& value) {
      return rc::seq::map(rc::seq::fromContainer(simplify(value)),
                          [](const std::function<T()>& make_it) { return make_it(); });
    });
  });
  return *gen.as(name);
}

}  // namespace adahop::property
