// Names of the report's columns and the clauses each of them puts at stake.
#include <utility>

#include "conformance/suites/test_case.h"

namespace adahop::conformance {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, kStages> kStageTable{{
    {"pattern", "7.1-7.8"},
    {"foid", "9.1-9.5, 9.8"},
    {"extract", "9.6"},
    {"hadamard-quantize.left", "5.1-5.15, 6.1-6.9, 9.7"},
    {"hadamard-quantize.right", "5.1-5.15, 6.1-6.9, 9.7"},
    {"mx-gemm", "10.1-10.8"},
    {"outlier-gemm", "10.9"},
    {"scatter-add", "10.10"},
    {"bf16-product", "10.8, 10.9, 11.4"},
    {"matmul.forward", "8.1-8.6, 11.1-11.7"},
    {"matmul.dX", "8.1-8.6, 11.1-11.7"},
    {"matmul.dW", "8.1-8.6, 11.1-11.7"},
    {"quantize", "3.1-3.3, 5.1-5.9, 5.11-5.15"},
    {"dequantize", "2.1-2.8, 5.10"},
    {"hadamard", "6.1-6.5"},
    {"hadamard-quantize", "6.7-6.9"},
    {"mx-gemm", "10.1-10.8"},
    {"bf16-gemm", "10.7-10.9"},
    {"scatter-add", "10.10"},
    {"pattern", "7.1-7.8"},
    {"foid", "9.1-9.5"},
    {"extract", "9.6"},
    {"native-mx-gemm", "10.20-10.24"},
    {"native-matmul", "10.20-10.24, 11.1-11.4"},
    {"device-memory", "13.7"},
    {"workspace", "13.3"},
    {"errors", "1.7, 3.4"},
}};

}  // namespace

std::string_view stage_name(stage s) { return kStageTable[static_cast<size_t>(s)].first; }
std::string_view clauses(stage s) { return kStageTable[static_cast<size_t>(s)].second; }

}  // namespace adahop::conformance
