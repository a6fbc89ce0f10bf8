# The program, run as a user runs it, and the backend registry.
adahop_test(cli_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/cli_quantize_test.cc ${CMAKE_CURRENT_LIST_DIR}/cli_products_test.cc
          ${CMAKE_CURRENT_LIST_DIR}/cli_backends_test.cc ${CMAKE_CURRENT_LIST_DIR}/cli_mapping_test.cc
  LINKS adahop::backends adahop::common fmt::fmt nlohmann_json::nlohmann_json
  LABELS unit)
target_compile_definitions(cli_test PRIVATE
  ADAHOP_PROGRAM="$<TARGET_FILE:adahop_program>"
  ADAHOP_PLUGIN="$<TARGET_FILE:adahop_plugin_hip_cpu>"
  ADAHOP_SHRINKING_BACKEND="$<TARGET_FILE:cli_shrinking_backend>"
  ADAHOP_DATA_FOLDER="${PROJECT_SOURCE_DIR}/conformance/data"
  ADAHOP_SPEC_FILE="${PROJECT_SOURCE_DIR}/SPEC.md")
add_dependencies(cli_test adahop_program adahop_plugin_hip_cpu)
add_library(cli_shrinking_backend MODULE ${CMAKE_CURRENT_LIST_DIR}/cli_shrinking_backend.cc)
target_link_libraries(cli_shrinking_backend PRIVATE adahop::common adahop_warnings)
set_target_properties(cli_shrinking_backend PROPERTIES PREFIX "" SUFFIX .so)
add_dependencies(cli_test cli_shrinking_backend)

adahop_test(cli_registry_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/cli_registry_test.cc
  LINKS adahop::backends fmt::fmt
  LABELS unit)
target_compile_definitions(cli_registry_test PRIVATE FAULTY_FOLDER="${CMAKE_CURRENT_BINARY_DIR}")
foreach(fault RANGE 1 11)
  add_library(faulty_backend_${fault} MODULE ${CMAKE_CURRENT_LIST_DIR}/cli_faulty_backend.cc)
  target_link_libraries(faulty_backend_${fault} PRIVATE adahop::common adahop_warnings)
  target_compile_definitions(faulty_backend_${fault} PRIVATE FAULT=${fault})
  set_target_properties(faulty_backend_${fault} PROPERTIES PREFIX "" SUFFIX .so LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  add_dependencies(cli_registry_test faulty_backend_${fault})
endforeach()

add_test(NAME cli_errors
  COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/cli_errors.sh $<TARGET_FILE:adahop_program> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli_errors PROPERTIES LABELS unit TIMEOUT 600)

# The program's peak memory; `ctest -L exhaustive` for tensors of 1 GiB. Sanitizers have memory of their own.
adahop_test(cli_memory_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/cli_memory_test.cc
  LINKS adahop::common fmt::fmt nlohmann_json::nlohmann_json
  LABELS "unit;plain-only")
target_compile_definitions(cli_memory_test PRIVATE
  ADAHOP_PROGRAM="$<TARGET_FILE:adahop_program>" ADAHOP_DATA_FOLDER="${PROJECT_SOURCE_DIR}/conformance/data")
add_dependencies(cli_memory_test adahop_program)
add_test(NAME cli_memory_16k COMMAND cli_memory_test [.exhaustive])
set_tests_properties(cli_memory_16k PROPERTIES LABELS "exhaustive;plain-only" TIMEOUT 3600)
