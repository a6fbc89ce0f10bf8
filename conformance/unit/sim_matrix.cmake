# Matrix instructions of the simulator.
adahop_test(sim_matrix_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_matrix_test.cc
  LINKS adahop_sim_support
  LABELS unit)
