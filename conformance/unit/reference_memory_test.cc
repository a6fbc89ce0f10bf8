// Every allocation of an operation fails once: each time the call must say so with a status, and leak nothing.
#include <cstdlib>
#include <new>

#include "reference/backend.h"
#include "reference_support.h"

namespace {

// Allocations of this thread until one fails; negative: none does.
thread_local int allocations_left = -1;

}  // namespace

void* operator new(std::size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  if (void* p = std::malloc(size > 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size > 0 ? size : 1); }
// Not inlined: GCC would take an operator new that it has not inlined for the library's, and warn of the wrong free().
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace adahop;

TEST_CASE("an allocation that fails is ADAHOP_OUT_OF_MEMORY, whichever it is", "[spec:1.7]") {
  test::generator random(95);
  const adahop_backend& backend = *adahop_backend_reference(ADAHOP_ABI_VERSION);
  const adahop_exec exec{sizeof(adahop_exec), ADAHOP_MODE_BITEXACT, ADAHOP_MEMORY_HOST, 0, nullptr, nullptr, 0};
  const policy p = test::policy_with("output=f32,oe_k=3");
  const matrix<bf16> a = test::random_bf16(random, 12, 64), b = test::random_bf16(random, 10, 64);
  matrix<float> out(12, 10);
  adahop_matmul_args good{&p, 1, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE, 0, view_of(a), view_of(b), view_of(out)};
  adahop_matmul_args bad = good;
  bad.level = 7;  // its message needs memory, too
  const struct {
    const adahop_matmul_args* args;
    int32_t expected;
    int at_least;  // allocations
  } cases[] = {{&good, ADAHOP_OK, 10}, {&bad, ADAHOP_INVALID_ARGUMENT, 0}};
  for (const auto& [args, expected, at_least] : cases) {
    int32_t code = ADAHOP_OUT_OF_MEMORY;
    int failures = 0;
    for (; code == ADAHOP_OUT_OF_MEMORY && failures < 1000; ++failures) {
      allocations_left = failures;
      code = backend.matmul(&exec, args);
      allocations_left = -1;
    }
    CHECK(code == expected);
    CHECK(failures > at_least);
  }
}
