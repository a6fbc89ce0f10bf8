# The reference's models, roundings, transforms, layouts and calibration against the second implementation.
adahop_test(independent_policies_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/independent_calls.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_support.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_calibration_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_certificate_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_models_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_products_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_rounding_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_models_support.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_transform_test.cc
  LINKS adahop::independent adahop::reference adahop::common
  LABELS unit)
