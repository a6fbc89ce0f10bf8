# The layer: methods, linear, calibration, plan files, and the commands on top of them.
adahop_test(layer_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/layer_linear_test.cc ${CMAKE_CURRENT_LIST_DIR}/layer_saved_test.cc
          ${CMAKE_CURRENT_LIST_DIR}/layer_calibration_test.cc ${CMAKE_CURRENT_LIST_DIR}/layer_plan_test.cc
  LINKS adahop::backends adahop::common fmt::fmt
  LABELS unit)
