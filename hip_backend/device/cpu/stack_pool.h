// The stacks of a block's fibers, each with an inaccessible region below it, kept from block to block.
#pragma once
#include <cstddef>
#include <cstdint>

namespace adahop::hip::cpu {

class stack_pool {
 public:
  stack_pool() = default;
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;
  ~stack_pool();

  /// Makes at least `count` stacks available; false when the system refuses the memory.
  bool reserve(uint32_t count);

  void* bottom(uint32_t index) const;
  static size_t stack_bytes();

  /// True when `address` lies in the guard of one of the stacks; `index` says which.
  bool in_guard(const void* address, uint32_t& index) const;

 private:
  char* base_ = nullptr;
  uint32_t count_ = 0;
};

}  // namespace adahop::hip::cpu
