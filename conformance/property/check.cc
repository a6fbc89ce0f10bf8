// Running a property under RapidCheck.
#include "check.h"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string_view>

#include "catch.h"
#include "conformance/suites/random.h"
#include "repetitions.h"

namespace adahop::property {
namespace {

// RapidCheck's configuration is what RC_PARAMS says; a fixed seed is added where it names none, so that what RapidCheck
// prints of its configuration is true.
const rc::detail::Configuration& fixed_seed_configuration() {
  static const rc::detail::Configuration& configuration = []() -> const rc::detail::Configuration& {
    const char* const given = std::getenv("RC_PARAMS");
    const std::string asked = given != nullptr ? given : "";
    if (asked.find("seed=") == asked.npos) setenv("RC_PARAMS", (asked + " seed=1").c_str(), 1);
    return rc::detail::configuration();
  }();
  return configuration;
}

bool is_number_of_cases_given() {
  const char* const given = std::getenv("RC_PARAMS");
  return given != nullptr && std::string_view(given).find("max_success=") != std::string_view::npos;
}

// How many times more cases; 1 unless the environment has a positive number.
int case_factor() {
  const char* const text = std::getenv("ADAHOP_PROPERTY_FACTOR");
  return text != nullptr ? std::max(std::atoi(text), 1) : 1;
}

std::string failure(const std::string& what, const std::source_location& where) {
  return fmt::format("{}:{}: {}", where.file_name(), where.line(), what);
}

}  // namespace

void check_property(const std::string& description, int cases, const std::function<void()>& body) {
  rc::detail::TestParams params = fixed_seed_configuration().testParams;
  // Not the same inputs for every property that begins with the same pick.
  params.seed = conformance::random_word(params.seed, conformance::stream_of(description), 0);
  if (!is_number_of_cases_given()) params.maxSuccess = test::repetitions(cases) * case_factor();
  const rc::detail::TestMetadata metadata{description, description};
  const rc::detail::TestResult result = rc::detail::checkProperty(rc::detail::toProperty(body), metadata, params);
  const bool holds = result.is<rc::detail::SuccessResult>();
  INFO(description);
  if (!holds) {
    std::cerr << "\n- " << description << "\n";
    rc::detail::printResultMessage(result, std::cerr);
    std::cerr << std::endl;
  }
  CHECK(holds);
}

void require(bool holds, const std::string& what, std::source_location where) {
  if (!holds) throw std::runtime_error(failure(what, where));
}

void require_equal(uint64_t got, uint64_t wanted, const std::string& what, std::source_location where) {
  if (got != wanted)
    throw std::runtime_error(failure(fmt::format("{}: {:X}, expected {:X}", what, got, wanted), where));
}

void require_number(int64_t got, int64_t wanted, const std::string& what, std::source_location where) {
  if (got != wanted) throw std::runtime_error(failure(fmt::format("{}: {}, expected {}", what, got, wanted), where));
}

void discard_unless(bool wanted) { RC_PRE(wanted); }

}  // namespace adahop::property
