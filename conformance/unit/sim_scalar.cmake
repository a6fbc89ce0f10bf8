# Scalar opcodes of the simulator.
adahop_test(sim_scalar_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_scalar_arithmetic_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_scalar_bit_test.cc
          ${CMAKE_CURRENT_LIST_DIR}/sim_scalar_compare_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_scalar_flow_test.cc
          ${CMAKE_CURRENT_LIST_DIR}/sim_scalar_memory_test.cc
  LINKS adahop_sim_support
  LABELS unit)
