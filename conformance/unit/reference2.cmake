adahop_test(reference2_rounding_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/reference2_rounding_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference2_stochastic_test.cc
  LINKS adahop::reference
  LABELS unit)
adahop_test(reference2_shape_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/reference2_hadamard_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference2_known_faults_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference2_layout_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference2_padding_test.cc
  LINKS adahop::reference
  LABELS unit)
adahop_test(reference2_cli_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/reference2_cli_test.cc
  LINKS adahop::reference fmt::fmt nlohmann_json::nlohmann_json
  LABELS unit)
target_compile_definitions(reference2_cli_test PRIVATE
  ADAHOP_PROGRAM="$<TARGET_FILE:adahop_program>"
  ADAHOP_DATA_FOLDER="${PROJECT_SOURCE_DIR}/conformance/data")
add_dependencies(reference2_cli_test adahop_program)
