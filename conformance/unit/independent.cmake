# The reference against the second implementation. The exhaustive encoder test runs only when asked for by its label.
adahop_test(independent_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/independent_arithmetic_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_calls.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_encode_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_formats_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_gemm_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_hadamard_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_matmul_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_outliers_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_pattern_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_scale_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_support.cc
  LINKS adahop::independent adahop::reference adahop::common
  LABELS unit)

# `ctest -L exhaustive`: 2 x 2^32 encodes, minutes. CI runs with -LE exhaustive.
add_test(NAME independent_encode_exhaustive COMMAND independent_test [.exhaustive])
set_tests_properties(independent_encode_exhaustive PROPERTIES LABELS exhaustive TIMEOUT 3600)
