# Float opcodes of the simulator.
adahop_test(sim_float_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/sim_float_division_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_float_f16_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_float_f32_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_float_f64_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_float_fma_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_float_integral_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_float_library_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_float_modifiers_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_float_packed_test.cc
  LINKS adahop_sim_support
  LABELS unit)
