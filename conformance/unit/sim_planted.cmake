# Faults planted in gfx950 machine code, which gfx950-sim must find: in the kernels, and one for each of its checks in small
# kernels of assembly.
if(TARGET adahop_program AND TARGET adahop_gfx950_sim AND TARGET adahop_gfx950_O3)
  set(sim_planted ${PROJECT_SOURCE_DIR}/conformance/planted)
  add_executable(sim_launch_copy ${sim_planted}/sim_faults/launch_copy.cc)
  target_link_libraries(sim_launch_copy PRIVATE adahop::gfx950_sim adahop_exact adahop_warnings)
  file(GLOB sim_faults CONFIGURE_DEPENDS ${sim_planted}/sim_faults/*.sed ${sim_planted}/sim_faults/*.s)
  foreach(fault IN LISTS sim_faults)
    get_filename_component(fault_name ${fault} NAME_WE)
    add_test(NAME sim_planted_${fault_name}
      COMMAND bash ${sim_planted}/run_sim_planted.sh ${fault} ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/sim_planted
              $<TARGET_FILE:adahop_program> $<TARGET_FILE:sim_launch_copy> ${ADAHOP_GFX950_COMPILER} ${ADAHOP_GFX950_FLAGS})
    set_tests_properties(sim_planted_${fault_name} PROPERTIES LABELS "conformance;plain-only" TIMEOUT 600)
  endforeach()
endif()
