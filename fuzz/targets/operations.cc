// Each operation below matmul, described by the input, on the reference and on every backend of this build; products also
// in mode native. Aborts on the first difference. Implements the fuzzers' side of SPEC 1.1, 13.1.
#include "fuzz/differential.h"
#include "fuzz/model_facts.h"
#include "fuzz/operation_calls.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace adahop;
  fuzz::input in(std::span(data, size));
  const adahop_op op = fuzz::read_op(in);
  const auto contenders = fuzz::read_contenders(in);
  const conformance::call c = fuzz::read_operation(in, op);
  fuzz::require_agreement(c, contenders);
  if (c.op != ADAHOP_OP_MX_GEMM || c.expected != ADAHOP_OK) return 0;
  fuzz::require_agreement(fuzz::native_form(c, &c), contenders);
  return 0;
}
