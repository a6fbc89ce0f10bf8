# The kernels of reference/simd against the scalar oracle: one checking function for each line of kernels.def; and what the
# backend makes of the caller's environment and of ADAHOP_ISA.
adahop_test(simd_kernels_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/simd_kernels_dequantize_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/simd_kernels_environment_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/simd_kernels_exhaustive_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/simd_kernels_hadamard_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/simd_kernels_panels_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/simd_kernels_quantize_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/simd_kernels_shapes_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/simd_kernels_statistics_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/simd_kernels_table_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/simd_kernels_tiles_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/simd_kernels_transpose_test.cc
  LINKS adahop::simd fmt::fmt OpenMP::OpenMP_CXX
  LABELS unit)
set_tests_properties(simd_kernels_test PROPERTIES COST 20)

adahop_test(simd_empty_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/simd_empty_test.cc
  LINKS adahop::backends adahop::reference fmt::fmt LABELS unit)

# `ctest -L exhaustive`: 1.1e10 elements through the kernels and the oracle, minutes.
add_test(NAME simd_kernels_exhaustive COMMAND simd_kernels_test [.exhaustive])
set_tests_properties(simd_kernels_exhaustive PROPERTIES LABELS exhaustive TIMEOUT 3600)

add_test(NAME simd_kernels_refused COMMAND simd_kernels_test [.refused])
set_tests_properties(simd_kernels_refused PROPERTIES LABELS unit ENVIRONMENT ADAHOP_ISA=sse9)

add_test(NAME simd_kernels_isa
  COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/simd_kernels_isa.sh $<TARGET_FILE:adahop_program> ${PROJECT_SOURCE_DIR})
set_tests_properties(simd_kernels_isa PROPERTIES LABELS unit TIMEOUT 600)

# Sanitizers and coverage add symbols of their own to every object.
string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" simd_kernels_processor)
if(simd_kernels_processor MATCHES "^(x86_64|amd64)$" AND NOT ADAHOP_SANITIZE AND NOT ADAHOP_COVERAGE AND NOT ADAHOP_ENABLE_FUZZ)
  add_test(NAME simd_objects
    COMMAND ${PROJECT_SOURCE_DIR}/conformance/checks/simd_objects.sh ${CMAKE_NM}
            ${PROJECT_SOURCE_DIR}/reference/simd/kernels.def "$<FILTER:$<TARGET_OBJECTS:adahop_simd>,INCLUDE,/avx(2|512)/>"
    COMMAND_EXPAND_LISTS)
  add_test(NAME simd_objects_test
    COMMAND ${PROJECT_SOURCE_DIR}/conformance/checks/simd_objects_test.sh ${PROJECT_SOURCE_DIR} ${CMAKE_CXX_COMPILER}
            ${CMAKE_NM})
  set_tests_properties(simd_objects simd_objects_test PROPERTIES LABELS "unit;plain-only")
endif()
