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
# Two million outputs, 20 s of one core; with sanitizers minutes, so only when asked for by label.
add_test(NAME models_bound_million COMMAND models_bound_test [.million])
set(million_label unit)
if(ADAHOP_SANITIZE)
  set(million_label exhaustive)
endif()
set_tests_properties(models_bound_million PROPERTIES LABELS ${million_label} TIMEOUT 3600)

adahop_test(models_cli_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/models_cli_test.cc
  LINKS adahop::reference adahop::common fmt::fmt nlohmann_json::nlohmann_json
  LABELS unit)
target_compile_definitions(models_cli_test PRIVATE ADAHOP_PROGRAM="$<TARGET_FILE:adahop_program>"
  ADAHOP_DATA_FOLDER="${PROJECT_SOURCE_DIR}/conformance/data")
add_dependencies(models_cli_test adahop_program)
