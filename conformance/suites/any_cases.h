// Cases that need no pair: each operation by itself over policies, types, axes and edges.
#pragma once
#include "conformance/suites/pair_cases.h"

namespace adahop::conformance {

/// Adds cases named any/stage/source/shape/policy.
class any_adder {
 public:
  explicit any_adder(case_list& out) : out_(out) {}
  test_case& add(stage where, const std::string& source, const std::string& shape, const std::string& policy_name,
                 std::function<result<call>(const context&)> prepare);

 private:
  case_list& out_;
};

/// Quantize and dequantize under four scale rules x two smallest bytes x two types x two axes, over all sources; the
/// amax ladder; every code with every byte; nonfinite = reject.
void add_quantize_cases(case_list& out);
/// Hadamard with both outputs, types and axes; the fused operation with lists of zeroed rows.
void add_hadamard_cases(case_list& out);
/// MX product, BF16 product and scatter-add on edges: all byte and code pairs, overflow, cancellation, K = 0.
void add_product_edge_cases(case_list& out);
/// Pattern, FOID and extraction on edges: constant tensors, ties, NaN, k above the dimension.
void add_selection_edge_cases(case_list& out);
/// The MX product under every gemm_model, the BF16 product under every bf16_gemm_model.
void add_model_cases(case_list& out);
/// Quantize, dequantize and Hadamard under stochastic and gfx950_sr rounding, other sizes, random signs, padding and
/// shuffled scales.
void add_rounding_cases(case_list& out);
/// The MX product in mode native, on narrow and wide windows of exponents, and under each mfma_model of hip-cpu.
void add_native_cases(case_list& out);
/// Each operation with its arrays in device memory.
void add_device_memory_cases(case_list& out);
/// Inputs on which one bit decides, for mutants of the reference that no other case showed.
void add_mutant_reference_cases(case_list& out);
/// Edges, contract and long dimensions, for mutants of the kernels that no other case showed.
void add_mutant_kernel_cases(case_list& out);
/// A workspace by the caller, arguments that must be refused, policies that are not claimed.
void add_contract_cases(case_list& out);

}  // namespace adahop::conformance
