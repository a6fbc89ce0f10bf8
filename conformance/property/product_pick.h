// The random products of a property, each printed under its name when the property fails. Use inside the body of
// check_property only.
#pragma once
#include <string>

#include "check.h"
#include "pick.h"
#include "product_inputs.h"

namespace adahop::property {

mx_product pick_mx_product(const std::string& name, reach how);
bf16_product pick_bf16_product(const std::string& name, reach how);
whole_product pick_whole_product(const std::string& name, reach how);

}  // namespace adahop::property
