# Differential fuzzing through the C ABI: bytes become calls (adahop_fuzz_calls), calls run on every backend.
adahop_library(fuzz_calls
  SOURCES input.cc tensors.cc operation_calls.cc product_calls.cc model_facts.cc differential.cc
  LINKS adahop::report adahop::reference fmt::fmt)
adahop_fuzz_target(operations LINKS adahop::fuzz_calls)
adahop_fuzz_target(matmul LINKS adahop::fuzz_calls)
