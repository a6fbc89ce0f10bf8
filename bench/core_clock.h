// The clock of the core that this thread runs on.
#pragma once

namespace adahop::bench {

/// Cycles per second as a chain of dependent multiplications shows them: the highest of some milliseconds.
double core_hertz();

}  // namespace adahop::bench
