# The reference's models, roundings, transforms, layouts and calibration against the second implementation.
adahop_test(independent2_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/independent_calls.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent_support.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent2_calibration_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent2_certificate_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent2_models_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent2_products_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent2_rounding_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent2_support.cc
    ${CMAKE_CURRENT_LIST_DIR}/independent2_transform_test.cc
  LINKS adahop::independent adahop::reference adahop::common
  LABELS unit)
