// One call of a SIMD kernel: its operands, described by an input, once for the scalar oracle and once for each
// instruction set of this CPU; what the two must have in common; what is said where they differ.
#pragma once
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/simd_kernel_memory.h"
#include "reference/simd/kernels.h"

namespace adahop::fuzz {

using reference::simd::kernel_table;
using reference::simd::mx_lines;
using reference::simd::random_words;
using reference::simd::run_report;
using reference::simd::scale_choice;
using reference::simd::scale_range;
using reference::simd::transform;

/// An array that a kernel reads or writes. The oracle has its own copy; after the kernel's call every byte must be what
/// the oracle's has become: of inputs and of what lies between rows, what they were.
class operand {
 public:
  operand(std::string name, std::vector<uint8_t> content, size_t element, const operand_place& place)
      : name_(std::move(name)), before_(std::move(content)), expected_(before_), element_(element), place_(place) {}

  const std::string& name() const { return name_; }
  /// For the call being made.
  uint8_t* data() { return memory_ ? memory_->data() : expected_.data(); }

  /// Goes over to memory of a kernel's.
  void give_to_kernel();
  void take_back() { memory_.reset(); }
  /// Empty, or the first difference between what kernel and oracle made of it.
  std::string difference() const;

 private:
  std::string name_;
  std::vector<uint8_t> before_, expected_;
  size_t element_;
  operand_place place_;
  std::unique_ptr<guarded_operand> memory_;
};

class trial {
 public:
  trial(std::string_view kernel, input& bytes) : in(bytes), kernel_(kernel) {}

  input& in;

  /// A parameter: low to high, from the input, and said of a finding.
  int64_t number(std::string_view name, int64_t low, int64_t high) { return note(name, in.integer(low, high)); }
  int64_t note(std::string_view name, int64_t value);

  /// An operand with this content, anywhere that a multiple of `alignment` allows, and the way to its elements.
  template <class T>
  class elements {
   public:
    explicit elements(operand& o) : of_(&o) {}
    T* data() const { return reinterpret_cast<T*>(of_->data()); }

   private:
    operand* of_;
  };
  template <class T>
  elements<T> add(std::string name, const std::vector<T>& content, size_t alignment = sizeof(T)) {
    std::vector<uint8_t> bytes(content.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), content.data(), bytes.size());
    operands_.push_back(
        std::make_unique<operand>(std::move(name), std::move(bytes), sizeof(T), read_place(in, alignment)));
    return elements<T>(*operands_.back());
  }
  /// One that is only written: `count` elements of marked bytes.
  template <class T>
  elements<T> add_output(std::string name, int64_t count, size_t alignment = sizeof(T)) {
    std::vector<T> marked(static_cast<size_t>(count));
    if (count > 0) std::memset(static_cast<void*>(marked.data()), guarded_operand::kMark, marked.size() * sizeof(T));
    return add(std::move(name), marked, alignment);
  }

  /// Says what a call returned; in the order of the calls to it.
  void returned(std::string_view name, int64_t value) { results_.push_back({std::string(name), value}); }

  /// call(table) with the oracle's table, then with that of each instruction set, which must return and leave the same;
  /// a difference is printed and ends the process by abort().
  void run(const std::function<void(const kernel_table&)>& call);

 private:
  struct result {
    std::string name;
    int64_t value;
    bool operator==(const result&) const = default;
  };
  [[noreturn]] void report(std::string_view level, const std::string& what) const;

  std::string kernel_, parameters_;
  std::vector<std::unique_ptr<operand>> operands_;
  std::vector<result> results_;
};

/// fuzz_NAME(t, kernel) describes a call of the member `kernel` of a table by the trial's input and runs it. A line of
/// kernels.def without one does not link.
#define ADAHOP_SIMD_KERNEL(name, result, parameters) \
  void fuzz_##name(trial& t, result(*kernel_table::*kernel) parameters);
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL

}  // namespace adahop::fuzz
