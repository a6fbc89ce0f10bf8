adahop_test(reference_random_rounding_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/reference_random_rounding_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference_stochastic_test.cc
  LINKS adahop::reference
  LABELS unit)
adahop_test(reference_shape_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/reference_transform_sizes_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference_known_faults_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference_scale_layout_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference_padding_test.cc
  LINKS adahop::reference
  LABELS unit)
adahop_test(cli_policies_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/cli_policies_test.cc
  LINKS adahop::reference fmt::fmt nlohmann_json::nlohmann_json
  LABELS unit)
target_compile_definitions(cli_policies_test PRIVATE
  ADAHOP_PROGRAM="$<TARGET_FILE:adahop_program>"
  ADAHOP_DATA_FOLDER="${PROJECT_SOURCE_DIR}/conformance/data")
add_dependencies(cli_policies_test adahop_program)
