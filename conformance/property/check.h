// RapidCheck under any Catch2: its own catch.h knows only version 2. A failing property prints the shrunk input and the
// RC_PARAMS that replay it.
#pragma once
#include <rapidcheck.h>

#include <string>
#include <utility>

#include "catch.h"

template <class Property>
void check_property(const std::string& description, Property&& property) {
  CHECK(rc::check(description, std::forward<Property>(property)));
}
