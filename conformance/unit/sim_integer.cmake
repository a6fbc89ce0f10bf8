# Vector integer opcodes of the simulator.
adahop_test(sim_integer_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_integer_16_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_integer_arithmetic_test.cc
          ${CMAKE_CURRENT_LIST_DIR}/sim_integer_bit_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_integer_compare_test.cc
          ${CMAKE_CURRENT_LIST_DIR}/sim_integer_move_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_integer_packed_test.cc
  LINKS adahop_sim_support
  LABELS unit)
