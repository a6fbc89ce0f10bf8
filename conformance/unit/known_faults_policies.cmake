# Reported faults in random rounding, layouts and accumulation, and the survey's lessons about tests.
adahop_test(known_faults_policies_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/independent_calls.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_support.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_models_support.cc
    ${CMAKE_CURRENT_LIST_DIR}/known_faults_support.cc
    ${CMAKE_CURRENT_LIST_DIR}/known_faults_scale_layout_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/known_faults_lessons_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/known_faults_models_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/known_faults_random_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/known_faults_capabilities.cc
  LINKS adahop::independent adahop::suites adahop::reference adahop::hip adahop::common
  LABELS unit)
