# Tests of the differential fuzzers (fuzz/): what bytes become, what their corpora reach, that a fault is found.
if(TARGET adahop_hip)
  adahop_test(fuzz_calls_test
    SOURCES fuzz_input_test.cc fuzz_calls_test.cc fuzz_finding_test.cc
    LINKS adahop::fuzz_calls adahop::report adahop::reference LABELS unit fuzz)
  target_include_directories(fuzz_calls_test PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(fuzz_calls_test PRIVATE ADAHOP_FUZZ_CORPUS="${PROJECT_SOURCE_DIR}/fuzz/corpus")
endif()
