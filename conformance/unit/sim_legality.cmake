# Kernels that are legal though unusual, which must run to the end, beside ones that are wrong in one place.
if(TARGET adahop_gfx950_O3)
  adahop_gfx950_code_objects(sim_legality_kernels LEVEL O3 SOURCES sim_legality_kernels.hip)
  get_target_property(sim_legality_objects sim_legality_kernels ADAHOP_CODE_OBJECTS)
  adahop_test(sim_legality_test
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_legality_test.cc
    LINKS adahop::gfx950_sim LABELS unit)
  target_compile_definitions(sim_legality_test PRIVATE ADAHOP_SIM_LEGALITY_KERNELS="${sim_legality_objects}")
  add_dependencies(sim_legality_test sim_legality_kernels)
endif()
