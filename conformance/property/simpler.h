// How a failing input is made simpler: a list of candidates, each computed only when it is tried. The first one that
// still fails is taken, and the search goes on from there; every candidate must be simpler by some measure, so that it
// ends.
#pragma once
#include <functional>
#include <vector>

namespace adahop::property {

template <class T>
using simpler_values = std::vector<std::function<T()>>;

}  // namespace adahop::property
