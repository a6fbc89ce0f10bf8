// Picks of products by RapidCheck: one random word makes the input, the simpler ones are ours.
#include "product_pick.h"

#include "random_pick.h"

namespace adahop::property {
namespace {

template <class T>
T pick(const std::string& name, reach how, T (*make)(reach, uint64_t, int)) {
  return random_pick<T>(
      name, [=](uint64_t seed, int size) { return make(how, seed, size); }, [](const T& value) { return simpler(value); });
}

}  // namespace

mx_product pick_mx_product(const std::string& name, reach how) { return pick(name, how, make_mx_product); }
bf16_product pick_bf16_product(const std::string& name, reach how) { return pick(name, how, make_bf16_product); }
whole_product pick_whole_product(const std::string& name, reach how) { return pick(name, how, make_whole_product); }

}  // namespace adahop::property
