# Checks of the tree itself: they run no code of ours that is compiled, so one run, without sanitizers, is enough.
foreach(check bootstrap_count_test include_rules include_rules_test mutants_apply spec_tags spec_tags_test)
  add_test(NAME ${check} COMMAND bash ${PROJECT_SOURCE_DIR}/conformance/checks/${check}.sh ${PROJECT_SOURCE_DIR})
  set_tests_properties(${check} PROPERTIES LABELS "unit;plain-only")
endforeach()

find_package(Python3 QUIET COMPONENTS Interpreter)
if(Python3_FOUND)
  add_test(NAME data_manifest
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/conformance/data/make_tensors.py --check)
  set_tests_properties(data_manifest PROPERTIES LABELS "unit;plain-only")
else()
  message(STATUS "adahop: conformance/data is not checked against its manifest, python3 not found (apt-get install python3)")
endif()
