adahop_test(reference2_rounding_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/reference2_rounding_test.cc
  LINKS adahop::reference
  LABELS unit)
