// The oracle's call, the kernels' calls, and the comparison.
#include "fuzz/simd_kernel_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "conformance/kernel_oracle/kernel_oracle.h"
#include "reference/simd/isa.h"

namespace adahop::fuzz {

using namespace adahop::reference::simd;

void operand::give_to_kernel() {
  memory_ = std::make_unique<guarded_operand>(before_.size(), place_);
  std::copy(before_.begin(), before_.end(), memory_->data());
}

std::string operand::difference() const {
  const uint8_t* const got = memory_->data();
  const auto at = static_cast<size_t>(std::mismatch(expected_.begin(), expected_.end(), got).first - expected_.begin());
  if (at != expected_.size()) {
    const size_t first = at / element_ * element_;
    uint64_t is = 0, should = 0;
    std::memcpy(&is, got + first, element_);
    std::memcpy(&should, expected_.data() + first, element_);
    return fmt::format("element {} of {}: got {:#0{}x}, expected {:#0{}x}", at / element_, expected_.size() / element_,
                       is, 2 * element_ + 2, should, 2 * element_ + 2);
  }
  return memory_->intact() ? "" : "bytes beside it were written";
}

int64_t trial::note(std::string_view name, int64_t value) {
  parameters_ += fmt::format("{}{}={}", parameters_.empty() ? "" : ", ", name, value);
  return value;
}

void trial::run(const std::function<void(const kernel_table&)>& call) {
  call(conformance::kernel_oracle::kTable);
  const std::vector<result> expected = std::move(results_);
  for (const isa level : {isa::avx2, isa::avx512}) {
    const kernel_table* const table = kernels_of(level);
    if (table == nullptr) continue;
    results_.clear();
    for (const auto& o : operands_) o->give_to_kernel();
    call(*table);
    for (const auto& o : operands_)
      if (const std::string what = o->difference(); !what.empty()) report(name(level), o->name() + ": " + what);
    if (results_.size() != expected.size())
      report(name(level), fmt::format("{} results for {}", results_.size(), expected.size()));
    for (size_t i = 0; i < expected.size(); ++i)
      if (results_[i] != expected[i])
        report(name(level),
               fmt::format("{}: got {}, expected {}", expected[i].name, results_[i].value, expected[i].value));
    for (const auto& o : operands_) o->take_back();
  }
}

void trial::report(std::string_view level, const std::string& what) const {
  fmt::print(stderr, "finding: {}__{} differs from the scalar oracle: {}\n  {}\n", kernel_, level, what, parameters_);
  std::abort();
}

}  // namespace adahop::fuzz
