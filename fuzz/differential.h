// One call on the reference, twice, and on every other backend, judged as `adahop conform` judges. Implements the fuzzers'
// side of SPEC 1.1, 1.2, 10.22, 10.23, 13.1, 13.10.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/judge/calls.h"
#include "conformance/judge/judge.h"
#include "fuzz/input.h"

namespace adahop::fuzz {

/// A backend to be held to the reference, and the options that it runs under.
struct contender {
  const adahop_backend* table = nullptr;
  std::vector<std::pair<std::string, std::string>> options;
};

/// hip-cpu and gfx950-sim, as far as this build has them, each of its options drawn: threads, order of lanes or waves,
/// tiles, and what hardware leaves open, which no result may depend on; and simd at each of its levels. Beside them the
/// backend that the environment variable ADAHOP_FUZZ_BACKEND names, a plug-in's path say, if it is set; one that calls
/// itself hip-cpu has hip-cpu's options, any other none. One that cannot be opened ends the process.
std::vector<contender> read_contenders(input& in);

/// Where the candidate of a call finds its arrays, and who brings the workspace.
void read_surroundings(input& in, conformance::call& c);

/// How two results disagree.
struct finding {
  std::string who, under;  ///< the backend, and its options as "KEY=VALUE, ..."
  conformance::call made;
  conformance::outcome judged;
};

/// Runs `c` on the reference with one thread and with several, under its other accumulation models where it is a product
/// that asks for one, and on each contender; the first disagreement. `c.expected` says what the reference must return; a
/// contender must refuse what it does not claim. A call in mode native is run on those contenders alone that claim it.
std::optional<finding> find_difference(const conformance::call& c, const std::vector<contender>& contenders);

/// What a person needs first, several lines: who, why, policy, inputs with shapes and strides, the first difference.
std::string text(const finding& f);

/// Saves the case for `adahop explain` into `folder`; the path of its .json.
result<std::string> save(const finding& f, const std::string& folder);

/// find_difference(); a finding is printed to stderr, saved into the folder that the environment variable
/// ADAHOP_FUZZ_CASES names, if it is set, and ends the process by abort().
void require_agreement(const conformance::call& c, const std::vector<contender>& contenders);

/// The reference's table.
const adahop_backend& reference();

}  // namespace adahop::fuzz
