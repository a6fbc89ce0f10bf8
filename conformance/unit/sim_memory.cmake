# Memory of the simulator: opcodes of LDS and global memory, and the checks.
adahop_test(sim_memory_test
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/sim_buffer_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_footprint_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_global_check_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_global_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_lds_check_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_lds_lanes_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_lds_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_memory_atomic_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_memory_device_test.cc
    ${CMAKE_CURRENT_LIST_DIR}/sim_waiting_test.cc
  LINKS adahop_sim_support
  LABELS unit)
