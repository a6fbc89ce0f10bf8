adahop_test(reference2_rounding_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/reference2_rounding_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference2_stochastic_test.cc
  LINKS adahop::reference
  LABELS unit)
adahop_test(reference2_shape_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/reference2_hadamard_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference2_layout_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/reference2_padding_test.cc
  LINKS adahop::reference
  LABELS unit)
