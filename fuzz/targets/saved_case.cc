// A saved case from anywhere, as `adahop explain` takes it: JSON and arrays are read, the call is made again on the
// reference, and what it accepts is explained. Input: length of the JSON (4 bytes), the JSON, the safetensors file.
#include "conformance/report/saved_case.h"

#include <algorithm>
#include <random>

#include "conformance/backends/registry.h"
#include "conformance/report/explain.h"
#include "fuzz/files.h"

using namespace adahop;
using namespace adahop::conformance;

// libFuzzer's; the plain reproducer has none.
extern "C" __attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

constexpr size_t kLengthBytes = 4;
constexpr const char* kName = "case.json";

size_t json_length(const uint8_t* data, size_t size) {
  size_t length = 0;
  for (size_t i = 0; i < kLengthBytes; ++i) length |= size_t{data[i]} << (8 * i);
  return std::min(length, size - kLengthBytes);
}

const adahop_backend& reference() {
  static const auto opened = open_backend("reference");
  fuzz::require(opened.ok(), "the reference is there");
  return *opened.value();
}

// Whether the elements of two outputs are the same bits.
bool same(const execution& a, const execution& b) {
  for (size_t i = 0; i < a.outputs.size(); ++i)
    for (int64_t r = 0; r < a.outputs[i].spec().rows; ++r)
      for (int64_t c = 0; c < a.outputs[i].spec().cols; ++c)
        if (a.outputs[i].bits(r, c) != b.outputs[i].bits(r, c)) return false;
  return a.outputs.size() == b.outputs.size();
}

void replay(const saved_case& c) {
  const auto again = call_of(c);
  if (!again.ok()) {
    fuzz::require(again.why().code() == ADAHOP_BAD_FILE && !again.why().message().empty(), "a call is refused with a reason");
    return;
  }
  const execution once = execute(again.value(), reference(), 0x5A), twice = execute(again.value(), reference(), 0xC3);
  fuzz::require(once.violation.empty(), "the reference stays within its arrays: " + once.violation);
  fuzz::require(once.status == twice.status, "the reference answers the same again");
  if (once.status != ADAHOP_OK && once.status != ADAHOP_NONFINITE) {
    fuzz::require(once.status != ADAHOP_INTERNAL && !once.error.empty(), "the reference refuses with a reason: " + once.error);
    return;
  }
  if (once.status == ADAHOP_OK) fuzz::require(same(once, twice), "the reference writes every element");
  const auto steps = explain(c);
  fuzz::require(steps.ok() ? !steps.value().empty() : steps.why().code() == ADAHOP_BAD_FILE, "a case is explained or refused");
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  std::minstd_rand random(seed);
  if (size < kLengthBytes || max_size < 2 * kLengthBytes || random() % 16 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const auto cut = data + kLengthBytes + json_length(data, size);
  std::vector<uint8_t> text(data + kLengthBytes, cut), rest(cut, data + size);
  std::vector<uint8_t>& changed = !rest.empty() && random() % 3 == 0 ? rest : text;
  const size_t room = max_size - kLengthBytes, before = changed.size();
  // The arrays keep their size: a file whose length does not fit its header ends early.
  if (&changed == &text) changed.resize(std::max(before, std::min(room, before + 256)));
  changed.resize(std::max(LLVMFuzzerMutate(changed.data(), before, changed.size()), &changed == &rest ? before : 0));
  text.resize(std::min(text.size(), room));
  rest.resize(std::min(rest.size(), room - text.size()));
  for (size_t i = 0; i < kLengthBytes; ++i) data[i] = static_cast<uint8_t>(text.size() >> (8 * i));
  std::copy(text.begin(), text.end(), data + kLengthBytes);
  std::copy(rest.begin(), rest.end(), data + kLengthBytes + text.size());
  return kLengthBytes + text.size() + rest.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < kLengthBytes) return 0;
  const size_t length = json_length(data, size);
  const uint8_t* const arrays = data + kLengthBytes + length;
  const auto file = io::safetensors::parse(std::vector<uint8_t>(arrays, data + size), kName);
  if (!file.ok()) return 0;
  const auto c = parse_case({reinterpret_cast<const char*>(data) + kLengthBytes, length}, file.value(), kName);
  fuzz::check_refusal(c.why(), kName);
  if (c.ok()) replay(c.value());
  return 0;
}
