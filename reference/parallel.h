// How independent outputs are spread over threads. Each index is computed whole by one thread in the default
// floating-point environment, so the bytes do not depend on the number of threads. Implements SPEC 1.2, 1.3.
#pragma once
#include <cstdint>

#include "reference/fp_environment.h"

namespace adahop::reference {

/// Threads of later operations, at least 1; the default is OpenMP's.
void set_threads(int count);
int threads();

/// Below this much work (elements read, roughly) starting threads costs more than it saves.
inline constexpr int64_t kSerialWork = int64_t{1} << 14;

/// Calls body(i) once for each i in [0, n), in any order, on any thread. `work` is the cost of one call in elements.
/// The body must not throw.
template <class Body>
void for_each_index(int64_t n, int64_t work, const Body& body) {
  const bool serial = n <= 1 || n < kSerialWork / (work + 1);
  const int count = serial ? 1 : threads();
#pragma omp parallel num_threads(count)
  {
    const default_fp_environment environment;
#pragma omp for schedule(static)
    for (int64_t i = 0; i < n; ++i) body(i);
  }
}

}  // namespace adahop::reference
