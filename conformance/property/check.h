// Properties: laws that hold for every input, checked on random ones by RapidCheck, which makes a failing input simpler
// and prints it. Only check.cc, pick.cc and product_pick.cc include RapidCheck, which costs many seconds a translation unit.
//
//   TEST_CASE("encode is odd", "[property][spec:5.13]") {
//     check_property("the code of -v is the code of v with the other sign", 500, [] {
//       const uint32_t v = pick_value("v");
//       require(code(v ^ kSign) == (code(v) ^ 8), "codes differ");
//     });
//   }
//
// A failure prints the shrunk input by the names of its picks, what was required with file and line, and a line
// RC_PARAMS="reproduce=..."; run the program again with that in the environment and it replays that very case alone.
// The seed is fixed, so that a red run is red again: RC_PARAMS="seed=7" explores elsewhere,
// RC_PARAMS="max_success=9999" sets the number of cases, ADAHOP_PROPERTY_FACTOR=10 multiplies it.
#pragma once
#include <cstdint>
#include <functional>
#include <source_location>
#include <string>

namespace adahop::property {

/// Fails the test case if `body` throws for one of `cases` random inputs. `description` is unique in its program: it
/// names the property in RC_PARAMS. Under sanitizers a fifth of the cases is made.
void check_property(const std::string& description, int cases, const std::function<void()>& body);

/// Fails the property at hand unless `holds`; `what` says what was found, values in hexadecimal.
void require(bool holds, const std::string& what, std::source_location where = std::source_location::current());

/// require(got == wanted) for bit patterns, printed in hexadecimal, and for counts and statuses, in decimal.
void require_equal(uint64_t got, uint64_t wanted, const std::string& what,
                   std::source_location where = std::source_location::current());

void require_number(int64_t got, int64_t wanted, const std::string& what,
                    std::source_location where = std::source_location::current());

/// Passes over this input. Use it where few inputs are passed over; else pick what is wanted.
void discard_unless(bool wanted);

}  // namespace adahop::property
