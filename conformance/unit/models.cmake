# Accumulation models, certificate and bound of the reference, and `adahop certify`.
adahop_test(models_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/models_aligned_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/models_bf16_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/models_certificate_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/models_exact_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/models_products_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/models_superaccumulator_test.cc
  LINKS adahop::reference
  LABELS unit)

adahop_test(models_bound_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/models_bound_test.cc
  LINKS adahop::reference
  LABELS unit)
# `ctest -L exhaustive`: the bound on two million outputs.
add_test(NAME models_bound_million COMMAND models_bound_test [.million])
set_tests_properties(models_bound_million PROPERTIES LABELS exhaustive TIMEOUT 3600)
