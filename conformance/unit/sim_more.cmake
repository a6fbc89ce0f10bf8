# Modifiers and operand order of the simulator's opcodes, where the tests of their families do without.
adahop_test(sim_more_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_more_modifiers_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_more_matrix_test.cc
  LINKS adahop_sim_support
  LABELS unit)
