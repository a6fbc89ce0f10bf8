// One field of a call made hostile: a limit, a neighbour, another field's value, a null.
#pragma once
#include <string>

#include "fuzz/hostile_args.h"

namespace adahop::fuzz {

/// Damages one field of the argument struct, of what it points to, of the policy or of exec: "field=value".
std::string damage_field(input& in, hostile_call& c);

}  // namespace adahop::fuzz
