# Faults that others reported in public, run through the C ABI against every backend of known_faults_support.cc.
adahop_test(known_faults_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/independent_calls.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_support.cc
    ${CMAKE_CURRENT_LIST_DIR}/known_faults_codes_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/known_faults_environment_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/known_faults_hadamard_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/known_faults_layout_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/known_faults_products_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/known_faults_scale_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/known_faults_support.cc
  LINKS adahop::independent adahop::reference adahop::hip adahop::common
  LABELS unit)
