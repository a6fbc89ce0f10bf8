// What ran and what compiled it, for the record.
#pragma once
#include "bench/placement.h"
#include "bench/row.h"

namespace adahop::bench {

/// CPU and caches as the kernel tells them; compiler, flags and instruction set of the kernels measured.
machine describe_machine(const placement& cores);

}  // namespace adahop::bench
