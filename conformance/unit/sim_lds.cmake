# LDS of the simulator: opcodes and checks.
adahop_test(sim_lds_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/sim_lds_test.cc
  LINKS adahop_sim_support
  LABELS unit)
