# The benches' own machinery: what makes a ratio void, and what the command takes. The programs' smoke tests are in bench/.
if(TARGET adahop_bench)
  adahop_test(bench_harness_test
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/bench_harness_test.cc ${CMAKE_CURRENT_LIST_DIR}/bench_baselines_test.cc
    LINKS adahop_bench fmt::fmt nlohmann_json::nlohmann_json
    LABELS bench)
  add_test(NAME bench_cli
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/bench_cli.sh ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
  set_tests_properties(bench_cli PROPERTIES LABELS bench TIMEOUT 600)
endif()
