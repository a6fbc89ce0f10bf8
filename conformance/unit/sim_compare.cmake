# Float comparisons of the simulator.
adahop_test(sim_compare_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_compare_test.cc
  LINKS adahop_sim_support
  LABELS unit)
