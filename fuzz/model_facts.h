// What SPEC promises of accumulation models on the reference alone: a product under any model against the exact sum,
// bit for bit where certified, else within the bound. Implements the fuzzers' side of SPEC 10.20-10.23.
#pragma once
#include "conformance/judge/judge.h"

namespace adahop::fuzz {

/// `c`, a product that succeeds, in mode native, in the memory that it has; `mx_part` is its MX product, null where it has
/// none (SPEC 10.24).
conformance::call native_form(const conformance::call& c, const conformance::call* mx_part);

/// `ran` is the reference's result of `c`. True where `c` is no product or its result keeps the promises under its own
/// model; else `o` says where it does not.
bool model_agrees(const conformance::call& c, const conformance::execution& ran, conformance::outcome& o);

}  // namespace adahop::fuzz
