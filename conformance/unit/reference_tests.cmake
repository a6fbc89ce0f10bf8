adahop_test(reference_quantize_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/reference_encode_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference_quantize_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference_round_test.cc
  LINKS adahop::reference
  LABELS unit)
adahop_test(reference_analysis_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/reference_hadamard_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference_outliers_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference_pattern_test.cc
  LINKS adahop::reference
  LABELS unit)
adahop_test(reference_product_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/reference_accumulate_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference_matmul_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference_product_test.cc
  LINKS adahop::reference
  LABELS unit)
adahop_test(reference_backend_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/reference_backend_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference_environment_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference_memory_test.cc
  LINKS adahop::reference
  LABELS unit)
