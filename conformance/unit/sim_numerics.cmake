# The simulator's numerics against vectors made by hand, the host's own arithmetic and published results.
adahop_test(sim_numerics_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/sim_numerics_bf16_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_numerics_convert_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_numerics_division_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_numerics_layout_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_numerics_models_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_numerics_rounding_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_numerics_stochastic_test.cc
  LINKS adahop::sim_numerics adahop::common
  LABELS unit)

# The same numerics against the reference.
adahop_test(sim_numerics_reference_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_numerics_reference_test.cc
  LINKS adahop::sim_numerics adahop::reference adahop::common
  LABELS unit)
