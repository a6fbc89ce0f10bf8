# SimDevice on kernels of its own, compiled for gfx950.
if(TARGET adahop_gfx950_O3)
  adahop_gfx950_code_objects(sim_device_kernels LEVEL O3 SOURCES sim_device_kernels.hip)
  get_target_property(sim_device_objects sim_device_kernels ADAHOP_CODE_OBJECTS)
  adahop_test(sim_device_test
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_device_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_device_fault_test.cc
    LINKS adahop::gfx950_sim LABELS unit)
  target_compile_definitions(sim_device_test PRIVATE ADAHOP_SIM_DEVICE_KERNELS="${sim_device_objects}")
  add_dependencies(sim_device_test sim_device_kernels)
endif()
