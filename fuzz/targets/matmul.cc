// A whole product, described by the input, on the reference and on every backend of this build, bit for bit and in mode
// native by certificate and bound. Aborts on the first difference. Implements the fuzzers' side of SPEC 1.1, 10.24, 13.2.
#include "fuzz/differential.h"
#include "fuzz/product_calls.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace adahop;
  fuzz::input in(std::span(data, size));
  const auto contenders = fuzz::read_contenders(in);
  const fuzz::product_calls calls = fuzz::read_product(in);
  fuzz::require_agreement(calls.bitexact, contenders);
  fuzz::require_agreement(calls.native, contenders);
  return 0;
}
