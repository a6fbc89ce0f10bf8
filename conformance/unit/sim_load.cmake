# From an ELF image to a bound program. What decodes needs LLVM's library, which comes with the compiler of the kernels.
adahop_test(sim_load_text_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_load_operand_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_load_modifier_test.cc
          ${CMAKE_CURRENT_LIST_DIR}/sim_load_form_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_load_parser_test.cc
  LINKS adahop::hip_sim
  LABELS unit)
adahop_test(sim_load_image_test
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_load_elf_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_load_descriptor_test.cc
  LINKS adahop::hip_sim
  LABELS unit)

if(TARGET adahop_gfx950_O3)
  adahop_test(sim_load_program_test
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_load_program_test.cc ${CMAKE_CURRENT_LIST_DIR}/sim_load_decoder_test.cc
    LINKS adahop::hip_sim
    LABELS unit)
  add_library(sim_load_old_llvm MODULE ${CMAKE_CURRENT_LIST_DIR}/sim_load_old_llvm.cc)
  set_target_properties(sim_load_old_llvm PROPERTIES PREFIX "")
  foreach(case IN ITEMS
      without-llvm=/there-is-no-such-library not-llvm=libm.so.6 old-llvm=$<TARGET_FILE:sim_load_old_llvm>)
    string(REGEX MATCH "^([^=]*)=(.*)$" matched ${case})
    add_test(NAME sim_load_${CMAKE_MATCH_1} COMMAND sim_load_program_test [.${CMAKE_MATCH_1}])
    set_tests_properties(sim_load_${CMAKE_MATCH_1} PROPERTIES LABELS unit ENVIRONMENT ADAHOP_LLVM_LIBRARY=${CMAKE_MATCH_2})
  endforeach()

  adahop_test(sim_load_objects_test
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_load_objects_test.cc
    LINKS adahop::hip_sim
    LABELS unit)
  set(objects)
  foreach(level IN ITEMS O3 O2)
    get_target_property(level_objects adahop_gfx950_${level} ADAHOP_CODE_OBJECTS)
    list(APPEND objects ${level_objects})
    add_dependencies(sim_load_objects_test adahop_gfx950_${level})
  endforeach()
  list(JOIN objects ":" objects)
  target_compile_definitions(sim_load_objects_test PRIVATE
    ADAHOP_TEST_CODE_OBJECTS="${objects}" ADAHOP_TEST_OBJDUMP="${ADAHOP_GFX950_OBJDUMP}")
endif()
