# What gfx950-sim records for people: traces of a wave, coverage of kernels; and the options of the program.
adahop_test(sim_trace_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_trace_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_coverage_test.cc
  LINKS adahop_sim_support adahop::hip_sim LABELS unit)
