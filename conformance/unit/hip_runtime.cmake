# HipDevice and the backend hip: on fake_hip, a look-alike of the runtime library, and on the real one where it is.
if(TARGET adahop_gfx950_O3)
  add_subdirectory(${PROJECT_SOURCE_DIR}/conformance/fake_hip ${PROJECT_BINARY_DIR}/conformance/fake_hip)
  adahop_test(hip_runtime_test
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/hip_runtime_device_test.cc ${CMAKE_CURRENT_LIST_DIR}/hip_runtime_memory_test.cc
    LINKS adahop_fake_hip adahop::hip_runtime adahop::hip adahop::common
    LABELS unit)
  target_include_directories(hip_runtime_test PRIVATE ${PROJECT_SOURCE_DIR})
  set_tests_properties(hip_runtime_test PROPERTIES ENVIRONMENT ADAHOP_HIP_LIBRARY=$<TARGET_FILE:adahop_fake_hip>)

  # Under sanitizers one shape is enough: the kernels are those that conform_mustpass runs.
  set(runtime_cases)
  if(ADAHOP_SANITIZE)
    set(runtime_cases --filter "*/72x96x80/*")
  endif()
  add_test(NAME hip_runtime_conform
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/hip_runtime_conform.sh $<TARGET_FILE:adahop_program>
            $<TARGET_FILE:adahop_fake_hip> ${CMAKE_CURRENT_BINARY_DIR}/hip_runtime ${runtime_cases})
  set_tests_properties(hip_runtime_conform PROPERTIES LABELS conformance TIMEOUT 1800)
  add_test(NAME hip_runtime_cli
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/hip_runtime_cli.sh $<TARGET_FILE:adahop_program>
            $<TARGET_FILE:adahop_fake_hip> $<TARGET_FILE:adahop_plugin_hip> ${CMAKE_CURRENT_BINARY_DIR}/hip_runtime_cli)
  set_tests_properties(hip_runtime_cli PROPERTIES LABELS unit TIMEOUT 600)
  # HIP's own library is not instrumented: under sanitizers its leaks are not ours.
  add_test(NAME hip_runtime_library
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/hip_runtime_library.sh $<TARGET_FILE:adahop_program>)
  set_tests_properties(hip_runtime_library PROPERTIES LABELS "unit;plain-only" TIMEOUT 120 SKIP_RETURN_CODE 77)
else()
  message(STATUS "tests of the backend hip: off, they need gfx950 code objects")
endif()
