# The program, run as a user runs it.
adahop_test(cli_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/cli_quantize_test.cc ${CMAKE_CURRENT_LIST_DIR}/cli_products_test.cc
  LINKS adahop::backends adahop::common nlohmann_json::nlohmann_json
  LABELS unit)
target_compile_definitions(cli_test PRIVATE
  ADAHOP_PROGRAM="$<TARGET_FILE:adahop_program>"
  ADAHOP_DATA_FOLDER="${PROJECT_SOURCE_DIR}/conformance/data"
  ADAHOP_SPEC_FILE="${PROJECT_SOURCE_DIR}/SPEC.md")
add_dependencies(cli_test adahop_program)

add_test(NAME cli_errors
  COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/cli_errors.sh $<TARGET_FILE:adahop_program> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli_errors PROPERTIES LABELS unit TIMEOUT 600)
