# The layer: methods, linear, calibration, plan files, and the commands on top of them.
adahop_test(layer_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/layer_linear_test.cc ${CMAKE_CURRENT_LIST_DIR}/layer_saved_test.cc
          ${CMAKE_CURRENT_LIST_DIR}/layer_calibration_test.cc ${CMAKE_CURRENT_LIST_DIR}/layer_plan_test.cc
  LINKS adahop::backends adahop::common fmt::fmt
  LABELS unit)

if(TARGET adahop_program)
  adahop_test(layer_cli_test
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/layer_cli_test.cc
    LINKS adahop::common fmt::fmt nlohmann_json::nlohmann_json
    LABELS "unit;conformance")
  target_compile_definitions(layer_cli_test PRIVATE
    ADAHOP_PROGRAM="$<TARGET_FILE:adahop_program>" ADAHOP_DATA_FOLDER="${PROJECT_SOURCE_DIR}/conformance/data")
  add_dependencies(layer_cli_test adahop_program)
  add_test(NAME layer_cli_errors
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/layer_cli_errors.sh $<TARGET_FILE:adahop_program> ${PROJECT_SOURCE_DIR})
  set_tests_properties(layer_cli_errors PROPERTIES LABELS unit TIMEOUT 600)
endif()
