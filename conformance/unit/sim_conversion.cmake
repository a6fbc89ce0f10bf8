# Conversions of the simulator.
adahop_test(sim_conversion_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_conversion_scaled_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_conversion_test.cc
  LINKS adahop_sim_support
  LABELS unit)
