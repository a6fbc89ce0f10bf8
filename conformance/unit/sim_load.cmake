# From an ELF image to a bound program. What decodes needs LLVM's library, which comes with the compiler of the kernels.
adahop_test(sim_load_text_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_load_operand_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_load_modifier_test.cc
          ${CMAKE_CURRENT_LIST_DIR}/sim_load_form_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_load_parser_test.cc
  LINKS adahop::hip_sim
  LABELS unit)
