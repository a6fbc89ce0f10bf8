adahop_test(hip_cpu_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/hip_cpu_test.cc
  LINKS adahop::hip_cpu_executor
  LABELS unit)
target_compile_definitions(hip_cpu_test PRIVATE ADAHOP_TARGET_CPU)
