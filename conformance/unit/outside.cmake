# Faults from outside: kills, full disks, missing rights, hostile headers under limits of memory and time.
if(TARGET adahop_program AND TARGET explain_faulty_backend)
  add_library(outside_shim MODULE ${CMAKE_CURRENT_LIST_DIR}/outside_shim.cc)
  target_link_libraries(outside_shim PRIVATE adahop_warnings)
  # It stands in front of the sanitizers' own library and must not need it.
  target_compile_options(outside_shim PRIVATE -fno-sanitize=all)
  target_link_options(outside_shim PRIVATE -fno-sanitize=all)
  set_target_properties(outside_shim PROPERTIES PREFIX "")
  foreach(fault IN ITEMS kill fail)
    add_test(NAME outside_${fault}
      COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/outside_${fault}.sh $<TARGET_FILE:adahop_program>
              $<TARGET_FILE:outside_shim> $<TARGET_FILE:explain_faulty_backend> ${PROJECT_SOURCE_DIR})
    set_tests_properties(outside_${fault} PROPERTIES LABELS unit TIMEOUT 600)
  endforeach()
  # Sanitizers see nothing of a process that is killed; refusals of files run under them in cli_errors and the fuzz corpora.
  set_tests_properties(outside_kill outside_fail PROPERTIES LABELS "unit;plain-only")
  # The limit of address space leaves no room for the sanitizers' shadow memory.
  add_test(NAME outside_memory
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/outside_memory.sh $<TARGET_FILE:adahop_program> ${PROJECT_SOURCE_DIR})
  set_tests_properties(outside_memory PROPERTIES LABELS "unit;plain-only" TIMEOUT 600)
endif()
if(TARGET adahop_report)
  adahop_test(outside_files_test
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/outside_files_test.cc
    LINKS adahop::report adahop::common fmt::fmt nlohmann_json::nlohmann_json
    LABELS unit)
endif()
