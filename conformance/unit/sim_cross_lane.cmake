# What the simulator's vector opcodes share, DPP and SDWA, and its cross-lane opcodes.
adahop_test(sim_cross_lane_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_cross_lane_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_lanes_test.cc
  LINKS adahop_sim_support
  LABELS unit)
