# What gfx950-sim records for people: traces of a wave, coverage of kernels; and the options of the program.
adahop_test(sim_trace_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_trace_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_coverage_test.cc
  LINKS adahop_sim_support adahop::hip_sim LABELS unit)
if(TARGET adahop_program AND TARGET adahop_gfx950_sim AND TARGET adahop_gfx950_O3)
  add_test(NAME sim_trace_cli
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/sim_trace_cli.sh $<TARGET_FILE:adahop_program>
            $<TARGET_FILE:explain_faulty_backend> ${CMAKE_CURRENT_BINARY_DIR}/sim_trace_cli)
  set_tests_properties(sim_trace_cli PROPERTIES LABELS "unit;conformance" TIMEOUT 600)
endif()
