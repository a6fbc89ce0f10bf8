# The simulator's execution loop, values never written and launch state, on programs given as text.
adahop_test(sim_execute_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_execute_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_execute_launch_test.cc
          ${CMAKE_CURRENT_LIST_DIR}/sim_execute_values_test.cc
  LINKS adahop_sim_support adahop::hip_sim LABELS unit)
