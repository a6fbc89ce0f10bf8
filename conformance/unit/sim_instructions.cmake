# The committed table of the simulator's instructions, hip_backend/sim/INSTRUCTIONS.md, and the test of its check.
if(TARGET adahop_gfx950_O3)
  set(instruction_checks ${PROJECT_SOURCE_DIR}/conformance/checks)
  add_executable(sim_opcodes ${instruction_checks}/sim_opcodes.cc)
  target_link_libraries(sim_opcodes PRIVATE adahop::hip_sim adahop::code_objects adahop_exact adahop_warnings)
  set(instruction_table bash ${instruction_checks}/instruction_table.sh $<TARGET_FILE:sim_opcodes>)
  add_test(NAME sim_instructions COMMAND ${instruction_table} check ${PROJECT_SOURCE_DIR})
  add_test(NAME sim_instructions_test COMMAND bash ${instruction_checks}/instruction_table_test.sh ${PROJECT_SOURCE_DIR})
  set_tests_properties(sim_instructions sim_instructions_test PROPERTIES LABELS "unit;plain-only")
  # A change of the table that is meant.
  add_custom_target(sim_instruction_table COMMAND ${instruction_table} write ${PROJECT_SOURCE_DIR} DEPENDS sim_opcodes VERBATIM)
endif()
