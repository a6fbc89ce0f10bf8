adahop_test(common_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/common_formats_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/common_plan_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/common_policy_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/common_tensor_test.cc
  LINKS adahop::common
  LABELS unit)
