# What the simulator's unit tests share; each family of opcodes has a program of its own.
add_library(adahop_sim_support STATIC ${CMAKE_CURRENT_LIST_DIR}/sim_support.cc)
target_link_libraries(adahop_sim_support PUBLIC adahop_catch_main adahop::hip_sim adahop_exact PRIVATE adahop_warnings)
