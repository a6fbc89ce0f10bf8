// Fibers: the part that does not depend on the processor, with the notes AddressSanitizer wants at a switch.
#include "device/cpu/fiber.h"

#include <cstdlib>

#include "device/cpu/fiber_context.h"

#if defined(__SANITIZE_ADDRESS__)
#define ADAHOP_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADAHOP_ASAN 1
#endif
#endif

#if defined(ADAHOP_ASAN)
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace adahop::hip::cpu {

void adopt_thread(fiber& f) {
#if defined(ADAHOP_ASAN)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) std::abort();
  pthread_attr_getstack(&attributes, &f.stack_bottom, &f.stack_bytes);
  pthread_attr_destroy(&attributes);
#else
  f = {};
#endif
}

void prepare_fiber(fiber& f, void* bottom, size_t bytes, size_t offset, void (*entry)()) {
  f.stack_bottom = bottom;
  f.stack_bytes = bytes;
  f.fake_stack = nullptr;
  prepare_context(f, bytes - offset, entry);
}

void switch_fiber(fiber& from, fiber& to) {
#if defined(ADAHOP_ASAN)
  __sanitizer_start_switch_fiber(&from.fake_stack, to.stack_bottom, to.stack_bytes);
#endif
  switch_context(from, to);
#if defined(ADAHOP_ASAN)
  __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}

void enter_fiber() {
#if defined(ADAHOP_ASAN)
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

void leave_fiber(fiber& from, fiber& to) {
#if defined(ADAHOP_ASAN)
  __sanitizer_start_switch_fiber(nullptr, to.stack_bottom, to.stack_bytes);
#endif
  switch_context(from, to);
  std::abort();
}

void clean_stack([[maybe_unused]] void* bottom, [[maybe_unused]] size_t bytes) {
#if defined(ADAHOP_ASAN)
  ASAN_UNPOISON_MEMORY_REGION(bottom, bytes);
#endif
}

}  // namespace adahop::hip::cpu
